#include "random_profile.h"

#include "profile/fields.h"
#include "profile/reuse.h"
#include "profile/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace aiwc::test {

using namespace profile;

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : engine_(seed) {}

  uint64_t below(uint64_t bound) { return engine_() % bound; }

  uint64_t count() {
    constexpr uint64_t kMaximum = std::numeric_limits<uint64_t>::max();
    const uint64_t extremes[] = {0, 1, (uint64_t{1} << 53) + 1, uint64_t{1} << 63, kMaximum};
    return below(4) == 0 ? extremes[below(5)] : engine_() >> below(64);
  }

  double real() {
    using Limits = std::numeric_limits<double>;
    const double extremes[] = {0.0,           -0.0,
                               1.0,           0.1,
                               Limits::min(), Limits::max(),
                               1e21,          Limits::denorm_min(),
                               1.0 / 3,       9007199254740993.0};
    if (below(4) == 0)
      return extremes[below(std::size(extremes))];
    for (;;) { // any finite bit pattern, made non-negative
      const auto value = std::abs(std::bit_cast<double>(engine_()));
      if (std::isfinite(value))
        return value;
    }
  }

  std::string text() {
    const std::string pieces[] = {"saxpy", " -DN=4",
                                  "\"",    "\\",
                                  "\n",    "\t",
                                  "\x01",  "\x7f",
                                  "é",     "\xf0\x9f\x99\x82",
                                  ",",     "{",
                                  "/",     std::string(1, '\0')};
    std::string result;
    for (uint64_t i = below(6); i > 0; --i)
      result += pieces[below(std::size(pieces))];
    return result;
  }

  /// A count of which a few dozen add up to less than 2^64.
  uint64_t summand() { return count() >> 6U; }

  /// Values times occurrences add up to less than 2^64.
  Histogram histogram() {
    Histogram result;
    if (below(8) == 0)
      return {{std::numeric_limits<uint64_t>::max(), 1}};
    uint64_t value = below(3);
    for (uint64_t i = below(20); i > 0; --i, value += 1 + below(1000))
      result.emplace_back(value, count() >> 20U);
    return result;
  }

  Histogram distances() {
    Histogram result;
    uint64_t lowest = reuseBin(count() >> below(64));
    for (uint64_t i = below(20); i > 0 && lowest < std::numeric_limits<uint64_t>::max(); --i) {
      if (below(3) != 0)
        result.emplace_back(lowest, summand());
      lowest = reuseBinEnd(lowest);
    }
    return result;
  }

  LoopRow loop() {
    LoopRow row;
    row.function = text();
    for (const auto &field : kLoopFields)
      row.*field.member = count();
    if (below(3) != 0)
      row.carriesDependence = below(2) == 0;
    row.dependences = histogram(); // pairs that increase, too
    row.carriesValue = below(3) == 0;
    return row;
  }

  AccessRow access() {
    AccessRow row;
    row.function = text();
    row.array = text();
    row.line = count();
    row.loop = count();
    row.space = static_cast<MemorySpace>(below(3));
    row.kind = static_cast<AccessKind>(below(3));
    for (const auto &field : kAccessCountFields)
      row.*field.member = summand();
    for (const auto &field : kAccessStrideFields)
      if (below(3) != 0)
        row.*field.member = static_cast<int64_t>(below(uint64_t{1} << 54)) - (int64_t{1} << 53);
    row.dataDependent = below(2) == 0;
    if (below(9) != 0)
      row.idiom = static_cast<Idiom>(below(kIdiomCount));
    return row;
  }

  std::vector<LineRow> lines() {
    std::vector<LineRow> rows(below(6));
    uint64_t line = below(2);
    for (LineRow &row : rows) {
      for (const auto &field : kLineFields)
        row.*field.member = summand();
      row.reuseDistances = distances();
      row.line = line;
      line += 1 + below(100);
    }
    return rows;
  }

private:
  std::mt19937_64 engine_;
};

/// Gives the metrics of the NDRange the values that they have for it.
void describeNdrange(KernelProfile &profile, Generator &random) {
  uint64_t items = 1;
  uint64_t groups = 1;
  uint64_t groupSize = 1;
  Provenance &of = profile.provenance;
  for (uint32_t i = 0; i < of.workDim; ++i) {
    of.globalSize[i] = 1 + random.below(uint64_t{1} << (1 + random.below(20)));
    of.localSize[i] = 1 + random.below(64);
    items *= of.globalSize[i];
    groups *= (of.globalSize[i] + of.localSize[i] - 1) / of.localSize[i];
    groupSize *= of.localSize[i];
  }
  const std::pair<Metric, uint64_t> metrics[] = {{"work_items"_metric, items},
                                                 {"work_groups"_metric, groups},
                                                 {"work_group_size"_metric, groupSize}};
  for (const auto &[metric, value] : metrics)
    if (!std::holds_alternative<std::monostate>(profile[metric]))
      profile.setCount(metric, profile.complete ? value : random.below(value + 1));
  if (random.below(3) == 0) {
    of.totalGroups = groups;
    of.sampledGroups = random.below(groups);
    of.othersLeftOut = random.below(2) == 0;
  }
}

