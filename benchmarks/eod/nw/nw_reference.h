#pragma once

#include "eod/alignment/protein.h"
#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::nw {

/// A protein and a mutated copy of it, both of this length: two of five residues replaced, gaps in
/// one of fifty places.
alignment::Pair relatedPair(uint32_t length, uint64_t seed);

/// scores(i, j) is the score of the best global alignment of the first i + 1 letters of the first
/// sequence with the first j + 1 of the second. Rows begin `stride` numbers apart.
struct Scores {
  uint32_t stride = 0;
  std::vector<int32_t> values;
};

/// Whether all scores are exactly those of a serial evaluation of the recurrence of Needleman and
/// Wunsch, two rows at a time.
Verdict checkScores(const Scores &scores, const alignment::Pair &pair, int32_t penalty);

} // namespace aiwc::eod::nw
