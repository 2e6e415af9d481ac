// aiwc-target-code: what of a kernel stays in memory in the code for a family of devices.
#include "common/error.h"
#include "lowering/llvm_failures.h"
#include "lowering/tool_words.h"
#include "target_code/private_traffic.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/MemoryBuffer.h>
#include <sys/resource.h>

#include <algorithm>
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

/// A kernel takes half a second as a rule; some take minutes. A damaged module must not take the
/// machine.
constexpr rlim_t kMostSeconds = 10, kMostBytes = rlim_t{8} << 30;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsAddresses = false; // AddressSanitizer reserves terabytes of them
#elif defined(__has_feature)
constexpr bool kLimitsAddresses = !__has_feature(address_sanitizer);
#else
constexpr bool kLimitsAddresses = true;
#endif

void limit(int what, rlim_t most) {
  rlimit limits{};
  if (getrlimit(what, &limits) != 0 || limits.rlim_cur < most)
    return;
  limits.rlim_cur = most;
  limits.rlim_max = std::min(limits.rlim_max, most + 1); // for a caller that ignores the signal
  setrlimit(what, &limits);
}

void run(const std::vector<std::string> &words) {
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_CORE, 0);
  if (kLimitsAddresses)
    limit(RLIMIT_AS, kMostBytes);
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
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (const auto status = aiwc::lowering::answerToHelp(words, "aiwc-target-code", kHelp))
    return *status;
  aiwc::lowering::sayFailuresOfLlvm("aiwc-target-code");
  try {
    if (words.size() != 4)
      throw aiwc::Error("expected FAMILY KERNEL WORK_ITEMS MODULE: see --help");
    run(words);
    if (std::fflush(stdout) == 0)
      return 0;
    std::fputs("standard output cannot be written\n", stderr);
  } catch (const aiwc::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
