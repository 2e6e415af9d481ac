/// libFuzzer: any bytes as an annotated source, as a sidecar and as a compact form. Nothing but
/// aiwc::Error may come out, and what was read must read the same when it is written again.
#include "common/error.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace aiwc::embed;

void require(bool condition) {
  if (!condition)
    abort();
}

void readProfiles(const Annotations &annotations) {
  for (const Annotation &annotation : annotations.found)
    try {
      annotation.profile();
    } catch (const aiwc::Error &) { // said to be damaged
    }
}

void readCompact(std::string_view text) {
  try {
    const auto profile = decode(text);
    const auto annotation = annotationOf(profile);
    require(annotation.profile().provenance.kernel == profile.provenance.kernel);
  } catch (const aiwc::Error &) {
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const Annotations read = readAnnotations(text);
  readProfiles(read);
  const std::string bare = strip(text);
  require(strip(bare) == bare);
  const std::string annotated = embed(text, read.found);
  require(strip(annotated) == bare);
  require(readAnnotations(annotated).found.size() == read.found.size());
  readProfiles(readSidecar(text, "fuzz", read.sourceHash));
  readCompact(text);
  return 0;
}
