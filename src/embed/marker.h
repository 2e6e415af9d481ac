/// What stands in front of the compact form where a carrier keeps other people's strings beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// What an annotation begins with in such a carrier.
inline constexpr std::string_view kMarkerName = "aiwc.metrics ";

/// What stands between that and the compact form.
struct Marker {
  std::string_view version;
  std::string_view carrierHash; ///< of what the annotation was put into; empty: not kept
};

/// "1", or "1 carrier=HASH".
std::string writeMarker(std::string_view carrierHash);

/// Takes a marker, behind its name, off the begin of `text`, with the white space behind it.
Marker takeMarker(std::string_view &text);

/// What is wrong with a marker's version, as `WHAT: expected WHAT`; empty where nothing is.
std::string versionMismatch(const Marker &marker);

/// An annotation as one string on one line: name, marker without a hash, compact form.
std::string markedLine(std::string_view text);

} // namespace aiwc::embed
