#include "attach/memory_file.h"

#include "common/error.h"
#include "common/signals.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

namespace aiwc::attach {

Descriptor memoryFile(const char *name, uint64_t bytes) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit most{before.rlim_max, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &most);
  int reason = file ? 0 : errno;
  {
    const WriteSignalsHeld held;
    if (reason == 0 && ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
      reason = errno;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  if (reason != 0)
    throw Error(withReason("there is no memory for captures of launches", reason));
  return file;
}

std::filesystem::path pathOf(const Descriptor &memory) {
  return fmt::format("/proc/{}/fd/{}", getpid(), memory.number());
}

} // namespace aiwc::attach
