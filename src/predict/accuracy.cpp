#include "predict/accuracy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aiwc::predict {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> pearson(std::span<const double> a, std::span<const double> b) {
  const double meanA = mean(a);
  const double meanB = mean(b);
  double products = 0;
  double squaresA = 0;
  double squaresB = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - meanA) * (b[i] - meanB);
    squaresA += (a[i] - meanA) * (a[i] - meanA);
    squaresB += (b[i] - meanB) * (b[i] - meanB);
  }
  if (squaresA == 0 || squaresB == 0)
    return std::nullopt;
  return products / (std::sqrt(squaresA) * std::sqrt(squaresB));
}

} // namespace

std::vector<double> ranksOf(std::span<const double> values) {
  std::vector<size_t> sorted(values.size());
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::ranges::sort(sorted, {}, [&](size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < sorted.size();) {
    size_t end = begin;
    while (end < sorted.size() && values[sorted[end]] == values[sorted[begin]])
      ++end;
    // Ranks begin + 1 to end.
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (; begin < end; ++begin)
      ranks[sorted[begin]] = shared;
  }
  return ranks;
}

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  const auto ranksA = ranksOf(a);
  const auto ranksB = ranksOf(b);
  return pearson(ranksA, ranksB);
}

double geometricMean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

Deviation deviationOf(std::span<const double> predicted, std::span<const double> measured) {
  double absolute = 0;
  double sum = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    const double logarithm = std::log(predicted[i] / measured[i]);
    absolute += std::abs(logarithm);
    sum += logarithm;
  }
  const auto count = static_cast<double>(predicted.size());
  return {std::exp(absolute / count), std::exp(sum / count)};
}

Choice choiceOf(std::span<const double> predicted, std::span<const double> measured) {
  const double best = *std::ranges::min_element(predicted);
  std::vector<double> regrets;
  double hits = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    if (predicted[i] != best)
      continue;
    const Choice choice = choiceOf(i, measured);
    hits += choice.topOne;
    regrets.push_back(choice.regret);
  }
  return {hits / static_cast<double>(regrets.size()), geometricMean(regrets)};
}

Choice choiceOf(size_t device, std::span<const double> measured) {
  const double fastest = *std::ranges::min_element(measured);
  return {measured[device] == fastest ? 1.0 : 0.0, measured[device] / fastest};
}

} // namespace aiwc::predict
