#include "eod/runner/results.h"

#include "eod/common/opencl.h"
#include "eod/runner/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace aiwc::eod {
namespace {

namespace fs = std::filesystem;

SampleTimes sampleOf(const Json &json) {
  SampleTimes sample;
  if (const Json &joules = json.at("energy_per_run_j"); !joules.is_null())
    sample.joules = joules.get<double>();
  for (const Json &launch : json.at("launches"))
    sample.launches.push_back({.kernel = launch.at("kernel"),
                               .invocation = launch.at("invocation"),
                               .globalSize = launch.at("global_size"),
                               .localSize = launch.at("local_size"),
                               .us = launch.at("kernel_time_us")});
  return sample;
}

bool isResult(const fs::directory_entry &entry) {
  return entry.is_regular_file() && entry.path().extension() == ".json" &&
         !entry.path().filename().string().starts_with('.');
}

} // namespace

Result readResult(const fs::path &file) {
  return read(file, [](const Json &json) {
    Result result{.application = json.at("application"),
                  .size = json.at("size"),
                  .parameter = json.at("parameter"),
                  .platform = json.at("platform"),
                  .device = json.at("device"),
                  .sourceHash = json.at("source_hash"),
                  .buildOptions = json.at("build_options"),
                  .protocol = {.samples = json.at("samples_wanted"),
                               .minSeconds = json.at("min_seconds"),
                               .seed = json.at("seed"),
                               .tune = json.at("tuned")},
                  .verified = json.at("verified").is_boolean() && json.at("verified").get<bool>(),
                  .samples = {}};
    for (const Json &sample : json.at("samples"))
      result.samples.push_back(sampleOf(sample));
    return result;
  });
}

std::vector<Result> readResults(const std::vector<fs::path> &folders) {
  std::vector<Result> results;
  for (const fs::path &folder : folders) {
    if (!fs::is_directory(folder))
      throw UsageError(folder.string() + ": no such folder: expected one that eod run wrote");
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      if (isResult(entry))
        files.push_back(entry.path());
    if (files.empty())
      throw UsageError(folder.string() + ": no results: expected a folder that eod run wrote");
    std::ranges::sort(files);
    for (const fs::path &file : files)
      results.push_back(readResult(file));
  }
  return results;
}

int rankOf(const std::string &size) {
  constexpr std::array<std::string_view, 4> kOrder{"tiny", "small", "medium", "large"};
  return static_cast<int>(std::ranges::find(kOrder, size) - kOrder.begin());
}

bool SeriesOrder::operator()(const Series &a, const Series &b) const {
  const auto key = [](const Series &s) {
    return std::tuple(s.device, s.application, rankOf(s.size), s.size, s.kernel, s.invocation);
  };
  return key(a) < key(b);
}

Times timesOf(const std::vector<Result> &results, bool perInvocation) {
  Times times;
  for (const Result &result : results)
    for (const SampleTimes &sample : result.samples) {
      std::map<Series, double, SeriesOrder> sums;
      for (const LaunchTime &launch : sample.launches)
        sums[{result.device, result.application, result.size, launch.kernel,
              perInvocation ? std::optional(launch.invocation) : std::nullopt}] += launch.us;
      for (const auto &[series, us] : sums)
        times[series].push_back(us);
    }
  return times;
}

} // namespace aiwc::eod
