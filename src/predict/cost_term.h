/// The kinds of work that every predicted time is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aiwc::predict {

/// What a device does in a part of a launch's time. Every model divides its time into these.
enum class Term : uint8_t {
  kCompute,
  kCache, ///< and local memory
  kDram,
  kLatency,
  kLaunch, ///< also the dispatch of work-groups, barriers and atomics
};
inline constexpr size_t kTermCount = 5;
std::string_view toString(Term term); ///< "compute", "cache", "DRAM", "latency", "launch"

} // namespace aiwc::predict
