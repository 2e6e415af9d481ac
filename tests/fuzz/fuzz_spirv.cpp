/// libFuzzer: any bytes as annotated SPIR-V, and as something that holds bitcode. Nothing but
/// aiwc::Error may come out, and what was read must read the same when it is written again.
#include "embed/bitcode.h"
#include "embed/spirv.h"
#include "round_trip.h"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace aiwc;
  const std::string_view module(reinterpret_cast<const char *>(data), size);
  fuzz::requireRoundTrip(embed::kSpirv, module, fuzz::intactOf(embed::kSpirv.read(module)));
  fuzz::intactOf(embed::kBitcode.read(module));
  return 0;
}
