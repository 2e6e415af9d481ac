// aiwc-cuda-device: lowers the device bitcode of a CUDA or HIP program and packs it as an image.
#include "common/error.h"
#include "common/file.h"
#include "common/version.h"
#include "cuda_image/image.h"
#include "lowering.h"
#include "modules.h"

#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr const char *kHelp =
    "Usage: aiwc-cuda-device FILE... -o IMAGE\n"
    "\n"
    "Lowers device code of a CUDA or HIP program to bitcode that Oclgrind runs, and writes it with "
    "a\n"
    "table of its kernels and symbols as an image. FILE is bitcode that clang 14 made for\n"
    "--offload=spirv64 with -Oz -Xclang -disable-llvm-passes; several files are linked.\n"
    "\n"
    "  -o IMAGE           the file to write\n"
    "  --emit-bitcode     write the bitcode alone, without the table\n"
    "  --help, --version\n";

struct CommandLine {
  std::vector<std::string> files;
  std::string output;
  bool bitcodeOnly = false;
};

CommandLine parse(const std::vector<std::string> &words) {
  CommandLine result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--emit-bitcode")
      result.bitcodeOnly = true;
    else if (word == "-o" && i + 1 < words.size())
      result.output = words[++i];
    else if (word.size() > 1 && word[0] == '-')
      throw aiwc::Error("aiwc-cuda-device: unexpected argument '" + word + "': see --help");
    else
      result.files.push_back(word);
  }
  if (result.files.empty() || result.output.empty())
    throw aiwc::Error("aiwc-cuda-device: expected FILE... -o IMAGE: see --help");
  return result;
}

void run(const CommandLine &line) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = aiwc::cuda::readModules(context, line.files);
  std::vector<std::string> notes;
  const aiwc::cuda::Image image = aiwc::cuda::lower(*module, notes);
  for (const std::string &note : notes)
    std::fprintf(stderr, "%s\n", note.c_str());
  aiwc::replaceFile(line.output, line.bitcodeOnly ? image.bitcode : writeImage(image));
}

/// LLVM ends the process for some damaged bitcode.
[[noreturn]] void endBriefly(const char *reason) {
  const char *const parts[] = {"aiwc-cuda-device: error: the bitcode cannot be lowered: ", reason,
                               "\n"};
  for (const char *part : parts) { // of a reason the first line
    const size_t size = part == reason ? std::strcspn(part, "\n") : std::strlen(part);
    if (write(STDERR_FILENO, part, size) < 0)
      break;
  }
  _exit(1);
}

void endByLlvm(void *, const char *reason, bool) {
  endBriefly(reason);
}

void endBySignal(int) {
  endBriefly("LLVM failed on it");
}

void handleFailuresOfLlvm() {
  llvm::install_fatal_error_handler(endByLlvm);
  static char stack[1 << 16]; // an overflow of the stack leaves none for the handler
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = endBySignal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    sigaction(signal, &action, nullptr);
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string &word : words) {
    if (word == "--help" || word == "-h")
      return std::fputs(kHelp, stdout) < 0;
    if (word == "--version")
      return std::printf("aiwc-cuda-device %s\n", aiwc::kVersion) < 0;
  }
  handleFailuresOfLlvm();
  try {
    run(parse(words));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
