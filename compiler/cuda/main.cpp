// aiwc-cuda-device: lowers the device bitcode of a CUDA or HIP program and packs it.
#include "common/error.h"
#include "common/file.h"
#include "device_code/device_code.h"
#include "lowering.h"
#include "lowering/tool.h"
#include "passes.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using aiwc::Error;

/// What LLVM says of modules that it reads and links, for the message of one line.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(std::string &text) : text_(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream out(text_);
      llvm::DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &text_;
};

/// Takes LLVM's warnings without a word: that a loop is not unrolled as the program asks, for each
/// of the copies of its function, says nothing of the program.
class OnlyErrors : public llvm::DiagnosticHandler {
public:
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getSeverity() != llvm::DS_Error;
  }
};

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Clang 14 marks the result of a compare-and-exchange with a range that LLVM does not allow there.
void removeWrongRanges(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (!llvm::isa<llvm::LoadInst>(instruction) && !llvm::isa<llvm::CallBase>(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_range, nullptr);
}

/// Reads one function after the other, and verifies them here: LLVM would end the process. Wrong
/// debug information is dropped.
llvm::Error materialize(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::Error error = function.materialize())
      return error;
  removeWrongRanges(module);
  std::string problem;
  llvm::raw_string_ostream out(problem);
  bool hasWrongDebugInfo = false;
  if (llvm::verifyModule(module, &out, &hasWrongDebugInfo))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), out.str());
  if (hasWrongDebugInfo)
    llvm::StripDebugInfo(module);
  return module.materializeAll();
}

std::unique_ptr<llvm::Module> readModule(llvm::LLVMContext &context, const std::string &file) {
  const std::string expected = "expected bitcode of clang 14 for --offload=spirv64";
  const std::string bytes = aiwc::readFile(file, "device bitcode");
  if (bytes.empty())
    throw Error(file + ": the file is empty: " + expected);
  auto *begin = reinterpret_cast<const unsigned char *>(bytes.data());
  if (!llvm::isBitcode(begin, begin + bytes.size()))
    throw Error(file + ": this is not LLVM bitcode: " + expected);
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), file), context);
  llvm::Error failure = module ? materialize(**module) : module.takeError();
  if (failure)
    throw Error(file + ": the bitcode cannot be read: " +
                oneLine(llvm::toString(std::move(failure))) + ": " + expected);
  if (!llvm::StringRef((*module)->getTargetTriple()).startswith("spir"))
    throw Error(file + ": the bitcode is for '" + (*module)->getTargetTriple() + "': " + expected);
  return std::move(*module);
}

/// The modules in `files`, linked to one. Throws Error, which names the file, for what is no
/// bitcode of clang for `--offload=spirv64` and for definitions that clash.
std::unique_ptr<llvm::Module> readModules(llvm::LLVMContext &context,
                                          std::span<const std::string> files) {
  std::string problem;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(problem));
  std::unique_ptr<llvm::Module> all;
  for (const std::string &file : files) {
    std::unique_ptr<llvm::Module> module = readModule(context, file);
    if (!all)
      all = std::move(module);
    else if (llvm::Linker::linkModules(*all, std::move(module)))
      throw Error(file + ": it cannot be linked with the files before it: " + oneLine(problem));
  }
  context.setDiagnosticHandler(std::make_unique<OnlyErrors>());
  return all;
}

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
      throw Error("aiwc-cuda-device: unexpected argument '" + word + "': see --help");
    else
      result.files.push_back(word);
  }
  if (result.files.empty() || result.output.empty())
    throw Error("aiwc-cuda-device: expected FILE... -o OUTPUT: see --help");
  return result;
}

void run(const std::vector<std::string> &words) {
  const CommandLine line = parse(words);
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = readModules(context, line.files);
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
