#include "kernel_launch/value_type.h"

#include "common/half_precision.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

using NumberKind = ValueType::Kind;

constexpr std::array<std::pair<std::string_view, ValueType>, 37> kNames = {{
    {"f16", {NumberKind::kFloat, 2}},
    {"f32", {NumberKind::kFloat, 4}},
    {"f64", {NumberKind::kFloat, 8}},
    {"i8", {NumberKind::kSigned, 1}},
    {"i16", {NumberKind::kSigned, 2}},
    {"i32", {NumberKind::kSigned, 4}},
    {"i64", {NumberKind::kSigned, 8}},
    {"u8", {NumberKind::kUnsigned, 1}},
    {"u16", {NumberKind::kUnsigned, 2}},
    {"u32", {NumberKind::kUnsigned, 4}},
    {"u64", {NumberKind::kUnsigned, 8}},
    {"half", {NumberKind::kFloat, 2}},
    {"float", {NumberKind::kFloat, 4}},
    {"double", {NumberKind::kFloat, 8}},
    {"char", {NumberKind::kSigned, 1}},
    {"short", {NumberKind::kSigned, 2}},
    {"int", {NumberKind::kSigned, 4}},
    {"long", {NumberKind::kSigned, 8}},
    {"uchar", {NumberKind::kUnsigned, 1}},
    {"ushort", {NumberKind::kUnsigned, 2}},
    {"uint", {NumberKind::kUnsigned, 4}},
    {"ulong", {NumberKind::kUnsigned, 8}},
    {"unsigned char", {NumberKind::kUnsigned, 1}},
    {"unsigned short", {NumberKind::kUnsigned, 2}},
    {"unsigned int", {NumberKind::kUnsigned, 4}},
    {"unsigned long", {NumberKind::kUnsigned, 8}},
    {"size_t", {NumberKind::kUnsigned, 8}},
    {"atomic_int", {NumberKind::kSigned, 4}},
    {"atomic_uint", {NumberKind::kUnsigned, 4}},
    {"atomic_long", {NumberKind::kSigned, 8}},
    {"atomic_ulong", {NumberKind::kUnsigned, 8}},
    {"atomic_float", {NumberKind::kFloat, 4}},
    {"atomic_double", {NumberKind::kFloat, 8}},
    {"atomic_flag", {NumberKind::kSigned, 4}},
    {"signed char", {NumberKind::kSigned, 1}}, // of CUDA, like those that follow
    {"long long", {NumberKind::kSigned, 8}},
    {"unsigned long long", {NumberKind::kUnsigned, 8}},
}};
constexpr size_t kOwnNames = 11; ///< the first ones, whose vectors have an x before the count
constexpr size_t kWithVectors = 26;

constexpr std::array<std::pair<std::string_view, unsigned>, 5> kCounts = {
    {{"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}}};

template <typename Number> std::string bytesOf(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

template <typename Number> Number at(const char *data) {
  Number number;
  std::memcpy(&number, data, sizeof number);
  return number;
}

} // namespace

std::string ValueType::name() const {
  const char letter = kind == NumberKind::kFloat ? 'f' : kind == NumberKind::kSigned ? 'i' : 'u';
  return fmt::format("{}{}{}", letter, bytes * 8, count > 1 ? fmt::format("x{}", count) : "");
}

std::optional<ValueType> valueTypeOf(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    const auto &[known, type] = kNames[i];
    if (!name.starts_with(known))
      continue;
    std::string_view rest = name.substr(known.size());
    if (rest.empty())
      return type;
    if (i >= kWithVectors || (i < kOwnNames && !rest.starts_with('x')))
      continue;
    rest.remove_prefix(i < kOwnNames ? 1 : 0);
    for (const auto &[text, count] : kCounts)
      if (rest == text)
        return ValueType{type.kind, type.bytes, count};
  }
  return std::nullopt;
}

std::string floatBytes(const ValueType &type, double value) {
  switch (type.bytes) {
  case 2:
    return bytesOf(toHalf(value));
  case 4:
    return bytesOf(static_cast<float>(value));
  default:
    return bytesOf(value);
  }
}

std::string integerBytes(const ValueType &type, int64_t value) {
  static_assert(std::endian::native == std::endian::little);
  return bytesOf(value).substr(0, type.bytes);
}

double floatAt(const ValueType &type, const char *data) {
  switch (type.bytes) {
  case 2:
    return fromHalf(at<uint16_t>(data));
  case 4:
    return at<float>(data);
  default:
    return at<double>(data);
  }
}

int64_t integerAt(const ValueType &type, const char *data) {
  const bool isSigned = type.kind == NumberKind::kSigned;
  switch (type.bytes) {
  case 1:
    return isSigned ? at<int8_t>(data) : at<uint8_t>(data);
  case 2:
    return isSigned ? at<int16_t>(data) : at<uint16_t>(data);
  case 4:
    return isSigned ? at<int32_t>(data) : at<uint32_t>(data);
  default:
    return at<int64_t>(data);
  }
}

} // namespace aiwc::kernel_launch
