#include "common/error.h"
#include "sparse/matrix.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace aiwc::sparse {

namespace {

/// Rows beyond this number need entries: a file of a few bytes must not take gigabytes of memory.
constexpr uint64_t kRowsWithoutEntries = 10'000'000;
constexpr uint64_t kMostRowsPerEntry = 64;

/// The bytes of a file: mapped if it is a plain file, else read, and decompressed, to its end.
class Content {
public:
  Content(const std::string &file, const std::string &name) {
    const int descriptor =
        file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      throw Error(withReason(name, errno));
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
      close(descriptor);
      throw Error(fmt::format("{}: is a folder: expected a sparse matrix", name));
    }
    if (S_ISREG(status.st_mode) && file != "-" && !compressed(descriptor)) {
      map(descriptor, static_cast<size_t>(status.st_size), name);
      return;
    }
    read(descriptor, name);
  }
  ~Content() {
    if (mapped_ != nullptr)
      munmap(mapped_, size_);
  }
  Content(const Content &) = delete;
  Content &operator=(const Content &) = delete;

  std::string_view text() const {
    return mapped_ != nullptr ? std::string_view(static_cast<const char *>(mapped_), size_)
                              : std::string_view(bytes_);
  }

private:
  static bool compressed(int descriptor) {
    std::array<unsigned char, 2> magic{};
    return pread(descriptor, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1F &&
           magic[1] == 0x8B;
  }

  void map(int descriptor, size_t size, const std::string &name) {
    size_ = size;
    if (size > 0) {
      void *const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (mapped == MAP_FAILED) {
        const int reason = errno;
        close(descriptor);
        throw Error(withReason(name, reason));
      }
      mapped_ = mapped;
    }
    close(descriptor);
  }

  /// zlib passes through what is not compressed.
  void read(int descriptor, const std::string &name) {
    const gzFile stream = gzdopen(descriptor, "rb");
    if (stream == nullptr) {
      close(descriptor);
      throw Error(withReason(name, ENOMEM));
    }
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> closed(stream, gzclose);
    gzbuffer(stream, 1U << 20U);
    constexpr size_t kStep = size_t{1} << 24U;
    size_t size = 0;
    for (;;) {
      if (bytes_.size() < size + kStep)
        bytes_.resize(std::max(size + kStep, bytes_.size() + bytes_.size() / 2));
      const int got = gzread(stream, bytes_.data() + size, kStep);
      if (got < 0)
        throw Error(fmt::format("{}: {}: expected a whole file", name, failure(stream)));
      size += static_cast<size_t>(got);
      if (got == 0)
        break;
    }
    int state = Z_OK;
    gzerror(stream, &state);
    if (state == Z_BUF_ERROR)
      throw Error(
          fmt::format("{}: the compressed data end too early: expected a whole file", name));
    bytes_.resize(size);
  }

  static std::string failure(gzFile stream) {
    int state = Z_OK;
    const char *const text = gzerror(stream, &state);
    return state == Z_ERRNO ? std::strerror(errno) : std::string(text);
  }

  void *mapped_ = nullptr;
  size_t size_ = 0;
  std::string bytes_;
};

/// A line that is not as expected; the number of the line is added where it is known.
struct Problem {
  uint64_t line = 0; ///< from 0, in the part
  std::string what;
};

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
  uint64_t least() const { return market ? 1 : 0; }
};

/// The entries of a part of the file.
struct Part {
  std::vector<uint32_t> rows, columns;
  std::vector<float> values;
  uint64_t lines = 0; ///< read
  uint64_t largest = 0;
  std::optional<Problem> problem;
};

std::string whereExpected(const Form &form) {
  return form.market ? fmt::format("expected a row of 1 to {} and a column of 1 to {}{}", form.rows,
                                   form.columns,
                                   form.numbers == 0   ? ""
                                   : form.numbers == 1 ? ", and a value"
                                                       : ", and two values")
                     : "expected an edge: two numbers of nodes, from 0, and perhaps a weight";
}

