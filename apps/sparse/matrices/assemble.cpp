#include "common/error.h"
#include "sparse/entries.h"
#include "sparse/parallel.h"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <numeric>
#include <span>
#include <tuple>

namespace aiwc::sparse {

namespace {

/// Uninitialised numbers.
template <typename Number> std::unique_ptr<Number[]> storage(uint64_t size) {
  return std::make_unique_for_overwrite<Number[]>(size);
}

uint64_t place(const Piece &piece, size_t entry) {
  return uint64_t{piece.rows[entry]} << 32U | piece.columns[entry];
}

bool inOrder(const std::vector<Piece> &pieces) {
  const Piece *before = nullptr;
  for (const Piece &piece : pieces) {
    if (!piece.increasing)
      return false;
    if (piece.entries == 0)
      continue;
    if (before != nullptr && place(*before, before->entries - 1) >= place(piece, 0))
      return false;
    before = &piece;
  }
  return true;
}

/// Entries by rows, then by columns, none of them twice, are where they belong.
void joinPieces(std::vector<Piece> &pieces, Matrix &matrix, unsigned threads) {
  struct Begin {
    uint64_t entry = 0; ///< of all pieces
    uint64_t row = 0;   ///< the first one that begins in this piece
  };
  std::vector<Begin> begins(pieces.size() + 1);
  for (size_t i = 0; i < pieces.size(); ++i) {
    begins[i + 1].entry = begins[i].entry + pieces[i].entries;
    begins[i + 1].row = pieces[i].entries == 0
                            ? begins[i].row
                            : uint64_t{pieces[i].rows[pieces[i].entries - 1]} + 1;
  }
  matrix.columnOf.resize(begins.back().entry);
  if (!pieces.empty() && pieces.front().values)
    matrix.values.resize(begins.back().entry);
  std::atomic<size_t> next{0};
  inParallel(threads, [&](unsigned) {
    for (size_t i = next++; i < pieces.size(); i = next++) {
      Piece &piece = pieces[i];
      std::copy_n(piece.columns.get(), piece.entries, matrix.columnOf.begin() + begins[i].entry);
      if (piece.values)
        std::copy_n(piece.values.get(), piece.entries, matrix.values.begin() + begins[i].entry);
      uint64_t row = begins[i].row;
      for (size_t entry = 0; entry < piece.entries; ++entry)
        for (; row <= piece.rows[entry]; ++row)
          matrix.rowBegins[row] = begins[i].entry + entry;
      piece = {};
    }
  });
  std::fill(matrix.rowBegins.begin() + static_cast<ptrdiff_t>(begins.back().row),
            matrix.rowBegins.end(), begins.back().entry);
}

/// Puts entries into rows by a counting sort in two steps: into buckets of neighbouring rows, which
/// fit into a cache, and within these. Entries of a row keep their order until the row is sorted.
class Sorter {
public:
  Sorter(std::vector<Piece> &pieces, Matrix &matrix, const Form &form, unsigned threads)
      : pieces_(pieces), matrix_(matrix), form_(form), threads_(threads) {}

  /// Returns how many entries are at the position of another one.
  uint64_t sort() {
    for (const Piece &piece : pieces_)
      total_ += piece.entries;
    if (form_.mirrored)
      total_ *= 2; // at most
    // Each bucket is written at one place at a time, each of which takes an entry of the TLB.
    constexpr uint64_t kBucketEntries = uint64_t{1} << 16U;
    constexpr uint64_t kMostBuckets = 1024;
    const uint64_t buckets = std::clamp<uint64_t>(total_ / kBucketEntries, 1, kMostBuckets);
    shift_ = static_cast<unsigned>(std::bit_width((uint64_t{matrix_.rows} - 1) / buckets));
    buckets_ = ((uint64_t{matrix_.rows} - 1) >> shift_) + 1;
    split();
    return placeAll();
  }

private:
  template <typename Visit> void forEach(unsigned thread, const Visit &visit) {
    const size_t end = pieces_.size() * (thread + 1) / threads_;
    for (size_t i = pieces_.size() * thread / threads_; i < end; ++i) {
      const Piece &piece = pieces_[i];
      for (size_t entry = 0; entry < piece.entries; ++entry) {
        const uint32_t row = piece.rows[entry];
        const uint32_t column = piece.columns[entry];
        const float value = piece.values ? piece.values[entry] : 1;
        visit(row, column, value);
        if (form_.mirrored && row != column)
          visit(column, row, form_.skew ? -value : value);
      }
    }
  }

  void split() {
    std::vector<std::vector<uint64_t>> places(threads_);
    inParallel(threads_, [&](unsigned thread) {
      std::vector<uint64_t> counts(buckets_);
      forEach(thread, [&](uint32_t row, uint32_t, float) { ++counts[row >> shift_]; });
      places[thread] = std::move(counts);
    });
    begins_.assign(buckets_ + 1, 0);
    total_ = 0;
    for (uint64_t bucket = 0; bucket < buckets_; ++bucket) {
      begins_[bucket] = total_;
      for (std::vector<uint64_t> &ofThread : places)
        total_ += std::exchange(ofThread[bucket], total_);
    }
    begins_.back() = total_;
    rows_ = storage<uint32_t>(total_);
    columns_ = storage<uint32_t>(total_);
    if (form_.keepValues)
      values_ = storage<float>(total_);
    inParallel(threads_, [&](unsigned thread) {
      std::vector<uint64_t> &next = places[thread];
      forEach(thread, [&](uint32_t row, uint32_t column, float value) {
        const uint64_t at = next[row >> shift_]++;
        rows_[at] = row;
        columns_[at] = column;
        if (form_.keepValues)
          values_[at] = value;
      });
    });
    pieces_.clear();
  }

