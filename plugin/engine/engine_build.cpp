#include "plugin/engine/engine_build.h"

#include "simulator/compat.h"

#include <elf.h>
#include <link.h>
#include <llvm/IR/Verifier.h>

#include <cstdint>
#include <cstring>

namespace aiwc::engine {
namespace {

struct WantedBuild {
  uintptr_t address;
  std::string id;
};

/// Takes the build id of the library that `object` describes and returns 1, if the wanted address
/// is in it; `data`: a WantedBuild. For dl_iterate_phdr.
int takeBuildId(dl_phdr_info *object, size_t, void *data) {
  auto &wanted = *static_cast<WantedBuild *>(data);
  bool isIn = false;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto &part = object->dlpi_phdr[i];
    isIn |=
        part.p_type == PT_LOAD && wanted.address - object->dlpi_addr - part.p_vaddr < part.p_memsz;
  }
  if (!isIn)
    return 0;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto &part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE)
      continue;
    const auto *at = reinterpret_cast<const char *>(object->dlpi_addr + part.p_vaddr);
    const char *const end = at + part.p_memsz;
    const auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
    while (static_cast<size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char *const name = at + sizeof note, *const content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        wanted.id.assign(content, note.n_descsz);
      at = content + padded(note.n_descsz);
    }
  }
  return 1;
}

/// The build id of the library or the program in which the function is.
std::string buildIdOf(const void *function) {
  WantedBuild wanted{reinterpret_cast<uintptr_t>(function), ""};
  dl_iterate_phdr(takeBuildId, &wanted);
  return wanted.id;
}

} // namespace

const std::string &engineBuild() {
  static const auto *const build = [] { // outlives every static destructor
    auto *text = new std::string;
    for (const void *function : {reinterpret_cast<const void *>(&buildIdOf),
                                 reinterpret_cast<const void *>(&oclgrind::getTypeSize),
                                 reinterpret_cast<const void *>(&llvm::verifyFunction)}) {
      const std::string id = buildIdOf(function);
      if (id.empty())
        return new std::string;
      *text += id + "/";
    }
    return text;
  }();
  return *build;
}

} // namespace aiwc::engine
