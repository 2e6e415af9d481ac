#include "kernel_launch/argument_text.h"

#include "common/close_words.h"
#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

using NumberKind = ValueType::Kind;

constexpr std::array<ChannelType, 12> kChannelTypes = {{
    {"unorm8", {NumberKind::kUnsigned, 1}},
    {"unorm16", {NumberKind::kUnsigned, 2}},
    {"snorm8", {NumberKind::kSigned, 1}},
    {"snorm16", {NumberKind::kSigned, 2}},
    {"u8", {NumberKind::kUnsigned, 1}},
    {"u16", {NumberKind::kUnsigned, 2}},
    {"u32", {NumberKind::kUnsigned, 4}},
    {"i8", {NumberKind::kSigned, 1}},
    {"i16", {NumberKind::kSigned, 2}},
    {"i32", {NumberKind::kSigned, 4}},
    {"f16", {NumberKind::kFloat, 2}},
    {"f32", {NumberKind::kFloat, 4}},
}};

constexpr std::string_view kContents =
    "zeros, fill(VALUE), range, random(LOW,HIGH), FILE.npy or FILE.bin";
constexpr std::string_view kTypes = "a type such as f32, i32, u8 or f32x4";

/// Takes the text up to the next colon, or all of it.
std::string_view takePart(std::string_view &rest) {
  const size_t colon = std::min(rest.find(':'), rest.size());
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(std::min(colon + 1, rest.size()));
  return part;
}

ValueType typeIn(std::string_view text) {
  const auto type = valueTypeOf(text);
  if (!type)
    throw Error(fmt::format("'{}' is no type: expected {}", text, kTypes));
  return *type;
}

Contents contentsIn(std::string_view text) {
  auto contents = contentsOf(text);
  if (!contents)
    throw Error(fmt::format("'{}' are no contents: expected {}", text, kContents));
  return std::move(*contents);
}

BufferText bufferOf(std::string_view rest) {
  BufferText buffer;
  buffer.type = typeIn(takePart(rest));
  buffer.count = takePart(rest);
  if (buffer.count.empty())
    throw Error("a buffer has no count: expected buffer:TYPE:COUNT:CONTENTS, such as "
                "buffer:f32:1M:random(-1,1)");
  buffer.hasContents = !rest.empty();
  buffer.contents = contentsIn(rest.empty() ? "zeros" : rest);
  return buffer;
}

ImageText imageOf(std::string_view rest) {
  constexpr std::string_view kExpected = "image:r|rg|rgba:TYPE:WxH:CONTENTS, such as "
                                         "image:rgba:unorm8:512x512:random(0,255)";
  ImageText image;
  const std::string_view order = takePart(rest);
  image.channels = order == "r" ? 1 : order == "rg" ? 2 : order == "rgba" ? 4 : 0;
  if (image.channels == 0)
    throw Error(fmt::format("'{}' are no channels of an image: expected {}", order, kExpected));
  const std::string_view type = takePart(rest);
  image.channelType = channelTypeOf(type);
  if (!image.channelType) {
    std::string names;
    for (const ChannelType &known : kChannelTypes)
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    throw Error(fmt::format("'{}' is no type of an image: expected one of {}", type, names));
  }
  const std::string_view extent = takePart(rest);
  std::string commas(extent);
  if (extent.find_first_not_of("0123456789x") == std::string_view::npos)
    std::ranges::replace(commas, 'x', ','); // 512x512; of expressions: gx,gy
  image.extent = splitAtCommas(commas);
  if (image.extent.size() > 3 || extent.empty())
    throw Error(fmt::format("'{}' is no size of an image: expected {}, or gx,gy for WxH", extent,
                            kExpected));
  image.contents = contentsIn(rest.empty() ? "zeros" : rest);
  return image;
}

