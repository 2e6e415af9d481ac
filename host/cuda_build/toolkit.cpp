#include "cuda_build/toolkit.h"

#include "common/argument_pointers.h"
#include "common/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace aiwc::cuda_build {
namespace {

namespace fs = std::filesystem;

/// Puts `value` before what the variable, a list separated by colons, has.
void prepend(const char *variable, const std::string &value) {
  const char *before = std::getenv(variable);
  setenv(variable, (before && *before ? value + ":" + before : value).c_str(), 1);
}

/// Names a file of this process, which lives as long as the build that it becomes.
constexpr const char *kSaidFile = "AIWC_BUILD_SAID";

constexpr const char *kInStep = "AIWC_BUILD_WARPS_IN_STEP";

void beginSaying() {
  if (const int file = memfd_create("aiwc-build", 0); file >= 0)
    setenv(kSaidFile, fmt::format("/proc/{}/fd/{}", getpid(), file).c_str(), 1);
}

} // namespace

std::vector<std::string> notYetSaid(std::vector<std::string> words) {
  const char *path = std::getenv(kSaidFile);
  const int file = path ? open(path, O_RDWR | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0)
    return words;
  flock(file, LOCK_EX); // make -j; the close ends it
  std::string said = "\n";
  char buffer[4096];
  for (ssize_t bytes = 0; (bytes = read(file, buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<size_t>(bytes));
  std::erase_if(words, [&](const std::string &word) {
    return said.find("\n" + word + "\n") != std::string::npos;
  });
  std::string added;
  for (const std::string &word : words)
    added += word + "\n";
  [[maybe_unused]] const ssize_t noted = write(file, added.data(), added.size());
  close(file);
  return words;
}

void runWarpsInStep() {
  setenv(kInStep, "1", 1);
}

bool warpsRunInStep() {
  const char *value = std::getenv(kInStep);
  return value && std::string_view(value) == "1";
}

Toolkit ownToolkit() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(withReason("aiwc build: /proc/self/exe cannot be read", error.value()));
  return toolkitOf(self.parent_path());
}

Toolkit toolkitOf(const fs::path &bin) {
  std::error_code error;
  const fs::path built = bin.parent_path() / "lib/aiwc/cuda"; // host/cuda/CMakeLists.txt
  const fs::path installed = (bin / AIWC_CUDA_TOOLKIT).lexically_normal();
  const bool isInstalled = fs::exists(installed, error);
  Toolkit toolkit{isInstalled ? installed : built,
                  isInstalled ? (bin / AIWC_CUDA_DEVICE).lexically_normal()
                              : bin.parent_path() / "libexec/aiwc/aiwc-cuda-device",
                  bin / "aiwc"};
  for (const fs::path &part : {toolkit.include() / "cuda_runtime.h", toolkit.deviceTool})
    if (!fs::exists(part, error))
      throw Error(part.string() + ": does not exist: expected the files of aiwc build there");
  return toolkit;
}

void runWith(const Toolkit &toolkit, const std::vector<std::string> &command) {
  beginSaying();
  prepend("PATH", toolkit.folder / "bin");
  prepend("CPATH", toolkit.include());
  prepend("LIBRARY_PATH", toolkit.libraries());
  prepend("LD_RUN_PATH", toolkit.libraries());
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_DIR",
                               "CUDAToolkit_ROOT", "ROCM_PATH", "HIP_PATH"})
    setenv(variable, toolkit.folder.c_str(), 1);
  setenv("AIWC_COMMAND", toolkit.aiwc.c_str(), 1); // for bin/nvcc
  setenv("CUDACXX", (toolkit.folder / "bin/nvcc").c_str(), 1);
  execvp(command.front().c_str(), argumentPointers(command).data());
  throw Error(withReason("aiwc build: cannot run '" + command.front() + "'", errno));
}

} // namespace aiwc::cuda_build
