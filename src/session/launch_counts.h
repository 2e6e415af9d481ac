/// How many launches of a run were compiled, and why the others were interpreted.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace aiwc {

/// Launches that one engine executed.
struct LaunchCount {
  std::uint64_t launches = 0;
  /// Those of them that were characterised.
  std::uint64_t characterised = 0;
  /// Instructions that the characterised ones executed; those of the others are not counted.
  std::uint64_t instructions = 0;

  LaunchCount &operator+=(const LaunchCount &other);
};

/// The launches of a run, by the name of the kernel and by the reason why the interpreter executed
/// them; the reason is empty for compiled launches.
using LaunchCounts = std::map<std::string, std::map<std::string, LaunchCount>>;

/// One line, without its end: how many launches, how many kernels and which share of the counted
/// instructions were compiled, and the reasons for the rest, the most frequent first. A kernel
/// counts as compiled if all its launches were. Empty if there were no launches.
std::string summaryOf(const LaunchCounts &counts);

} // namespace aiwc
