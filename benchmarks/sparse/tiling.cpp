#include "tiling.h"

#include "eod/common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

namespace aiwc::irregular {
namespace {

/// A non-zero with its tile's place in a row of tiles.
struct Place {
  uint32_t block;
  uint32_t row, column;
  uint32_t nonZero;
};

/// A set of small numbers.
class Set {
public:
  uint64_t word(size_t index) const { return index < words_.size() ? words_[index] : 0; }
  void insert(uint32_t number) {
    if (number / 64 >= words_.size())
      words_.resize(number / 64 + 1);
    words_[number / 64] |= uint64_t{1} << number % 64;
  }

private:
  std::vector<uint64_t> words_;
};

/// The smallest number that is in neither set.
uint32_t firstInNeither(const Set &a, const Set &b) {
  for (uint32_t index = 0;; ++index)
    if (const uint64_t taken = a.word(index) | b.word(index); ~taken != 0)
      return index * 64 + static_cast<uint32_t>(std::countr_one(taken));
}

/// The rounds that the tiles of a row or column of tiles are in.
class Rounds {
public:
  Rounds(size_t blocks, Conflict conflict)
      : node_(conflict == Conflict::kNode), ofRow_(blocks), ofColumn_(node_ ? 0 : blocks) {}

  uint32_t place(uint32_t rowBlock, uint32_t columnBlock) {
    Set &row = ofRow_[rowBlock];
    Set &column = node_ ? ofRow_[columnBlock] : ofColumn_[columnBlock];
    const uint32_t round = firstInNeither(row, column);
    row.insert(round);
    column.insert(round);
    return round;
  }

private:
  bool node_;
  std::vector<Set> ofRow_; ///< kNode: of row and column
  std::vector<Set> ofColumn_;
};

/// The groups of one tile after the other.
class Groups {
public:
  Groups(uint32_t edge, Conflict conflict)
      : edge_(edge), node_(conflict == Conflict::kNode), ofRow_(edge), ofColumn_(edge) {}

  /// Adds the tile's groups to the lanes of `tiling`.
  void add(const Place *begin, const Place *end, Tiling &tiling) {
    groups_.clear();
    next_.clear();
    for (const Place *place = begin; place != end; ++place) {
      ofRow_[place->row % edge_] = 0;
      ofColumn_[place->column % edge_] = 0;
    }
    for (const Place *place = begin; place != end; ++place)
      insert(*place);
    for (const Group &group : groups_) {
      tiling.rows.insert(tiling.rows.end(), group.rows.begin(), group.rows.end());
      tiling.columns.insert(tiling.columns.end(), group.columns.begin(), group.columns.end());
      tiling.nonZeros.insert(tiling.nonZeros.end(), group.nonZeros.begin(), group.nonZeros.end());
    }
  }
  size_t count() const { return groups_.size(); }

private:
  struct Group {
    std::array<uint32_t, kLanes> rows, columns, nonZeros;
    uint32_t size = 0;
    Group() {
      for (auto *lanes : {&rows, &columns, &nonZeros})
        lanes->fill(kIdle);
    }
  };

  // No branches, so that the compiler compares all lanes at once.
  bool hasRow(const Group &group, uint32_t row) const {
    unsigned found = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      found |= unsigned{group.rows[lane] == row} | (node_ & unsigned{group.columns[lane] == row});
    return found != 0;
  }
  bool hasColumn(const Group &group, uint32_t column) const {
    unsigned found = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      found |=
          unsigned{group.columns[lane] == column} | (node_ & unsigned{group.rows[lane] == column});
    return found != 0;
  }

  /// The first group from `group` on that has a free lane; groups_.size() if none has.
  uint32_t open(uint32_t group) {
    while (group < groups_.size() && next_[group] != group) {
      if (next_[group] < groups_.size())
        next_[group] = next_[next_[group]]; // halves the way for the next search
      group = next_[group];
    }
    return group;
  }

  void insert(const Place &place) {
    // Groups that are full, or have the row, stay so: the row's next search begins behind them.
    uint32_t &forRow = ofRow_[place.row % edge_];
    uint32_t &forColumn = ofColumn_[place.column % edge_];
    forRow = open(forRow);
    while (forRow < groups_.size() && hasRow(groups_[forRow], place.row))
      forRow = open(forRow + 1);
    forColumn = open(forColumn);
    while (forColumn < groups_.size() && hasColumn(groups_[forColumn], place.column))
      forColumn = open(forColumn + 1);
    uint32_t at = open(std::max(forRow, forColumn));
    while (at < groups_.size() &&
           (hasRow(groups_[at], place.row) || hasColumn(groups_[at], place.column)))
      at = open(at + 1);
    if (at == groups_.size()) {
      groups_.emplace_back();
      next_.push_back(at);
    }
    Group &group = groups_[at];
    group.rows[group.size] = place.row;
    group.columns[group.size] = place.column;
    group.nonZeros[group.size] = place.nonZero;
    if (++group.size == kLanes)
      next_[at] = at + 1;
  }

