#include "profile/kernel_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <cmath>
#include <limits>

namespace aiwc::profile {

LaunchKey launchOf(const Provenance &provenance) {
  return {provenance.kernel, provenance.workDim, provenance.globalSize, provenance.localSize};
}

std::string sizeText(const Size3 &size, uint32_t workDim) {
  const auto end = size.begin() + std::clamp<uint32_t>(workDim, 1, 3);
  return fmt::format("{}", fmt::join(size.begin(), end, "x"));
}

LineRow &Histograms::lineRow(uint64_t line) {
  const auto row = std::ranges::lower_bound(lines, line, {}, &LineRow::line);
  if (row != lines.end() && row->line == line)
    return *row;
  LineRow added;
  added.line = line;
  return *lines.insert(row, added);
}

void KernelProfile::setCount(Metric metric, uint64_t value) {
  assert(info(metric).type == MetricType::kCount);
  values_[index(metric)] = value;
}

void KernelProfile::setReal(Metric metric, double value) {
  assert(info(metric).type == MetricType::kReal);
  if (std::isfinite(value))
    values_[index(metric)] = value;
  else
    setNone(metric);
}

void KernelProfile::setRatio(Metric metric, double numerator, double denominator) {
  if (denominator == 0)
    setNone(metric);
  else
    setReal(metric, numerator / denominator);
}

void KernelProfile::setNone(Metric metric) {
  values_[index(metric)] = std::monostate{};
}

uint64_t KernelProfile::count(Metric metric) const {
  const auto *value = std::get_if<uint64_t>(&(*this)[metric]);
  return value ? *value : 0;
}

double KernelProfile::standardError(Metric metric) const {
  return standardErrors_.empty() ? std::numeric_limits<double>::quiet_NaN()
                                 : standardErrors_[index(metric)];
}

void KernelProfile::setStandardError(Metric metric, double error) {
  assert(!(error < 0));
  standardErrors_.resize(kMetricCount, std::numeric_limits<double>::quiet_NaN());
  standardErrors_[index(metric)] = error;
}

} // namespace aiwc::profile
