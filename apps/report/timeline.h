/// Timelines in Chrome's trace event format ("Trace Event Format", the Catapult project), which
/// Perfetto and chrome://tracing open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::report {

/// Something that takes time on a track.
struct TimelineEvent {
  size_t track = 0;
  std::string name;
  std::string category; ///< "launch" or "transfer"
  double begin = 0;     ///< seconds from the begin of the timeline
  double seconds = 0;   ///< how long it takes
  std::vector<std::pair<std::string, uint64_t>> counts = {}; ///< such as "bytes", shown with it
};

/// A source of times, such as "measured on PoCL": a process of the format, whose threads are the
/// tracks.
struct Timeline {
  std::string name;
  std::vector<std::string> tracks;
  std::vector<TimelineEvent> events;
  /// Pairs of events, by their places: the second begins after the first has ended, and needs what
  /// that made.
  std::vector<std::pair<size_t, size_t>> dependences;
};

/// A JSON object with the member `traceEvents`: names of processes and threads (phase M), then a
/// complete event (X) for each event, then the two ends (s, f) of an arrow for each dependence.
/// Times are in microseconds.
std::string traceJson(std::span<const Timeline> timelines);

} // namespace aiwc::report
