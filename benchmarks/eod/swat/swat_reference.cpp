#include "eod/swat/swat_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace aiwc::eod::swat {
namespace {

using alignment::Pair;
using alignment::Sequence;

/// The highest score in a column, and the first row that has it.
struct Peak {
  int64_t score = 0;
  size_t row = 0;
};

std::vector<Peak> peaksOf(const Pair &pair, const Penalties &penalties) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::min() / 2;
  const int64_t extend = penalties.extend;
  const int64_t first = penalties.open + extend;
  const size_t columns = pair.second.size();
  std::vector<Peak> peaks(columns);
  std::vector<int64_t> scores(columns + 1); // of the row above, replaced from the left
  std::vector<int64_t> queryGaps(columns, kNone);
  for (size_t i = 0; i < pair.first.size(); ++i) {
    const int8_t *alike = &alignment::blosum62()[pair.first[i] * alignment::kLetters.size()];
    int64_t diagonal = 0;
    int64_t referenceGap = kNone;
    for (size_t j = 0; j < columns; ++j) {
      referenceGap = std::max(scores[j] - first, referenceGap - extend);
      queryGaps[j] = std::max(scores[j + 1] - first, queryGaps[j] - extend);
      const int64_t match = diagonal + alike[pair.second[j]];
      diagonal = scores[j + 1];
      scores[j + 1] = std::max({int64_t{0}, match, referenceGap, queryGaps[j]});
      if (scores[j + 1] > peaks[j].score)
        peaks[j] = {scores[j + 1], i};
    }
  }
  return peaks;
}

/// What the steps score, or nothing where they do not lead from the begin to the end.
std::optional<int64_t> rescore(const Pair &pair, const Penalties &penalties,
                               const Alignment &alignment) {
  size_t i = alignment.queryBegin;
  size_t j = alignment.referenceBegin;
  int64_t score = 0;
  uint8_t before = kMatch;
  for (auto step = alignment.steps.rbegin(); step != alignment.steps.rend(); ++step) {
    if (*step < kMatch || *step > kQueryOnly)
      return std::nullopt;
    const bool query = *step != kReferenceOnly;
    const bool reference = *step != kQueryOnly;
    if ((query && i >= alignment.queryEnd) || (reference && j >= alignment.referenceEnd))
      return std::nullopt;
    if (*step == kMatch)
      score += alignment::blosum62()[pair.first[i] * alignment::kLetters.size() + pair.second[j]];
    else
      score -= penalties.extend + (*step == before ? 0 : penalties.open);
    i += query;
    j += reference;
    before = *step;
  }
  if (i != alignment.queryEnd || j != alignment.referenceEnd)
    return std::nullopt;
  return score;
}

} // namespace

Pair plantedPair(uint32_t query, uint32_t reference, uint64_t seed) {
  Random random(seed);
  Pair pair{alignment::randomProtein(query, random), alignment::randomProtein(reference, random)};
  const uint32_t length = std::min(query * 2 / 3, reference);
  const auto from = pair.second.begin() + random.below(reference - length + 1);
  const Sequence descendant =
      alignment::mutated(Sequence(from, from + length), 0.3f, 0.02f, random);
  const uint32_t at = (query - length) / 2;
  std::copy_n(descendant.begin(), std::min<size_t>(descendant.size(), query - at),
              pair.first.begin() + at);
  return pair;
}

Verdict checkAlignment(const Pair &pair, const Penalties &penalties,
                       const std::vector<int32_t> &best, const Alignment &alignment) {
  const std::vector<Peak> peaks = peaksOf(pair, penalties);
  if (best.size() < peaks.size())
    return {false, "a highest score for every letter of the reference expected"};
  for (size_t j = 0; j < peaks.size(); ++j)
    if (best[j] != peaks[j].score)
      return {false,
              fmt::format("highest score {} at letter {} of the reference: a serial alignment "
                          "has {}",
                          best[j], j, peaks[j].score)};
  const auto peak = std::ranges::max_element(peaks, {}, &Peak::score);
  const size_t queryEnd = peak->score > 0 ? peak->row + 1 : 0;
  const size_t referenceEnd = peak->score > 0 ? static_cast<size_t>(peak - peaks.begin()) + 1 : 0;
  if (alignment.score != peak->score || alignment.queryEnd != queryEnd ||
      alignment.referenceEnd != referenceEnd)
    return {false,
            fmt::format("score {} up to {} and {}: a serial alignment has {} up to {} and {}",
                        alignment.score, alignment.queryEnd, alignment.referenceEnd, peak->score,
                        queryEnd, referenceEnd)};
  const std::optional<int64_t> score = rescore(pair, penalties, alignment);
  if (!score)
    return {false, "the steps do not lead from the alignment's begin to its end"};
  if (*score != peak->score)
    return {false, fmt::format("the steps score {}, not {}", *score, peak->score)};
  return {true, fmt::format("score {} and those of all {} columns are a serial alignment's; the {} "
                            "steps of the alignment score as much",
                            *score, peaks.size(), alignment.steps.size())};
}

} // namespace aiwc::eod::swat