/// Reads a line into the part. Returns what is wrong with it; empty: nothing.
std::string readEntry(std::string_view line, const Form &form, Part &part) {
  Words words(line);
  const std::optional<uint64_t> row = words.number();
  const std::optional<uint64_t> column = row ? words.number() : std::nullopt;
  const uint64_t most = form.market ? kMostRows : kMostRows - 1;
  if (!row || !column)
    return fmt::format("{}: {}", quoted(line), whereExpected(form));
  if (*row < form.least() || *column < form.least() || *row > (form.market ? form.rows : most) ||
      *column > (form.market ? form.columns : most))
    return fmt::format("the entry ({}, {}) is outside of the matrix: {}", *row, *column,
                       form.market ? whereExpected(form)
                                   : fmt::format("expected nodes of 0 to {}", most));
  double value = 1;
  for (unsigned i = 0; i < form.numbers; ++i) {
    const std::optional<double> number = words.real();
    if (!number)
      return fmt::format("{}: {}", quoted(line), whereExpected(form));
    if (i == 0)
      value = *number;
  }
  if (!form.market && !words.end()) {
    const std::optional<double> weight = words.real();
    if (!weight)
      return fmt::format("{}: {}", quoted(line), whereExpected(form));
    value = *weight;
  }
  if (!words.end())
    return fmt::format("{}: {}, and no more", quoted(line), whereExpected(form));
  if (form.mirrored && *column > *row)
    return fmt::format("the entry ({}, {}) is above the diagonal: expected only the lower part of "
                       "a symmetric matrix",
                       *row, *column);
  if (std::abs(value) > std::numeric_limits<float>::max())
    return fmt::format("{}: the value is too large: expected one of single precision",
                       quoted(line));
  part.largest = std::max({part.largest, *row, *column});
  part.rows.push_back(static_cast<uint32_t>(*row - form.least()));
  part.columns.push_back(static_cast<uint32_t>(*column - form.least()));
  if (form.keepValues)
    part.values.push_back(static_cast<float>(value));
  return "";
}

void readPart(std::string_view text, const Form &form, Part &part) {
  // A line of an entry has about 14 characters.
  const size_t guess = text.size() / 14;
  part.rows.reserve(guess);
  part.columns.reserve(guess);
  while (!text.empty()) {
    const std::string_view line = nextLine(text);
    Words words(line);
    const bool comment = words.end() || (!form.market && (line[0] == '#' || line[0] == '%'));
    if (!comment) {
      std::string wrong = readEntry(line, form, part);
      if (!wrong.empty()) {
        part.problem = {part.lines, std::move(wrong)};
        return;
      }
    }
    ++part.lines;
  }
}

void inParallel(unsigned threads, const std::function<void(unsigned)> &work) {
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(work, i);
  work(0);
}

