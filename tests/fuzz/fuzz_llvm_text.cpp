/// libFuzzer: any bytes as annotated LLVM IR. Nothing but aiwc::Error may come out, and what was
/// read must read the same when it is written again.
#include "round_trip.h"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace aiwc;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  fuzz::requireRoundTrip(embed::kLlvmText, text, fuzz::intactOf(embed::kLlvmText.read(text)));
  return 0;
}
