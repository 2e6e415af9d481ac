/// The entries of a sparse matrix in the text of a file, and the matrix that they make.
#pragma once

#include "sparse/matrix.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::sparse {

/// Goes through the words of one line.
class Words {
public:
  explicit Words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool end() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == ',' || *at_ == '\r'))
      ++at_;
    return at_ == end_;
  }
  /// The next word as a whole number; none if it is not one, or does not fit into 64 bits.
  std::optional<uint64_t> number() {
    if (end())
      return std::nullopt;
    uint64_t value = 0;
    const auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !separated(next))
      return std::nullopt;
    at_ = next;
    return value;
  }
  /// The next word as a finite number.
  std::optional<double> real() {
    if (end())
      return std::nullopt;
    const char *const begin = at_ + (*at_ == '+' ? 1 : 0);
    double value = 0;
    const auto [next, error] = std::from_chars(begin, end_, value);
    const bool tiny = error == std::errc::result_out_of_range && next != begin;
    if ((error != std::errc() && !tiny) || !separated(next) || !std::isfinite(value))
      return std::nullopt;
    at_ = next;
    return tiny ? 0 : value;
  }
  std::string_view word() {
    if (end())
      return {};
    const char *const begin = at_;
    while (at_ < end_ && !separated(at_))
      ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }

private:
  bool separated(const char *at) const {
    return at == end_ || *at == ' ' || *at == '\t' || *at == ',' || *at == '\r';
  }
  const char *at_, *end_;
};

/// Takes the next line off `text`.
inline std::string_view nextLine(std::string_view &text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The beginning of a line, for a message.
std::string quoted(std::string_view line);

/// How the lines of entries are to be read.
struct Form {
  bool market = false;
  uint64_t rows = 0, columns = 0; ///< Matrix Market
  unsigned numbers = 0;           ///< Matrix Market: values per entry: 0, 1 or 2
  bool keepValues = false;
  bool mirrored = false; ///< the file has the part on and below the diagonal
  bool skew = false;
  uint64_t least() const { return market ? 1 : 0; }
};

/// A line that is not as expected; the number of the line is added where it is known.
struct Problem {
  uint64_t line = 0; ///< from 0, in the piece
  std::string what;
};

/// The entries of a piece of the text.
struct Piece {
  size_t entries = 0;
  std::unique_ptr<uint32_t[]> rows, columns;
  std::unique_ptr<float[]> values;
  uint64_t lines = 0; ///< read
  uint64_t largest = 0;
  bool increasing = true; ///< each entry comes after the one before, by rows, then by columns
  std::optional<Problem> problem;
};

/// Reads the entries by `threads`. The pieces are in the order of the text; after the first one
/// with a problem, some are not read.
std::vector<Piece> readEntries(std::string_view text, const Form &form, unsigned threads);

/// The matrix of entries, whose storage is freed on the way. `merged`: how many are at the position
/// of another one. Throws Error if those at one position add up to no finite value.
Matrix assembled(std::vector<Piece> &pieces, uint32_t rows, uint32_t columns, const Form &form,
                 unsigned threads, uint64_t &merged);

} // namespace aiwc::sparse
