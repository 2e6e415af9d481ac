#include "eod/formats/pnm.h"

#include "eod/formats/input_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace aiwc::eod {
namespace {

bool isBlank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class PnmReader {
public:
  PnmReader(const std::string &path, const PnmExpectation &expected)
      : file_(path, expected.colour ? "a PGM or PPM file" : "a PGM file"), expected_(expected) {}

  Image read() {
    const bool raw = readMagic();
    image_.width = number("width");
    image_.height = number("height");
    const uint64_t pixels = uint64_t{image_.width} * image_.height;
    if (pixels < 1 || pixels > expected_.pixels)
      file_.fail(fmt::format("{} by {} pixels", image_.width, image_.height),
                 fmt::format("1 to {} pixels", expected_.pixels));
    image_.maximum = number("largest sample");
    if (image_.maximum < 1 || image_.maximum > expected_.maximum)
      file_.fail(fmt::format("largest sample {}", image_.maximum),
                 fmt::format("1 to {}", expected_.maximum));
    total_ = pixels * image_.channels;
    file_.line += raw && lineEnded_;
    while (image_.samples.size() < total_)
      addSample(raw ? rawSample() : number("sample"));
    return std::move(image_);
  }

private:
  int next() {
    const int c = file_.next();
    if (c != EOF) {
      file_.line += lineEnded_;
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
      file_.fail("not such an image", expected_.colour ? "P2, P3, P5 or P6 in the beginning"
                                                       : "P2 or P5 in the beginning");
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
        file_.fail(fmt::format("{} in the {}", shown(c), what), "a decimal number");
      value = value * 10 + static_cast<uint64_t>(c - '0');
      if (value > UINT32_MAX)
        file_.fail(fmt::format("{} is too large", what), fmt::format("at most {}", UINT32_MAX));
    }
    if (c == '#')
      skipComment();
    return static_cast<uint32_t>(value);
  }

  uint32_t rawSample() {
    uint32_t value = 0;
    for (uint32_t bytes = image_.maximum > 255 ? 2 : 1; bytes > 0; --bytes) {
      const int c = file_.next();
      if (c == EOF)
        truncated("sample");
      value = value * 256 + static_cast<uint32_t>(c);
    }
    return value;
  }

  void addSample(uint32_t sample) {
    if (sample > image_.maximum)
      file_.fail(fmt::format("sample {} is {}", image_.samples.size(), sample),
                 fmt::format("at most {}", image_.maximum));
    image_.samples.push_back(static_cast<uint16_t>(sample));
  }

  [[noreturn]] void truncated(std::string_view what) const {
    if (total_ > 0)
      file_.fail(fmt::format("ends after {} samples", image_.samples.size()),
                 fmt::format("{}", total_));
    file_.fail("ends in its header", fmt::format("the {}", what));
  }

  InputFile file_;
  const PnmExpectation expected_;
  Image image_;
  uint64_t total_ = 0; ///< samples; 0 while the header is read
  bool lineEnded_ = false;
};

} // namespace

Image readPnm(const std::string &path, const PnmExpectation &expected) {
  return PnmReader(path, expected).read();
}

} // namespace aiwc::eod
