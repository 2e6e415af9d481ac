#include "sparse/entries.h"

#include "sparse/parallel.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <limits>

namespace aiwc::sparse {

namespace {

/// The entries of a piece fit into the cache that a core has for itself.
constexpr size_t kPieceBytes = size_t{1} << 18U;
/// A line of an entry has at least four bytes, but for the last one.
constexpr size_t kMostEntries = kPieceBytes;

std::string whereExpected(const Form &form) {
  return form.market ? fmt::format("expected a row of 1 to {} and a column of 1 to {}{}", form.rows,
                                   form.columns,
                                   form.numbers == 0   ? ""
                                   : form.numbers == 1 ? ", and a value"
                                                       : ", and two values")
                     : "expected an edge: two numbers of nodes, from 0, and perhaps a weight";
}

bool isBlank(char c) {
  return c == ' ' || c == '\t';
}

/// The entries of the piece that a thread reads.
struct Buffer {
  std::vector<uint32_t> rows, columns;
  std::vector<float> values;
  size_t entries = 0;
};

class PieceReader {
public:
  PieceReader(const Form &form, Buffer &buffer, Piece &piece)
      : form_(form), buffer_(buffer), piece_(piece),
        mostRow_(form.market ? form.rows : kMostRows - 1),
        mostColumn_(form.market ? form.columns : kMostRows - 1) {}

  void read(std::string_view text) {
    buffer_.entries = 0;
    const size_t lastBreak = text.rfind('\n');
    // Each of these lines ends, so that the search for the end of a number does.
    const char *at = text.data();
    end_ = lastBreak == std::string_view::npos ? at : at + lastBreak + 1;
    while (at < end_) {
      if (const char *const next = readUsual(at)) {
        at = next;
        ++piece_.lines;
        continue;
      }
      const auto length = static_cast<size_t>(
          static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end_ - at))) - at);
      if (!readAny({at, length}))
        return;
      at += length + 1;
    }
    text.remove_prefix(static_cast<size_t>(end_ - text.data()));
    if (!text.empty() && !readAny(text))
      return;
    keep();
  }

