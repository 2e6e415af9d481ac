#include "common/error.h"
#include "sparse/entries.h"
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
    std::vector<Piece> pieces = readEntries(text_, form_, std::max(1U, options_.threads));
    uint64_t line = line_;
    uint64_t entries = 0;
    uint64_t largest = 0;
    for (const Piece &piece : pieces) {
      if (piece.problem)
        fail(line + piece.problem->line, piece.problem->what);
      line += piece.lines;
      entries += piece.entries;
      largest = std::max(largest, piece.largest);
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
    try {
      return assembled(pieces, static_cast<uint32_t>(form_.rows),
                       static_cast<uint32_t>(form_.columns), form_, std::max(1U, options_.threads),
                       origin.merged);
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", name_, error.what()));
    }
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

  /// Skips comments and empty lines, and keeps what `aiwc-sparse sample` said in one.
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