/// Lets the cache lines hold the bytes that are accessed in them.
void describeReuse(KernelProfile &profile, Generator &random) {
  uint64_t accesses = profile.reuse.coldAccesses = random.summand();
  profile.histograms.reuseDistances = random.distances();
  for (const auto &[lowest, number] : profile.histograms.reuseDistances)
    accesses += number;
  for (const Metric metric :
       {"bytes_read_global"_metric, "bytes_written_global"_metric, "bytes_read_constant"_metric})
    if (!std::holds_alternative<std::monostate>(profile[metric]))
      profile.setCount(metric, 0);
  if (!std::holds_alternative<std::monostate>(profile["bytes_written_constant"_metric]))
    profile.setCount("bytes_written_constant"_metric, accesses);
}

bool sameBits(const Value &a, const Value &b) {
  const auto *x = std::get_if<double>(&a);
  const auto *y = std::get_if<double>(&b);
  return x && y ? std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y) : a == b;
}

} // namespace

KernelProfile randomProfile(uint64_t seed) {
  Generator random(seed);
  KernelProfile profile;
  forEachField(profile.provenance, [&]<typename T>(const IdentityField &field, T &value) {
    if (field.onlyIfSet && random.below(3) > 0)
      return;
    if constexpr (std::is_same_v<T, std::string>)
      value = random.text();
    else if constexpr (std::is_same_v<T, bool>)
      value = true;
    else if constexpr (std::is_same_v<T, uint32_t>)
      value = static_cast<uint32_t>(1 + random.below(3));
    else if constexpr (std::is_same_v<T, Size3>)
      for (uint64_t &size : value)
        size = random.count(); // those beyond the dimensions say nothing
    else
      value = random.count();
  });
  for (const auto &field : kVersionFields)
    profile.provenance.*field.member = random.text();
  profile.complete = random.below(2) == 0;
  profile.reason = random.text();
  profile.simulatorErrors = random.count();
  for (const MetricInfo &metric : catalogue()) {
    if (random.below(5) == 0)
      continue;
    if (metric.type == MetricType::kCount)
      profile.setCount(metric.metric, random.count());
    else if (const double value = random.real(); metric.range == Range::kFraction)
      profile.setReal(metric.metric, value > 1 ? 1 / value : value);
    else
      profile.setReal(metric.metric, value);
  }
  describeNdrange(profile, random);
  for (const MetricInfo &metric : catalogue()) {
    const Estimate estimate = metric.estimate;
    if (profile.provenance.sampled() &&
        !std::holds_alternative<std::monostate>(profile[metric.metric]) &&
        (estimate == Estimate::kTotal || estimate == Estimate::kMean) && random.below(3) != 0)
      profile.setStandardError(metric.metric, std::abs(random.real()));
  }
  for (const auto &field : kReuseCountFields)
    profile.reuse.*field.member = random.count();
  for (const auto &field : kHistogramFields)
    profile.histograms.*field.member = random.histogram();
  describeReuse(profile, random);
  for (uint64_t i = random.below(10); i > 0; --i)
    profile.histograms.opcodes[random.text()] = random.summand();
  for (uint64_t i = random.below(5); i > 0; --i)
    profile.histograms.loops.push_back(random.loop());
  if (random.below(3) != 0) {
    profile.accesses.emplace();
    for (uint64_t i = random.below(5); i > 0; --i)
      profile.accesses->push_back(random.access());
  } else if (seed % 2 == 0) {
    profile.localMemory = {seed << 20U, 1 + static_cast<double>(seed % 64) / 7};
  }
  profile.histograms.lines = random.lines();
  for (auto &traffic : profile.targets)
    if (random.below(4) == 0)
      traffic = {random.summand(), random.summand()};
  return profile;
}

bool equal(const KernelProfile &a, const KernelProfile &b) {
  bool same =
      a.complete == b.complete && a.reason == b.reason && a.simulatorErrors == b.simulatorErrors &&
      static_cast<const LaunchIdentity &>(a.provenance) == b.provenance &&
      a.histograms.opcodes == b.histograms.opcodes && a.histograms.loops == b.histograms.loops &&
      a.histograms.lines == b.histograms.lines && a.accesses == b.accesses &&
      a.localMemory == b.localMemory && a.targets == b.targets;
  for (const auto &field : kVersionFields)
    same = same && a.provenance.*field.member == b.provenance.*field.member;
  for (const auto &field : kSampleFields)
    same = same && a.provenance.*field.member == b.provenance.*field.member;
  for (const auto &field : kHistogramFields)
    same = same && a.histograms.*field.member == b.histograms.*field.member;
  for (const auto &field : kReuseCountFields)
    same = same && a.reuse.*field.member == b.reuse.*field.member;
  for (const MetricInfo &metric : catalogue())
    same = same && sameBits(a[metric.metric], b[metric.metric]) &&
           sameBits(a.standardError(metric.metric), b.standardError(metric.metric));
  return same;
}

} // namespace aiwc::test
