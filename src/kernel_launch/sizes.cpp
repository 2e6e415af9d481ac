#include "kernel_launch/sizes.h"

#include "common/error.h"
#include "common/wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace aiwc::kernel_launch {

namespace {

class Expression {
public:
  /// `sizes`: null where the text may not refer to any.
  Expression(std::string_view text, const Sizes *sizes) : text_(text), sizes_(sizes) {}

  int64_t value() {
    const SignedWide result = sum();
    skipBlanks();
    if (at_ != text_.size())
      fail();
    return static_cast<int64_t>(result);
  }

private:
  [[noreturn]] void fail() const {
    throw Error(fmt::format("'{}' is no whole number: expected one such as 1024, 4K, 1M or 2*gx+1, "
                            "with gx, gy, gz, lx, ly, lz or items",
                            text_));
  }
  SignedWide checked(SignedWide value) const {
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

  SignedWide sum() {
    SignedWide value = product();
    for (;;)
      if (take('+'))
        value = checked(value + product());
      else if (take('-'))
        value = checked(value - product());
      else
        return value;
  }

  SignedWide product() {
    SignedWide value = factor();
    for (;;)
      if (take('*'))
        value = checked(value * factor());
      else if (const bool isRemainder = take('%'); isRemainder || take('/')) {
        const SignedWide divisor = factor();
        if (divisor == 0)
          throw Error(fmt::format("'{}' divides by 0: expected another divisor", text_));
        value = checked(isRemainder ? value % divisor : value / divisor);
      } else
        return value;
  }

  SignedWide factor() {
    if (++depth_ > kMostNested)
      fail();
    SignedWide value = 0;
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

  SignedWide word() {
    skipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (sizes_ && word == "items")
      return checked(SignedWide{sizes_->items()});
    if (sizes_ && word.size() == 2 && (word[0] == 'g' || word[0] == 'l') && word[1] >= 'x' &&
        word[1] <= 'z')
      return size(word[0], static_cast<size_t>(word[1] - 'x'));
    return number(word);
  }

  SignedWide size(char which, size_t dimension) const {
    if (which == 'g')
      return checked(SignedWide{sizes_->global[dimension]});
    if (!sizes_->hasLocal())
      throw Error(fmt::format(
          "'{}' needs the local size, which is left to OpenCL: expected --local", text_));
    return checked(SignedWide{sizes_->local[dimension]});
  }

  SignedWide number(std::string_view word) const {
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
    return checked(SignedWide{value} << shift);
  }

  static constexpr int kMostNested = 64;
  std::string_view text_;
  const Sizes *sizes_;
  size_t at_ = 0;
  int depth_ = 0;
};

struct Extent {
  unsigned dimensions = 0;
  Size3 size{};
};

/// "1024x16", or expressions with commas: "4*1024,16".
Extent extentOf(std::string_view option, std::string_view text, bool mayBeZero, uint64_t fill) {
  Extent extent;
  extent.size.fill(fill);
  const char separator = text.find(',') == std::string_view::npos ? 'x' : ',';
  const auto wrong = [&] {
    return Error(fmt::format("{} is '{}': expected one to three sizes {} with x between them, such "
                             "as 1024 or 1024x16",
                             option, text, mayBeZero ? "from 0 on" : "above 0"));
  };
  for (std::string_view rest = text;;) {
    const size_t end = std::min(rest.find(separator), rest.size());
    if (extent.dimensions == extent.size.size())
      throw wrong();
    int64_t size = 0;
    try {
      size = Expression(rest.substr(0, end), nullptr).value();
    } catch (const Error &) {
      throw wrong();
    }
    if (size < (mayBeZero ? 0 : 1))
      throw wrong();
    extent.size[extent.dimensions++] = static_cast<uint64_t>(size);
    if (end == rest.size())
      return extent;
    rest.remove_prefix(end + 1);
  }
}

} // namespace

Sizes sizesOf(const std::string &global, const std::string &local, const std::string &offset) {
  Sizes sizes;
  const Extent ofGlobal = extentOf("--global", global, false, 1);
  sizes.dimensions = ofGlobal.dimensions;
  sizes.global = ofGlobal.size;
  SignedWide items = 1;
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
  return Expression(text, &sizes).value();
}

bool holds(std::string_view condition) {
  // The longer ones first: "<=" begins as "<" does.
  constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<=", ">=", "<", ">"};
  for (size_t i = 0; i < kComparisons.size(); ++i) {
    const size_t at = condition.find(kComparisons[i]);
    if (at == std::string_view::npos)
      continue;
    const int64_t left = Expression(condition.substr(0, at), nullptr).value();
    const int64_t right =
        Expression(condition.substr(at + kComparisons[i].size()), nullptr).value();
    const bool results[] = {left == right, left != right, left <= right, left >= right,
                            left<right, left> right};
    return results[i];
  }
  throw Error(
      fmt::format("'{}' compares nothing: expected one of ==, !=, <=, >=, < and >", condition));
}

} // namespace aiwc::kernel_launch