SamplerText samplerOf(std::string_view rest) {
  SamplerText sampler;
  using Addressing = SamplerText::Addressing;
  constexpr std::pair<std::string_view, Addressing> kAddressing[] = {
      {"none", Addressing::kNone},
      {"clamp_to_edge", Addressing::kClampToEdge},
      {"clamp", Addressing::kClamp},
      {"repeat", Addressing::kRepeat},
      {"mirrored_repeat", Addressing::kMirroredRepeat}};
  while (!rest.empty()) {
    const std::string_view word = takePart(rest);
    const auto *const known =
        std::ranges::find(kAddressing, word, &std::pair<std::string_view, Addressing>::first);
    if (known != std::end(kAddressing))
      sampler.addressing = known->second;
    else if (word == "linear" || word == "nearest")
      sampler.isLinear = word == "linear";
    else if (word == "normalised")
      sampler.isNormalised = true;
    else
      throw Error(fmt::format("'{}' is nothing of a sampler: expected nearest, linear, normalised, "
                              "none, clamp, clamp_to_edge, repeat or mirrored_repeat",
                              word));
  }
  return sampler;
}

ValueText valueOf(std::string_view rest) {
  ValueText value;
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    value.type = typeIn(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  value.numbers = splitAtCommas(rest);
  // "(1,2,3,4)"
  if (value.numbers.size() == 1 && rest.starts_with('(') && rest.ends_with(')'))
    if (auto inside = splitAtCommas(rest.substr(1, rest.size() - 2)); inside.size() > 1)
      value.numbers = std::move(inside);
  return value;
}

/// Whether the words in a text are those of expressions: "4*gx", "1e-3f", "0x1F", "inf".
bool looksLikeNumber(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWords = {"gx", "gy",    "gz",  "lx",  "ly",
                                                       "lz", "items", "inf", "nan", "infinity"};
  const auto isAlphanumeric = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  bool hasWord = false;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && (isAlphanumeric(text[end]) || text[end] == '.'))
      ++end;
    if (end == i) {
      if (std::string_view("+-*/(), ").find(text[i]) == std::string_view::npos)
        return false;
      ++i;
      continue;
    }
    const std::string_view word = text.substr(i, end - i);
    const bool isNumber = word[0] == '.' || std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (!isNumber && std::ranges::find(kWords, word) == kWords.end())
      return false;
    hasWord = true;
    i = end;
  }
  return hasWord;
}

decltype(ArgumentText::value) read(std::string_view text) {
  std::string_view rest = text;
  const std::string_view word = takePart(rest);
  if (word == "buffer")
    return bufferOf(rest);
  if (word == "local" && !rest.empty())
    return LocalText{std::string(rest)};
  if (word == "image")
    return imageOf(rest);
  if (word == "sampler")
    return samplerOf(rest);
  if (text == "null")
    return NullText{};
  if (auto contents = contentsOf(text))
    return BufferText{std::nullopt, "", std::move(*contents), true};
  // "f32:0.5"
  const bool hasType = !rest.empty() && valueTypeOf(word);
  if (!looksLikeNumber(hasType ? rest : text)) {
    const std::array<std::string, 9> words = {"buffer", "local", "image",  "sampler", "null",
                                              "zeros",  "range", "random", "fill"};
    const std::string_view name = text.substr(0, std::min(text.find_first_of(":("), text.size()));
    const std::string meant = closestWord(name, words);
    throw Error(fmt::format("'{}' is no value: expected a number, buffer:TYPE:COUNT:CONTENTS, "
                            "local:BYTES, image:..., sampler, null, or contents: {}{}",
                            text, kContents,
                            meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
  }
  return valueOf(text);
}

} // namespace

const ChannelType *channelTypeOf(std::string_view name) {
  const auto *const found = std::ranges::find(kChannelTypes, name, &ChannelType::name);
  return found == kChannelTypes.end() ? nullptr : found;
}

ArgumentText argumentOf(const std::string &text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(fmt::format("--arg {}: expected auto, or PARAMETER=VALUE with the parameter's name "
                            "or its position from 0",
                            text));
  ArgumentText argument;
  argument.parameter = text.substr(0, equals);
  argument.text = text.substr(equals + 1);
  try {
    argument.value = read(argument.text);
  } catch (const Error &error) {
    throw Error(fmt::format("--arg {}: {}", text, error.what()));
  }
  return argument;
}

} // namespace aiwc::kernel_launch