std::vector<Part> readParts(std::string_view text, const Form &form, unsigned threads) {
  // Small files are not worth a thread.
  if (text.size() < 1U << 20U)
    threads = 1;
  std::vector<std::string_view> pieces;
  for (unsigned i = 0; i < threads; ++i) {
    size_t end = text.size();
    if (i + 1 < threads) {
      end = text.find('\n', text.size() / (threads - i));
      end = end == std::string_view::npos ? text.size() : end + 1;
    }
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  std::vector<Part> parts(threads);
  inParallel(threads, [&](unsigned i) { readPart(pieces[i], form, parts[i]); });
  return parts;
}

/// Puts the entries into rows. Each thread fills a range of rows.
Matrix assembled(std::vector<Part> &parts, uint32_t rows, uint32_t columns, const Form &form,
                 unsigned threads, uint64_t &merged) {
  Matrix matrix{.rows = rows,
                .columns = columns,
                .rowBegins = std::vector<uint64_t>(uint64_t{rows} + 1),
                .columnOf = {},
                .values = {}};
  std::vector<uint64_t> &begins = matrix.rowBegins;
  for (const Part &part : parts)
    for (size_t i = 0; i < part.rows.size(); ++i) {
      ++begins[uint64_t{part.rows[i]} + 1];
      if (form.mirrored && part.rows[i] != part.columns[i])
        ++begins[uint64_t{part.columns[i]} + 1];
    }
  std::inclusive_scan(begins.begin(), begins.end(), begins.begin());
  const uint64_t total = begins.back();
  matrix.columnOf.resize(total);
  if (form.keepValues)
    matrix.values.resize(total);
  std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
  if (total < 1U << 20U)
    threads = 1;
  std::vector<uint32_t> borders(threads + 1, rows);
  for (unsigned i = 0; i < threads; ++i)
    borders[i] = static_cast<uint32_t>(std::ranges::lower_bound(begins, total / threads * i) -
                                       begins.begin());
  borders[0] = 0;
  std::vector<uint64_t> repeated(threads);
  inParallel(threads, [&](unsigned thread) {
    const uint32_t first = borders[thread];
    const uint32_t last = std::max(first, borders[thread + 1]);
    const auto put = [&](uint32_t row, uint32_t column, float value) {
      if (row < first || row >= last)
        return;
      const uint64_t at = next[row]++;
      matrix.columnOf[at] = column;
      if (form.keepValues)
        matrix.values[at] = value;
    };
    for (const Part &part : parts)
      for (size_t i = 0; i < part.rows.size(); ++i) {
        const float value = form.keepValues ? part.values[i] : 1;
        put(part.rows[i], part.columns[i], value);
        if (form.mirrored && part.rows[i] != part.columns[i])
          put(part.columns[i], part.rows[i], form.skew ? -value : value);
      }
    std::vector<std::pair<uint32_t, float>> sorted;
    for (uint32_t row = first; row < last; ++row) {
      const auto begin = matrix.columnOf.begin() + static_cast<ptrdiff_t>(begins[row]);
      const auto end = matrix.columnOf.begin() + static_cast<ptrdiff_t>(begins[row + 1]);
      if (!std::is_sorted(begin, end)) {
        if (!form.keepValues)
          std::sort(begin, end);
        else {
          sorted.clear();
          for (uint64_t i = begins[row]; i < begins[row + 1]; ++i)
            sorted.emplace_back(matrix.columnOf[i], matrix.values[i]);
          std::ranges::stable_sort(sorted, {}, &std::pair<uint32_t, float>::first);
          for (uint64_t i = begins[row]; i < begins[row + 1]; ++i)
            std::tie(matrix.columnOf[i], matrix.values[i]) = sorted[i - begins[row]];
        }
      }
      for (auto at = begin; at != end && at + 1 != end; ++at)
        repeated[thread] += *at == *(at + 1) ? 1 : 0;
    }
  });
  merged = std::accumulate(repeated.begin(), repeated.end(), uint64_t{0});
  if (merged > 0) {
    uint64_t to = 0;
    uint64_t from = 0;
    for (uint32_t row = 0; row < rows; ++row) {
      const uint64_t end = begins[row + 1];
      const uint64_t begin = to;
      for (; from < end; ++from) {
        if (to > begin && matrix.columnOf[to - 1] == matrix.columnOf[from]) {
          // An edge of a list is there or not; entries of a matrix add up.
          if (form.keepValues && form.market)
            matrix.values[to - 1] += matrix.values[from];
          continue;
        }
        matrix.columnOf[to] = matrix.columnOf[from];
        if (form.keepValues)
          matrix.values[to] = matrix.values[from];
        ++to;
      }
      begins[row + 1] = to;
    }
    matrix.columnOf.resize(to);
    if (form.keepValues)
      matrix.values.resize(to);
  }
  return matrix;
}

std::string lowered(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class Reader {
public:
  Reader(const std::string &file, const ReadOptions &options)
      : name_(file == "-" ? "standard input" : file), options_(options), content_(file, name_) {}

  Matrix matrix(Origin &origin) {
    text_ = content_.text();
    if (text_.starts_with("\xEF\xBB\xBF"))
      text_.remove_prefix(3);
    if (lowered(text_.substr(0, 14)) == "%%matrixmarket")
      readHeader(origin);
    else {
      origin.format = "edge list";
      form_.keepValues = options_.values;
      sampleComment(origin);
    }
    std::vector<Part> parts = readParts(text_, form_, std::max(1U, options_.threads));
    uint64_t line = line_;
    uint64_t entries = 0;
    uint64_t largest = 0;
    for (const Part &part : parts) {
      if (part.problem)
        fail(line + part.problem->line, part.problem->what);
      line += part.lines;
      entries += part.rows.size();
      largest = std::max(largest, part.largest);
    }
    if (form_.market && entries != entries_)
      fail(line, fmt::format("the file has {} entries: expected {}, as line {} says", entries,
                             entries_, sizeLine_));
    if (!form_.market) {
      if (entries == 0)
        fail(line, "no edge: expected a Matrix Market file, or lines with two numbers of nodes");
      form_.rows = form_.columns = largest + 1;
    }
    for (const uint64_t order : {form_.rows, form_.columns})
      if (order > std::max(kRowsWithoutEntries, kMostRowsPerEntry * entries))
        fail(form_.market ? sizeLine_ - 1 : line,
             fmt::format("{} rows or columns for {} entries: expected at most {}", order, entries,
                         std::max(kRowsWithoutEntries, kMostRowsPerEntry * entries)));
    return assembled(parts, static_cast<uint32_t>(form_.rows), static_cast<uint32_t>(form_.columns),
                     form_, std::max(1U, options_.threads), origin.merged);
  }

private:
  /// `line` counts from 0.
  [[noreturn]] void fail(uint64_t line, const std::string &what) const {
    throw Error(fmt::format("{}:{}: {}", name_, line + 1, what));
  }

  void readHeader(Origin &origin) {
    origin.format = "Matrix Market";
    Words words(nextLine(text_));
    words.word();
    const std::string object = lowered(words.word());
    const std::string format = lowered(words.word());
    origin.field = lowered(words.word());
    origin.symmetry = lowered(words.word());
    if (object != "matrix" || format != "coordinate")
      fail(0,
           fmt::format("'{} {}': expected 'matrix coordinate', a sparse matrix", object, format));
    if (origin.field == "real" || origin.field == "double" || origin.field == "integer")
      form_.numbers = 1;
    else if (origin.field == "complex")
      form_.numbers = 2;
    else if (origin.field != "pattern")
      fail(0,
           fmt::format("the field '{}': expected real, integer, pattern or complex", origin.field));
    form_.market = true;
    form_.keepValues = options_.values && form_.numbers == 1;
    form_.skew = origin.symmetry == "skew-symmetric";
    form_.mirrored = origin.symmetry == "symmetric" || origin.symmetry == "hermitian" || form_.skew;
    if (!form_.mirrored && origin.symmetry != "general")
      fail(0, fmt::format("the symmetry '{}': expected general, symmetric, skew-symmetric or "
                          "hermitian",
                          origin.symmetry));
    line_ = 1;
    sampleComment(origin);
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
                              *rows, *columns, origin.symmetry));
    ++line_;
    sizeLine_ = line_;
    form_.rows = *rows;
    form_.columns = *columns;
    entries_ = *entries;
  }

  /// Skips comments and empty lines, and keeps what `aiwc sample` said in one.
  void sampleComment(Origin &origin) {
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
        origin.sample = std::string(line);
      }
      text_ = rest;
      ++line_;
    }
  }

  std::string name_;
  ReadOptions options_;
  Content content_;
  std::string_view text_;
  Form form_;
  uint64_t line_ = 0;     ///< the next line, from 0
  uint64_t sizeLine_ = 0; ///< from 1
  uint64_t entries_ = 0;
};

} // namespace

Matrix readMatrix(const std::string &file, const ReadOptions &options, Origin *origin) {
  Origin ignored;
  return Reader(file, options).matrix(origin != nullptr ? *origin : ignored);
}

} // namespace aiwc::sparse
