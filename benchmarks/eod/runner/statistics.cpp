#include "eod/runner/statistics.h"

#include "eod/common/random.h"
#include "eod/statistics/quantile.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace aiwc::eod {
namespace {

constexpr size_t kResamples = 2000;
constexpr size_t kFewestForResampling = 5;

std::vector<double> resampled(const std::vector<double> &values, Random &random) {
  std::vector<double> drawn(values.size());
  std::ranges::generate(drawn,
                        [&] { return values[random.below(static_cast<uint32_t>(values.size()))]; });
  return drawn;
}

} // namespace

Statistics statisticsOf(const std::vector<double> &values) {
  Statistics result;
  result.count = values.size();
  const auto n = static_cast<double>(values.size());
  result.median = statistics::median(values);
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2)
    return result;
  double squares = 0;
  for (const double value : values)
    squares += (value - result.mean) * (value - result.mean);
  const double deviation = std::sqrt(squares / (n - 1));
  const boost::math::students_t distribution(n - 1);
  const double half = quantile(distribution, 0.975) * deviation / std::sqrt(n);
  result.standardDeviation = deviation;
  result.confidence = Interval{result.mean - half, result.mean + half};
  if (result.mean != 0)
    result.variation = deviation / result.mean;
  return result;
}

std::optional<Ratio> compare(const std::vector<double> &a, const std::vector<double> &b) {
  const double reference = statistics::median(a);
  if (reference == 0)
    return std::nullopt;
  Ratio ratio{statistics::median(b) / reference, std::nullopt};
  if (std::min(a.size(), b.size()) < kFewestForResampling)
    return ratio;
  Random random(1);
  std::vector<double> ratios;
  for (size_t i = 0; i < kResamples; ++i) {
    const double drawn = statistics::median(resampled(a, random));
    const double other = statistics::median(resampled(b, random));
    ratios.push_back(drawn == 0 ? INFINITY : other / drawn);
  }
  std::ranges::sort(ratios);
  ratio.confidence =
      Interval{ratios[kResamples * 25 / 1000], ratios[kResamples - 1 - kResamples * 25 / 1000]};
  return ratio;
}

} // namespace aiwc::eod
