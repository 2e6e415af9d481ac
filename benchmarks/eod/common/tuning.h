#pragma once

#include "eod/common/application.h"
#include "eod/common/device.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::eod {

/// The measured time of a local size.
struct TunedSize {
  size_t localSize;
  double kernelTimeUs; ///< of all launches of a run, the fastest of the runs measured
};

/// Measures `program` with every legal local size that the device and the compiled kernels accept:
/// one run to warm up, then runs until there are three and a tenth of a second has passed; the
/// fastest counts. In the order of the sizes. Throws UsageError where none is accepted.
std::vector<TunedSize> measureLocalSizes(const Device &device, Application &application,
                                         uint64_t seed, std::string_view program);

/// The fastest of them, the first where several are. `sizes` is not empty.
TunedSize fastest(const std::vector<TunedSize> &sizes);

} // namespace aiwc::eod
