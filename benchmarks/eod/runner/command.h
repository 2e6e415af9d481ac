/// The commands of `eod`.
#pragma once

#include "eod/runner/results.h"
#include "eod/runner/suite.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::eod {

struct RunOptions {
  std::filesystem::path out;
  Selection selection;
  std::string platform; ///< as an application's --platform, --device, --type
  std::string device;   ///< empty: the first one; "all": every one
  std::string type = "all";
  Protocol protocol;
  bool verify = true;
  bool restart = false; ///< measure anew what is there
};

/// Measures every case of the selection that the folder does not have yet, on every device of the
/// selection: <out>/<device>/<application>-<size>.json and .csv, and all rows in <out>/rows.csv.
/// What was interrupted is measured again from its begin; a case that fails leaves nothing behind
/// and does not stop the others. Returns the exit status: 0, or 1 where a case failed. Throws
/// UsageError where the folder has results of another protocol.
int runCases(const RunOptions &options);

struct CharacteriseOptions {
  std::filesystem::path out;
  Selection selection;
  uint64_t seed = 1;
  bool restart = false;
  uint64_t cpuLimitS = 0; ///< a case that takes more CPU time fails; 0: none does
};

/// Runs every case of the selection under `aiwc run`, of the `aiwc` that is beside this program or
/// in PATH: <out>/<application>-<size>/ takes the profiles, <out>/index.csv a row per profile with
/// what joins it to a timing, <out>/usage.csv a row per case with the time and the memory that it
/// took. Returns the exit status as runCases does. Throws Error where there is no aiwc.
int characteriseCases(const CharacteriseOptions &options);

enum class Format { kText, kCsv, kJson };

/// Median, mean, standard deviation, 95 % interval of the mean and coefficient of variation.
std::string summarise(const Times &times, Format format);

/// The ratio of medians per series that both have, devices apart where both have one; what only one
/// of them has is listed. Throws UsageError where nothing is in both.
std::string compareResults(const std::vector<Result> &before, const std::vector<Result> &after,
                           bool perInvocation, Format format);

} // namespace aiwc::eod
