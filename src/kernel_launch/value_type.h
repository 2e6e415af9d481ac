/// The types that values and elements of buffers have, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::kernel_launch {

/// A number of OpenCL C, or a vector of numbers.
struct ValueType {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat };

  Kind kind = Kind::kSigned;
  unsigned bytes = 4; ///< of a number: 1, 2, 4 or 8
  unsigned count = 1; ///< numbers in a vector: 1, 2, 3, 4, 8 or 16

  bool isInteger() const { return kind != Kind::kFloat; }
  /// Numbers that a value takes in memory: OpenCL stores vectors of 3 as 4.
  unsigned stored() const { return count == 3 ? 4 : count; }
  size_t valueBytes() const { return size_t{bytes} * stored(); }
  /// "f32", "u8x4"
  std::string name() const;
  bool operator==(const ValueType &) const = default;
};

/// The type called `name`: by our names ("f32", "i64", "u8x4") or by OpenCL's ("float", "long",
/// "uchar4", "unsigned int"); none for any other, such as a struct.
std::optional<ValueType> valueTypeOf(std::string_view name);

/// The number of type `type` (of which only one number is written) nearest to `value`, as its bytes
/// in memory.
std::string floatBytes(const ValueType &type, double value);
/// The number modulo 2 to the power of its bits.
std::string integerBytes(const ValueType &type, int64_t value);

/// The number at `data`, which has `type.bytes` bytes.
double floatAt(const ValueType &type, const char *data);
/// 0 beyond 64 bits cannot occur: unsigned 64-bit numbers above 2^63 - 1 come out negative.
int64_t integerAt(const ValueType &type, const char *data);

} // namespace aiwc::kernel_launch
