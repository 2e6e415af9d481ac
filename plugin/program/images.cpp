#include "plugin/program/images.h"

#include <algorithm>
#include <cmath>

namespace aiwc::plugin {
namespace {

uint32_t channelBytes(const cl_image_format &format) {
  switch (format.image_channel_data_type) {
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8:
    return 1;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
  case CL_HALF_FLOAT:
    return 2;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT:
    return 4;
  default:
    return 0;
  }
}

uint32_t channels(const cl_image_format &format) {
  switch (format.image_channel_order) {
  case CL_R:
  case CL_Rx:
  case CL_A:
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return 1;
  case CL_RG:
  case CL_RGx:
  case CL_RA:
    return 2;
  case CL_RGB:
  case CL_RGBx:
    return 3;
  case CL_RGBA:
  case CL_ARGB:
  case CL_BGRA:
    return 4;
  default:
    return 0;
  }
}

struct Constant {
  cl_uint value;
  const char *name;
};

#define NAMED(constant)                                                                            \
  Constant {                                                                                       \
    constant, #constant                                                                            \
  }
constexpr std::array kOrders = {NAMED(CL_R),         NAMED(CL_A),    NAMED(CL_RG),   NAMED(CL_RA),
                                NAMED(CL_RGB),       NAMED(CL_RGBA), NAMED(CL_BGRA), NAMED(CL_ARGB),
                                NAMED(CL_INTENSITY), NAMED(CL_Rx),   NAMED(CL_RGx),  NAMED(CL_RGBx),
                                NAMED(CL_LUMINANCE)};
constexpr std::array kChannelTypes = {
    NAMED(CL_SNORM_INT8),       NAMED(CL_SNORM_INT16),     NAMED(CL_UNORM_INT8),
    NAMED(CL_UNORM_INT16),      NAMED(CL_UNORM_SHORT_565), NAMED(CL_UNORM_SHORT_555),
    NAMED(CL_UNORM_INT_101010), NAMED(CL_SIGNED_INT8),     NAMED(CL_SIGNED_INT16),
    NAMED(CL_SIGNED_INT32),     NAMED(CL_UNSIGNED_INT8),   NAMED(CL_UNSIGNED_INT16),
    NAMED(CL_UNSIGNED_INT32),   NAMED(CL_HALF_FLOAT),      NAMED(CL_FLOAT)};
#undef NAMED

template <typename Constants> std::string nameIn(const Constants &constants, cl_uint value) {
  const auto found = std::ranges::find(constants, value, &Constant::value);
  return found == constants.end() ? std::to_string(value) : found->name;
}

/// The conversion that the processor makes: what does not fit, and a NaN, becomes the least
/// integer.
int32_t toInteger(double value) {
  return value > -2147483649.0 && value < 2147483648.0 ? static_cast<int32_t>(value) : INT32_MIN;
}

/// A dimension of an image, and a coordinate in it.
struct Axis {
  uint64_t size;  ///< in pixels
  float asGiven;  ///< the coordinate
  float inPixels; ///< the same, times the size if the sampler has normalized coordinates

