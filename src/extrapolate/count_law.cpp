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

WorkItems workItemsOf(std::span<const Observed> launches) {
  constexpr std::array kOrder{Quantity::kRows,         Quantity::kNonZeros, Quantity::kOffDiagonal,
                              Quantity::kNonEmptyRows, Quantity::kColumns,  Quantity::kSlots};
  constexpr uint64_t kMostEach = 64;
  for (uint64_t each = 1; each <= kMostEach; ++each)
    for (const Quantity quantity : kOrder) {
      const WorkItems items{quantity, each, launches.front().groupSize};
      if (std::ranges::all_of(launches, [&](const Observed &launch) {
            return launch.groupSize == items.groupSize &&
                   items.on(*launch.pattern) == launch.workItems;
          }))
        return items;
    }
  return {std::nullopt, 1, launches.front().groupSize};
}

CountLaw::Values CountLaw::valuesOf(const Terms &terms, const Pattern &pattern,
                                    uint64_t workItems) {
  const double items = terms.items.of ? static_cast<double>(pattern[*terms.items.of] * terms.items.each)
                                      : static_cast<double>(workItems);
  return {static_cast<double>(pattern[terms.loops]),
          static_cast<double>(pattern[Quantity::kNonEmptyRows]), items,
          std::max(0.0, static_cast<double>(workItems) - items)};
}

CountLaw::CountLaw(const Terms &terms, std::span<const Observed> launches,
                   std::span<const uint64_t> counts)
    : terms_(terms) {
  std::vector<Values> values;
  for (const Observed &launch : launches)
    values.push_back(valuesOf(terms, *launch.pattern, launch.workItems));
  exact_ = fitWhole(values, counts);
  if (!exact_)
    fitSquares(values, counts);
}

double CountLaw::on(const Pattern &pattern, uint64_t workItems) const {
  const Values values = valuesOf(terms_, pattern, workItems);
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += coefficients_[i] * values[i];
  return sum;
}

/// Tries sums of two or three terms, the smallest sums of coefficients first.
bool CountLaw::fitWhole(std::span<const Values> values, std::span<const uint64_t> counts) {
  constexpr unsigned kMostOfOne = 256;
  constexpr unsigned kMostOfSeveral = 48;
  const auto fits = [&](const Values &coefficients) {
    for (size_t i = 0; i < values.size(); ++i) {
      double sum = 0;
      for (size_t k = 0; k < coefficients.size(); ++k)
        sum += coefficients[k] * values[i][k];
      if (sum != static_cast<double>(counts[i]))
        return false;
    }
    coefficients_ = coefficients;
    return true;
  };
  if (fits({}))
    return true;
  for (const size_t only : {size_t{0}, size_t{2}, size_t{1}})
    for (unsigned c = 1; c <= kMostOfOne; ++c) {
      Values one{};
      one[only] = c;
      if (fits(one))
        return true;
    }
  // What a padding work-item does is less than what an item does.
  const bool padding = std::ranges::any_of(values, [](const Values &of) { return of[3] > 0; });
  const bool empty = std::ranges::any_of(values, [](const Values &of) { return of[1] != of[2]; });
  const bool loops = std::ranges::any_of(values, [](const Values &of) { return of[0] != of[2]; });
  for (unsigned total = 2; total <= kMostOfSeveral; ++total)
    for (unsigned onLoops = 0; onLoops <= (loops ? total : 0); ++onLoops)
      for (unsigned onNonEmpty = 0; onNonEmpty <= (empty ? total - onLoops : 0); ++onNonEmpty)
        for (unsigned onPadding = 0;
             onPadding <= (padding ? std::min(16U, total - onLoops - onNonEmpty) : 0); ++onPadding)
          if (fits({static_cast<double>(onLoops), static_cast<double>(onNonEmpty),
                    static_cast<double>(total - onLoops - onNonEmpty), static_cast<double>(onPadding)}))
            return true;
  return false;
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
