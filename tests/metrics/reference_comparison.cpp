#include "reference_comparison.h"

#include "profile/access_row.h"
#include "trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace aiwc::test {

using namespace profile;

namespace {

std::string text(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return fmt::format("count {}", *count);
  if (const auto *real = std::get_if<double>(&value))
    return fmt::format("real {:.17g}", *real);
  return "none";
}

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

bool agree(const Value &expected, const Value &actual) {
  if (expected.index() != actual.index())
    return false;
  if (const auto *real = std::get_if<double>(&expected))
    return close(*real, std::get<double>(actual));
  return expected == actual;
}

bool sameBits(const Value &a, const Value &b) {
  if (a.index() != b.index())
    return false;
  if (const auto *real = std::get_if<double>(&a))
    return std::bit_cast<uint64_t>(*real) == std::bit_cast<uint64_t>(std::get<double>(b));
  return a == b;
}

std::string text(const Histogram &histogram) {
  std::string result;
  for (const auto &[value, count] : histogram)
    result += fmt::format(" {}:{}", value, count);
  return result;
}

std::string text(const std::map<std::string, uint64_t> &histogram) {
  std::string result;
  for (const auto &[value, count] : histogram)
    result += fmt::format(" {}:{}", value, count);
  return result;
}

std::string text(const std::vector<LoopRow> &rows) {
  std::string result;
  for (const LoopRow &row : rows) {
    result +=
        fmt::format("\n  {}:{} depth {} entries {} trips {} ({} to {}) carries {}:", row.function,
                    row.line, row.depth, row.entries, row.trips, row.minTrips, row.maxTrips,
                    row.carriesDependence ? *row.carriesDependence + 0 : -1);
    for (const auto &[write, read] : row.dependences)
      result += fmt::format(" {}->{}", write, read);
    result += row.carriesValue ? " and a value" : "";
  }
  return result;
}

std::string text(const std::vector<LineRow> &rows) {
  std::string result;
  for (const LineRow &row : rows)
    result +=
        fmt::format("\n  {}: {} instructions {} fp {} bytes {} branches {} mispredicted {} {} "
                    "{} {} idle {} cold reuse{}",
                    row.line, row.instructions, row.fpOps, row.bytes, row.branches,
                    row.mispredictions, row.idleLanes8, row.idleLanes16, row.idleLanes32,
                    row.idleLanes64, row.coldAccesses, text(row.reuseDistances));
  return result;
}

using AccessSums = std::map<std::string, std::pair<uint64_t, uint64_t>>;

std::string text(const AccessSums &sums) {
  std::string result;
  for (const auto &[key, counts] : sums)
    result += fmt::format("\n  {}: {} accesses {} bytes", key, counts.first, counts.second);
  return result;
}

AccessSums sums(const std::vector<AccessRow> &rows) {
  const auto stride = [](const std::optional<int64_t> &value) {
    return value ? fmt::format("{}", *value) : "-";
  };
  AccessSums result;
  for (const AccessRow &row : rows) {
    auto &[accesses, bytes] =
        result[accessKey(row.function, row.line, row.loop, row.array, toString(row.space),
                         toString(row.kind), stride(row.laneStride), stride(row.loopStride))];
    accesses += row.accesses;
    bytes += row.bytes;
  }
  return result;
}

std::string differences(const Histograms &expected, const Histograms &actual) {
  std::string result;
  const auto compare = [&](const char *name, const auto &a, const auto &b) {
    if (a != b)
      result += fmt::format("histogram {}: expected{}, got{}\n", name, text(a), text(b));
  };
  compare("opcodes", expected.opcodes, actual.opcodes);
  compare("instructionsToBarrier", expected.instructionsToBarrier, actual.instructionsToBarrier);
  compare("instructionsPerThread", expected.instructionsPerThread, actual.instructionsPerThread);
  compare("simdWidths", expected.simdWidths, actual.simdWidths);
  compare("addressAccesses", expected.addressAccesses, actual.addressAccesses);
  compare("reuseDistances", expected.reuseDistances, actual.reuseDistances);
  compare("branchExecutions", expected.branchExecutions, actual.branchExecutions);
  compare("asapFpLevels", expected.asapFpLevels, actual.asapFpLevels);
  compare("loops", expected.loops, actual.loops);
  compare("lines", expected.lines, actual.lines);
  return result;
}

} // namespace

std::vector<Metric> tracedMetrics() {
  std::vector<Metric> metrics;
  const std::vector<std::string> traced = metrics::AnalysisSet::families();
  for (const profile::MetricInfo &row : profile::catalogue())
    if (std::ranges::find(traced, row.family) != traced.end())
      metrics.push_back(row.metric);
  return metrics;
}

std::string differences(const BruteForce &expected, const KernelProfile &actual) {
  std::string result;
  for (const Metric metric : tracedMetrics()) {
    const auto found = expected.values.find(metric);
    if (found != expected.values.end() && !agree(found->second, actual[metric]))
      result += fmt::format("{}: expected {}, got {}\n", info(metric).key, text(found->second),
                            text(actual[metric]));
  }
  if (expected.coldAccesses != actual.reuse.coldAccesses)
    result += fmt::format("cold accesses: expected {}, got {}\n", expected.coldAccesses,
                          actual.reuse.coldAccesses);
  if (actual.accesses && text(expected.accesses) != text(sums(*actual.accesses)))
    result += fmt::format("accesses: expected{}\ngot{}\n", text(expected.accesses),
                          text(sums(*actual.accesses)));
  return result + differences(expected.histograms, actual.histograms);
}

std::string differentBits(const KernelProfile &a, const KernelProfile &b) {
  std::string result;
  for (const Metric metric : tracedMetrics())
    if (!sameBits(a[metric], b[metric]))
      result += fmt::format("{}: {} and {}\n", info(metric).key, text(a[metric]), text(b[metric]));
  if (a.reuse.coldAccesses != b.reuse.coldAccesses)
    result += fmt::format("cold accesses: {} and {}\n", a.reuse.coldAccesses, b.reuse.coldAccesses);
  if (a.accesses != b.accesses)
    result += "accesses differ\n";
  return result + differences(a.histograms, b.histograms);
}

KernelProfile finish(const metrics::AnalysisSet &analysis, uint64_t workGroupSize) {
  KernelProfile profile;
  profile.provenance.localSize = {workGroupSize, 1, 1};
  analysis.finish(profile);
  return profile;
}

KernelProfile analyse(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize) {
  metrics::AnalysisSet analysis(program);
  trace::Recorder recorder(analysis);
  for (const GroupTrace &group : execution.groups)
    play(program, group, recorder);
  return finish(analysis, workGroupSize);
}

} // namespace aiwc::test
