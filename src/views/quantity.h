/// Numbers by which launches of a kernel are compared: the metrics of the catalogue, and what
/// follows from a profile without being a metric. docs/comparing.md lists the latter.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

/// Whether a metric of several launches together is the sum of theirs, as instructions and bytes
/// are. Others, such as ratios, extremes and footprints, are said of one launch only.
bool addsUp(Metric metric);

struct Quantity {
  std::string key;       ///< a metric's key, or "dram_bytes@32KiB"
  std::string_view unit; ///< "bytes", "s"; empty for a pure number
  bool addsUp = false;   ///< over the launches of a kernel
  /// Of a launch; no value where the profile does not tell. Thread-safe.
  std::function<Value(const KernelProfile &)> of;

  /// The sum over `launches`: 0 of none, no value if it has none for one of them. Only if `addsUp`.
  Value sum(const std::vector<const KernelProfile *> &launches) const;
};

/// The metric as a quantity.
Quantity quantityOf(Metric metric);

/// The cache of `dram_bytes` without a size. It is as small as the problems that are simulated, so
/// that they do not fit into it; also the default of `aiwc show --lines`.
inline constexpr uint64_t kDramCacheBytes = uint64_t{32} << 10;
/// The bytes that are fetched into a cache of `cacheBytes` bytes: the misses of a fully associative
/// LRU cache (profile/reuse.h), times the size of a line. What is written back is not counted. No
/// value where reuse was not measured.
Quantity dramBytes(uint64_t cacheBytes = kDramCacheBytes);

/// The quantity with this key: a metric's, `dram_bytes`, `dram_bytes@SIZE` such as
/// `dram_bytes@256KiB`, `launches` or `simulator_errors`. Throws Error, beginning with `where`, for
/// any other key; it names similar ones.
Quantity quantityOf(std::string_view key, std::string_view where);

} // namespace aiwc::views
