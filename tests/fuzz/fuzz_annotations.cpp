/// libFuzzer: any bytes as an annotated source, as a sidecar and as a compact form. Nothing but
/// aiwc::Error may come out, and what was read must read the same when it is written again.
#include "embed/sidecar.h"
#include "round_trip.h"

#include <cstdint>

namespace {

using namespace aiwc;

void readCompact(std::string_view text) {
  try {
    const auto profile = embed::decode(text);
    const auto annotation = embed::annotationOf(profile);
    fuzz::require(annotation.profile().provenance.kernel == profile.provenance.kernel);
  } catch (const Error &) {
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const embed::Annotations read = embed::kOpenClC.read(text);
  fuzz::intactOf(read);
  // Damaged ones, too: what stands in a block is harmless in another.
  fuzz::requireRoundTrip(embed::kOpenClC, text, read.found);
  fuzz::intactOf(embed::readSidecar(text, "fuzz", read.sourceHash));
  readCompact(text);
  return 0;
}
