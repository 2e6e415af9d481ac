#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod {

/// A sparse matrix as a list of its entries, by rows and within a row by columns, each position at
/// most once. Indices are from 0.
struct CoordinateMatrix {
  struct Entry {
    uint32_t row;
    uint32_t column;
    double value; ///< 1 where the file has a pattern; finite in single precision, too
    bool operator==(const Entry &) const = default;
  };
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::vector<Entry> entries;
};

/// Keeps the number of entries, of which a symmetric file stores half, below 2^32.
inline constexpr uint64_t kMostMatrixMarketEntries = 2147000000;
inline constexpr uint64_t kLargestMatrixMarketSide = 2147000000;

/// Reads a Matrix Market file (Boisvert, Pozo, Remington: The Matrix Market exchange formats:
/// initial design, NISTIR 5935, 1996): `coordinate`, of `real`, `integer` or `pattern` entries,
/// `general`, `symmetric` or `skew-symmetric`; of the latter two the file holds the part on and
/// below the diagonal, and the other part is added. Entries at the same position are summed. Takes
/// memory in proportion to the file, whatever its size line says. Stops at the first thing that is
/// not as expected with a UsageError `file:line: what is wrong: what was expected`.
CoordinateMatrix readMatrixMarket(const std::string &path);

/// Where the entries of each row begin, and the end of the last: rows + 1 numbers.
std::vector<uint32_t> rowBegins(const CoordinateMatrix &matrix);

} // namespace aiwc::eod
