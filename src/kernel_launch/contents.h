/// What a buffer, an image or a value holds: numbers that are made up, or those of a file.
#pragma once

#include "kernel_launch/sizes.h"
#include "kernel_launch/value_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

/// The text of contents, split: "random(-1,gx)".
struct Contents {
  enum class Kind : uint8_t {
    kZeros,
    kFill,   ///< fill(VALUE)
    kRange,  ///< range, range(FIRST), range(FIRST,STEP): FIRST, FIRST + STEP, ...
    kRandom, ///< random(LOW,HIGH), random(LOW,HIGH,SEED): integers from LOW to HIGH, both included
    kNumpy,  ///< FILE.npy
    kBytes,  ///< FILE.bin
  };

  Kind kind = Kind::kZeros;
  std::vector<std::string> numbers; ///< what is in the parentheses
  std::string file;
  std::string text; ///< as the user wrote it

  bool isFile() const { return kind == Kind::kNumpy || kind == Kind::kBytes; }
};

/// Reads a text such as "zeros" or "data/x.npy"; none if it is none of these.
std::optional<Contents> contentsOf(std::string_view text);

/// An array of a file of NumPy's format.
struct NumpyArray {
  ValueType type;
  uint64_t count = 0; ///< numbers, in the order of the file
  std::string bytes;  ///< of the numbers
};
/// Throws Error for a file that is none, is truncated, or holds anything but numbers of 1 to 8
/// bytes, little-endian.
NumpyArray readNumpy(const std::string &file);

/// The most bytes that a buffer may have.
inline constexpr uint64_t kMostBytes = uint64_t{1} << 36;

/// Throws Error, with both numbers, if no so many bytes are available for the buffers of a launch.
/// Memory that is promised and not there ends the process without a word.
void requireMemory(std::string_view kernel, uint64_t bytes);

/// `count` values of `type`, as they are in memory. Equal arguments give equal bytes on every
/// machine; `stream` makes arguments differ whose random contents have the same bounds. A file has
/// to have as many values; of more, the first are taken. Throws Error for what cannot be.
std::string bytesOf(const Contents &contents, const ValueType &type, uint64_t count,
                    const Sizes &sizes, uint64_t stream);

/// A number as the user wrote it: of a floating-point type also "0.5" and "-1e3"; otherwise, and
/// else, as `numberOf` reads it. Throws Error, also for an integer that the type does not hold.
std::string numberBytes(std::string_view text, const ValueType &type, const Sizes &sizes);

/// "a,b(c,d),e" at the commas outside of parentheses.
std::vector<std::string> splitAtCommas(std::string_view text);

} // namespace aiwc::kernel_launch
