#include "common/error.h"
#include "sparse/matrix.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace aiwc::sparse {

namespace {

/// Rows beyond this number need entries: a file of a few bytes must not take gigabytes of memory.
constexpr uint64_t kRowsWithoutEntries = 10'000'000;
constexpr uint64_t kMostRowsPerEntry = 64;

std::string failure(gzFile stream) {
  int state = Z_OK;
  const char *const text = gzerror(stream, &state);
  return state == Z_ERRNO ? std::strerror(errno) : std::string(text);
}

/// The bytes of a file, decompressed. zlib passes through what is not compressed.
std::string contentOf(const std::string &file, const std::string &name) {
  const int descriptor = file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw Error(withReason(name, errno));
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw Error(fmt::format("{}: is a folder: expected a sparse matrix", name));
  }
  const gzFile opened = gzdopen(descriptor, "rb");
  if (opened == nullptr) {
    close(descriptor);
    throw Error(withReason(name, ENOMEM));
  }
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> stream(opened, gzclose);
  constexpr size_t kStep = size_t{1} << 24U;
  gzbuffer(opened, 1U << 20U);
  std::string bytes;
  if (S_ISREG(status.st_mode))
    bytes.reserve(static_cast<size_t>(status.st_size) + kStep);
  for (size_t size = 0;;) {
    bytes.resize(size + kStep);
    const int got = gzread(opened, bytes.data() + size, kStep);
    if (got < 0)
      throw Error(fmt::format("{}: {}: expected a whole file", name, failure(opened)));
    size += static_cast<size_t>(got);
    if (got == 0) {
      bytes.resize(size);
      break;
    }
  }
  int state = Z_OK;
  gzerror(opened, &state);
  if (state == Z_BUF_ERROR)
    throw Error(fmt::format("{}: the compressed data end too early: expected a whole file", name));
  return bytes;
}

