#include "kernel_host/program.h"

#include "common/error.h"
#include "common/file.h"
#include "common/temporary_folder.h"
#include "cuda_build/compilation.h"
#include "cuda_build/toolkit.h"
#include "kernel_launch/spirv_fault.h"
#include "processes/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace aiwc::kernel_host {
namespace {

namespace fs = std::filesystem;
using kernel_launch::FileKind;

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
  const TemporaryFolder scratch("aiwc-kernel");
  const std::string output = scratch / "program.bc", errors = scratch / "errors.txt";
  preloadNothing();
  const int status = processes::run(
      {.words = {kAssembler, file, "-o", output},
       .failure = fmt::format("{}: {} cannot be run: expected it, of the Debian package llvm-14",
                              file, kAssembler),
       .errors = errors});
  if (status != 0) {
    const std::string said = firstLine(readFileIfAny(errors).value_or(""));
    throw Error(fmt::format("{}: {} does not read it{}{}", file, kAssembler,
                            said.empty() ? "" : ": ", said));
  }
  return readFile(output, "bitcode");
}

/// What this process and those that it starts write to standard error goes to a file meanwhile.
class ErrorsIn {
public:
  explicit ErrorsIn(const std::string &file) : usual_(::dup(STDERR_FILENO)) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (usual_ < 0 || opened < 0)
      return;
    ::dup2(opened, STDERR_FILENO);
    ::close(opened);
  }
  ErrorsIn(const ErrorsIn &) = delete;
  ErrorsIn &operator=(const ErrorsIn &) = delete;
  ~ErrorsIn() {
    if (usual_ < 0)
      return;
    ::dup2(usual_, STDERR_FILENO);
    ::close(usual_);
  }

private:
  int usual_;
};

/// What `aiwc build` says below the compiler's messages, such as which feature is absent.
std::string lastReason(const std::string &log) {
  constexpr std::string_view kBegin = "aiwc build: ";
  const size_t at = log.rfind(kBegin);
  return at == std::string::npos ? "" : firstLine(log.substr(at + kBegin.size()));
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
  const TemporaryFolder scratch("aiwc-kernel");
  const std::string code = scratch / "program.code", errors = scratch / "errors.txt";
  preloadNothing();
  const cuda_build::Toolkit toolkit =
      cuda_build::toolkitOf((self.parent_path() / AIWC_BIN_FROM_HOST).lexically_normal());
  const auto build = [&] {
    const ErrorsIn inFile(errors);
    return cuda_build::buildDeviceCode(file, split(options), code, toolkit);
  };
  if (build() != 0) {
    const std::string log = readFileIfAny(errors).value_or("");
    const std::string error = firstError(log), reason = lastReason(log);
    throw Error(fmt::format("{}: cannot be built{}{}{}{}", file, error.empty() ? "" : ": ", error,
                            reason.empty() || error.ends_with(reason) ? "" : ": ",
                            error.ends_with(reason) ? "" : reason));
  }
  ProgramText program;
  program.cuda = cuda::parseDeviceCode(readFile(code, "the device code"));
  program.bytes = program.cuda->bitcode;
  return program;
}

} // namespace

std::string firstError(const std::string &log) {
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos)
      return line;
    if (first.empty())
      first = line;
  }
  return first;
}

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
  if (const char *fault = program.isSpirv ? kernel_launch::spirvFault(program.bytes) : nullptr)
    throw Error(fmt::format("{}: is no SPIR-V: {}", file, fault));
  if (!program.isSource && !program.isSpirv && !program.bytes.starts_with("BC\xC0\xDE"))
    throw Error(fmt::format("{}: is no LLVM bitcode: expected that of LLVM 14", file));
  return program;
}

} // namespace aiwc::kernel_host
