// aiwc-cuda-device: lowers the device bitcode of a CUDA or HIP program and packs it.
#include "common/error.h"
#include "common/file.h"
#include "device_code/device_code.h"
#include "lowering.h"
#include "lowering/tool.h"
#include "modules.h"
#include "warps_in_step.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char *kHelp =
    "Usage: aiwc-cuda-device FILE... -o OUTPUT\n"
    "\n"
    "Lowers device code of a CUDA or HIP program to bitcode that Oclgrind runs, and writes it with "
    "a\n"
    "table of its kernels and symbols. FILE is bitcode that clang 14 made for\n"
    "--offload=spirv64 with -Oz -Xclang -disable-llvm-passes; several files are linked.\n"
    "\n"
    "  -o OUTPUT          the file to write\n"
    "  --warps-in-step    threads of a warp wait for one another between accesses to shared "
    "memory\n"
    "  --emit-bitcode     write the bitcode alone, without the table\n"
    "  --help, --version\n";

struct CommandLine {
  std::vector<std::string> files;
  std::string output;
  bool bitcodeOnly = false;
  bool inStep = false;
};

CommandLine parse(const std::vector<std::string> &words) {
  CommandLine result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--emit-bitcode")
      result.bitcodeOnly = true;
    else if (word == "--warps-in-step")
      result.inStep = true;
    else if (word == "-o" && i + 1 < words.size())
      result.output = words[++i];
    else if (word.size() > 1 && word[0] == '-')
      throw aiwc::Error("aiwc-cuda-device: unexpected argument '" + word + "': see --help");
    else
      result.files.push_back(word);
  }
  if (result.files.empty() || result.output.empty())
    throw aiwc::Error("aiwc-cuda-device: expected FILE... -o OUTPUT: see --help");
  return result;
}

void run(const std::vector<std::string> &words) {
  const CommandLine line = parse(words);
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = aiwc::cuda::readModules(context, line.files);
  if (line.inStep)
    aiwc::cuda::runAllInStep(*module);
  std::vector<std::string> notes;
  const aiwc::cuda::DeviceCode code = aiwc::cuda::lower(*module, notes);
  for (const std::string &note : notes)
    std::fprintf(stderr, "%s\n", note.c_str());
  aiwc::replaceFile(line.output, line.bitcodeOnly ? code.bitcode : writeDeviceCode(code));
}

} // namespace

int main(int argc, char **argv) {
  return aiwc::lowering::runTool(argc, argv, {"aiwc-cuda-device", kHelp, "aiwc-cuda-device"}, run);
}
