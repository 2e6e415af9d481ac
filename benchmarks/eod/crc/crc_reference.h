#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::eod::crc {

using Bytes = std::vector<uint8_t>;

/// Random bytes, as of a compressed or encrypted message.
Bytes message(uint32_t bytes, uint64_t seed);

/// The effect of a byte on a checksum: entry 256 k + b is the remainder of byte b followed by k
/// zero bytes, 0 <= k < 8.
std::vector<uint32_t> tables();

/// The checksum of a message from those of its pages, all of them `page` bytes long but the last.
/// Appending n bytes multiplies a message by x^(8 n), so checksum(A B) is checksum(A) x^(8 |B|) +
/// checksum(B) modulo the polynomial of CRC-32.
uint32_t combined(std::span<const uint32_t> checksums, uint32_t bytes, uint32_t page);

/// CRC-32 of IEEE 802.3 (polynomial 04c11db7, bits reflected, complemented before and after), bit
/// by bit. That of the nine characters 123456789 is cbf43926.
uint32_t bitByBit(std::span<const uint8_t> message);

/// Whether the checksums of all pages and of the whole message equal those computed bit by bit.
Verdict check(std::span<const uint8_t> message, uint32_t page, std::span<const uint32_t> checksums,
              uint32_t whole);

} // namespace aiwc::eod::crc
