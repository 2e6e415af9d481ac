/// libFuzzer: any bytes as annotated LLVM IR. Nothing but aiwc::Error may come out, and what was
/// read must read the same when it is written again.
#include "common/error.h"
#include "embed/llvm_text.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

void require(bool condition) {
  if (!condition)
    abort();
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace aiwc::embed;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const Annotations read = readLlvmText(text);
  const std::vector<Annotation> intact = replaced(read.found, {});
  definedInLlvmText(text);
  const std::string bare = stripLlvmText(text);
  require(stripLlvmText(bare) == bare);
  try {
    const std::string annotated = embedIntoLlvmText(text, intact);
    require(stripLlvmText(annotated) == bare);
    const Annotations again = readLlvmText(annotated);
    require(again.rejected == readLlvmText(bare).rejected);
    require(again.found.size() >= intact.size());
    for (const Annotation &annotation : again.found)
      require(!annotation.stale);
  } catch (const aiwc::Error &) { // refused
  }
  return 0;
}
