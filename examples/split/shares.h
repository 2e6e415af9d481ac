#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::examples {

/// What one device runs of a one-dimensional NDRange, in work-items.
struct Share {
  std::string device; ///< whose prediction it is, for the table; may be empty
  size_t offset = 0;
  size_t size = 0; ///< 0: nothing
};

/// The shares that `aiwc split --json` printed into `file`, for the first launch of `kernel` in it.
/// Throws UsageError where the file is no such output, has no such launch, or one that is not
/// one-dimensional.
std::vector<Share> readShares(const std::string &file, const std::string &kernel);

/// "OFFSET:SIZE", in work-items. Throws UsageError for anything else.
Share parseShare(const std::string &text);

/// Throws UsageError where the shares are not all of `workItems` work-items, each once and in whole
/// groups of `localSize`: a hole would leave results out, an overlap would compute them twice.
void checkShares(const std::vector<Share> &shares, size_t workItems, size_t localSize);

} // namespace aiwc::examples
