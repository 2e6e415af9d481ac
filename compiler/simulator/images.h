/// The pixels that read_image* and write_image* access in Oclgrind, whose images are buffers of
/// global memory without padding between pixels, rows and slices.
#pragma once

#include "simulator/compat.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace aiwc::simulator {

/// Whether a function of this name (without its mangling) reads or writes pixels.
bool readsImage(std::string_view name);
bool writesImage(std::string_view name);

/// The image that Oclgrind passes in the `argument` of a kernel; null if the argument is a buffer
/// or nothing, on which Oclgrind's functions would crash.
const oclgrind::Image *imageOf(uint64_t argument);

/// A format in the words of OpenCL: "CL_RG, CL_FLOAT".
std::string formatName(const cl_image_format &format);

/// Bytes of a pixel; 0 for a format that Oclgrind does not access.
uint32_t pixelBytes(const cl_image_format &format);

/// The address of the pixel of `image` that contains `address`.
uint64_t pixelAt(const oclgrind::Image &image, uint64_t address);

/// Whether the pixel at these coordinates is in the image; there is none beyond its border.
bool isInside(const oclgrind::Image &image, int32_t x, int32_t y, int32_t z);

/// The address of the pixel at these coordinates, which Oclgrind does not compare with the sizes of
/// the image; sums wrap around.
uint64_t pixelAddress(const oclgrind::Image &image, int32_t x, int32_t y, int32_t z,
                      int32_t layer = 0);

/// Where a call of read_image* looks.
struct PlaceRead {
  /// By dimension, the coordinates of the two pixels between which a linear filter interpolates.
  /// The second counts if `isLinear`, else the first.
  std::array<std::array<int32_t, 2>, 3> pixels{};
  std::array<float, 3> weights{}; ///< of the second
  int32_t layer = 0;              ///< of an array of images
  bool isLinear = false;
};

/// `sampler`: OpenCL C's bits, without CLK_FILTER_LINEAR for a function that does not filter.
/// `coordinates`: 0 for those that the call does not have.
PlaceRead placeRead(const oclgrind::Image &image, uint32_t sampler,
                    const std::array<float, 3> &coordinates);

/// The pixels that one call accesses: addresses in global memory, all of `bytes` bytes.
class Pixels {
public:
  static constexpr unsigned kMost = 8; ///< a linear filter in three dimensions

  uint32_t bytes = 0;

  std::span<const uint64_t> addresses() const { return {addresses_.data(), count_}; }
  /// Adds an address, unless it was added before. They are kept in ascending order.
  void add(uint64_t address);

private:
  std::array<uint64_t, kMost> addresses_{};
  unsigned count_ = 0;
};

/// The pixels of the image that are read. The image has a format that Oclgrind accesses.
Pixels pixelsRead(const oclgrind::Image &image, const PlaceRead &place);

} // namespace aiwc::simulator
