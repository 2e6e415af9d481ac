#include "simulator/images.h"

#include <algorithm>
#include <cmath>

namespace aiwc::simulator {
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

/// Two pixels between which a linear filter interpolates, and the place between them.
struct Adjacent {
  std::array<int32_t, 2> pixels;
  float place; ///< in pixels
};

Adjacent adjacent(const Axis &axis, uint32_t addressing) {
  const float n = axis.asGiven, u = axis.inPixels;
  const auto size = static_cast<float>(axis.size);
  const auto lower = [](float place) { return toInteger(std::floor(place - 0.5f)); };
  // Sums wrap around: coordinates that are no numbers come as the least integer.
  const auto plus = [](int32_t value, uint64_t added) {
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(value) + added));
  };
  switch (addressing) {
  case CLK_ADDRESS_CLAMP_TO_EDGE:
    return {{axis.clamped(lower(u), 0, axis.last()),
             axis.clamped(toInteger(std::floor(u - 0.5f) + 1), 0, axis.last())},
            u};
  case CLK_ADDRESS_CLAMP:
    return {{axis.clamped(lower(u), -1, axis.last() + 1),
             axis.clamped(toInteger(std::floor(u - 0.5f) + 1), -1, axis.last() + 1)},
            u};
  case CLK_ADDRESS_REPEAT: {
    const float folded = (n - std::floor(n)) * size;
    int32_t first = lower(folded);
    int32_t second = plus(first, 1);
    if (first < 0)
      first = plus(first, axis.size);
    if (static_cast<uint64_t>(second) >= axis.size)
      second = plus(second, 0 - axis.size);
    return {{first, second}, folded};
  }
  case CLK_ADDRESS_MIRRORED_REPEAT: {
    const float folded = std::fabs(n - 2.0f * std::rint(0.5f * n)) * size;
    const int32_t first = lower(folded);
    return {
        {std::max(first, 0), static_cast<int32_t>(std::min<int64_t>(plus(first, 1), axis.last()))},
        folded};
  }
  default:
    return {{toInteger(std::floor(u)), toInteger(std::floor(u) + 1)}, u};
  }
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

bool isInside(const oclgrind::Image &image, int32_t x, int32_t y, int32_t z) {
  const auto inside = [](int32_t at, uint64_t size) {
    return at >= 0 && static_cast<uint64_t>(at) < size;
  };
  return inside(x, image.desc.image_width) && inside(y, image.desc.image_height) &&
         inside(z, image.desc.image_depth);
}

uint64_t pixelAddress(const oclgrind::Image &image, int32_t x, int32_t y, int32_t z,
                      int32_t layer) {
  const auto wide = [](int32_t value) { return static_cast<uint64_t>(value); };
  const uint64_t slice = wide(z) + wide(layer) * image.desc.image_depth;
  const uint64_t row = wide(y) + slice * image.desc.image_height;
  return image.address + (wide(x) + row * image.desc.image_width) * pixelBytes(image.format);
}

PlaceRead placeRead(const oclgrind::Image &image, uint32_t sampler,
                    const std::array<float, 3> &coordinates) {
  const std::array<uint64_t, 3> sizes = {image.desc.image_width, image.desc.image_height,
                                         image.desc.image_depth};
  std::array<Axis, 3> axes{};
  for (unsigned d = 0; d < 3; ++d) {
    const float scale = sampler & CLK_NORMALIZED_COORDS_TRUE ? static_cast<float>(sizes[d]) : 1.0f;
    axes[d] = {sizes[d], coordinates[d], coordinates[d] * scale};
  }
  PlaceRead place;
  place.layer = layerOf(image, axes);
  place.isLinear = sampler & CLK_FILTER_LINEAR;
  const uint32_t addressing = sampler & CLK_ADDRESS_MASK;
  for (unsigned d = 0; d < 3; ++d) {
    if (!place.isLinear) {
      place.pixels[d].fill(nearest(axes[d], addressing));
      continue;
    }
    const Adjacent between = adjacent(axes[d], addressing);
    const float upper = between.place - 0.5f;
    place.pixels[d] = between.pixels;
    place.weights[d] = upper - std::floor(upper);
    if (d >= dimensions(image)) // Oclgrind interpolates between equal pixels
      place.pixels[d][0] = place.pixels[d][1];
  }
  return place;
}

Pixels pixelsRead(const oclgrind::Image &image, const PlaceRead &place) {
  Pixels pixels;
  pixels.bytes = pixelBytes(image.format);
  const size_t corners = place.isLinear ? 2 : 1;
  for (size_t z = 0; z < corners; ++z)
    for (size_t y = 0; y < corners; ++y)
      for (size_t x = 0; x < corners; ++x) {
        const int32_t at[] = {place.pixels[0][x], place.pixels[1][y], place.pixels[2][z]};
        if (isInside(image, at[0], at[1], at[2]))
          pixels.add(pixelAddress(image, at[0], at[1], at[2], place.layer));
      }
  return pixels;
}

} // namespace aiwc::simulator