  uint32_t edge_;
  unsigned node_;
  std::vector<Group> groups_;
  Indices next_;             ///< of a group: itself if it has a free lane, else a later one
  Indices ofRow_, ofColumn_; ///< where the search for a row's or column's group begins
};

/// The non-zeros of a row of tiles, tile by tile, in the order of the matrix within each.
void collect(const Matrix &matrix, uint64_t firstRow, uint32_t edge, Conflict conflict,
             std::vector<Place> &places) {
  places.clear();
  const uint64_t end = std::min<uint64_t>(matrix.rows, firstRow + edge);
  for (auto row = static_cast<uint32_t>(firstRow); row < end; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      if (const uint32_t column = matrix.columnOf[i]; conflict != Conflict::kNode || column != row)
        places.push_back({column / edge, row, column, static_cast<uint32_t>(i)});
  std::stable_sort(places.begin(), places.end(),
                   [](const Place &a, const Place &b) { return a.block < b.block; });
}

/// The tiling with its tiles in the order of their rounds.
Tiling inOrder(const Tiling &tiling, const Indices &roundOfTile) {
  Tiling ordered;
  const size_t tiles = roundOfTile.size();
  for (const uint32_t round : roundOfTile)
    if (round + size_t{2} > ordered.roundBegins.size())
      ordered.roundBegins.resize(round + size_t{2});
  for (const uint32_t round : roundOfTile)
    ++ordered.roundBegins[round + 1];
  std::partial_sum(ordered.roundBegins.begin(), ordered.roundBegins.end(),
                   ordered.roundBegins.begin());
  Indices order(tiles);
  Indices next = ordered.roundBegins;
  for (uint32_t tile = 0; tile < tiles; ++tile)
    order[next[roundOfTile[tile]]++] = tile;
  for (const uint32_t tile : order) {
    const ptrdiff_t begin = ptrdiff_t{kLanes} * tiling.groupBegins[tile];
    const ptrdiff_t end = ptrdiff_t{kLanes} * tiling.groupBegins[tile + 1];
    for (const auto lanes : {&Tiling::rows, &Tiling::columns, &Tiling::nonZeros})
      (ordered.*lanes)
          .insert((ordered.*lanes).end(), (tiling.*lanes).begin() + begin,
                  (tiling.*lanes).begin() + end);
    ordered.groupBegins.push_back(static_cast<uint32_t>(ordered.rows.size() / kLanes));
  }
  return ordered;
}

} // namespace

Tiling tile(const Matrix &matrix, uint32_t edge, Conflict conflict) {
  const uint64_t order = std::max(matrix.rows, matrix.columns);
  const uint64_t blocks = (order + edge - 1) / edge;
  if (blocks > kMostBlocks)
    throw eod::UsageError(fmt::format("tiles of {} rows and columns: {} of them lie side by side: "
                                      "expected at most {}, so tiles of at least {}",
                                      edge, blocks, kMostBlocks,
                                      (order + kMostBlocks - 1) / kMostBlocks));
  edge = static_cast<uint32_t>(std::min<uint64_t>(edge, order));
  Rounds rounds(blocks, conflict);
  Groups groups(edge, conflict);
  Tiling tiling;
  Indices roundOfTile;
  std::vector<Place> places;
  for (uint64_t rowBlock = 0; rowBlock * edge < matrix.rows; ++rowBlock) {
    collect(matrix, rowBlock * edge, edge, conflict, places);
    for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
      while (end < places.size() && places[end].block == places[begin].block)
        ++end;
      groups.add(&places[begin], &places[begin] + (end - begin), tiling);
      tiling.groupBegins.push_back(tiling.groupBegins.back() +
                                   static_cast<uint32_t>(groups.count()));
      roundOfTile.push_back(rounds.place(static_cast<uint32_t>(rowBlock), places[begin].block));
    }
  }
  return inOrder(tiling, roundOfTile);
}

Lanes lanesOf(const Tiling &tiling) {
  const auto idle = std::count(tiling.rows.begin(), tiling.rows.end(), kIdle);
  return {.nonZeros = tiling.rows.size() - static_cast<uint64_t>(idle),
          .groups = tiling.groupBegins.back(),
          .tiles = tiling.groupBegins.size() - 1,
          .rounds = tiling.roundBegins.size() - 1};
}

void addRounds(Workload &workload, const Tiling &tiling, const std::string &function,
               const std::vector<Argument> &arguments, const std::vector<float> &more) {
  for (size_t round = 0; round + 1 < tiling.roundBegins.size(); ++round) {
    const uint32_t first = tiling.roundBegins[round];
    const uint64_t tiles = tiling.roundBegins[round + 1] - first;
    WorkloadLaunch launch{function, tiles * kLanes, kLanes, arguments};
    launch.arguments.emplace_back(first);
    launch.arguments.insert(launch.arguments.end(), more.begin(), more.end());
    workload.launches.push_back(std::move(launch));
  }
}

} // namespace aiwc::irregular
