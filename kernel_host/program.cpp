#include "kernel_host/program.h"

#include "common/error.h"
#include "common/file.h"
#include "cuda_build/compilation.h"
#include "cuda_build/toolkit.h"
#include "plugin/spirv_fault.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace aiwc::kernel_host {
namespace {

namespace fs = std::filesystem;
using kernel_launch::FileKind;

/// A folder that is removed with its files.
class Scratch {
public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "aiwc-kernel-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(withReason(name + " cannot be made", errno));
    path_ = name;
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string operator/(const char *name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

/// Other programs run without what is preloaded into this one. What is preloaded stays.
void preloadNothing() {
  ::unsetenv("LD_PRELOAD");
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The bitcode of LLVM's text.
std::string bitcodeOfText(const std::string &file) {
  constexpr const char *kAssembler = "llvm-as-14";
  const Scratch scratch;
  const std::string output = scratch / "program.bc", errors = scratch / "errors.txt";
  std::string words[] = {kAssembler, file, "-o", output};
  char *pointers[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  preloadNothing();
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int failed = posix_spawnp(&child, kAssembler, &actions, nullptr, pointers, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(
        withReason(fmt::format("{}: {} cannot be run: expected it, of the Debian package llvm-14",
                               file, kAssembler),
                   failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    const std::string said = firstLine(readFileIfAny(errors).value_or(""));
    throw Error(fmt::format("{}: {} does not read it{}{}", file, kAssembler,
                            said.empty() ? "" : ": ", said));
  }
  return readFile(output, "bitcode");
}

std::vector<std::string> split(const std::string &options) {
  std::istringstream stream(options);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

ProgramText cudaProgram(const std::string &file, const std::string &options) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const Scratch scratch;
  const std::string image = scratch / "program.image";
  preloadNothing();
  const cuda_build::Toolkit toolkit =
      cuda_build::toolkitOf((self.parent_path() / AIWC_BIN_FROM_HOST).lexically_normal());
  if (cuda_build::buildDeviceImage(file, split(options), image, toolkit) != 0)
    throw Error(fmt::format("{}: cannot be built: see above", file));
  ProgramText program;
  program.cuda = cuda::parseImage(readFile(image, "the image of device code"));
  program.bytes = program.cuda->bitcode;
  return program;
}

} // namespace

ProgramText readProgram(const std::string &file, FileKind kind, const std::string &options) {
  ProgramText program;
  switch (kind) {
  case FileKind::kCuda:
    return cudaProgram(file, options);
  case FileKind::kLlvmText:
    program.bytes = bitcodeOfText(file);
    break;
  default:
    program.bytes = readFile(file, "a program");
    program.isSource = kind == FileKind::kOpenClC;
    program.isSpirv = kind == FileKind::kSpirv;
    while (program.isSource && program.bytes.ends_with('\0')) // of a capture
      program.bytes.pop_back();
  }
  if (program.bytes.empty())
    throw Error(fmt::format("{}: is empty: expected a program", file));
  if (const char *fault = program.isSpirv ? plugin::spirvFault(program.bytes) : nullptr)
    throw Error(fmt::format("{}: is no SPIR-V: {}", file, fault));
  if (!program.isSource && !program.isSpirv && !program.bytes.starts_with("BC\xC0\xDE"))
    throw Error(fmt::format("{}: is no LLVM bitcode: expected that of LLVM 14", file));
  return program;
}

} // namespace aiwc::kernel_host
