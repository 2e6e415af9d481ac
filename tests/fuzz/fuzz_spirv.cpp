/// libFuzzer: any bytes as annotated SPIR-V, and as something that holds bitcode. Nothing but
/// aiwc::Error may come out, and what was read must read the same when it is written again.
#include "round_trip.h"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace aiwc;
  constexpr auto kCarrier = embed::Carrier::kSpirv;
  const std::string_view module(reinterpret_cast<const char *>(data), size);
  fuzz::requireRoundTrip(kCarrier, module, fuzz::intactOf(readFrom(kCarrier, module)));
  fuzz::intactOf(readFrom(embed::Carrier::kBitcode, module));
  return 0;
}