  uint64_t placeAll() {
    matrix_.columnOf.resize(total_);
    if (form_.keepValues)
      matrix_.values.resize(total_);
    std::atomic<uint64_t> next{0};
    std::atomic<uint64_t> repeated{0};
    inParallel(threads_, [&](unsigned) {
      std::vector<uint64_t> at;
      for (uint64_t bucket = next++; bucket < buckets_; bucket = next++) {
        const uint64_t first = bucket << shift_;
        const uint64_t last = std::min<uint64_t>(matrix_.rows, (bucket + 1) << shift_);
        at.assign(last - first, 0);
        for (uint64_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i)
          ++at[rows_[i] - first];
        uint64_t begin = begins_[bucket];
        for (uint64_t row = first; row < last; ++row) {
          matrix_.rowBegins[row] = begin;
          begin += std::exchange(at[row - first], begin);
        }
        for (uint64_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
          const uint64_t to = at[rows_[i] - first]++;
          matrix_.columnOf[to] = columns_[i];
          if (form_.keepValues)
            matrix_.values[to] = values_[i];
        }
        // Each has gone to the end of its row.
        uint64_t sum = 0;
        for (uint64_t row = first; row < last; ++row)
          sum += sortRow(matrix_.rowBegins[row], at[row - first]);
        repeated += sum;
      }
    });
    matrix_.rowBegins.back() = total_;
    return repeated;
  }

  uint64_t sortRow(uint64_t begin, uint64_t end) {
    const std::span<uint32_t> columns = std::span(matrix_.columnOf).subspan(begin, end - begin);
    if (!std::ranges::is_sorted(columns)) {
      if (!form_.keepValues)
        std::ranges::sort(columns);
      else {
        std::vector<std::pair<uint32_t, float>> sorted;
        sorted.reserve(columns.size());
        for (uint64_t i = begin; i < end; ++i)
          sorted.emplace_back(matrix_.columnOf[i], matrix_.values[i]);
        std::ranges::stable_sort(sorted, {}, &std::pair<uint32_t, float>::first);
        for (uint64_t i = begin; i < end; ++i)
          std::tie(matrix_.columnOf[i], matrix_.values[i]) = sorted[i - begin];
      }
    }
    uint64_t repeated = 0;
    for (size_t i = 1; i < columns.size(); ++i)
      repeated += columns[i] == columns[i - 1] ? 1 : 0;
    return repeated;
  }

  std::vector<Piece> &pieces_;
  Matrix &matrix_;
  const Form &form_;
  unsigned threads_;
  uint64_t total_ = 0;
  unsigned shift_ = 0;
  uint64_t buckets_ = 1;
  std::vector<uint64_t> begins_; ///< by bucket
  std::unique_ptr<uint32_t[]> rows_, columns_;
  std::unique_ptr<float[]> values_;
};

/// Makes one entry of those at one position.
void mergeRepeated(Matrix &matrix, const Form &form) {
  uint64_t to = 0;
  uint64_t from = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const uint64_t end = matrix.rowBegins[row + 1];
    const uint64_t begin = to;
    for (; from < end; ++from) {
      if (to > begin && matrix.columnOf[to - 1] == matrix.columnOf[from]) {
        // An edge of a list is there or not; entries of a matrix add up.
        if (form.keepValues && form.market)
          matrix.values[to - 1] += matrix.values[from];
        if (form.keepValues && !std::isfinite(matrix.values[to - 1]))
          throw Error(fmt::format("the entries at ({}, {}) add up to a value that is too large: "
                                  "expected one of single precision",
                                  uint64_t{row} + 1, uint64_t{matrix.columnOf[from]} + 1));
        continue;
      }
      matrix.columnOf[to] = matrix.columnOf[from];
      if (form.keepValues)
        matrix.values[to] = matrix.values[from];
      ++to;
    }
    matrix.rowBegins[row + 1] = to;
  }
  matrix.columnOf.resize(to);
  if (form.keepValues)
    matrix.values.resize(to);
}

} // namespace

Matrix assembled(std::vector<Piece> &pieces, uint32_t rows, uint32_t columns, const Form &form,
                 unsigned threads, uint64_t &merged) {
  Matrix matrix{.rows = rows,
                .columns = columns,
                .rowBegins = std::vector<uint64_t>(uint64_t{rows} + 1),
                .columnOf = {},
                .values = {}};
  merged = 0;
  if (rows == 0)
    return matrix;
  if (!form.mirrored && inOrder(pieces))
    joinPieces(pieces, matrix, threads);
  else if ((merged = Sorter(pieces, matrix, form, threads).sort()) > 0)
    mergeRepeated(matrix, form);
  return matrix;
}

} // namespace aiwc::sparse