private:
  /// Reads digits, at most 18. False: there are none, or more.
  static bool digits(const char *&at, uint64_t &value) {
    const char *const begin = at;
    for (unsigned digit = 0; (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at)
      value = value * 10 + digit; // modulo 2^64 if there are too many
    return at != begin && at - begin <= kDigits;
  }

  /// Reads a decimal number. Without `keepValues`, it is only checked. False: it is an unusual one.
  bool decimal(const char *&at, double &value) const {
    const char *const begin = at;
    const bool negative = *at == '-';
    if (negative)
      ++at;
    uint64_t mantissa = 0;
    const char *const first = at;
    for (unsigned digit = 0; (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at)
      mantissa = mantissa * 10 + digit;
    ptrdiff_t count = at - first;
    ptrdiff_t fraction = 0;
    if (*at == '.') {
      const char *const point = at++;
      for (unsigned digit = 0; (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at)
        mantissa = mantissa * 10 + digit;
      fraction = at - point - 1;
      count += fraction;
    }
    if (count == 0)
      return false;
    constexpr uint64_t kExact = uint64_t{1} << 53U;
    if (count > kDigits || (form_.keepValues && mantissa > kExact) || *at == 'e' || *at == 'E') {
      const auto [next, error] = std::from_chars(begin, end_, value);
      at = next;
      return error == std::errc() && std::abs(value) <= std::numeric_limits<float>::max();
    }
    // Both are exact, so that their quotient is rounded once (Clinger 1990).
    value = static_cast<double>(mantissa) / kPowers[static_cast<size_t>(fraction)];
    if (negative)
      value = -value;
    return true;
  }

  /// Reads a line as most are written. Returns the next one; none: the line is an unusual one, of
  /// which nothing is kept.
  const char *readUsual(const char *at) {
    uint64_t row = 0;
    uint64_t column = 0;
    while (isBlank(*at))
      ++at;
    if (!digits(at, row) || !isBlank(*at))
      return nullptr;
    do
      ++at;
    while (isBlank(*at));
    if (!digits(at, column))
      return nullptr;
    double value = 1;
    if (form_.numbers > 0 || !form_.market)
      if (!readValues(at, value))
        return nullptr;
    while (isBlank(*at))
      ++at;
    if (*at == '\r')
      ++at;
    if (*at != '\n')
      return nullptr;
    if (row < form_.least() || column < form_.least() || row > mostRow_ || column > mostColumn_ ||
        (form_.mirrored && column > row))
      return nullptr;
    add(row, column, value);
    return at + 1;
  }

  bool readValues(const char *&at, double &value) const {
    unsigned missing = form_.numbers;
    if (!form_.market) {
      const char *next = at;
      while (isBlank(*next))
        ++next;
      missing = *next == '\n' || *next == '\r' ? 0 : 1;
    }
    for (unsigned i = 0; i < missing; ++i) {
      double number = 0;
      if (!isBlank(*at))
        return false;
      do
        ++at;
      while (isBlank(*at));
      if (!decimal(at, number))
        return false;
      if (i == 0)
        value = number;
    }
    return true;
  }

  /// Reads any line; false: it is not as expected, which the piece says.
  bool readAny(std::string_view line) {
    Words words(line);
    const bool comment = words.end() || (!form_.market && (line[0] == '#' || line[0] == '%'));
    if (!comment) {
      std::string wrong = readEntry(line);
      if (!wrong.empty()) {
        piece_.problem = {piece_.lines, std::move(wrong)};
        return false;
      }
    }
    ++piece_.lines;
    return true;
  }

  /// Returns what is wrong with the line; empty: nothing.
  std::string readEntry(std::string_view line) {
    Words words(line);
    const std::optional<uint64_t> row = words.number();
    const std::optional<uint64_t> column = row ? words.number() : std::nullopt;
    if (!row || !column)
      return fmt::format("{}: {}", quoted(line), whereExpected(form_));
    if (*row < form_.least() || *column < form_.least() || *row > mostRow_ || *column > mostColumn_)
      return fmt::format("the entry ({}, {}) is outside of the matrix: {}", *row, *column,
                         form_.market ? whereExpected(form_)
                                      : fmt::format("expected nodes of 0 to {}", mostRow_));
    double value = 1;
    for (unsigned i = 0; i < form_.numbers; ++i) {
      const std::optional<double> number = words.real();
      if (!number)
        return fmt::format("{}: {}", quoted(line), whereExpected(form_));
      if (i == 0)
        value = *number;
    }
    if (!form_.market && !words.end()) {
      const std::optional<double> weight = words.real();
      if (!weight)
        return fmt::format("{}: {}", quoted(line), whereExpected(form_));
      value = *weight;
    }
    if (!words.end())
      return fmt::format("{}: {}, and no more", quoted(line), whereExpected(form_));
    if (form_.mirrored && *column > *row)
      return fmt::format("the entry ({}, {}) is above the diagonal: expected only the lower part "
                         "of a symmetric matrix",
                         *row, *column);
    if (std::abs(value) > std::numeric_limits<float>::max())
      return fmt::format("{}: the value is too large: expected one of single precision",
                         quoted(line));
    add(*row, *column, value);
    return "";
  }

  void add(uint64_t row, uint64_t column, double value) {
    const uint64_t place = row << 32U | column;
    piece_.increasing = piece_.increasing && (buffer_.entries == 0 || place > last_);
    last_ = place;
    if (!form_.market)
      piece_.largest = std::max({piece_.largest, row, column});
    buffer_.rows[buffer_.entries] = static_cast<uint32_t>(row - form_.least());
    buffer_.columns[buffer_.entries] = static_cast<uint32_t>(column - form_.least());
    if (form_.keepValues)
      buffer_.values[buffer_.entries] = static_cast<float>(value);
    ++buffer_.entries;
  }

  void keep() {
    const size_t entries = piece_.entries = buffer_.entries;
    const auto copied = [entries](const auto &from) {
      using Number = typename std::decay_t<decltype(from)>::value_type;
      auto to = std::make_unique_for_overwrite<Number[]>(entries);
      std::copy_n(from.begin(), entries, to.get());
      return to;
    };
    piece_.rows = copied(buffer_.rows);
    piece_.columns = copied(buffer_.columns);
    if (form_.keepValues)
      piece_.values = copied(buffer_.values);
  }

  static constexpr ptrdiff_t kDigits = 18;
  static constexpr std::array<double, kDigits + 1> kPowers = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
      1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

  const Form &form_;
  Buffer &buffer_;
  Piece &piece_;
  uint64_t mostRow_, mostColumn_;
  uint64_t last_ = 0;
  const char *end_ = nullptr; ///< of the lines that end
};

} // namespace

std::string quoted(std::string_view line) {
  while (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  std::string text = "'";
  for (const char c : line.substr(0, 60))
    text += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return text + (line.size() > 60 ? "...'" : "'");
}

std::vector<Piece> readEntries(std::string_view text, const Form &form, unsigned threads) {
  // Small files are not worth a thread.
  if (text.size() < 1U << 20U)
    threads = 1;
  std::vector<std::string_view> texts;
  while (!text.empty()) {
    size_t end = text.size() > kPieceBytes ? text.rfind('\n', kPieceBytes - 1) : text.size() - 1;
    if (end == std::string_view::npos) // a line that is longer than a piece
      end = std::min(text.find('\n', kPieceBytes), text.size() - 1);
    texts.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  std::vector<Piece> pieces(texts.size());
  std::atomic<size_t> next{0};
  std::atomic<size_t> firstProblem{texts.size()};
  inParallel(threads, [&](unsigned) {
    Buffer buffer;
    const size_t most = texts.size() == 1 ? std::min(texts[0].size(), kMostEntries) : kMostEntries;
    buffer.rows.resize(most / 4 + 1);
    buffer.columns.resize(most / 4 + 1);
    if (form.keepValues)
      buffer.values.resize(most / 4 + 1);
    for (size_t i = next++; i < firstProblem; i = next++) {
      PieceReader(form, buffer, pieces[i]).read(texts[i]);
      size_t before = firstProblem;
      while (pieces[i].problem && i < before && !firstProblem.compare_exchange_weak(before, i)) {
      }
    }
  });
  return pieces;
}

} // namespace aiwc::sparse
