#include "kernel_launch/contents.h"

#include "common/as_number.h"
#include "common/error.h"
#include "common/file.h"
#include "common/hash.h"
#include "common/memory.h"
#include "common/wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

using ContentsKind = Contents::Kind;

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
class Generator {
public:
  explicit Generator(uint64_t seed) : state_(seed) {}
  uint64_t next() { return splitMix64(state_ += kGoldenRatio); }
  /// From 0 to 1, without 1.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t state_;
};

double floatOf(std::string_view text, const Sizes &sizes) {
  if (const auto plain = asNumber<double>(text))
    return *plain;
  if (text.ends_with('f') && !text.starts_with("0x"))
    if (const auto plain = asNumber<double>(text.substr(0, text.size() - 1))) // "0.5f"
      return *plain;
  if (text.find_first_not_of("+-.0123456789eEf") == std::string_view::npos &&
      text.find_first_of(".eEf") != std::string_view::npos) // no expression
    throw Error(fmt::format("'{}' is no floating-point number: expected one such as 0.5, -1e3, 4K "
                            "or 2*gx+1, of at most 1.8e308, or inf",
                            text));
  return static_cast<double>(numberOf(text, sizes));
}

int64_t integerOf(std::string_view text, const ValueType &type, const Sizes &sizes) {
  if (type.bytes == 8 && type.kind == ValueType::Kind::kUnsigned)
    if (const auto large = asNumber(text)) // above 2^63 - 1
      return static_cast<int64_t>(*large);
  const int64_t value = numberOf(text, sizes);
  const bool isSigned = type.kind == ValueType::Kind::kSigned;
  const unsigned bits = type.bytes * 8;
  const int64_t high = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - (isSigned ? 1 : 0))) - 1;
  const int64_t low = !isSigned ? 0 : bits == 64 ? INT64_MIN : -high - 1;
  if (value < low || value > high)
    throw Error(fmt::format("{} does not fit: expected a number of type {}, from {} to {}", text,
                            ValueType{type.kind, type.bytes}.name(), low, high));
  return value;
}

std::string repeated(const std::string &one, uint64_t count) {
  std::string bytes;
  bytes.reserve(one.size() * count);
  for (uint64_t i = 0; i < count; ++i)
    bytes += one;
  return bytes;
}

std::string rangeBytes(const Contents &contents, const ValueType &type, uint64_t numbers,
                       const Sizes &sizes) {
  const auto given = [&](size_t i, const char *otherwise) {
    return i < contents.numbers.size() ? contents.numbers[i] : std::string(otherwise);
  };
  std::string bytes;
  bytes.reserve(numbers * type.bytes);
  if (!type.isInteger()) {
    const double first = floatOf(given(0, "0"), sizes), step = floatOf(given(1, "1"), sizes);
    for (uint64_t i = 0; i < numbers; ++i)
      bytes += floatBytes(type, first + static_cast<double>(i) * step);
    return bytes;
  }
  const auto first = static_cast<uint64_t>(integerOf(given(0, "0"), type, sizes));
  const auto step = static_cast<uint64_t>(numberOf(given(1, "1"), sizes));
  for (uint64_t i = 0; i < numbers; ++i)
    bytes += integerBytes(type, static_cast<int64_t>(first + i * step));
  return bytes;
}

std::string randomBytes(const Contents &contents, const ValueType &type, uint64_t numbers,
                        const Sizes &sizes, uint64_t stream) {
  const auto &given = contents.numbers;
  const uint64_t seed = given.size() > 2 ? static_cast<uint64_t>(numberOf(given[2], sizes)) : 0;
  Generator generator(seed * 0x100000001b3 + stream);
  std::string bytes;
  bytes.reserve(numbers * type.bytes);
  if (!type.isInteger()) {
    const double low = floatOf(given[0], sizes), high = floatOf(given[1], sizes);
    if (!(low <= high))
      throw Error(fmt::format("{}: expected the lower bound first", contents.text));
    for (uint64_t i = 0; i < numbers; ++i)
      bytes += floatBytes(type, low + (high - low) * generator.fraction());
    return bytes;
  }
  const int64_t low = integerOf(given[0], type, sizes), high = integerOf(given[1], type, sizes);
  const bool isUnsigned = type.kind == ValueType::Kind::kUnsigned;
  if (isUnsigned ? static_cast<uint64_t>(low) > static_cast<uint64_t>(high) : low > high)
    throw Error(fmt::format("{}: expected the lower bound first", contents.text));
  const Wide span = Wide{static_cast<uint64_t>(high) - static_cast<uint64_t>(low)} + 1;
  for (uint64_t i = 0; i < numbers; ++i) {
    const auto above = static_cast<uint64_t>(generator.next() * span >> 64);
    bytes += integerBytes(type, static_cast<int64_t>(static_cast<uint64_t>(low) + above));
  }
  return bytes;
}

std::string fileBytes(const Contents &contents, const ValueType &type, uint64_t bytes) {
  std::string held;
  if (contents.kind == ContentsKind::kNumpy) {
    NumpyArray array = readNumpy(contents.file);
    if (array.type.bytes != type.bytes || array.type.isInteger() != type.isInteger())
      throw Error(fmt::format("{}: holds numbers of type {}: expected {}", contents.file,
                              array.type.name(), ValueType{type.kind, type.bytes}.name()));
    held = std::move(array.bytes);
  } else {
    held = readFile(contents.file, "a file of values", kMostBytes);
  }
  if (held.size() < bytes)
    throw Error(fmt::format("{}: holds {} bytes: expected {}", contents.file, held.size(), bytes));
  held.resize(bytes);
  return held;
}

