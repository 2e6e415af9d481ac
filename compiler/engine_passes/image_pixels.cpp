// The colours of pixels, computed as Oclgrind's read_image* and write_image* do.
#include "engine_passes/image_entry.h"

#include <CL/cl_half.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace aiwc::engine {
namespace {

struct ChannelType {
  cl_channel_type type;
  uint32_t bytes;
  Colour colour; ///< the colour of Oclgrind's functions that access it
};

constexpr ChannelType kTypes[] = {
    {CL_SNORM_INT8, 1, Colour::kReal},         {CL_UNORM_INT8, 1, Colour::kReal},
    {CL_SNORM_INT16, 2, Colour::kReal},        {CL_UNORM_INT16, 2, Colour::kReal},
    {CL_HALF_FLOAT, 2, Colour::kReal},         {CL_FLOAT, 4, Colour::kReal},
    {CL_SIGNED_INT8, 1, Colour::kSigned},      {CL_SIGNED_INT16, 2, Colour::kSigned},
    {CL_SIGNED_INT32, 4, Colour::kSigned},     {CL_UNSIGNED_INT8, 1, Colour::kUnsigned},
    {CL_UNSIGNED_INT16, 2, Colour::kUnsigned}, {CL_UNSIGNED_INT32, 4, Colour::kUnsigned},
};

/// An order of channels. `count`: the channels of an image. `read`: the channel that each component
/// of a colour is read from. `written`: the component that is written to each channel.
struct Order {
  cl_channel_order order;
  unsigned count;
  int8_t read[4];
  uint8_t written[4];
  bool hasOpaqueBorder; ///< alpha is 1 beyond the border
};

constexpr int8_t k0 = PixelFormat::kZero, k1 = PixelFormat::kOne;
constexpr Order kOrders[] = {
    {CL_R, 1, {0, k0, k0, k1}, {0}, true},
    {CL_Rx, 1, {0, k0, k0, k1}, {0}, false},
    {CL_A, 1, {k0, k0, k0, 0}, {3}, false},
    {CL_INTENSITY, 1, {0, 0, 0, 0}, {0}, false},
    {CL_LUMINANCE, 1, {0, 0, 0, k1}, {0}, true},
    {CL_RG, 2, {0, 1, k0, k1}, {0, 1}, true},
    {CL_RGx, 2, {0, 1, k0, k1}, {0, 1}, false},
    {CL_RA, 2, {0, k0, k0, 1}, {0, 3}, false},
    {CL_RGB, 3, {0, 1, 2, k1}, {0, 1, 2}, true},
    {CL_RGBx, 3, {0, 1, 2, k1}, {0, 1, 2}, false},
    {CL_RGBA, 4, {0, 1, 2, 3}, {0, 1, 2, 3}, false},
    {CL_ARGB, 4, {1, 2, 3, 0}, {3, 0, 1, 2}, false},
    {CL_BGRA, 4, {2, 1, 0, 3}, {2, 1, 0, 3}, false},
};

template <typename Integer> Integer channel(const uint8_t *place) {
  Integer value{};
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// Oclgrind passes real numbers through double precision, which makes every NaN quiet.
uint32_t quiet(uint32_t bits) {
  return std::isnan(std::bit_cast<float>(bits)) ? bits | 0x400000 : bits;
}

uint32_t real(float value) {
  return std::bit_cast<uint32_t>(value);
}

template <typename Integer> void store(uint8_t *place, Integer value) {
  std::memcpy(place, &value, sizeof value);
}

/// As Oclgrind compares: a NaN becomes `least`.
template <typename Number> Number clamped(Number x, Number least, Number most) {
  x = x > least ? x : least;
  return x < most ? x : most;
}

/// `scale`: the greatest integer.
template <typename Integer> Integer normalized(float value, float least, float scale) {
  return static_cast<Integer>(std::nearbyint(clamped(value * scale, least, scale)));
}

} // namespace

PixelFormat::PixelFormat(const cl_image_format &format) : type_(format.image_channel_data_type) {
  const auto *order = std::ranges::find(kOrders, format.image_channel_order, &Order::order);
  const auto *type = std::ranges::find(kTypes, type_, &ChannelType::type);
  if (order == std::end(kOrders) || type == std::end(kTypes))
    return;
  colour_ = type->colour;
  bytes_ = type->bytes * order->count;
  count_ = order->count;
  std::ranges::copy(order->read, channels_);
  std::ranges::copy(order->written, stored_);
  hasOpaqueBorder_ = order->hasOpaqueBorder;
  one_ = colour_ == Colour::kReal ? std::bit_cast<uint32_t>(1.0f) : 1;
}

uint32_t PixelFormat::decode(const uint8_t *pixel, unsigned component) const {
  const int8_t chosen = channels_[component];
  if (chosen < 0)
    return chosen == kOne ? one_ : 0;
  const uint8_t *place = pixel + static_cast<unsigned>(chosen) * size_t{channelBytes()};
  switch (type_) {
  case CL_SNORM_INT8:
    return real(clamped(static_cast<float>(channel<int8_t>(place)) / 127.0f, -1.0f, 1.0f));
  case CL_UNORM_INT8:
    return real(static_cast<float>(channel<uint8_t>(place)) / 255.0f);
  case CL_SNORM_INT16:
    return real(clamped(static_cast<float>(channel<int16_t>(place)) / 32767.0f, -1.0f, 1.0f));
  case CL_UNORM_INT16:
    return real(static_cast<float>(channel<uint16_t>(place)) / 65535.0f);
  case CL_HALF_FLOAT:
    return real(cl_half_to_float(channel<cl_half>(place)));
  case CL_FLOAT:
    return quiet(channel<uint32_t>(place));
  case CL_SIGNED_INT8:
    return static_cast<uint32_t>(channel<int8_t>(place));
  case CL_SIGNED_INT16:
    return static_cast<uint32_t>(channel<int16_t>(place));
  case CL_UNSIGNED_INT8:
    return channel<uint8_t>(place);
  case CL_UNSIGNED_INT16:
    return channel<uint16_t>(place);
  default:
    return channel<uint32_t>(place);
  }
}

void PixelFormat::encode(const uint32_t *colour, uint8_t *pixel) const {
  for (unsigned i = 0; i < count_; ++i) {
    const uint32_t bits = colour[stored_[i]];
    const auto value = std::bit_cast<float>(bits);
    const auto integer = static_cast<int32_t>(bits);
    uint8_t *place = pixel + i * size_t{channelBytes()};
    switch (type_) {
    case CL_SNORM_INT8:
      store(place, normalized<int8_t>(value, -128.0f, 127.0f));
      break;
    case CL_UNORM_INT8:
      store(place, normalized<uint8_t>(value, 0.0f, 255.0f));
      break;
    case CL_SNORM_INT16:
      store(place, normalized<int16_t>(value, -32768.0f, 32767.0f));
      break;
    case CL_UNORM_INT16:
      store(place, normalized<uint16_t>(value, 0.0f, 65535.0f));
      break;
    case CL_HALF_FLOAT:
      store(place, cl_half_from_float(std::bit_cast<float>(quiet(bits)), CL_HALF_RTE));
      break;
    case CL_FLOAT:
      store(place, quiet(bits));
      break;
    case CL_SIGNED_INT8:
      store(place, static_cast<int8_t>(clamped(integer, -128, 127)));
      break;
    case CL_SIGNED_INT16:
      store(place, static_cast<int16_t>(clamped(integer, -32768, 32767)));
      break;
    case CL_UNSIGNED_INT8:
      store(place, static_cast<uint8_t>(std::min<uint32_t>(bits, UINT8_MAX)));
      break;
    case CL_UNSIGNED_INT16:
      store(place, static_cast<uint16_t>(std::min<uint32_t>(bits, UINT16_MAX)));
      break;
    default:
      store(place, bits);
    }
  }
}

} // namespace aiwc::engine
