// aiwc-opencl-device: lowers a program in OpenCL C 2 or 3 or in SPIR-V to bitcode that Oclgrind
// runs.
#include "common/as_number.h"
#include "common/error.h"
#include "lowering.h"
#include "lowering/tool.h"
#include "spirv.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr const char *kHelp =
    "Usage: aiwc-opencl-device [OPTIONS] < MODULE > BITCODE\n"
    "\n"
    "Lowers a program to bitcode that Oclgrind runs. MODULE is bitcode of LLVM " AIWC_LLVM_MAJOR
    " that clang made of\n"
    "OpenCL C, or SPIR-V. Nothing is written if Oclgrind runs MODULE as it is.\n"
    "\n"
    "  --spirv              MODULE is SPIR-V, in a file\n"
    "  --from-spirv         MODULE is bitcode that --translate made\n"
    "  --constants TEXT     values of its specialization constants, as llvm-spirv takes them\n"
    "  --translate          translate SPIR-V, and do not lower it: it will be linked\n"
    "  --sub-group-size N   work-items of a sub-group, a power of two up to 128 (default: 32)\n"
    "  --work-items N       work-items of a work-group at most (default: 1024)\n"
    "  --help, --version\n";

struct CommandLine {
  aiwc::opencl::Target target;
  bool isSpirv = false;
  bool translateOnly = false;
  std::string constants;
};

unsigned number(const std::string &text, const char *option, unsigned most) {
  const auto value = aiwc::asNumber<unsigned>(text);
  if (!value || *value == 0 || *value > most)
    throw aiwc::Error(std::string(option) + " is '" + text + "': expected a number up to " +
                      std::to_string(most));
  return *value;
}

unsigned subGroupSize(const std::string &text) {
  const unsigned size = number(text, "--sub-group-size", 128);
  if (!std::has_single_bit(size))
    throw aiwc::Error("--sub-group-size is '" + text + "': expected a power of two");
  return size;
}

CommandLine parse(const std::vector<std::string> &words) {
  CommandLine result;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--spirv")
      result.isSpirv = result.target.fromSpirv = true;
    else if (words[i] == "--from-spirv")
      result.target.fromSpirv = true;
    else if (words[i] == "--translate")
      result.translateOnly = true;
    else if (words[i] == "--constants" && i + 1 < words.size())
      result.constants = words[++i];
    else if (words[i] == "--sub-group-size" && i + 1 < words.size())
      result.target.subGroupSize = subGroupSize(words[++i]);
    else if (words[i] == "--work-items" && i + 1 < words.size())
      result.target.workItems = number(words[++i], "--work-items", 1U << 20);
    else
      throw aiwc::Error("unexpected argument '" + words[i] + "': see --help");
  return result;
}

std::string standardInput() {
  std::string bytes;
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = read(STDIN_FILENO, part.data(), part.size())) > 0)
    bytes.append(part.data(), static_cast<size_t>(count));
  return bytes;
}

std::unique_ptr<llvm::Module> readModule(llvm::LLVMContext &context, const std::string &bytes) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "input"), context);
  if (!module)
    throw aiwc::Error("the bitcode cannot be read: " + llvm::toString(module.takeError()));
  std::string problem;
  llvm::raw_string_ostream text(problem);
  bool hasWrongDebugInfo = false;
  if (llvm::verifyModule(**module, &text, &hasWrongDebugInfo))
    throw aiwc::Error("the bitcode is damaged: " + text.str().substr(0, text.str().find('\n')));
  if (hasWrongDebugInfo)
    llvm::StripDebugInfo(**module);
  return std::move(*module);
}

void writeModule(const llvm::Module &module) {
  std::string problem;
  llvm::raw_string_ostream text(problem);
  if (llvm::verifyModule(module, &text))
    llvm::report_fatal_error(llvm::StringRef(text.str()), false);
  llvm::WriteBitcodeToFile(module, llvm::outs());
  llvm::outs().flush();
}

void run(const std::vector<std::string> &words) {
  const CommandLine line = parse(words);
  aiwc::lowering::limitResources(120);
  llvm::LLVMContext context;
  const std::string bytes =
      line.isSpirv ? aiwc::opencl::bitcodeOfSpirv(line.constants) : standardInput();
  const std::unique_ptr<llvm::Module> module = readModule(context, bytes);
  if (line.translateOnly || aiwc::opencl::lower(*module, line.target))
    writeModule(*module);
}

} // namespace

int main(int argc, char **argv) {
  return aiwc::lowering::runTool(argc, argv, {"aiwc-opencl-device", kHelp, "aiwc"}, run);
}
