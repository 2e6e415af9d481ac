/// The images of a launch, and the calls that access them, as compiled code and the engine share
/// them. Compiled code accesses the members by their offsets.
#pragma once

#include "engine_passes/state.h"
#include "simulator/compat.h"

#include <cstdint>
#include <string_view>

namespace aiwc::engine {

/// A number for a format; never 0.
constexpr uint64_t formatCode(const cl_image_format &format) {
  return uint64_t{format.image_channel_order} << 32 | format.image_channel_data_type;
}

/// The type of a colour in read_image* and write_image*: of the functions whose names end in f, i,
/// ui.
enum class Colour : uint8_t { kReal, kSigned, kUnsigned };

/// The type of a colour in the function read_image* or write_image* with this name.
constexpr Colour colourOf(std::string_view name) {
  return name.ends_with("ui")  ? Colour::kUnsigned
         : name.ends_with('i') ? Colour::kSigned
                               : Colour::kReal;
}

/// How the pixels of an image become colours and the reverse.
class PixelFormat {
public:
  PixelFormat() = default;
  /// Not valid if Oclgrind's functions do not access this format.
  explicit PixelFormat(const cl_image_format &format);
  bool isValid() const { return bytes_ > 0; }
  uint32_t bytes() const { return bytes_; }
  /// The type of a colour in the functions that access this format.
  Colour colour() const { return colour_; }

  /// The channel of the image that component `component` (0: red, ..., 3: alpha) of a colour comes
  /// from; kZero or kOne: the component is a constant.
  static constexpr int8_t kZero = -1, kOne = -2;
  int8_t channelOf(unsigned component) const { return channels_[component]; }
  /// The component of a colour that write_image* stores in channel `channel` of the image.
  uint8_t storedIn(unsigned channel) const { return stored_[channel]; }
  unsigned channels() const { return count_; }
  unsigned channelBytes() const { return bytes_ / count_; }
  cl_channel_type type() const { return type_; }

  /// The bits of a component of the colour of the pixel at `pixel`.
  uint32_t decode(const uint8_t *pixel, unsigned component) const;
  uint32_t beyondBorder(unsigned component) const {
    return component == 3 && hasOpaqueBorder_ ? one_ : 0;
  }
  /// Stores a colour, four components as their bits.
  void encode(const uint32_t *colour, uint8_t *pixel) const;

private:
  cl_channel_type type_ = 0;
  Colour colour_ = Colour::kReal;
  uint32_t bytes_ = 0;
  unsigned count_ = 0;
  int8_t channels_[4] = {}; ///< by component, 0: red, ..., 3: alpha
  uint8_t stored_[4] = {};  ///< by channel: the component that is stored there
  bool hasOpaqueBorder_ = false;
  uint32_t one_ = 1;
};

/// An image argument of a launch. Its address is the value that compiled code has for the argument.
/// Oclgrind's functions take it for Oclgrind's own description, with which it begins.
struct ImageEntry {
  oclgrind::Image image{};
  uint64_t isImage = 0; ///< 0: the argument is something else, and the rest is empty
  /// formatCode of the image, if it is of the argument's type and has fewer than 2^31 bytes; 0:
  /// only Oclgrind accesses it.
  uint64_t writable = 0;
  uint64_t readable = 0;    ///< the same if all of its pixels may be read; else 0
  uint64_t bufferBegin = 0; ///< Oclgrind's address of the buffer that has the pixels
  BufferEntry buffer;       ///< the same buffer
  PixelFormat format;
};

/// What compiled code passes to and gets from calls::accessImage. Floats come as their bits.
struct ImageCall {
  const ImageEntry *image;
  uint64_t sampler; ///< OpenCL C's bits
  uint32_t coordinates[4];
  uint32_t colour[4]; ///< to write
  uint32_t result[4]; ///< the colour that was read
};

} // namespace aiwc::engine
