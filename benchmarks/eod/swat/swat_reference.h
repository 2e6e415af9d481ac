#pragma once

#include "eod/alignment/protein.h"
#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::swat {

/// Two random proteins: the first is the query, the second the reference. The middle two thirds of
/// the query are a mutated copy of a part of the reference: three of ten residues replaced, gaps in
/// one of fifty places.
alignment::Pair plantedPair(uint32_t query, uint32_t reference, uint64_t seed);

/// A gap of k letters costs open + k * extend.
struct Penalties {
  uint32_t open = 11;
  uint32_t extend = 1;
};

/// A step of an alignment consumes a letter of both sequences, of the reference only, or of the
/// query only. The kernels use the same numbers.
enum Step : uint8_t { kMatch = 1, kReferenceOnly = 2, kQueryOnly = 3 };

/// Of query[queryBegin, queryEnd) with reference[referenceBegin, referenceEnd).
struct Alignment {
  uint32_t score = 0;
  uint32_t queryBegin = 0;
  uint32_t queryEnd = 0;
  uint32_t referenceBegin = 0;
  uint32_t referenceEnd = 0;
  std::vector<uint8_t> steps; ///< from the end to the beginning
};

/// Checks exactly that:
/// - the highest score of an alignment that ends in each letter of the reference, `best`, equals
///   that of a serial evaluation of Gotoh's recurrence, which keeps two rows;
/// - the alignment ends at the highest score, at the first such letter of the reference and, among
///   those, at the first such letter of the query;
/// - the steps lead from its beginning to its end, and have the score that it states.
Verdict checkAlignment(const alignment::Pair &pair, const Penalties &penalties,
                       const std::vector<int32_t> &best, const Alignment &alignment);

} // namespace aiwc::eod::swat
