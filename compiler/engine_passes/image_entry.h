/// The images of a launch, and the calls that access them, as compiled code and the engine share
/// them. Compiled code accesses the members by their offsets.
#pragma once

#include "engine_passes/state.h"
#include "simulator/compat.h"

#include <cstdint>
#include <string_view>

namespace aiwc::engine {

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

  /// In place of the channel of an image: the component of a colour is this constant.
  static constexpr int8_t kZero = -1, kOne = -2;

  /// The bits of a component of the colour of the pixel at `pixel`.
  uint32_t decode(const uint8_t *pixel, unsigned component) const;
  uint32_t beyondBorder(unsigned component) const {
    return component == 3 && hasOpaqueBorder_ ? one_ : 0;
  }
  /// Stores a colour, four components as their bits.
  void encode(const uint32_t *colour, uint8_t *pixel) const;

private:
  unsigned channelBytes() const { return bytes_ / count_; }

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
  /// The image is of the argument's type and has fewer than 2^31 bytes; else only Oclgrind accesses
  /// it.
  bool isWritable = false;
  bool isReadable = false;  ///< the same, and all of its pixels may be read
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
