/// Reads measurements from a folder.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::eod {

/// How a case was measured. Samples that differ in any of these do not belong together.
struct Protocol {
  uint64_t samples = 50;
  double minSeconds = 2;
  uint64_t seed = 1;
  bool tune = false;
  bool operator==(const Protocol &) const = default;
};

struct LaunchTime {
  std::string kernel;
  uint64_t invocation;
  std::string globalSize; ///< "96x96"
  std::string localSize;
  double us;
};

/// The launches of a run, times being means over the runs of the sample.
struct SampleTimes {
  std::optional<double> joules; ///< of a run
  std::vector<LaunchTime> launches;
};

/// The contents of an application's --json output.
struct Result {
  std::string application;
  std::string size;
  std::string parameter;
  std::string platform;
  std::string device;
  std::string sourceHash;
  std::string buildOptions;
  Protocol protocol;
  bool verified = false;
  std::vector<SampleTimes> samples;
};

/// Throws Error, naming the file, if the file was not written by an application.
Result readResult(const std::filesystem::path &file);

/// All results in the folders and in their device folders, ordered by path. Throws UsageError if a
/// folder has none.
std::vector<Result> readResults(const std::vector<std::filesystem::path> &folders);

/// The series that samples belong to.
struct Series {
  std::string device;
  std::string application;
  std::string size;
  std::string kernel;
  std::optional<uint64_t> invocation; ///< none: all launches of the kernel in a run together
  auto operator<=>(const Series &) const = default;
};

/// The rank of a size, from tiny to large; all other names come last.
int rankOf(const std::string &size);

struct SeriesOrder {
  bool operator()(const Series &a, const Series &b) const;
};

/// Microseconds per sample.
using Times = std::map<Series, std::vector<double>, SeriesOrder>;

/// The time of every kernel in a run, or of every single launch.
Times timesOf(const std::vector<Result> &results, bool perInvocation);

} // namespace aiwc::eod
