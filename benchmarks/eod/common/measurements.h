#pragma once

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::eod {

/// The shape of a launch. Unused dimensions are 1.
struct NdRange {
  NdRange(std::initializer_list<size_t> globalSize, std::initializer_list<size_t> localSize);
  cl_uint dimensions;
  std::array<size_t, 3> global{1, 1, 1};
  std::array<size_t, 3> local{1, 1, 1};
  bool operator==(const NdRange &) const = default;
};

/// "96x96" for two dimensions.
std::string shape(const std::array<size_t, 3> &sizes, cl_uint dimensions);

/// The n-th launch of a kernel in a run of the application, over all runs of a sample.
struct Launch {
  std::string kernel;
  uint64_t invocation; ///< of this kernel in the run, from 0: a profile's `invocation`
  NdRange range;
  uint64_t runs = 0;
  uint64_t nanoseconds = 0; ///< on the device, start to end, summed over the runs
  double meanUs() const { return runs ? 1e-3 * nanoseconds / runs : 0; }
};

/// Transfers in one direction, over all runs of a sample.
struct Transfers {
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t nanoseconds = 0;
};

struct Sample {
  uint64_t runs = 0;
  Transfers toDevice;
  Transfers toHost;
  std::optional<double> joules; ///< of all runs, host included; none without a counter
  std::vector<Launch> launches; ///< in the order of the first run
};

/// Combines the launches of repeated runs. A run is deterministic, so the k-th launch must be the
/// same in every run; if it is not, endRun() throws Error.
class Recorder {
public:
  void beginSample();
  void beginRun();
  /// The index of the launch's row, for addTime().
  size_t launch(const std::string &kernel, const NdRange &range);
  void addTime(size_t row, uint64_t nanoseconds);
  /// Of the whole sample.
  void setEnergy(std::optional<double> joules) { sample_.joules = joules; }
  void addTransfer(bool toDevice, uint64_t bytes, uint64_t nanoseconds);
  void endRun();
  const Sample &sample() const { return sample_; }

private:
  Sample sample_;
  size_t launchesOfRun_ = 0;
};

} // namespace aiwc::eod
