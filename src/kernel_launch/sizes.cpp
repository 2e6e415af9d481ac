#include "kernel_launch/sizes.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace aiwc::kernel_launch {

namespace {

struct Extent {
  unsigned dimensions = 0;
  Size3 size{};
};

/// "1024x16"
Extent extentOf(std::string_view option, std::string_view text, bool mayBeZero, uint64_t fill) {
  Extent extent;
  extent.size.fill(fill);
  const auto wrong = [&] {
    return Error(fmt::format("{} is '{}': expected one to three sizes {} with x between them, such "
                             "as 1024 or 1024x16",
                             option, text, mayBeZero ? "from 0 on" : "above 0"));
  };
  const char *at = text.data();
  const char *const end = at + text.size();
  for (;;) {
    if (extent.dimensions == 3)
      throw wrong();
    uint64_t &size = extent.size[extent.dimensions++];
    const auto read = std::from_chars(at, end, size);
    if (read.ec != std::errc() || (size == 0 && !mayBeZero))
      throw wrong();
    at = read.ptr;
    if (at == end)
      return extent;
    if (*at++ != 'x')
      throw wrong();
  }
}

class Expression {
public:
  Expression(std::string_view text, const Sizes &sizes) : text_(text), sizes_(sizes) {}

  int64_t value() {
    const Wide result = sum();
    skipBlanks();
    if (at_ != text_.size())
      fail();
    return static_cast<int64_t>(result);
  }

private:
  using Wide = __int128; // products of two numbers of 64 bits fit

  [[noreturn]] void fail() const {
    throw Error(fmt::format("'{}' is no whole number: expected one such as 1024, 4K, 1M or 2*gx+1, "
                            "with gx, gy, gz, lx, ly, lz or items",
                            text_));
  }
  Wide checked(Wide value) const {
    if (value > std::numeric_limits<int64_t>::max() || value < std::numeric_limits<int64_t>::min())
      throw Error(fmt::format("'{}' is too large: expected a number of 64 bits", text_));
    return value;
  }
  void skipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }
  bool take(char c) {
    skipBlanks();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  Wide sum() {
    Wide value = product();
    for (;;)
      if (take('+'))
        value = checked(value + product());
      else if (take('-'))
        value = checked(value - product());
      else
        return value;
  }

  Wide product() {
    Wide value = factor();
    for (;;)
      if (take('*'))
        value = checked(value * factor());
      else if (take('/')) {
        const Wide divisor = factor();
        if (divisor == 0)
          throw Error(fmt::format("'{}' divides by 0: expected another divisor", text_));
        value = checked(value / divisor);
      } else
        return value;
  }

  Wide factor() {
    if (++depth_ > kMostNested)
      fail();
    Wide value = 0;
    if (take('-')) {
      value = -factor();
    } else if (take('(')) {
      value = sum();
      if (!take(')'))
        fail();
    } else {
      value = word();
    }
    --depth_;
    return value;
  }

  Wide word() {
    skipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "items")
      return checked(Wide{sizes_.items()});
    if (word.size() == 2 && (word[0] == 'g' || word[0] == 'l') && word[1] >= 'x' && word[1] <= 'z')
      return size(word[0], static_cast<size_t>(word[1] - 'x'));
    return number(word);
  }

  Wide size(char which, size_t dimension) const {
    if (which == 'g')
      return checked(Wide{sizes_.global[dimension]});
    if (!sizes_.hasLocal())
      throw Error(fmt::format(
          "'{}' needs the local size, which is left to OpenCL: expected --local", text_));
    return checked(Wide{sizes_.local[dimension]});
  }

  Wide number(std::string_view word) const {
    const bool isHexadecimal = word.starts_with("0x");
    word.remove_prefix(isHexadecimal ? 2 : 0);
    uint64_t value = 0;
    const auto read =
        std::from_chars(word.data(), word.data() + word.size(), value, isHexadecimal ? 16 : 10);
    std::string_view rest = word.substr(static_cast<size_t>(read.ptr - word.data()));
    if (read.ec != std::errc())
      fail();
    int shift = 0;
    if (rest == "K" || rest == "M" || rest == "G") {
      shift = rest == "K" ? 10 : rest == "M" ? 20 : 30;
      rest = "";
    }
    if (!rest.empty())
      fail();
    return checked(Wide{value} << shift);
  }

  static constexpr int kMostNested = 64;
  std::string_view text_;
  const Sizes &sizes_;
  size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

Sizes sizesOf(const std::string &global, const std::string &local, const std::string &offset) {
  Sizes sizes;
  const Extent ofGlobal = extentOf("--global", global, false, 1);
  sizes.dimensions = ofGlobal.dimensions;
  sizes.global = ofGlobal.size;
  __int128 items = 1;
  for (const uint64_t size : sizes.global) {
    items *= size;
    if (items > std::numeric_limits<int64_t>::max())
      throw Error(fmt::format("--global is '{}': expected at most 2^63 - 1 work-items", global));
  }
  const auto sameDimensions = [&](std::string_view option, const std::string &text,
                                  const Extent &extent) {
    if (extent.dimensions != sizes.dimensions)
      throw Error(fmt::format("{} is '{}', and --global '{}': expected as many dimensions", option,
                              text, global));
  };
  if (!local.empty()) {
    const Extent ofLocal = extentOf("--local", local, false, 1);
    sameDimensions("--local", local, ofLocal);
    sizes.local = ofLocal.size;
    for (size_t i = 0; i < 3; ++i)
      if (sizes.global[i] % sizes.local[i] != 0)
        throw Error(fmt::format("--local {} does not divide --global {}: expected a divisor in "
                                "each dimension",
                                local, global));
  }
  if (!offset.empty()) {
    const Extent ofOffset = extentOf("--offset", offset, true, 0);
    sameDimensions("--offset", offset, ofOffset);
    sizes.offset = ofOffset.size;
  }
  return sizes;
}

int64_t numberOf(std::string_view text, const Sizes &sizes) {
  return Expression(text, sizes).value();
}

} // namespace aiwc::kernel_launch
