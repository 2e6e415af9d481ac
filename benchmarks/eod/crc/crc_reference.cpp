#include "eod/crc/crc_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod::crc {
namespace {

/// Polynomials modulo x^32 + ..., the coefficient of x^k in bit 31 - k.
constexpr uint32_t kPolynomial = 0xedb88320;
constexpr uint32_t kOne = 1u << 31;
constexpr uint32_t kX8 = 1u << 23;

uint32_t timesX(uint32_t a) {
  return a & 1 ? a >> 1 ^ kPolynomial : a >> 1;
}

uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if (a & bit)
      sum ^= b;
    b = timesX(b);
  }
  return sum;
}

/// x^(8 n).
uint32_t shiftBy(uint32_t bytes) {
  uint32_t power = kOne;
  for (uint32_t square = kX8; bytes != 0; bytes >>= 1) {
    if (bytes & 1)
      power = product(power, square);
    square = product(square, square);
  }
  return power;
}

} // namespace

Bytes message(uint32_t bytes, uint64_t seed) {
  Random random(seed);
  Bytes result(bytes);
  for (uint8_t &byte : result)
    byte = static_cast<uint8_t>(random.bits() >> 56);
  return result;
}

std::vector<uint32_t> tables() {
  std::vector<uint32_t> result(8 * 256);
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t remainder = byte;
    for (uint32_t k = 0; k < 8; ++k) {
      for (int bit = 0; bit < 8; ++bit)
        remainder = timesX(remainder);
      result[256 * k + byte] = remainder;
    }
  }
  return result;
}

uint32_t combined(std::span<const uint32_t> checksums, uint32_t bytes, uint32_t page) {
  const uint32_t shift = shiftBy(page);
  uint32_t whole = 0; // of no bytes
  for (uint32_t checksum : checksums.first(checksums.size() - 1))
    whole = product(whole, shift) ^ checksum;
  const auto before = static_cast<uint64_t>(checksums.size() - 1) * page;
  return product(whole, shiftBy(static_cast<uint32_t>(bytes - before))) ^ checksums.back();
}

uint32_t bitByBit(std::span<const uint8_t> message) {
  uint32_t remainder = ~0u;
  for (uint8_t byte : message)
    for (int bit = 0; bit < 8; ++bit) {
      const bool subtract = (remainder ^ byte >> bit) & 1;
      remainder = subtract ? remainder >> 1 ^ kPolynomial : remainder >> 1;
    }
  return ~remainder;
}

Verdict check(std::span<const uint8_t> message, uint32_t page, std::span<const uint32_t> checksums,
              uint32_t whole) {
  for (size_t i = 0; i < checksums.size(); ++i) {
    const size_t begin = i * page;
    const uint32_t expected =
        bitByBit(message.subspan(begin, std::min<size_t>(page, message.size() - begin)));
    if (checksums[i] != expected)
      return {false, fmt::format("page {} has the checksum {:08x}, bit by bit it is {:08x}", i,
                                 checksums[i], expected)};
  }
  const uint32_t expected = bitByBit(message);
  if (whole != expected)
    return {false, fmt::format("the message has the checksum {:08x}, bit by bit it is {:08x}",
                               whole, expected)};
  return {true, fmt::format("checksum {:08x}, as computed bit by bit, and those of {} pages", whole,
                            checksums.size())};
}

} // namespace aiwc::eod::crc
