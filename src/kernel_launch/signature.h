/// What a kernel takes, and the arguments that a command line gives it.
#pragma once

#include "kernel_launch/argument_text.h"
#include "kernel_launch/sizes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

struct Parameter {
  enum class Space : uint8_t {
    kValue,
    kBuffer,  ///< pointer to global or constant memory
    kLocal,   ///< pointer to local memory
    kPointer, ///< of CUDA: an address, passed by value
    kImage,
    kSampler,
  };

  std::string name; ///< empty if the program does not tell
  std::string type; ///< of a pointer that which it points to: "float4"; may be a name of the user's
  Space space = Space::kValue;
  size_t bytes = 0; ///< of a value; 0: not known

  /// None for structures, and for names of the user's.
  std::optional<ValueType> valueType() const { return valueTypeOf(type); }
};

struct Signature {
  std::string kernel;
  std::vector<Parameter> parameters;

  /// "x (0)", or "0" of a parameter without a name.
  std::string nameOf(size_t index) const;
};

/// What the host sets for a parameter.
struct Argument {
  enum class Kind : uint8_t { kValue, kBuffer, kLocal, kImage, kSampler, kNull };

  Kind kind = Kind::kValue;
  std::string bytes;       ///< of the value, the buffer or the image
  uint64_t localBytes = 0; ///< of local memory
  ImageText image;         ///< and its size in points:
  Size3 imageSize{1, 1, 1};
  unsigned imageDimensions = 2;
  uint32_t channelOrder = 0, channelType = 0; ///< of a capture, as OpenCL numbers them; else 0
  SamplerText sampler;
  /// Where the bytes come from: the contents as given, "file:x.npy", "capture"; empty for what has
  /// none.
  std::string contents;
  bool assumed = false; ///< by --arg auto, or since no contents were given
  /// Buffers of the same number share memory.
  std::optional<uint64_t> shared;
};

/// The arguments of a launch, in the order of the parameters. Without `proposes`, each parameter
/// needs an entry of `given`; with it, those that have none get what `proposalFor` says. `counts`:
/// of each parameter whose buffer's size is left open, the number of values; empty, or an empty
/// text: the number of work-items. Throws Error, which names the parameter, for entries that no
/// parameter has, that two have, or that do not suit its type; and if there is no memory for them.
std::vector<Argument> argumentsOf(const Signature &signature,
                                  const std::vector<ArgumentText> &given, bool proposes,
                                  const Sizes &sizes, const std::vector<std::string> &counts = {});

/// Of each parameter whether its buffer has a size that `given` leaves open.
std::vector<bool> openSizes(const Signature &signature, const std::vector<ArgumentText> &given);

/// Of `given`, the entry of each parameter; null where it has none. Throws Error for entries that
/// no parameter has, or that two have.
std::vector<const ArgumentText *> givenOf(const Signature &signature,
                                          const std::vector<ArgumentText> &given);

/// The text of an --arg for a parameter that has none: buffers of `count` values, integers that are
/// the global size, floating-point numbers 1. Throws Error for parameters without a proposal:
/// structures, and buffers of integers, whose contents may be indices.
std::string proposalFor(const Signature &signature, size_t parameter, const Sizes &sizes,
                        std::string_view count = "items");

} // namespace aiwc::kernel_launch
