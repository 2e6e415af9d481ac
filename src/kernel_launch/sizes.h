/// The NDRange of a launch, and numbers that depend on it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::kernel_launch {

using Size3 = std::array<uint64_t, 3>;

struct Sizes {
  unsigned dimensions = 1; ///< 1 to 3
  /// In work-items, x first; 1 in dimensions that the NDRange does not have.
  Size3 global{1, 1, 1};
  /// All 0 if it is left to OpenCL.
  Size3 local{};
  Size3 offset{};

  bool hasLocal() const { return local[0] != 0; }
  uint64_t items() const { return global[0] * global[1] * global[2]; }
};

/// The sizes that the texts of --global, --local and --offset stand for, such as "1024x1024", or
/// expressions as below, without sizes, separated by commas: "4K/16,8". An
/// empty local size is left to OpenCL, an empty offset is 0. Throws Error for texts that are none,
/// for different numbers of dimensions, for a local size that does not divide the global size, and
/// for more work-items than fit in 63 bits.
Sizes sizesOf(const std::string &global, const std::string &local, const std::string &offset);

/// The whole number that an expression stands for: numbers (1024, 0x10, 4K, 1M, 1G: times 1024,
/// 1024^2, 1024^3), gx, gy and gz (the global size), lx, ly and lz (the local size), items (the
/// number of work-items), + - * / % and parentheses. Throws Error for anything else, for a local
/// size that is left to OpenCL, for a division by 0, and for results beyond 64 bits.
int64_t numberOf(std::string_view text, const Sizes &sizes);

/// Whether a comparison of two such expressions, without sizes, holds: "64 % (8*4) == 0". Throws
/// Error for any other text.
bool holds(std::string_view condition);

} // namespace aiwc::kernel_launch
