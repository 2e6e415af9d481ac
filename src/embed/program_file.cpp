#include "embed/program_file.h"

#include "common/error.h"
#include "common/file.h"
#include "embed/container.h"
#include "embed/file.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace aiwc::embed {

namespace {

namespace fs = std::filesystem;
using profile::KernelProfile;

/// Locks a folder against other processes until the end of the scope. If the file system does not
/// support locks, there is no lock, and an annotation may be lost to another process.
class FolderLock {
public:
  explicit FolderLock(const fs::path &folder)
      : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    using namespace std::chrono_literals;
    const auto giveUp = std::chrono::steady_clock::now() + 10s;
    // The wait is limited, because this code runs inside the user's application.
    while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return;
      if (std::chrono::steady_clock::now() > giveUp) {
        close(descriptor_);
        throw Error(folder.string() +
                    ": is locked by another process: expected the lock to end within 10 s");
      }
      std::this_thread::sleep_for(1ms);
    }
  }
  ~FolderLock() {
    if (descriptor_ < 0)
      return;
    flock(descriptor_, LOCK_UN); // a child that was forked meanwhile has the descriptor, too
    close(descriptor_);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int descriptor_;
};

bool isSource(const profile::Provenance &provenance) {
  return provenance.sourceKind == "opencl-c";
}

bool knowsHostReads(const KernelProfile &profile) {
  return !std::holds_alternative<std::monostate>(profile["device_to_host_bytes"_metric]);
}

/// Whether `fresh` should replace `old`, which has the same kernel and NDRange.
bool givesWay(const KernelProfile &old, const KernelProfile &fresh) {
  const uint64_t there = old.count("total_instruction_count"_metric);
  const uint64_t here = fresh.count("total_instruction_count"_metric);
  return here > there || (here == there && !knowsHostReads(old) && knowsHostReads(fresh));
}

/// The annotations in `file`, or in the program that it will be made from.
std::vector<Annotation> annotationsNow(const fs::path &file, std::string_view program, bool made,
                                       const profile::Provenance &provenance) {
  Annotations all = made ? annotationsIn(program, file) : annotationsOf(file);
  if (isSource(provenance) && all.sourceHash != provenance.sourceHash)
    throw Error(fmt::format("{}: has the source {}: expected {}, that of kernel {}, or no file",
                            file.string(), all.sourceHash, provenance.sourceHash,
                            provenance.kernel));
  return std::move(all.found);
}

/// `binary` with `annotations`; empty if it cannot hold them or if LLVM is not available to write
/// them.
std::string annotatedBinary(const fs::path &file, std::string_view binary,
                            const std::vector<Annotation> &annotations) {
  try {
    return containerOf(file, binary).embed(binary, annotations);
  } catch (const Error &) {
    return "";
  }
}

void writeAnnotated(const fs::path &file, std::string_view program, bool made,
                    const std::vector<Annotation> &annotations,
                    const profile::Provenance &provenance) {
  if (isSource(provenance)) {
    replaceFile(file, embed(program, annotations));
    return;
  }
  const std::string binary = made ? std::string(program) : readFile(file, "bitcode");
  if (const std::string annotated = annotatedBinary(file, binary, annotations);
      !annotated.empty()) {
    replaceFile(file, annotated);
    return;
  }
  if (made)
    replaceFile(file, binary);
  replaceFile(sidecarOf(file), writeSidecar(annotations, annotationsIn(binary, file).sourceHash));
}

} // namespace

fs::path programFile(const fs::path &folder, const profile::Provenance &provenance) {
  constexpr size_t kDigits = 16;
  const std::string &hash = provenance.sourceHash;
  const std::string digits = hash.substr(hash.find(':') + 1, kDigits); // all, where there is no ':'
  return folder / fmt::format("kernels_{}.{}", digits, isSource(provenance) ? "cl" : "bc");
}

bool addToProgramFile(const fs::path &folder, const KernelProfile &profile,
                      std::string_view program) {
  const profile::Provenance &provenance = profile.provenance;
  const fs::path file = programFile(folder, provenance);
  const Annotation fresh = annotationOf(profile);
  const FolderLock lock(folder);
  std::error_code ignored; // reading it says what is wrong
  const bool made = !fs::exists(file, ignored);
  const std::vector<Annotation> now = annotationsNow(file, program, made, provenance);
  const auto old = std::ranges::find_if(
      now, [&](const Annotation &one) { return one.launch == fresh.launch && one.rewritable(); });
  const bool changes = old == now.end() || givesWay(old->profile(), profile);
  if (changes || made)
    writeAnnotated(file, program, made,
                   replaced(now, changes ? std::vector{fresh} : std::vector<Annotation>{}),
                   provenance);
  return made;
}

} // namespace aiwc::embed
