#include "profile/relations.h"

#include "common/wide.h"
#include "profile/fields.h"
#include "profile/reuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::profile {

namespace {

using Found = std::optional<Contradiction>;

constexpr std::string_view kBelow = "expected less than 2^64";

/// A sum that stays at its largest value once it exceeds 64 bits.
class Sum {
public:
  void add(Wide value) { sum_ = std::min(sum_ + value, kTooMuch); }
  bool fits() const { return sum_ < kTooMuch; }
  uint64_t value() const { return static_cast<uint64_t>(sum_); }

private:
  static constexpr Wide kTooMuch = Wide{kLargestCount} + 1;
  Wide sum_ = 0;
};

Found fractions(const KernelProfile &profile) {
  constexpr double kRounding = 1e-9; // a quotient of sums of doubles
  for (const MetricInfo &metric : catalogue())
    if (const double value = profile.real(metric.metric);
        metric.range == Range::kFraction && value > 1 + kRounding)
      return Contradiction{
          "metrics",
          fmt::format("metrics.{} is {}: expected a fraction from 0 to 1", metric.key, value)};
  return std::nullopt;
}

Found histogramSums(const Histogram &histogram, std::string_view name) {
  Sum occurrences;
  Sum products;
  for (const auto &[value, number] : histogram) {
    occurrences.add(number);
    products.add(Wide{value} * number);
  }
  if (occurrences.fits() && products.fits())
    return std::nullopt;
  return Contradiction{"histograms",
                       fmt::format("histograms.{} adds up to 2^64 or more: {}", name, kBelow)};
}

/// Accesses of cache lines; no value, and a contradiction in `found`, if there is one.
std::optional<uint64_t> accessesOfLines(const Histogram &distances, uint64_t cold,
                                        std::string_view name, Found &found) {
  Sum sum;
  sum.add(cold);
  for (const auto &[lowest, accesses] : distances) {
    sum.add(accesses);
    if (reuseBin(lowest) != lowest) {
      found = Contradiction{"histograms",
                            fmt::format("{} has the distance {}: expected the lowest distance of a "
                                        "bin, such as {}",
                                        name, lowest, reuseBin(lowest))};
      return std::nullopt;
    }
  }
  if (sum.fits())
    return sum.value();
  found = Contradiction{
      "histograms", fmt::format("{} and cold accesses add up to 2^64 or more: {}", name, kBelow)};
  return std::nullopt;
}

template <typename Row, size_t N>
Found tableSums(const std::vector<Row> &rows, const std::array<Field<Row, uint64_t>, N> &fields,
                std::string_view part, std::string_view name) {
  for (const auto &field : fields) {
    Sum sum;
    for (const Row &row : rows)
      sum.add(row.*field.member);
    if (!sum.fits() && field.key != "line")
      return Contradiction{
          part, fmt::format("{} of {} add up to 2^64 or more: {}", field.key, name, kBelow)};
  }
  return std::nullopt;
}

Found sums(const KernelProfile &profile) {
  const Histograms &histograms = profile.histograms;
  for (const auto &field : kHistogramFields)
    if (field.member != &Histograms::reuseDistances)
      if (auto found = histogramSums(histograms.*field.member, field.key))
        return found;
  Sum instructions;
  for (const auto &[opcode, number] : histograms.opcodes)
    instructions.add(number);
  if (!instructions.fits())
    return Contradiction{"histograms",
                         fmt::format("histograms.opcodes adds up to 2^64 or more: {}", kBelow)};
  if (auto found = tableSums(histograms.lines, kLineFields, "histograms", "histograms.lines"))
    return found;
  if (auto found = tableSums(histograms.lines, kRareLineFields, "histograms", "histograms.lines"))
    return found;
  if (profile.accesses)
    return tableSums(*profile.accesses, kAccessCountFields, "accesses", "accesses");
  return std::nullopt;
}

bool differs(const KernelProfile &profile, Metric metric, uint64_t expected) {
  if (std::holds_alternative<std::monostate>(profile[metric]))
    return false;
  const uint64_t given = profile.count(metric);
  return profile.complete ? given != expected : given > expected;
}

Found ndrange(const KernelProfile &profile) {
  const Provenance &of = profile.provenance;
  Wide items = 1;
  Wide groups = 1;
  Wide groupSize = 1;
  for (uint32_t i = 0; i < of.workDim; ++i) {
    const uint64_t global = of.globalSize[i];
    const uint64_t local = of.localSize[i];
    if (global == 0 || local == 0)
      return std::nullopt;
    groups *= global / local + (global % local == 0 ? 0 : 1);
    items *= global;
    groupSize *= local;
    if (items > kLargestCount || groupSize > kLargestCount)
      return Contradiction{
          "provenance", fmt::format("{} is {} and {} is {}: expected an NDRange of less than "
                                    "2^64 work-items",
                                    "provenance.global_size", sizeText(of.globalSize, of.workDim),
                                    "local_size", sizeText(of.localSize, of.workDim))};
  }
  const std::array<std::pair<Metric, Wide>, 3> metrics = {{{"work_items"_metric, items},
                                                           {"work_groups"_metric, groups},
                                                           {"work_group_size"_metric, groupSize}}};
  for (const auto &[metric, expected] : metrics)
    if (const auto number = static_cast<uint64_t>(expected); differs(profile, metric, number))
      return Contradiction{
          "metrics",
          fmt::format("metrics.{} is {}: expected {}{} for the NDRange {} in work-groups of {}",
                      info(metric).key, profile.count(metric), profile.complete ? "" : "at most ",
                      number, sizeText(of.globalSize, of.workDim),
                      sizeText(of.localSize, of.workDim))};
  if (of.sampled() && of.totalGroups != groups)
    return Contradiction{"provenance",
                         fmt::format("provenance.total_groups is {}: expected {}, the work-groups "
                                     "of the NDRange",
                                     of.totalGroups, static_cast<uint64_t>(groups))};
  return std::nullopt;
}

/// The bytes accessed in global and constant memory; no value if one of the metrics has none.
std::optional<Wide> bytesOfLines(const KernelProfile &profile) {
  Wide bytes = 0;
  for (const Metric metric : {"bytes_read_global"_metric, "bytes_written_global"_metric,
                              "bytes_read_constant"_metric, "bytes_written_constant"_metric}) {
    if (std::holds_alternative<std::monostate>(profile[metric]))
      return std::nullopt;
    bytes += profile.count(metric);
  }
  return bytes;
}

Found reuse(const KernelProfile &profile, bool rounded) {
  Found found;
  for (const LineRow &row : profile.histograms.lines)
    if (!accessesOfLines(row.reuseDistances, row.coldAccesses,
                         fmt::format("reuse_distances of line {}", row.line), found))
      return found;
  const auto accesses = accessesOfLines(profile.histograms.reuseDistances,
                                        profile.reuse.coldAccesses, "reuse_distances", found);
  if (!accesses)
    return found;
  const auto bytes = bytesOfLines(profile);
  const uint64_t lineBytes = profile.reuse.lineBytes;
  if (lineBytes == 0 || !bytes || (rounded && *accesses == 0) ||
      !profile.provenance.scaledFrom.empty())
    return std::nullopt;
  const bool exact =
      !rounded && !profile.provenance.sampled() && !profile.provenance.extrapolated();
  const auto tolerated = [&](Wide number) {
    constexpr uint64_t kPart = 100; // 1 %, and as many accesses, each of which is rounded
    return exact ? number : number + number / kPart + kPart;
  };
  if (*accesses > tolerated(*bytes) || *bytes > tolerated(Wide{*accesses} * lineBytes))
    return Contradiction{
        "reuse",
        fmt::format("reuse_distances and cold accesses add up to {} accesses of lines of "
                    "{} bytes: expected as many as {} bytes in global and constant memory "
                    "need, one byte to a whole line each",
                    *accesses, lineBytes,
                    *bytes > kLargestCount ? std::string("2^64 or more")
                                           : fmt::to_string(static_cast<uint64_t>(*bytes)))};
  return std::nullopt;
}

} // namespace

std::optional<Contradiction> contradictionIn(const KernelProfile &profile, bool rounded) {
  if (auto found = fractions(profile))
    return found;
  if (auto found = sums(profile))
    return found;
  if (auto found = ndrange(profile))
    return found;
  return reuse(profile, rounded);
}

} // namespace aiwc::profile
