#include "sparse/grouping.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace aiwc::sparse {

namespace {

/// A set of numbers of groups.
class Groups {
public:
  uint64_t word(size_t index) const { return index < words_.size() ? words_[index] : 0; }
  void add(size_t group) {
    if (words_.size() <= group / 64)
      words_.resize(group / 64 + 1);
    words_[group / 64] |= uint64_t{1} << (group % 64);
  }
  void remove(size_t group) { words_[group / 64] &= ~(uint64_t{1} << (group % 64)); }
  void clear() { words_.clear(); }
  bool empty() const { return words_.empty(); }

private:
  std::vector<uint64_t> words_;
};

/// Groups the non-zeros of a tile.
class Tile {
public:
  Tile(uint32_t size, uint32_t lanes) : lanes_(lanes), ofColumn_(size) {}

  /// `row` and `column` count from the corner of the tile.
  void add(uint32_t row, uint32_t column) {
    if (row != row_) {
      for (const size_t group : groupsOfRow_)
        ofRow_.remove(group);
      groupsOfRow_.clear();
      row_ = row;
    }
    const size_t group = firstFree(column);
    if (group == sizes_.size())
      sizes_.push_back(0);
    if (++sizes_[group] == lanes_)
      full_.add(group);
    ofRow_.add(group);
    groupsOfRow_.push_back(group);
    if (ofColumn_[column].empty())
      columns_.push_back(column);
    ofColumn_[column].add(group);
  }

  /// The number of groups. The tile is empty then.
  size_t finish() {
    const size_t count = sizes_.size();
    for (const uint32_t column : columns_)
      ofColumn_[column].clear();
    columns_.clear();
    sizes_.clear();
    full_.clear();
    ofRow_.clear();
    groupsOfRow_.clear();
    row_ = kNoRow;
    begin_ = 0;
    return count;
  }

private:
  size_t firstFree(uint32_t column) {
    while (full_.word(begin_) == ~uint64_t{0})
      ++begin_;
    for (size_t i = begin_;; ++i)
      if (const uint64_t taken = full_.word(i) | ofRow_.word(i) | ofColumn_[column].word(i);
          taken != ~uint64_t{0})
        return 64 * i + static_cast<size_t>(std::countr_one(taken));
  }

  static constexpr uint32_t kNoRow = ~uint32_t{0};

  uint32_t lanes_;
  std::vector<uint32_t> sizes_; ///< by group
  Groups full_, ofRow_;
  std::vector<size_t> groupsOfRow_;
  std::vector<Groups> ofColumn_;
  std::vector<uint32_t> columns_; ///< those with groups
  uint32_t row_ = kNoRow;
  size_t begin_ = 0; ///< the words of groups before are full
};

} // namespace

double laneUtilisation(const Matrix &matrix, uint32_t tile, uint32_t lanes) {
  if (matrix.nonZeros() == 0)
    return 1;
  // The non-zeros of the tiles beside each other.
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> tiles(matrix.columns / tile + 1);
  std::vector<uint32_t> touched;
  Tile groups(std::min(tile, matrix.columns), lanes);
  uint64_t count = 0;
  for (uint64_t first = 0; first < matrix.rows; first += tile) {
    const auto end = static_cast<uint32_t>(std::min<uint64_t>(matrix.rows, first + tile));
    for (auto row = static_cast<uint32_t>(first); row < end; ++row)
      for (const uint32_t column : matrix.row(row)) {
        auto &of = tiles[column / tile];
        if (of.empty())
          touched.push_back(column / tile);
        of.emplace_back(row - static_cast<uint32_t>(first), column % tile);
      }
    for (const uint32_t at : touched) {
      for (const auto &[row, column] : tiles[at])
        groups.add(row, column);
      tiles[at].clear();
      count += groups.finish();
    }
    touched.clear();
  }
  return static_cast<double>(matrix.nonZeros()) /
         (static_cast<double>(lanes) * static_cast<double>(count));
}

double meanLaneUtilisation(const Matrix &matrix) {
  double sum = 0;
  for (const uint32_t tile : {128U, 512U, 2048U})
    sum += laneUtilisation(matrix, tile);
  return sum / 3;
}

} // namespace aiwc::sparse