std::string lowered(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

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
std::string_view nextLine(std::string_view &text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The beginning of a line, for a message.
std::string quoted(std::string_view line) {
  while (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  std::string text = "'";
  for (const char c : line.substr(0, 60))
    text += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  return text + (line.size() > 60 ? "...'" : "'");
}

/// How the lines of entries are to be read.
struct Form {
  bool market = false;
  uint64_t rows = 0, columns = 0; ///< Matrix Market
  unsigned numbers = 0;           ///< Matrix Market: values per entry: 0, 1 or 2
  bool keepValues = false;
  bool mirrored = false; ///< the file has the part on and below the diagonal
  bool skew = false;
};

std::string whereExpected(const Form &form) {
  return form.market ? fmt::format("expected a row of 1 to {} and a column of 1 to {}{}", form.rows,
                                   form.columns,
                                   form.numbers == 0   ? ""
                                   : form.numbers == 1 ? ", and a value"
                                                       : ", and two values")
                     : "expected an edge: two numbers of nodes, from 0, and perhaps a weight";
}

class Reader {
public:
  Reader(const std::string &file, const ReadOptions &options)
      : name_(file == "-" ? "standard input" : file), options_(options),
        content_(contentOf(file, name_)) {}

  Matrix matrix(std::string &sample) {
    text_ = content_;
    if (text_.starts_with("\xEF\xBB\xBF"))
      text_.remove_prefix(3);
    if (lowered(text_.substr(0, 14)) == "%%matrixmarket")
      readHeader(sample);
    else {
      form_.keepValues = options_.values;
      skipComments(sample);
    }
    readEntries();
    if (form_.market && read_ != announced_)
      fail(line_, fmt::format("the file has {} entries: expected {}, as line {} says", read_,
                              announced_, sizeLine_));
    if (!form_.market) {
      if (read_ == 0)
        fail(line_, "no edge: expected a Matrix Market file, or lines with two numbers of nodes");
      form_.rows = form_.columns = largest_ + 1;
    }
    const uint64_t mostRows = std::max(kRowsWithoutEntries, kMostRowsPerEntry * read_);
    for (const uint64_t order : {form_.rows, form_.columns})
      if (order > mostRows)
        fail(form_.market ? sizeLine_ - 1 : line_,
             fmt::format("{} rows or columns for {} entries: expected at most {}", order, read_,
                         mostRows));
    Matrix matrix =
        matrixOf(static_cast<uint32_t>(form_.rows), static_cast<uint32_t>(form_.columns), entries_,
                 form_.keepValues, form_.market ? Repeated::kAddUp : Repeated::kFirst);
    checkFinite(matrix);
    return matrix;
  }

private:
  /// `line` counts from 0.
  [[noreturn]] void fail(uint64_t line, const std::string &what) const {
    throw Error(fmt::format("{}:{}: {}", name_, line + 1, what));
  }

  void readHeader(std::string &sample) {
    Words words(nextLine(text_));
    words.word();
    const std::string object = lowered(words.word());
    const std::string format = lowered(words.word());
    const std::string field = lowered(words.word());
    const std::string symmetry = lowered(words.word());
    if (object != "matrix" || format != "coordinate")
      fail(0,
           fmt::format("'{} {}': expected 'matrix coordinate', a sparse matrix", object, format));
    if (field == "real" || field == "double" || field == "integer")
      form_.numbers = 1;
    else if (field == "complex")
      form_.numbers = 2;
    else if (field != "pattern")
      fail(0, fmt::format("the field '{}': expected real, integer, pattern or complex", field));
    form_.market = true;
    form_.keepValues = options_.values && form_.numbers == 1;
    form_.skew = symmetry == "skew-symmetric";
    form_.mirrored = symmetry == "symmetric" || symmetry == "hermitian" || form_.skew;
    if (!form_.mirrored && symmetry != "general")
      fail(0, fmt::format("the symmetry '{}': expected general, symmetric, skew-symmetric or "
                          "hermitian",
                          symmetry));
    line_ = 1;
    skipComments(sample);
    if (text_.empty())
      fail(line_, "the file ends: expected the numbers of rows, columns and entries");
    const std::string_view size = nextLine(text_);
    Words numbers(size);
    const std::optional<uint64_t> rows = numbers.number();
    const std::optional<uint64_t> columns = numbers.number();
    const std::optional<uint64_t> entries = numbers.number();
    if (!rows || !columns || !entries || !numbers.end())
      fail(line_,
           fmt::format("{}: expected the numbers of rows, columns and entries", quoted(size)));
    if (*rows > kMostRows || *columns > kMostRows)
      fail(line_, fmt::format("{} rows and {} columns: expected at most {} of each", *rows,
                              *columns, kMostRows));
    if (form_.mirrored && *rows != *columns)
      fail(line_, fmt::format("{} rows and {} columns: expected as many of both, since the matrix "
                              "is {}",
                              *rows, *columns, symmetry));
    ++line_;
    sizeLine_ = line_;
    form_.rows = *rows;
    form_.columns = *columns;
    announced_ = *entries;
  }

  /// Skips comments and empty lines, and keeps what `aiwc-sparse sample` said in one.
  void skipComments(std::string &sample) {
    constexpr std::string_view kMark = "aiwc-sample:";
    while (!text_.empty()) {
      std::string_view rest = text_;
      std::string_view line = nextLine(rest);
      Words words(line);
      if (!words.end() && line[0] != '%' && line[0] != '#')
        return;
      if (!line.empty() && line.substr(1).starts_with(kMark)) {
        line.remove_prefix(1 + kMark.size());
        while (!line.empty() && line.front() == ' ')
          line.remove_prefix(1);
        while (!line.empty() && line.back() == '\r')
          line.remove_suffix(1);
        sample = std::string(line);
      }
      text_ = rest;
      ++line_;
    }
  }

  void readEntries() {
    // A line of an entry has at least four bytes.
    entries_.reserve(std::min<uint64_t>(form_.market ? announced_ : UINT64_MAX, text_.size() / 4));
    for (; !text_.empty(); ++line_) {
      const std::string_view line = nextLine(text_);
      const bool comment =
          Words(line).end() || (!form_.market && (line[0] == '#' || line[0] == '%'));
      if (!comment)
        readEntry(line);
    }
  }

  void readEntry(std::string_view line) {
    const uint64_t least = form_.market ? 1 : 0;
    const uint64_t mostRow = form_.market ? form_.rows : kMostRows - 1;
    const uint64_t mostColumn = form_.market ? form_.columns : kMostRows - 1;
    Words words(line);
    const std::optional<uint64_t> row = words.number();
    const std::optional<uint64_t> column = row ? words.number() : std::nullopt;
    if (!row || !column)
      fail(line_, fmt::format("{}: {}", quoted(line), whereExpected(form_)));
    if (*row < least || *column < least || *row > mostRow || *column > mostColumn)
      fail(line_, fmt::format("the entry ({}, {}) is outside of the matrix: {}", *row, *column,
                              form_.market ? whereExpected(form_)
                                           : fmt::format("expected nodes of 0 to {}", mostRow)));
    double value = 1;
    const unsigned numbers = form_.market ? form_.numbers : words.end() ? 0 : 1;
    for (unsigned i = 0; i < numbers; ++i) {
      const std::optional<double> number = words.real();
      if (!number)
        fail(line_, fmt::format("{}: {}", quoted(line), whereExpected(form_)));
      if (i == 0)
        value = *number;
    }
    if (!words.end())
      fail(line_, fmt::format("{}: {}, and no more", quoted(line), whereExpected(form_)));
    if (form_.mirrored && *column > *row)
      fail(line_, fmt::format("the entry ({}, {}) is above the diagonal: expected only the lower "
                              "part of a symmetric matrix",
                              *row, *column));
    if (std::abs(value) > std::numeric_limits<float>::max())
      fail(line_, fmt::format("{}: the value is too large: expected one of single precision",
                              quoted(line)));
    ++read_;
    largest_ = std::max({largest_, *row, *column});
    const Entry entry{static_cast<uint32_t>(*row - least), static_cast<uint32_t>(*column - least),
                      static_cast<float>(value)};
    entries_.push_back(entry);
    if (form_.mirrored && entry.row != entry.column)
      entries_.push_back({entry.column, entry.row, form_.skew ? -entry.value : entry.value});
  }

  /// Finite entries may add up to an infinite value.
  void checkFinite(const Matrix &matrix) const {
    const auto wrong =
        std::ranges::find_if_not(matrix.values, [](float value) { return std::isfinite(value); });
    if (wrong == matrix.values.end())
      return;
    const auto place = static_cast<uint64_t>(wrong - matrix.values.begin());
    const auto row = std::ranges::upper_bound(matrix.rowBegins, place) - matrix.rowBegins.begin();
    throw Error(fmt::format("{}: the entries at ({}, {}) add up to a value that is too large: "
                            "expected one of single precision",
                            name_, row, uint64_t{matrix.columnOf[place]} + 1));
  }

  std::string name_;
  ReadOptions options_;
  std::string content_;
  std::string_view text_;
  Form form_;
  uint64_t line_ = 0;                 ///< the next line, from 0
  uint64_t sizeLine_ = 0;             ///< from 1
  uint64_t announced_ = 0, read_ = 0; ///< lines of entries
  uint64_t largest_ = 0;              ///< number of a row or column
  std::vector<Entry> entries_;        ///< with those that a symmetric file leaves out
};

} // namespace

Matrix readMatrix(const std::string &file, const ReadOptions &options, std::string *sample) {
  std::string ignored;
  return Reader(file, options).matrix(sample != nullptr ? *sample : ignored);
}

} // namespace aiwc::sparse
