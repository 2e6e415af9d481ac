/// The text of one --arg, split into its parts.
#pragma once

#include "kernel_launch/contents.h"
#include "kernel_launch/value_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aiwc::kernel_launch {

/// [TYPE:]NUMBER, or as many numbers with commas as a vector has, also in parentheses.
struct ValueText {
  std::optional<ValueType> type;
  std::vector<std::string> numbers;
};

/// buffer:TYPE:COUNT[:CONTENTS], or the contents alone; those of a file are also a value passed by
/// its bytes.
struct BufferText {
  std::optional<ValueType> type; ///< none: the parameter's
  std::string count;             ///< empty: all that the file has, or the number of work-items
  Contents contents;             ///< zeros if none are given
  bool hasContents = false;      ///< whether they are given
};

/// local:BYTES
struct LocalText {
  std::string bytes;
};

/// How OpenCL stores the points of an image.
struct ChannelType {
  std::string_view name; ///< "unorm8"
  ValueType type;        ///< in memory
};
/// Null for any other name.
const ChannelType *channelTypeOf(std::string_view name);

/// image:r|rg|rgba:CHANNELTYPE:WxH[xD][:CONTENTS]
struct ImageText {
  unsigned channels = 4; ///< 1, 2 or 4
  const ChannelType *channelType = nullptr;
  std::vector<std::string> extent; ///< expressions: one to three
  Contents contents;
};

/// sampler[:WORD...]
struct SamplerText {
  enum class Addressing : uint8_t { kNone, kClampToEdge, kClamp, kRepeat, kMirroredRepeat };
  bool isNormalised = false, isLinear = false;
  Addressing addressing = Addressing::kClampToEdge;
};

/// null: no buffer.
struct NullText {};

struct ArgumentText {
  /// The parameter's name, or its position from 0.
  std::string parameter;
  std::variant<ValueText, BufferText, LocalText, ImageText, SamplerText, NullText> value;
  std::string text; ///< as the user wrote it
};

/// Reads PARAMETER=VALUE. Throws Error, which begins with the text.
ArgumentText argumentOf(const std::string &text);

} // namespace aiwc::kernel_launch
