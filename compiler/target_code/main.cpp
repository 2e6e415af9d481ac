// aiwc-target-code: what of a kernel stays in memory in the code for a family of devices.
#include "common/error.h"
#include "lowering/tool.h"
#include "target_code/retarget.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr const char *kHelp =
    "Usage: aiwc-target-code FAMILY KERNEL WORK_ITEMS MODULE\n"
    "\n"
    "Compiles a kernel of MODULE, bitcode as the simulator runs it, for gfx906, gfx1030 or nvptx,\n"
    "with registers for groups of up to WORK_ITEMS. Prints the bytes of a work-item's arrays that\n"
    "no register holds and of its spilled registers. A line follows for each block that accesses\n"
    "them: numbers of its function and of itself, bytes that an execution reads and writes.\n"
    "\n"
    "  --help, --version\n";

void run(const std::vector<std::string> &words) {
  if (words.size() != 4)
    throw aiwc::Error("expected FAMILY KERNEL WORK_ITEMS MODULE: see --help");
  aiwc::lowering::limitResources(10); // a kernel takes half a second as a rule; some take minutes
  llvm::LLVMContext context;
  auto file = llvm::MemoryBuffer::getFile(words[3]);
  if (!file)
    throw aiwc::Error("'" + words[3] + "' cannot be read: " + file.getError().message());
  auto module = llvm::parseBitcodeFile(**file, context);
  if (!module)
    throw aiwc::Error("the bitcode cannot be read: " + llvm::toString(module.takeError()));
  llvm::StripDebugInfo(**module);
  const auto workItems = static_cast<unsigned>(std::strtoul(words[2].c_str(), nullptr, 10));
  if (workItems == 0 || workItems > 1024)
    throw aiwc::Error("WORK_ITEMS is '" + words[2] + "': expected a number up to 1024");
  const auto memory = aiwc::target_code::privateMemory(
      **module, words[1], aiwc::target_code::targetOf(words[0]), workItems);
  std::printf("%llu\n", static_cast<unsigned long long>(memory.stackBytes));
  for (const auto &block : memory.blocks)
    std::printf("%u %u %.17g\n", block.function, block.block, block.bytes);
}

} // namespace

int main(int argc, char **argv) {
  return aiwc::lowering::runTool(argc, argv, {"aiwc-target-code", kHelp, "aiwc-target-code"}, run);
}