  int32_t clamped(int64_t value, int64_t least, int64_t most) const {
    return static_cast<int32_t>(std::clamp(value, least, std::max(least, most)));
  }
  int64_t last() const { return static_cast<int64_t>(size) - 1; }
};

/// The coordinate of the pixel that a sampler with the filter CLK_FILTER_NEAREST takes.
int32_t nearest(const Axis &axis, uint32_t addressing) {
  const float n = axis.asGiven;
  const auto size = static_cast<float>(axis.size);
  const int32_t floored = toInteger(std::floor(axis.inPixels));
  switch (addressing) {
  case CLK_ADDRESS_CLAMP_TO_EDGE:
    return axis.clamped(floored, 0, axis.last());
  case CLK_ADDRESS_CLAMP:
    return axis.clamped(floored, -1, axis.last() + 1);
  case CLK_ADDRESS_REPEAT: {
    const auto whole = static_cast<int64_t>(toInteger(std::floor((n - std::floor(n)) * size)));
    return static_cast<int32_t>(static_cast<uint64_t>(whole) % axis.size);
  }
  case CLK_ADDRESS_MIRRORED_REPEAT: {
    const float folded = std::fabs(n - 2.0f * std::rint(0.5f * n)) * size;
    return static_cast<int32_t>(std::min<int64_t>(toInteger(std::floor(folded)), axis.last()));
  }
  default:
    return floored;
  }
}

/// The coordinates of the two pixels between which a linear filter interpolates.
std::array<int32_t, 2> adjacent(const Axis &axis, uint32_t addressing) {
  const float n = axis.asGiven, u = axis.inPixels;
  const auto size = static_cast<float>(axis.size);
  const auto lower = [](float place) { return toInteger(std::floor(place - 0.5f)); };
  // Sums wrap around: coordinates that are no numbers come as the least integer.
  const auto plus = [](int32_t value, uint64_t added) {
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(value) + added));
  };
  switch (addressing) {
  case CLK_ADDRESS_CLAMP_TO_EDGE:
    return {axis.clamped(lower(u), 0, axis.last()),
            axis.clamped(toInteger(std::floor(u - 0.5f) + 1), 0, axis.last())};
  case CLK_ADDRESS_CLAMP:
    return {axis.clamped(lower(u), -1, axis.last() + 1),
            axis.clamped(toInteger(std::floor(u - 0.5f) + 1), -1, axis.last() + 1)};
  case CLK_ADDRESS_REPEAT: {
    int32_t first = lower((n - std::floor(n)) * size);
    int32_t second = plus(first, 1);
    if (first < 0)
      first = plus(first, axis.size);
    if (static_cast<uint64_t>(second) >= axis.size)
      second = plus(second, 0 - axis.size);
    return {first, second};
  }
  case CLK_ADDRESS_MIRRORED_REPEAT: {
    const int32_t first = lower(std::fabs(n - 2.0f * std::rint(0.5f * n)) * size);
    return {std::max(first, 0),
            static_cast<int32_t>(std::min<int64_t>(plus(first, 1), axis.last()))};
  }
  default:
    return {toInteger(std::floor(u)), toInteger(std::floor(u) + 1)};
  }
}

float coordinate(const oclgrind::TypedValue &value, unsigned index, bool isReal) {
  if (index >= value.num)
    return 0;
  return isReal ? static_cast<float>(value.getFloat(index))
                : static_cast<float>(value.getSInt(index));
}

uint32_t dimensions(const oclgrind::Image &image) {
  switch (image.desc.image_type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return 1;
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return 2;
  default:
    return 3; // and CL_MEM_OBJECT_IMAGE1D_BUFFER, which has no sampler
  }
}

/// The layer of an array of images that the coordinate chooses; it takes its axis out of the image.
int32_t layerOf(const oclgrind::Image &image, std::array<Axis, 3> &axes) {
  const bool isArray = image.desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                       image.desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  if (!isArray)
    return 0;
  Axis &axis = axes[dimensions(image)];
  const int32_t layer = axis.clamped(toInteger(std::rint(axis.asGiven)), 0,
                                     static_cast<int64_t>(image.desc.image_array_size) - 1);
  axis.asGiven = axis.inPixels = 0;
  return layer;
}

void addIfInside(const oclgrind::Image &image, int32_t x, int32_t y, int32_t z, int32_t layer,
                 Pixels &pixels) {
  const uint64_t width = image.desc.image_width, height = image.desc.image_height,
                 depth = image.desc.image_depth;
  const auto inside = [](int32_t at, uint64_t size) {
    return at >= 0 && static_cast<uint64_t>(at) < size;
  };
  if (!inside(x, width) || !inside(y, height) || !inside(z, depth))
    return; // the border's colour, which is in no memory
  const uint64_t slice = static_cast<uint64_t>(z) + static_cast<uint64_t>(layer) * depth;
  const uint64_t row = static_cast<uint64_t>(y) + slice * height;
  pixels.add(image.address + (static_cast<uint64_t>(x) + row * width) * pixels.bytes);
}

