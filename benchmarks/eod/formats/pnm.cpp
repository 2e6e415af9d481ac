#include "eod/formats/pnm.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace aiwc::eod {
namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

bool isBlank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class Reader {
public:
  Reader(const std::string &path, const PnmExpectation &expected)
      : path_(path), expected_(expected), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_)
      unreadable();
  }

  Image read() {
    const bool raw = readMagic();
    image_.width = number("width");
    image_.height = number("height");
    const uint64_t pixels = uint64_t{image_.width} * image_.height;
    if (pixels < 1 || pixels > expected_.pixels)
      fail(fmt::format("{} by {} pixels", image_.width, image_.height),
           fmt::format("1 to {} pixels", expected_.pixels));
    image_.maximum = number("largest sample");
    if (image_.maximum < 1 || image_.maximum > expected_.maximum)
      fail(fmt::format("largest sample {}", image_.maximum),
           fmt::format("1 to {}", expected_.maximum));
    total_ = pixels * image_.channels;
    line_ += raw && lineEnded_;
    while (image_.samples.size() < total_)
      addSample(raw ? rawSample() : number("sample"));
    return std::move(image_);
  }

private:
  int next() {
    const int c = std::getc(file_.get());
    if (c == EOF && std::ferror(file_.get()))
      unreadable();
    if (c != EOF) {
      line_ += lineEnded_;
      lineEnded_ = c == '\n';
    }
    return c;
  }

  /// Whether the samples are raw.
  bool readMagic() {
    const int p = next();
    const int kind = p == 'P' ? next() : EOF;
    const bool colour = kind == '3' || kind == '6';
    if (!((kind == '2' || kind == '5') || (colour && expected_.colour)) || !isBlank(next()))
      fail("not such an image",
           expected_.colour ? "P2, P3, P5 or P6 in the beginning" : "P2 or P5 in the beginning");
    image_.channels = colour ? 3 : 1;
    return kind == '5' || kind == '6';
  }

  /// To the end of a line.
  void skipComment() {
    for (int c = next(); c != '\n' && c != EOF;)
      c = next();
  }

  /// The next decimal number and the one blank behind it; blanks and comments before it are
  /// skipped, and a comment that follows at once.
  uint32_t number(std::string_view what) {
    int c = next();
    for (; isBlank(c) || c == '#'; c = next())
      if (c == '#')
        skipComment();
    if (c == EOF)
      truncated(what);
    uint64_t value = 0;
    for (; c != EOF && !isBlank(c) && c != '#'; c = next()) {
      if (c < '0' || c > '9')
        fail(fmt::format("{} in the {}", shown(c), what), "a decimal number");
      value = value * 10 + static_cast<uint64_t>(c - '0');
      if (value > UINT32_MAX)
        fail(fmt::format("{} is too large", what), fmt::format("at most {}", UINT32_MAX));
    }
    if (c == '#')
      skipComment();
    return static_cast<uint32_t>(value);
  }

  uint32_t rawSample() {
    uint32_t value = 0;
    for (uint32_t bytes = image_.maximum > 255 ? 2 : 1; bytes > 0; --bytes) {
      const int c = std::getc(file_.get());
      if (c == EOF && std::ferror(file_.get()))
        unreadable();
      if (c == EOF)
        truncated("sample");
      value = value * 256 + static_cast<uint32_t>(c);
    }
    return value;
  }

  void addSample(uint32_t sample) {
    if (sample > image_.maximum)
      fail(fmt::format("sample {} is {}", image_.samples.size(), sample),
           fmt::format("at most {}", image_.maximum));
    image_.samples.push_back(static_cast<uint16_t>(sample));
  }

  static std::string shown(int c) {
    return c > ' ' && c < 127 ? fmt::format("'{}'", static_cast<char>(c))
                              : fmt::format("byte 0x{:02x}", c);
  }

  [[noreturn]] void truncated(std::string_view what) const {
    if (total_ > 0)
      fail(fmt::format("ends after {} samples", image_.samples.size()), fmt::format("{}", total_));
    fail("ends in its header", fmt::format("the {}", what));
  }

  [[noreturn]] void fail(const std::string &wrong, const std::string &expected) const {
    throw UsageError(fmt::format("{}:{}: {}: expected {}", path_, line_, wrong, expected));
  }

  [[noreturn]] void unreadable() const {
    throw UsageError(fmt::format("{}: cannot be read ({}): expected a {} file", path_,
                                 std::strerror(errno), expected_.colour ? "PGM or PPM" : "PGM"));
  }

  const std::string path_;
  const PnmExpectation expected_;
  std::unique_ptr<std::FILE, Close> file_;
  Image image_;
  uint64_t total_ = 0; ///< samples; 0 while the header is read
  size_t line_ = 1;    ///< of the last character
  bool lineEnded_ = false;
};

} // namespace

Image readPnm(const std::string &path, const PnmExpectation &expected) {
  return Reader(path, expected).read();
}

} // namespace aiwc::eod
