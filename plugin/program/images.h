/// The pixels that read_image* and write_image* access in Oclgrind, whose images are buffers of
/// global memory without padding between pixels, rows and slices.
#pragma once

#include "plugin/program/compat.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace aiwc::plugin {

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

/// The pixels that `call`, of a function that readsImage or writesImage, would access if `item`
/// executed it; a pixel that is read is in the image, one that is written may be anywhere.
/// `overload`: the mangled types of the function's parameters. Empty if the image has a format that
/// Oclgrind does not access.
std::optional<Pixels> pixelsOf(const oclgrind::WorkItem &item, const oclgrind::Image &image,
                               const llvm::CallInst &call, std::string_view overload);

} // namespace aiwc::plugin