void addRead(const oclgrind::Image &image, uint32_t sampler, const std::array<float, 3> &given,
             Pixels &pixels) {
  const std::array<uint64_t, 3> sizes = {image.desc.image_width, image.desc.image_height,
                                         image.desc.image_depth};
  std::array<Axis, 3> axes{};
  for (unsigned d = 0; d < 3; ++d) {
    const float scale = sampler & CLK_NORMALIZED_COORDS_TRUE ? static_cast<float>(sizes[d]) : 1.0f;
    axes[d] = {sizes[d], given[d], given[d] * scale};
  }
  const int32_t layer = layerOf(image, axes);
  const uint32_t addressing = sampler & CLK_ADDRESS_MASK;
  if (!(sampler & CLK_FILTER_LINEAR)) {
    addIfInside(image, nearest(axes[0], addressing), nearest(axes[1], addressing),
                nearest(axes[2], addressing), layer, pixels);
    return;
  }
  std::array<std::array<int32_t, 2>, 3> corners{};
  for (unsigned d = 0; d < 3; ++d) {
    corners[d] = adjacent(axes[d], addressing);
    if (d >= dimensions(image)) // Oclgrind interpolates between equal pixels
      corners[d][0] = corners[d][1];
  }
  for (const int32_t z : corners[2])
    for (const int32_t y : corners[1])
      for (const int32_t x : corners[0])
        addIfInside(image, x, y, z, layer, pixels);
}

} // namespace

bool readsImage(std::string_view name) {
  return name.starts_with("read_image");
}

bool writesImage(std::string_view name) {
  return name.starts_with("write_image");
}

const oclgrind::Image *imageOf(uint64_t argument) {
  // Oclgrind passes the address of its description of an image. The address of a buffer has the
  // buffer's number, which is not 0, in bits that no address of the process uses.
  constexpr unsigned kBufferBits = 48;
  if (argument >> kBufferBits)
    return nullptr;
  return reinterpret_cast<const oclgrind::Image *>(argument); // NOLINT(performance-no-int-to-ptr)
}

std::string formatName(const cl_image_format &format) {
  return nameIn(kOrders, format.image_channel_order) + ", " +
         nameIn(kChannelTypes, format.image_channel_data_type);
}

uint32_t pixelBytes(const cl_image_format &format) {
  return channelBytes(format) * channels(format);
}

uint64_t pixelAt(const oclgrind::Image &image, uint64_t address) {
  return address - (address - image.address) % pixelBytes(image.format);
}

void Pixels::add(uint64_t address) {
  const auto end = addresses_.begin() + count_;
  const auto place = std::lower_bound(addresses_.begin(), end, address);
  if (place != end && *place == address)
    return;
  std::copy_backward(place, end, end + 1);
  *place = address;
  ++count_;
}

std::optional<Pixels> pixelsOf(const oclgrind::WorkItem &item, const oclgrind::Image &image,
                               const llvm::CallInst &call, std::string_view overload) {
  const auto operand = [&](unsigned i) { return item.getOperand(call.getArgOperand(i)); };
  if (pixelBytes(image.format) == 0)
    return std::nullopt;
  Pixels pixels;
  pixels.bytes = pixelBytes(image.format);
  if (call.getType()->isVoidTy()) { // it writes
    std::array<int32_t, 3> at{};
    const oclgrind::TypedValue given = operand(1);
    for (unsigned d = 0; d < 3 && d < given.num; ++d)
      at[d] = static_cast<int32_t>(given.getSInt(d));
    // Sums wrap around, as in Oclgrind, which does not compare the coordinates with the size.
    const auto wide = [](int32_t value) { return static_cast<uint64_t>(value); };
    const uint64_t row = wide(at[1]) + wide(at[2]) * image.desc.image_height;
    pixels.add(image.address + (wide(at[0]) + row * image.desc.image_width) * pixels.bytes);
    return pixels;
  }
  uint32_t sampler = 0;
  const bool hasSampler = call.arg_size() > 2;
  if (hasSampler) {
    const uint64_t constant = operand(1).getPointer();
    const auto *bits =
        reinterpret_cast<const llvm::ConstantInt *>(constant); // NOLINT(performance-no-int-to-ptr)
    sampler = static_cast<uint32_t>(bits->getZExtValue());
  }
  if (call.getType()->getScalarType()->isIntegerTy()) // Oclgrind does not filter integers
    sampler &= ~static_cast<uint32_t>(CLK_FILTER_LINEAR);
  const oclgrind::TypedValue given = operand(hasSampler ? 2 : 1);
  const bool isReal = overload.ends_with('f');
  addRead(
      image, sampler,
      {coordinate(given, 0, isReal), coordinate(given, 1, isReal), coordinate(given, 2, isReal)},
      pixels);
  return pixels;
}

} // namespace aiwc::plugin
