#include "predict/fitted/variant_odds.h"

#include "common/hash.h"
#include "predict/fitted/time_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>

namespace aiwc::predict {

namespace {

constexpr size_t kDraws = 4000;

/// Normally distributed numbers, the same on every machine (SplitMix64, Box and Muller).
class Normal {
public:
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  double uniform() { // in [0, 1)
    return static_cast<double>(splitMix64(state_ += kGoldenRatio) >> 11) * 0x1p-53;
  }

  uint64_t state_ = 0;
};

using Parts = std::array<double, kMostParts>;

ErrorPart errorPartOf(size_t part) {
  const Coefficient coefficient = timeTerms()[part].coefficient;
  return coefficient == Coefficient::kLaunch ? ErrorPart::kLaunch
         : coefficient == Coefficient::kDram ? ErrorPart::kMemory
                                             : ErrorPart::kOther;
}

} // namespace

std::vector<VariantOdds> variantOddsOf(const FittedCostModel &model, const DeviceProfile &device,
                                       std::span<const Cost> costs) {
  // Variants of which the same is predicted take the same time.
  std::map<Parts, size_t> places;
  std::vector<size_t> placeOf;
  std::vector<Parts> different;
  for (const Cost &cost : costs) {
    const auto [place, isNew] = places.try_emplace(cost.parts, different.size());
    if (isNew)
      different.push_back(cost.parts);
    placeOf.push_back(place->second);
  }
  if (costs.empty())
    return {};
  const size_t first = placeOf[static_cast<size_t>(
      std::ranges::min_element(costs, {}, &Cost::seconds) - costs.begin())];
  const ErrorFactors &errors = model.model().errorFactorsFor(device);
  const size_t partCount = model.parts().size();
  std::vector<size_t> nearBest(different.size()), faster(different.size());
  std::vector<double> times(different.size());
  Normal normal;
  for (size_t draw = 0; draw < kDraws; ++draw) {
    std::array<double, kErrorPartCount> common{};
    for (size_t i = 0; i < kErrorPartCount; ++i) {
      const double z = normal();
      common[i] = std::fabs(z) / kHalfInterval * (z < 0 ? errors[i].low : errors[i].high);
    }
    Parts factors{};
    for (size_t part = 0; part < partCount; ++part)
      factors[part] = std::exp(common[static_cast<size_t>(errorPartOf(part))]);
    for (size_t i = 0; i < different.size(); ++i) {
      const double own = std::exp(kVariantError * normal());
      double seconds = 0;
      for (size_t part = 0; part < partCount; ++part)
        seconds +=
            different[i][part] * factors[part] * (errorPartOf(part) == ErrorPart::kOther ? own : 1);
      times[i] = seconds;
    }
    const double least = std::ranges::min(times);
    for (size_t i = 0; i < different.size(); ++i) {
      nearBest[i] += times[i] <= kNearBest * least ? 1 : 0;
      faster[i] += times[i] < times[first] ? 1 : 0;
    }
  }
  std::vector<VariantOdds> odds;
  for (const size_t place : placeOf) {
    const auto share = [](size_t count) { return static_cast<double>(count) / kDraws; };
    odds.push_back({share(nearBest[place]), place == first ? 0.5 : share(faster[place])});
  }
  return odds;
}

} // namespace aiwc::predict
