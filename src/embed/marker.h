/// The marker: a prefix of the compact form, for containers that store annotations among other
/// programs' strings.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::embed {

/// The beginning of the marker.
inline constexpr std::string_view kMarkerName = "aiwc.metrics ";

/// The fields between `kMarkerName` and the compact form.
struct Marker {
  std::string_view version;
  std::string_view
      containerHash; ///< hash of the content that the annotation was put into; empty if not kept
};

/// "1", or "1 carrier=HASH".
std::string writeMarker(std::string_view containerHash);

/// Removes a marker from the start of `text`, from where its name ends, together with the white
/// space after it.
Marker takeMarker(std::string_view &text);

/// The error in a marker's version, as `WHAT: expected WHAT`; empty if the version is supported.
std::string versionMismatch(const Marker &marker);

/// An annotation as one string on one line: name, marker without a hash, compact form.
std::string markedLine(std::string_view text);

} // namespace aiwc::embed
