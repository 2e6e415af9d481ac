/// libFuzzer: any bytes as a profile in JSON. Nothing but aiwc::Error may come out, in one line;
/// the relations hold in a profile that was read, and it reads the same when it is written again.
#include "profile/json.h"
#include "relations.h"
#include "views/summary.h"

#include <cstdint>
#include <optional>

namespace {

using namespace aiwc;

std::optional<profile::KernelProfile> profileIn(std::string_view text) {
  try {
    return profile::fromJson(text, "fuzz");
  } catch (const Error &error) {
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return std::nullopt;
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto profile = profileIn({reinterpret_cast<const char *>(data), size});
  if (!profile)
    return 0;
  fuzz::requireRelations(*profile);
  fuzz::require(!views::toText(*profile).empty());
  const std::string written = profile::toJson(*profile);
  const auto again = profileIn(written);
  fuzz::require(again && profile::toJson(*again) == written);
  std::optional<embed::Annotation> annotation;
  try {
    annotation = embed::annotationOf(*profile);
  } catch (const Error &) { // incomplete, or too large
    return 0;
  }
  fuzz::requireRelations(annotation->profile());
  return 0;
}
