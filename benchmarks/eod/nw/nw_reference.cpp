#include "eod/nw/nw_reference.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod::nw {

using alignment::Pair;
using alignment::Sequence;

Pair relatedPair(uint32_t length, uint64_t seed) {
  Random random(seed);
  Sequence first = alignment::randomProtein(length, random);
  Sequence second = alignment::mutated(first, 0.4f, 0.02f, random);
  while (second.size() < length)
    second.push_back(alignment::randomProtein(1, random).front());
  second.resize(length);
  return {std::move(first), std::move(second)};
}

Verdict checkScores(const Scores &scores, const Pair &pair, int32_t penalty) {
  const std::vector<int8_t> &substitution = alignment::blosum62();
  const size_t columns = pair.second.size();
  // One longer than the sequence: element 0 belongs to its empty beginning.
  std::vector<int64_t> above(columns + 1);
  std::vector<int64_t> row(columns + 1);
  for (size_t j = 0; j <= columns; ++j)
    above[j] = -static_cast<int64_t>(j) * penalty;
  for (size_t i = 0; i < pair.first.size(); ++i) {
    const int8_t *alike = &substitution[alignment::kLetters.size() * pair.first[i]];
    row[0] = -static_cast<int64_t>(i + 1) * penalty;
    for (size_t j = 0; j < columns; ++j) {
      row[j + 1] =
          std::max({above[j] + alike[pair.second[j]], above[j + 1] - penalty, row[j] - penalty});
      const int32_t found = scores.values[i * scores.stride + j];
      if (found != row[j + 1])
        return {false, fmt::format("score {} at row {}, column {}: a serial alignment has {}",
                                   found, i, j, row[j + 1])};
    }
    std::swap(row, above);
  }
  return {true, fmt::format("all {} scores are those of a serial alignment; the whole sequences "
                            "score {}",
                            pair.first.size() * columns, above[columns])};
}

} // namespace aiwc::eod::nw
