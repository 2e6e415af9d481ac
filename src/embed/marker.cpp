#include "embed/marker.h"

#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "profile/text.h"

#include <fmt/format.h>

namespace aiwc::embed {

namespace {

constexpr std::string_view kCarrierKey = "carrier=";

} // namespace

std::string writeMarker(std::string_view carrierHash) {
  const std::string version = fmt::format("{}", kFormatVersion);
  return carrierHash.empty() ? version : fmt::format("{} {}{}", version, kCarrierKey, carrierHash);
}

Marker parseMarker(std::string_view text) {
  Marker marker;
  marker.version = takeUntil(text, ' ');
  while (!text.empty()) {
    const std::string_view word = takeUntil(text, ' ');
    if (word.starts_with(kCarrierKey))
      marker.carrierHash = word.substr(kCarrierKey.size());
  }
  return marker;
}

std::string versionMismatch(const Marker &marker) {
  const std::string expected = fmt::format("{}", kFormatVersion);
  if (marker.version == expected)
    return "";
  return fmt::format("version {} of the annotation: expected {}",
                     profile::printable(marker.version, 40), expected);
}

} // namespace aiwc::embed
