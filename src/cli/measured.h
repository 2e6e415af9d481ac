/// The times that were measured of a run's launches.
#pragma once

#include "inputs.h"
#include "predict/device_library.h"
#include "predict/fitted/time_terms.h"
#include "predict/prediction.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Measured times that lie beside profiles: those of a file `times.csv` (train/training_set.h) in
/// the folder of a run.
class MeasuredTimes {
public:
  /// Reads the files of all folders that the profiles are from. Throws Error for one that is wrong.
  MeasuredTimes(const std::vector<NamedProfile> &profiles, const predict::DeviceLibrary &library);

  /// What the times contain of a launch; none if there are no times, or some contain more than
  /// others.
  std::optional<predict::Clock> clock() const { return clock_; }
  /// Gives the invocations, which are those of `profiles`, their times of this clock.
  void addTo(std::vector<predict::Invocation> &invocations,
             const std::vector<NamedProfile> &profiles, predict::Clock clock) const;
  /// A sentence on the times that the other clock has; empty if there are none.
  std::string noteOnOthers(predict::Clock clock) const;

private:
  struct Time {
    std::string device;
    double seconds; ///< of one launch
    predict::Clock clock;
  };
  void read(const std::filesystem::path &file, const predict::DeviceLibrary &library);

  std::map<std::filesystem::path, std::vector<Time>> times_; ///< by the file of the profile
  std::optional<predict::Clock> clock_;
};

} // namespace aiwc::cli
