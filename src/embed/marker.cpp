#include "embed/marker.h"

#include "embed/bytes.h"
#include "embed/compact_profile.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::embed {

namespace {

constexpr std::string_view kContainerKey = "carrier=";

} // namespace

std::string writeMarker(std::string_view containerHash) {
  const std::string version = fmt::format("{}", kFormatVersion);
  return containerHash.empty() ? version
                               : fmt::format("{} {}{}", version, kContainerKey, containerHash);
}

Marker takeMarker(std::string_view &text) {
  const auto takeWord = [&] {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
  };
  Marker marker;
  marker.version = takeWord();
  if (text.starts_with(kContainerKey))
    marker.containerHash = takeWord().substr(kContainerKey.size());
  return marker;
}

std::string versionMismatch(const Marker &marker) {
  const std::string expected = fmt::format("{}", kFormatVersion);
  if (marker.version == expected)
    return "";
  return fmt::format("version {} of the annotation: expected {}",
                     text::printable(marker.version, 40), expected);
}

std::string markedLine(std::string_view text) {
  std::string line = fmt::format("{}{} {}", kMarkerName, writeMarker(""), text);
  joinLines(line);
  return line;
}

} // namespace aiwc::embed
