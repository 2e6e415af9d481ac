#include "extrapolate/count_law.h"

#include <algorithm>
#include <cmath>

namespace aiwc::extrapolate {

namespace {

uint64_t roundedUp(uint64_t count, uint64_t multiple) {
  return multiple < 2 ? count : (count + multiple - 1) / multiple * multiple;
}

} // namespace

std::optional<uint64_t> WorkItems::on(const Pattern &pattern) const {
  if (!of)
    return std::nullopt;
  return std::max(groupSize, roundedUp(pattern[*of] * each, groupSize));
}

std::vector<WorkItems> workItemsOf(std::span<const Observed> launches) {
  constexpr std::array kOrder{Quantity::kRows, Quantity::kNonZeros, Quantity::kOffDiagonal,
                              Quantity::kNonEmptyRows, Quantity::kColumns};
  constexpr uint64_t kMostEach = 64;
  std::vector<WorkItems> found;
  for (uint64_t each = 1; each <= kMostEach && found.empty(); ++each)
    for (const Quantity quantity : kOrder) {
      const WorkItems items{quantity, each, launches.front().groupSize};
      if (std::ranges::all_of(launches, [&](const Observed &launch) {
            return launch.groupSize == items.groupSize &&
                   items.on(*launch.pattern) == launch.workItems;
          }))
        found.push_back(items);
    }
  return found;
}

CountLaw::Values CountLaw::valuesOf(const Terms &terms, const Observed &launch) {
  const Pattern &pattern = *launch.pattern;
  const auto workItems = static_cast<double>(launch.workItems);
  const double items =
      terms.items.of ? static_cast<double>(pattern[*terms.items.of] * terms.items.each) : workItems;
  const auto loops = static_cast<double>(pattern[terms.loops]);
  const double padding = terms.byPadding ? std::max(0.0, workItems - items) : 0;
  if (launch.innerTrips)
    return {loops, static_cast<double>(*launch.innerTrips), items, padding};
  if (!terms.firstAt)
    return {loops, static_cast<double>(pattern[Quantity::kNonEmptyRows]), items, padding};
  const auto first = static_cast<double>(pattern[*terms.firstAt]);
  return {loops, first, std::max(0.0, static_cast<double>(terms.timesAt) * loops - first), padding};
}

CountLaw::CountLaw(const Terms &terms, std::span<const Observed> launches,
                   std::span<const uint64_t> counts)
    : terms_(terms) {
  std::vector<Values> values;
  for (const Observed &launch : launches)
    values.push_back(valuesOf(terms, launch));
  whole_ = fitWhole(values, counts);
  if (!whole_)
    fitSquares(values, counts);
}

double CountLaw::on(const Observed &launch) const {
  const Values values = valuesOf(terms_, launch);
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += coefficients_[i] * values[i];
  return sum;
}

/// Looks for the smallest sum of coefficients. A sum that is off by a few, as the rows + 1
/// beginnings of rows are, is preferred to an exact one of many terms, which chance makes.
bool CountLaw::fitWhole(std::span<const Values> values, std::span<const uint64_t> counts) {
  constexpr double kFewOff = 16, kPartOfFew = 1e-3, kPartOff = 2e-4;
  constexpr unsigned kMostOnLoops = 256, kMostOnOthers = 64, kMostOnPadding = 16;
  constexpr double kFew = 8, kMany = 24;
  const auto differ = [&](size_t a, size_t b) {
    return std::ranges::any_of(values, [&](const Values &of) { return of[a] != of[b]; });
  };
  const bool padding = std::ranges::any_of(values, [](const Values &of) { return of[3] > 0; });
  const bool loops = differ(0, 2) && values[0][0] > 0;
  const bool second = differ(1, 2);
  double bestExact = HUGE_VAL;
  double bestNear = HUGE_VAL;
  Values exact{};
  Values near{};
  const auto consider = [&](const Values &coefficients) {
    double off = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      double sum = 0;
      for (size_t k = 0; k < coefficients.size(); ++k)
        sum += coefficients[k] * values[i][k];
      const auto count = static_cast<double>(counts[i]);
      const double here = std::abs(sum - count);
      if (here > kPartOff * count && (here > kFewOff || here > kPartOfFew * count))
        return;
      off += here;
    }
    const double total = coefficients[0] + coefficients[1] + coefficients[2] + coefficients[3];
    if (off == 0 && total < bestExact) {
      bestExact = total;
      exact = coefficients;
    }
    if (total < bestNear) {
      bestNear = total;
      near = coefficients;
    }
  };
  const auto count = static_cast<double>(counts[0]);
  const Values &of = values[0];
  for (unsigned onSecond = 0; onSecond <= (second ? kMostOnOthers : 0); ++onSecond)
    for (unsigned onItems = 0; onItems <= kMostOnOthers; ++onItems)
      for (unsigned onPadding = 0; onPadding <= (padding ? kMostOnPadding : 0); ++onPadding) {
        const double rest = count - onSecond * of[1] - onItems * of[2] - onPadding * of[3];
        if (rest < -kFewOff)
          break;
        const double onLoops = loops ? std::round(std::max(0.0, rest) / of[0]) : 0;
        if (onLoops <= kMostOnLoops)
          consider({onLoops, static_cast<double>(onSecond), static_cast<double>(onItems),
                    static_cast<double>(onPadding)});
      }
  const bool nearly = bestNear <= kFew ? bestExact > kFew : bestExact == HUGE_VAL;
  if (nearly && bestNear > kMany)
    return false;
  coefficients_ = nearly ? near : exact;
  return true;
}

/// Two unknowns with the squares of the relative errors least, none of them negative.
void CountLaw::fitSquares(std::span<const Values> values, std::span<const uint64_t> counts) {
  double aa = 0;
  double ab = 0;
  double bb = 0;
  double a1 = 0;
  double b1 = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (counts[i] == 0)
      continue;
    const double a = values[i][0] / static_cast<double>(counts[i]);
    const double b = values[i][2] / static_cast<double>(counts[i]);
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  coefficients_ = {};
  const double determinant = aa * bb - ab * ab;
  // Samples whose rows are alike in length do not tell the two apart.
  constexpr double kLeastAngle = 1e-3;
  double onLoops = aa > 0 ? a1 / aa : 0;
  double onItems = 0;
  if (values.size() > 1 && determinant > kLeastAngle * aa * bb) {
    onLoops = (a1 * bb - b1 * ab) / determinant;
    onItems = (b1 * aa - a1 * ab) / determinant;
    if (onItems < 0 || onLoops < 0) {
      const bool items = onLoops < 0;
      onLoops = items ? 0 : a1 / aa;
      onItems = items ? b1 / bb : 0;
    }
  } else if (aa == 0 && bb > 0) {
    onItems = b1 / bb;
  }
  coefficients_[0] = onLoops;
  coefficients_[2] = onItems;
}

} // namespace aiwc::extrapolate
