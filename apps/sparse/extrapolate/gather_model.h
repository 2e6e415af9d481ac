/// What a kernel accesses through the indices of a sparse matrix, computed from the pattern without
/// running the kernel: reuse of lines, and entropy of addresses.
#pragma once

#include "extrapolate/pattern.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace aiwc::extrapolate {

inline constexpr uint64_t kLineBytes = 64;

/// A read or write of an array at the row or the column of each non-zero.
struct Gather {
  std::string array;
  bool byRow = false; ///< else by column
  uint64_t span = 4;  ///< bytes from one index to the next, all of which are accessed
  double times = 1;   ///< how often it is accessed for each non-zero
  bool operator==(const Gather &) const = default;
};

/// An array that is read or written in order.
struct Stream {
  std::string array;
  uint64_t bytes = 4; ///< for each non-zero, or for each row
  uint64_t times = 1; ///< how often it is accessed for each
  bool operator==(const Stream &) const = default;
};

/// What a kernel accesses when it goes through the non-zeros, row by row.
struct Traversal {
  Quantity visits = Quantity::kNonZeros; ///< or those off the diagonal
  std::vector<Gather> gathers;           ///< in the order of one visit
  std::vector<Stream> perNonZero, perRow;
  bool operator==(const Traversal &) const = default;
};

/// The accesses that gathers make, one for each line of a visit.
struct GatheredLines {
  profile::Histogram distances; ///< by bin of profile/reuse.h
  uint64_t cold = 0;            ///< first accesses of a line
  uint64_t accesses() const;
};

/// LRU stack distances of the lines that are gathered, with the lines of the streams that come in
/// between. Takes an access of an LRU stack for each, and its memory for each line.
GatheredLines gatheredLines(const Traversal &traversal, const Pattern &pattern);

/// Lines of the arrays that are read or written in order.
double streamLines(const Traversal &traversal, const Pattern &pattern);

/// Entropy of the addresses of all accesses, without their `bits` lowest bits. All elements of an
/// index count as one address.
double addressEntropy(const Traversal &traversal, const Pattern &pattern, unsigned bits);

/// Keeps what it has modelled, for launches of the same kernel. A pattern must outlive it.
class GatherModels {
public:
  const GatheredLines &lines(const Traversal &traversal, const Pattern &pattern);

private:
  struct Known {
    Traversal traversal;
    const Pattern *pattern;
    GatheredLines lines;
  };
  std::list<Known> known_;
};

} // namespace aiwc::extrapolate
