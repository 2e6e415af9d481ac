/// libFuzzer: any bytes as annotated SPIR-V, and as something that holds bitcode. Nothing but
/// aiwc::Error may come out, and what was read must read the same when it is written again.
#include "common/error.h"
#include "embed/bitcode.h"
#include "embed/spirv.h"

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
  const std::string_view module(reinterpret_cast<const char *>(data), size);
  const Annotations read = readSpirv(module);
  const std::vector<Annotation> intact = replaced(read.found, {});
  for (const Annotation &annotation : readBitcode(module).found)
    try {
      annotation.profile();
    } catch (const aiwc::Error &) {
    }
  definedInSpirv(module);
  const std::string bare = stripSpirv(module);
  require(stripSpirv(bare) == bare);
  try {
    const std::string annotated = embedIntoSpirv(module, intact);
    require(stripSpirv(annotated) == bare);
    const Annotations again = readSpirv(annotated);
    require(again.rejected == 0);
    require(again.found.size() == intact.size());
    for (const Annotation &annotation : again.found)
      require(!annotation.stale);
  } catch (const aiwc::Error &) { // refused
  }
  return 0;
}
