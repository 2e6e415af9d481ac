#include "evaluation/measured.h"

#include "common/error.h"
#include "eod/statistics/quantile.h"
#include "train/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::evaluation {

namespace {

/// Why the launches of a kernel are not those of the profiles; empty where they are.
std::string difference(const std::map<uint64_t, Launch> &profiled,
                       const std::map<uint64_t, Launch> &measured) {
  if (profiled.size() != measured.size())
    return fmt::format("{} launches measured, {} profiled", measured.size(), profiled.size());
  for (const auto &[invocation, ours] : profiled) {
    const auto found = measured.find(invocation);
    if (found == measured.end())
      return fmt::format("invocation {} not measured", invocation);
    const Launch &theirs = found->second;
    const auto differ = [](const char *what, const std::string &a, const std::string &b) {
      return fmt::format("measured with {} {}, profiled with {}", what, b, a);
    };
    if (ours.parameter != theirs.parameter)
      return differ("parameter", ours.parameter, theirs.parameter);
    if (ours.seed != theirs.seed)
      return differ("seed", ours.seed, theirs.seed);
    if (ours.globalSize != theirs.globalSize)
      return differ("global size", ours.globalSize, theirs.globalSize);
    if (ours.localSize != theirs.localSize)
      return differ("local size", ours.localSize, theirs.localSize);
    if (ours.sourceHash != theirs.sourceHash)
      return differ("source", ours.sourceHash, theirs.sourceHash);
  }
  return {};
}

void readRows(const std::filesystem::path &file, MeasuredTimes &times) {
  const train::CsvTable table(file, {"application", "size", "parameter", "seed", "sample", "kernel",
                                     "invocation", "kernel_time_us", "global_size", "local_size",
                                     "device", "source_hash"});
  if (times.device.empty())
    times.device = table.text(0, "device");
  // Per kernel, sample and invocation.
  std::map<CaseId, std::map<size_t, std::map<uint64_t, double>>, CaseOrder> samples;
  for (size_t row = 0; row < table.size(); ++row) {
    if (table.text(row, "device") != times.device)
      throw Error(fmt::format("{}: times of {} and of {}: expected those of one device",
                              file.string(), times.device, table.text(row, "device")));
    const CaseId id{table.text(row, "application"), table.text(row, "size"),
                    table.text(row, "kernel")};
    const size_t invocation = table.count(row, "invocation");
    const Launch launch{table.text(row, "parameter"), table.text(row, "seed"),
                        table.text(row, "global_size"), table.text(row, "local_size"),
                        table.text(row, "source_hash")};
    const auto [known, isNew] = times.cases[id].launches.emplace(invocation, launch);
    const double seconds = table.positive(row, "kernel_time_us") / 1e6;
    const bool first = samples[id][table.count(row, "sample")].emplace(invocation, seconds).second;
    if (!first || (!isNew && known->second != launch))
      throw Error(fmt::format("{}: invocation {} of {} {} {} is not one launch: expected the rows "
                              "of one eod run",
                              file.string(), invocation, id.application, id.size, id.kernel));
  }
  for (const auto &[id, bySample] : samples)
    for (const auto &[sample, launches] : bySample) {
      if (launches.size() != times.cases[id].launches.size())
        throw Error(fmt::format("{}: sample {} of {} {} {} has {} launches: expected {}, as others",
                                file.string(), sample, id.application, id.size, id.kernel,
                                launches.size(), times.cases[id].launches.size()));
      double sum = 0;
      for (const auto &[invocation, seconds] : launches)
        sum += seconds;
      times.cases[id].seconds.push_back(sum);
    }
}

} // namespace

MeasuredTimes readMeasured(const std::vector<std::filesystem::path> &paths) {
  MeasuredTimes times;
  for (const std::filesystem::path &path : paths)
    readRows(std::filesystem::is_directory(path) ? path / "rows.csv" : path, times);
  return times;
}

Comparisons compare(const PredictedCases &predicted, const MeasuredTimes &measured,
                    Reference reference) {
  Comparisons result;
  for (const auto &[id, ours] : predicted) {
    const auto found = measured.cases.find(id);
    std::string reason = found == measured.cases.end() ? "no measured time" : ours.ruledOut;
    if (reason.empty())
      reason = difference(ours.launches, found->second.launches);
    if (!reason.empty()) {
      result.leftOut.push_back({id, reason});
      continue;
    }
    const std::vector<double> &seconds = found->second.seconds;
    Comparison both{id,
                    ours.launches.size(),
                    ours.seconds.front(),
                    statistics::median(seconds),
                    *std::ranges::min_element(seconds),
                    0,
                    ours.boundBy.front()};
    both.measured = reference == Reference::kMedian ? both.median : both.minimum;
    result.cases.push_back(std::move(both));
  }
  for (const auto &[id, theirs] : measured.cases)
    if (!predicted.contains(id))
      result.leftOut.push_back({id, "no profile"});
  return result;
}

ComparisonSummary summarise(const std::vector<Comparison> &cases) {
  ComparisonSummary summary;
  std::vector<double> predicted;
  std::vector<double> measured;
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> grouped;
  for (const Comparison &both : cases) {
    predicted.push_back(both.predicted);
    measured.push_back(both.measured);
    grouped[both.id.application].first.push_back(both.predicted);
    grouped[both.id.application].second.push_back(both.measured);
  }
  summary.spearman = predict::spearman(predicted, measured);
  summary.all.kernels = cases.size();
  std::vector<double> errors;
  std::vector<double> biases;
  for (const auto &[application, times] : grouped) {
    const predict::Deviation deviation = predict::deviationOf(times.first, times.second);
    summary.applications.push_back({application, times.first.size(), deviation});
    errors.push_back(deviation.error);
    biases.push_back(deviation.bias);
  }
  summary.all.deviation = {predict::geometricMean(errors), predict::geometricMean(biases)};
  return summary;
}

} // namespace aiwc::evaluation
