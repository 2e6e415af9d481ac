/// Numbers of 16 bits: IEEE 754's binary16, with 11 significant bits and exponents of -14 to 15.
/// Headers only: the preloaded library includes it.
#pragma once

#include <bit>
#include <cstdint>

namespace aiwc {

/// How a number that is no half becomes one.
enum class HalfRounding { kToEven, kToZero, kUp, kDown };

/// The value of a half, which every half has as a double. A NaN becomes quiet and keeps its bits.
constexpr double fromHalf(uint16_t half) {
  const uint64_t sign = uint64_t{half & 0x8000U} << 48;
  const unsigned exponent = half >> 10 & 31;
  const uint64_t fraction = half & 1023U;
  if (exponent == 31)
    return std::bit_cast<double>(sign | 0x7ff0'0000'0000'0000 | fraction << 42 |
                                 (fraction == 0 ? 0 : uint64_t{1} << 51));
  if (exponent > 0)
    return std::bit_cast<double>(sign | uint64_t{exponent + 1008} << 52 | fraction << 42);
  const double size = static_cast<double>(fraction) * 0x1p-24;
  return sign != 0 ? -size : size;
}

/// The half next to a number: the nearest, and of two the even one, unless `rounding` says
/// otherwise. Rounded once, whatever the processor's rounding mode is. A NaN becomes quiet and
/// keeps its upper bits.
constexpr uint16_t toHalf(double value, HalfRounding rounding = HalfRounding::kToEven) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  const uint64_t size = bits & ~(uint64_t{1} << 63);
  constexpr uint64_t kInfinity = 0x7ff0'0000'0000'0000;
  if (size > kInfinity)
    return static_cast<uint16_t>(sign | 0x7e00 | (size >> 42 & 1023));
  const bool isAway = rounding == (sign ? HalfRounding::kDown : HalfRounding::kUp);
  const int exponent = static_cast<int>(size >> 52) - 1023;
  if (exponent > 15) {
    const bool isInfinite = size == kInfinity || isAway || rounding == HalfRounding::kToEven;
    return static_cast<uint16_t>(sign | (isInfinite ? 0x7c00 : 0x7bff));
  }
  if (exponent < -26) // less than half of the least half
    return static_cast<uint16_t>(sign | (isAway && size != 0 ? 1 : 0));
  const uint64_t significand = (size & ~kInfinity) | uint64_t{1} << 52;
  const int dropped = exponent < -14 ? 28 - exponent : 42;
  const uint64_t unit = uint64_t{1} << dropped, rest = significand & (unit - 1);
  uint64_t result = significand >> dropped;
  const bool isNearer = rest > unit / 2 || (rest == unit / 2 && result % 2 != 0);
  result += rounding == HalfRounding::kToEven ? isNearer : isAway && rest != 0;
  // The bit above the fraction, or a carry, goes into the exponent, as it should.
  return static_cast<uint16_t>(sign | (result + (exponent < -14 ? 0U : (exponent + 14U) << 10)));
}

} // namespace aiwc
