#include "kernel_host/program.h"

#include "common/error.h"
#include "common/file.h"
#include "cuda_build/compilation.h"
#include "cuda_build/toolkit.h"

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

/// Makes `output` by a program that takes "FILE -o OUTPUT" after `words`; the Debian package
/// `package` has it. `input` is the user's `file`, or was made of it.
void translate(const std::string &file, const std::string &input, const std::string &output,
               std::vector<std::string> words, std::string_view package) {
  const std::string errors = output + ".txt";
  words.insert(words.end(), {input, "-o", output});
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  preloadNothing();
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int failed =
      posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(
        withReason(fmt::format("{}: {} cannot be run: expected it, of the Debian package {}", file,
                               words.front(), package),
                   failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    // A translator that fails an assertion says nothing of the file.
    const std::string said =
        WIFEXITED(status) ? firstLine(readFileIfAny(errors).value_or("")) : "is it complete?";
    throw Error(fmt::format("{}: {} does not read it{}{}", file, words.front(),
                            said.empty() ? "" : ": ", said));
  }
}

/// The bitcode of SPIR-V, optimised as the simulator optimises OpenCL C: the translation of what
/// asks for an index, for one, is longer than what compilers of devices make of it.
std::string bitcodeOfSpirv(const std::string &file) {
  const Scratch scratch;
  const std::string translated = scratch / "translated.bc", optimised = scratch / "optimised.bc";
  translate(file, file, translated, {"llvm-spirv-14", "-r"}, "llvm-spirv-14");
  translate(file, translated, optimised,
            {"opt-14", "-passes=default<Oz>", "-disable-simplify-libcalls",
             "-vectorize-loops=false", "-vectorize-slp=false"},
            "llvm-14");
  return readFile(optimised, "bitcode");
}

std::string bitcodeOfText(const std::string &file) {
  const Scratch scratch;
  const std::string assembled = scratch / "assembled.bc";
  translate(file, file, assembled, {"llvm-as-14"}, "llvm-14");
  return readFile(assembled, "bitcode");
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
  program.image = readFile(image, "the image of device code");
  program.cuda = cuda::parseImage(std::as_bytes(std::span(program.image)));
  const auto bitcode = program.cuda->bitcode;
  program.bytes.assign(reinterpret_cast<const char *>(bitcode.data()), bitcode.size());
  return program;
}

} // namespace

ProgramText readProgram(const std::string &file, FileKind kind, const std::string &options) {
  ProgramText program;
  switch (kind) {
  case FileKind::kCuda:
    return cudaProgram(file, options);
  case FileKind::kSpirv:
    program.bytes = bitcodeOfSpirv(file);
    break;
  case FileKind::kLlvmText:
    program.bytes = bitcodeOfText(file);
    break;
  default:
    program.bytes = readFile(file, "a program");
    program.isSource = kind == FileKind::kOpenClC;
    while (program.isSource && program.bytes.ends_with('\0')) // of a capture
      program.bytes.pop_back();
  }
  if (program.bytes.empty())
    throw Error(fmt::format("{}: is empty: expected a program", file));
  if (!program.isSource && !program.bytes.starts_with("BC\xC0\xDE"))
    throw Error(fmt::format("{}: is no LLVM bitcode: expected that of LLVM 14", file));
  return program;
}

} // namespace aiwc::kernel_host
