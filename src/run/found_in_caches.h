/// What the launches of a run find in caches because earlier launches accessed the same memory.
#pragma once

#include "run/run.h"

#include <map>
#include <string>

namespace aiwc::run {

/// Of the launches that have one profile, on average.
struct FoundInCaches {
  double bytes = 0; ///< of the buffers and images of a launch
  /// Distance in bytes, the lowest of a bin of lines of 64 bytes -> share of `bytes` that an earlier
  /// launch accessed, while all launches from that one to this have accessed so much. The shares of
  /// memory that no launch accessed before are missing.
  std::map<uint64_t, double> shares;
};

/// By the name of a profile's file. Each launch is taken to access all of its buffers and images,
/// and the host to leave caches as they are. Takes time in proportion to the launches times the
/// allocations that are accessed between two accesses of one.
std::map<std::string, FoundInCaches> foundInCaches(const Run &run);

/// Sets Reuse::found. If the launch accesses a part of the memory only, it finds as small a part of
/// what it accesses: nothing tells whether that is the part that an earlier launch accessed.
void setFound(profile::KernelProfile &profile, const FoundInCaches &found);

} // namespace aiwc::run