/// The value of `key` in the header of a NumPy file, which is a dictionary of Python.
std::string_view headerValue(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos)
    return {};
  header.remove_prefix(at + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  if (header.starts_with('('))
    return header.substr(0, std::min(header.find(')'), header.size()));
  return header.substr(0, header.find_first_of(",}"));
}

std::optional<ValueType> numpyType(std::string_view text) {
  if (text.size() != 5 || (text[1] != '<' && text[1] != '|' && text[1] != '='))
    return std::nullopt; // such as '>f4'
  const unsigned bytes = static_cast<unsigned>(text[3] - '0');
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return std::nullopt;
  switch (text[2]) {
  case 'f':
    return bytes > 1 ? std::optional(ValueType{ValueType::Kind::kFloat, bytes}) : std::nullopt;
  case 'i':
    return ValueType{ValueType::Kind::kSigned, bytes};
  case 'u':
  case 'b':
    return ValueType{ValueType::Kind::kUnsigned, bytes};
  default:
    return std::nullopt;
  }
}

} // namespace

std::vector<std::string> splitAtCommas(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<Contents> contentsOf(std::string_view text) {
  Contents contents;
  contents.text = text;
  if (text.ends_with(".npy") || text.ends_with(".bin")) {
    contents.kind = text.ends_with(".npy") ? ContentsKind::kNumpy : ContentsKind::kBytes;
    contents.file = text;
    return contents;
  }
  const size_t open = std::min(text.find('('), text.size());
  const std::string_view name = text.substr(0, open);
  if (open < text.size()) {
    if (!text.ends_with(')'))
      return std::nullopt;
    contents.numbers = splitAtCommas(text.substr(open + 1, text.size() - open - 2));
  }
  const size_t count = contents.numbers.size();
  constexpr struct {
    std::string_view name;
    ContentsKind kind;
    size_t fewest, most;
  } kKinds[] = {{"zeros", ContentsKind::kZeros, 0, 0},
                {"fill", ContentsKind::kFill, 1, 1},
                {"range", ContentsKind::kRange, 0, 2},
                {"random", ContentsKind::kRandom, 2, 3}};
  for (const auto &kind : kKinds)
    if (name == kind.name && count >= kind.fewest && count <= kind.most) {
      contents.kind = kind.kind;
      return contents;
    }
  return std::nullopt;
}

NumpyArray readNumpy(const std::string &file) {
  const std::string content = readFile(file, "a file of NumPy (.npy)", kMostBytes);
  const auto wrong = [&](std::string_view what) {
    return Error(fmt::format("{}: {}: expected a complete .npy file of numbers of 1, 2, 4 or 8 "
                             "bytes, little-endian",
                             file, what));
  };
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!content.starts_with(kMagic) || content.size() < 12)
    throw wrong("is no file of NumPy");
  const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(content[i])}; };
  const bool isLong = byte(6) > 1; // of versions 2 and 3
  const size_t begin = isLong ? 12 : 10;
  const size_t length =
      byte(8) | byte(9) << 8 | (isLong ? byte(10) << 16 | byte(11) << 24 : size_t{0});
  if (content.size() - begin < length)
    throw wrong("is truncated");
  const std::string_view header = std::string_view(content).substr(begin, length);
  const auto type = numpyType(headerValue(header, "descr"));
  if (!type)
    throw wrong("holds something else");
  NumpyArray array{*type, 1, {}};
  std::string_view shape = headerValue(header, "shape");
  if (!shape.starts_with('('))
    throw wrong("has no shape");
  shape.remove_prefix(1);
  for (const std::string &part : splitAtCommas(shape)) {
    const size_t digit = part.find_first_not_of(' ');
    if (digit == std::string::npos)
      continue; // after the comma of "(3,)"
    uint64_t size = 0;
    const auto read = std::from_chars(part.data() + digit, part.data() + part.size(), size);
    if (read.ec != std::errc() || __builtin_mul_overflow(array.count, size, &array.count))
      throw wrong("has no shape");
  }
  if (array.count > (content.size() - begin - length) / type->bytes)
    throw wrong("is truncated");
  array.bytes = content.substr(begin + length, array.count * type->bytes);
  return array;
}

void requireMemory(std::string_view kernel, uint64_t bytes) {
  const auto gibibytes = [](uint64_t number) {
    return fmt::format("{:.2f} GiB", static_cast<double>(number) / (uint64_t{1} << 30));
  };
  if (const auto available = availableMemory(Swap::kIncluded); available && bytes > *available)
    throw Error(fmt::format("the buffers of {} need {} of memory, here and in the simulator, and "
                            "{} are available: expected smaller buffers",
                            kernel, gibibytes(bytes), gibibytes(*available)));
}

std::string numberBytes(std::string_view text, const ValueType &type, const Sizes &sizes) {
  return type.isInteger() ? integerBytes(type, integerOf(text, type, sizes))
                          : floatBytes(type, floatOf(text, sizes));
}

std::string bytesOf(const Contents &contents, const ValueType &type, uint64_t count,
                    const Sizes &sizes, uint64_t stream) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, type.valueBytes(), &bytes) || bytes > kMostBytes)
    throw Error(fmt::format("{} values of {} bytes are too large: expected at most 64 GiB", count,
                            type.valueBytes()));
  const uint64_t numbers = count * type.stored();
  switch (contents.kind) {
  case ContentsKind::kZeros:
    return std::string(bytes, '\0');
  case ContentsKind::kFill:
    return repeated(numberBytes(contents.numbers[0], type, sizes), numbers);
  case ContentsKind::kRange:
    return rangeBytes(contents, type, numbers, sizes);
  case ContentsKind::kRandom:
    return randomBytes(contents, type, numbers, sizes, stream);
  default:
    return fileBytes(contents, type, bytes);
  }
}

} // namespace aiwc::kernel_launch
