#include "profile/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace aiwc::profile {

namespace {

constexpr std::array<std::string_view, 3> kErrorWords = {"lower_bound", "upper_bound", "sample"};

} // namespace

std::string_view errorWord(Estimate estimate) {
  switch (estimate) {
  case Estimate::kLowerBound:
    return kErrorWords[0];
  case Estimate::kUpperBound:
    return kErrorWords[1];
  case Estimate::kSample:
    return kErrorWords[2];
  case Estimate::kExact:
  case Estimate::kTotal:
  case Estimate::kMean:
    break;
  }
  return {};
}

bool isErrorWord(std::string_view word) {
  return std::ranges::find(kErrorWords, word) != kErrorWords.end();
}

std::string sampledGroupsText(const Provenance &provenance) {
  return provenance.sampled()
             ? fmt::format("{} of {}", provenance.sampledGroups, provenance.totalGroups)
             : std::string();
}

std::string errorText(const KernelProfile &profile, Metric metric) {
  const double value = profile.real(metric);
  const bool extrapolated = profile.provenance.extrapolated();
  if ((!profile.provenance.sampled() && !extrapolated) || std::isnan(value))
    return {};
  switch (const Estimate estimate = info(metric).estimate;
          extrapolated ? Estimate::kMean : estimate) {
  case Estimate::kExact:
    return {};
  case Estimate::kLowerBound:
    return "at least";
  case Estimate::kUpperBound:
    return "at most";
  case Estimate::kSample:
    return "of the sample";
  case Estimate::kTotal:
  case Estimate::kMean:
    break;
  }
  const double error = profile.standardError(metric);
  if (std::isnan(error))
    return "+- ?";
  if (error == 0)
    return "+- 0";
  return value == 0 ? fmt::format("+- {:.2g}", error)
                    : fmt::format("+- {:.2g} %", 100 * error / std::abs(value));
}

} // namespace aiwc::profile
