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
  bool restart = false; ///< measure existing results again
};

/// Measures every case of the selection that is not yet in the folder, on every device of the
/// selection: <out>/<device>/<application>-<size>.json and .csv, and all rows in <out>/rows.csv. An
/// interrupted case is measured again from its beginning; a failed case leaves no files and does
/// not stop the others. Returns the exit status: 0, or 1 if a case failed. Throws UsageError if the
/// folder has results of another protocol.
int runCases(const RunOptions &options);

struct CharacteriseOptions {
  std::filesystem::path out;
  Selection selection;
  uint64_t seed = 1;
  bool restart = false;
  uint64_t cpuLimitS = 0; ///< a case fails if it takes more CPU time; 0: no limit
};

/// Runs every case of the selection under `aiwc run`, using the `aiwc` in this program's folder or
/// else in PATH. Writes the profiles to <out>/<application>-<size>/, one row per profile with the
/// columns that join it to a timing to <out>/index.csv, and one row per case with its time and
/// memory to <out>/usage.csv. Returns the exit status as runCases does. Throws Error if there is no
/// aiwc.
int characteriseCases(const CharacteriseOptions &options);

enum class Format { kText, kCsv, kJson };

/// Median, mean, standard deviation, 95 % interval of the mean and coefficient of variation.
std::string summarise(const Times &times, Format format);

/// The ratio of medians per series that both folders have, for each device separately if both have
/// it; series that only one has are listed. Throws UsageError if they have nothing in common.
std::string compareResults(const std::vector<Result> &before, const std::vector<Result> &after,
                           bool perInvocation, Format format);

} // namespace aiwc::eod
