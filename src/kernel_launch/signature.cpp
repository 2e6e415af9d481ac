#include "kernel_launch/signature.h"

#include "common/as_number.h"
#include "common/close_words.h"
#include "common/error.h"
#include "common/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

using ArgumentKind = Argument::Kind;
using Space = Parameter::Space;

std::string wantedFor(const Parameter &parameter) {
  const auto type = parameter.valueType();
  const std::string of = type ? type->name() : "TYPE";
  switch (parameter.space) {
  case Space::kBuffer:
  case Space::kPointer:
    return fmt::format("buffer:{}:COUNT:CONTENTS", of);
  case Space::kLocal:
    return "local:BYTES";
  case Space::kImage:
    return "image:rgba:TYPE:WxH:CONTENTS";
  case Space::kSampler:
    return "sampler";
  case Space::kValue:
    break;
  }
  if (!type)
    return "FILE.bin";
  std::string number = "NUMBER";
  for (unsigned i = 1; i < type->count; ++i)
    number += ",NUMBER";
  return number;
}

/// One argument, from its text.
class Resolver {
public:
  Resolver(const Signature &signature, size_t index, const ArgumentText &text, const Sizes &sizes)
      : signature_(signature), index_(index), parameter_(signature.parameters[index]), text_(text),
        sizes_(sizes) {}

  Argument argument() const {
    try {
      return std::visit([this](const auto &value) { return of(value); }, text_.value);
    } catch (const Error &error) {
      throw Error(fmt::format("argument {} of {}: {}", signature_.nameOf(index_), signature_.kernel,
                              error.what()));
    }
  }

  /// What a buffer or an image takes; 0 for others, and for those that `argument` refuses.
  uint64_t memoryBytes() const {
    try {
      const uint64_t bytes =
          std::visit([this](const auto &value) { return this->memoryOf(value); }, text_.value);
      return bytes <= kMostBytes ? bytes : 0;
    } catch (const Error &) {
      return 0;
    }
  }

private:
  static uint64_t memoryOf(const auto & /*other*/) { return 0; }
  uint64_t memoryOf(const BufferText &buffer) const {
    if (isWholeFile(buffer)) {
      std::error_code unknown;
      const std::uintmax_t bytes = std::filesystem::file_size(buffer.contents.file, unknown);
      return unknown ? 0 : bytes;
    }
    return isBuffer() ? bytesOfValues(typeOf(buffer), countOf(buffer)) : 0;
  }
  uint64_t memoryOf(const ImageText &image) const {
    const Size3 size = sizeOf(image);
    return bytesOfValues(image.channelType->type, size[0] * size[1] * size[2] * image.channels);
  }
  static uint64_t bytesOfValues(const ValueType &type, uint64_t count) {
    return count > kMostBytes ? 0 : count * type.valueBytes();
  }

  static bool isWholeFile(const BufferText &buffer) {
    return !buffer.type && buffer.contents.isFile();
  }
  ValueType typeOf(const BufferText &buffer) const {
    const auto type = buffer.type ? buffer.type : parameter_.valueType();
    if (!type)
      throw Error(fmt::format("'{}' has no type, and '{}' is none of OpenCL's: expected {}",
                              text_.text, parameter_.type, wantedFor(parameter_)));
    requireSuitable(*type);
    return *type;
  }
  uint64_t countOf(const BufferText &buffer) const {
    const int64_t count =
        numberOf(buffer.count.empty() ? std::string_view("items") : buffer.count, sizes_);
    if (count <= 0)
      throw Error(fmt::format("'{}' has {} values: expected one at least", text_.text, count));
    return static_cast<uint64_t>(count);
  }
  Size3 sizeOf(const ImageText &image) const {
    Size3 all{1, 1, 1};
    for (size_t i = 0; i < image.extent.size(); ++i) {
      const int64_t size = numberOf(image.extent[i], sizes_);
      if (size <= 0 || size > 1 << 20)
        throw Error(
            fmt::format("'{}' has a side of {} points: expected 1 to 2^20", text_.text, size));
      all[i] = static_cast<uint64_t>(size);
    }
    return all;
  }

  bool isBuffer() const {
    return parameter_.space == Space::kBuffer || parameter_.space == Space::kPointer;
  }
  [[noreturn]] void unsuitable() const {
    const std::string_view pointer = isBuffer() || parameter_.space == Space::kLocal ? "*" : "";
    throw Error(fmt::format("'{}' does not suit its type {}{}: expected {}", text_.text,
                            parameter_.type, pointer, wantedFor(parameter_)));
  }

  Argument of(const ValueText &value) const {
    if (parameter_.space != Space::kValue)
      unsuitable();
    const auto declared = parameter_.valueType();
    const auto type = value.type ? value.type : declared;
    if (!type || (declared && *declared != *type) || value.numbers.size() != type->count)
      unsuitable();
    Argument argument;
    for (const std::string &number : value.numbers)
      argument.bytes += numberBytes(number, *type, sizes_);
    argument.bytes.resize(type->valueBytes());
    return checkedValue(std::move(argument));
  }

  Argument checkedValue(Argument argument) const {
    if (parameter_.bytes != 0 && parameter_.bytes != argument.bytes.size())
      throw Error(fmt::format("'{}' has {} bytes: expected {} of its type {}", text_.text,
                              argument.bytes.size(), parameter_.bytes, parameter_.type));
    return argument;
  }

  Argument of(const BufferText &buffer) const {
    if (parameter_.space == Space::kValue && isWholeFile(buffer)) {
      Argument argument;
      argument.bytes = wholeFile(buffer.contents).second;
      argument.contents = contentsName(buffer.contents);
      return checkedValue(std::move(argument));
    }
    if (!isBuffer())
      unsuitable();
    Argument argument;
    argument.kind = ArgumentKind::kBuffer;
    argument.contents = contentsName(buffer.contents);
    argument.assumed = !buffer.hasContents;
    const auto declared = parameter_.valueType();
    if (isWholeFile(buffer)) {
      auto [type, bytes] = wholeFile(buffer.contents);
      if (type)
        requireSuitable(*type);
      if (declared && bytes.size() % declared->valueBytes() != 0)
        throw Error(fmt::format("{}: holds {} bytes: expected a multiple of {}, as {} has",
                                buffer.contents.file, bytes.size(), declared->valueBytes(),
                                parameter_.type));
      argument.bytes = std::move(bytes);
    } else {
      const ValueType type = typeOf(buffer);
      // An argument's stream is its position, so that two arguments differ.
      argument.bytes = bytesOf(buffer.contents, type, countOf(buffer), sizes_, index_);
    }
    if (argument.bytes.empty())
      throw Error(fmt::format("'{}' is empty: expected one value at least", text_.text));
    return argument;
  }

  /// A float4* takes f32, an int* u32; a void* and pointers to structures take anything.
  void requireSuitable(const ValueType &type) const {
    const auto declared = parameter_.valueType();
    const bool isOfBytes = parameter_.type == "char" || parameter_.type == "uchar";
    if (declared && !isOfBytes &&
        (declared->bytes != type.bytes || declared->isInteger() != type.isInteger()))
      unsuitable();
  }

  static std::pair<std::optional<ValueType>, std::string> wholeFile(const Contents &contents) {
    if (contents.kind == Contents::Kind::kBytes)
      return {std::nullopt, readFile(contents.file, "a file of values", kMostBytes)};
    NumpyArray array = readNumpy(contents.file);
    return {array.type, std::move(array.bytes)};
  }

  static std::string contentsName(const Contents &contents) {
    return contents.isFile() ? "file:" + contents.file : contents.text;
  }

  Argument of(const LocalText &local) const {
    if (parameter_.space != Space::kLocal)
      unsuitable();
    const int64_t bytes = numberOf(local.bytes, sizes_);
    if (bytes <= 0)
      throw Error(fmt::format("'{}' has {} bytes: expected one at least", text_.text, bytes));
    Argument argument;
    argument.kind = ArgumentKind::kLocal;
    argument.localBytes = static_cast<uint64_t>(bytes);
    return argument;
  }

  Argument of(const ImageText &image) const {
    if (parameter_.space != Space::kImage)
      unsuitable();
    Argument argument;
    argument.kind = ArgumentKind::kImage;
    argument.image = image;
    argument.imageDimensions = static_cast<unsigned>(image.extent.size());
    if (parameter_.type.find(fmt::format("{}d", image.extent.size())) == std::string::npos)
      unsuitable();
    argument.imageSize = sizeOf(image);
    const Size3 &size = argument.imageSize;
    argument.bytes = bytesOf(image.contents, image.channelType->type,
                             size[0] * size[1] * size[2] * image.channels, sizes_, index_);
    argument.contents = contentsName(image.contents);
    return argument;
  }

  Argument of(const SamplerText &sampler) const {
    if (parameter_.space != Space::kSampler)
      unsuitable();
    Argument argument;
    argument.kind = ArgumentKind::kSampler;
    argument.sampler = sampler;
    return argument;
  }

  Argument of(const NullText &) const {
    if (!isBuffer())
      unsuitable();
    Argument argument;
    argument.kind = ArgumentKind::kNull;
    return argument;
  }

  const Signature &signature_;
  size_t index_;
  const Parameter &parameter_;
  const ArgumentText &text_;
  const Sizes &sizes_;
};

/// The parameter that a name or a position means.
size_t indexOf(const Signature &signature, const ArgumentText &text) {
  const auto &parameters = signature.parameters;
  const auto named = std::ranges::find(parameters, text.parameter, &Parameter::name);
  if (named != parameters.end())
    return static_cast<size_t>(named - parameters.begin());
  if (const auto position = asNumber<size_t>(text.parameter);
      position && *position < parameters.size())
    return *position;
  std::vector<std::string> names;
  for (const Parameter &parameter : parameters)
    if (!parameter.name.empty())
      names.push_back(parameter.name);
  const std::string meant = closestWord(text.parameter, names);
  std::string expected = parameters.empty() ? "none"
                         : names.size() == parameters.size()
                             ? fmt::format("{}", fmt::join(names, ", "))
                             : fmt::format("a position from 0 to {}", parameters.size() - 1);
  throw Error(fmt::format("--arg {}={}: {} has no argument '{}': expected {}{}", text.parameter,
                          text.text, signature.kernel, text.parameter, expected,
                          meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

bool nameHas(const std::string &name, std::initializer_list<std::string_view> words) {
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

std::string integerProposal(const std::string &name, const Sizes &sizes) {
  if (nameHas(name, {"offset"}) || name.starts_with("off"))
    return "0";
  if (sizes.dimensions > 1 && nameHas(name, {"height", "row", "ny"}))
    return "gy";
  if (sizes.dimensions > 2 && nameHas(name, {"depth", "slice", "nz"}))
    return "gz";
  return "gx";
}

std::string vectorOf(const std::string &number, unsigned count) {
  std::string text = number;
  for (unsigned i = 1; i < count; ++i)
    text += "," + number;
  return text;
}

} // namespace

std::string Signature::nameOf(size_t index) const {
  const std::string &name = parameters[index].name;
  return name.empty() ? fmt::format("{}", index) : fmt::format("{} ({})", name, index);
}

std::string proposalFor(const Signature &signature, size_t index, const Sizes &sizes,
                        std::string_view count) {
  const Parameter &parameter = signature.parameters[index];
  const auto type = parameter.valueType();
  const auto none = [&](std::string_view why) {
    return Error(fmt::format("argument {} of {}: {}: expected --arg {}={}", signature.nameOf(index),
                             signature.kernel, why,
                             parameter.name.empty() ? fmt::format("{}", index) : parameter.name,
                             wantedFor(parameter)));
  };
  switch (parameter.space) {
  case Space::kBuffer:
  case Space::kPointer:
    if (!type || parameter.type == "char") // of SPIR-V, a char* may point to anything
      throw none(fmt::format("it points to {}, and auto knows numbers only", parameter.type));
    if (type->isInteger())
      throw none("addresses or loop bounds may be computed from its integers, so auto does not "
                 "make them up (range, random(LOW,HIGH) or a file; zeros if it is only written)");
    return fmt::format("buffer:{}:{}:random(0,1)", type->name(), count);
  case Space::kLocal:
    if (!type)
      throw none(fmt::format("it points to {}, and auto knows numbers only", parameter.type));
    if (!sizes.hasLocal())
      throw none("its size depends on the local size: give --local");
    return fmt::format("local:lx*ly*lz*{}", type->valueBytes());
  case Space::kImage: {
    const bool is3d = parameter.type.find("3d") != std::string::npos;
    const bool is1d = parameter.type.find("1d") != std::string::npos;
    if (parameter.type.find("array") != std::string::npos)
      throw none("auto knows no arrays of images");
    return fmt::format("image:rgba:f32:gx{}{}:random(0,1)", is1d ? "" : ",gy", is3d ? ",gz" : "");
  }
  case Space::kSampler:
    return "sampler:nearest:clamp_to_edge";
  case Space::kValue:
    break;
  }
  if (!type)
    throw none(fmt::format("auto knows no value of its type {}", parameter.type));
  return vectorOf(type->isInteger() ? integerProposal(parameter.name, sizes) : "1", type->count);
}

std::vector<const ArgumentText *> givenOf(const Signature &signature,
                                          const std::vector<ArgumentText> &given) {
  std::vector<const ArgumentText *> found(signature.parameters.size());
  for (const ArgumentText &text : given) {
    const size_t index = indexOf(signature, text);
    if (found[index])
      throw Error(fmt::format("--arg {}={}: argument {} of {} is given twice: expected it once",
                              text.parameter, text.text, signature.nameOf(index),
                              signature.kernel));
    found[index] = &text;
  }
  return found;
}

namespace {

/// Contents alone: as many values as there are work-items.
bool leavesSizeOpen(const ArgumentText &text) {
  const auto *buffer = std::get_if<BufferText>(&text.value);
  return buffer && buffer->count.empty() && !buffer->contents.isFile();
}

/// `text`, as a buffer of so many values.
ArgumentText withCount(ArgumentText text, const std::string &count) {
  std::get<BufferText>(text.value).count = count;
  return text;
}

} // namespace

std::vector<bool> openSizes(const Signature &signature, const std::vector<ArgumentText> &given) {
  const std::vector<const ArgumentText *> found = givenOf(signature, given);
  std::vector<bool> open;
  for (size_t i = 0; i < found.size(); ++i) {
    const Space space = signature.parameters[i].space;
    open.push_back((space == Space::kBuffer || space == Space::kPointer) &&
                   (!found[i] || leavesSizeOpen(*found[i])));
  }
  return open;
}

std::vector<Argument> argumentsOf(const Signature &signature,
                                  const std::vector<ArgumentText> &given, bool proposes,
                                  const Sizes &sizes, const std::vector<std::string> &counts) {
  const std::vector<const ArgumentText *> found = givenOf(signature, given);
  std::vector<ArgumentText> texts;
  uint64_t bytes = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const Parameter &parameter = signature.parameters[i];
    const std::string count = i < counts.size() && !counts[i].empty() ? counts[i] : "items";
    if (!found[i] && !proposes)
      throw Error(fmt::format(
          "{} takes {} argument{}, and {} is not given: expected --arg {}={}, or --arg auto",
          signature.kernel, found.size(), found.size() == 1 ? "" : "s", signature.nameOf(i),
          parameter.name.empty() ? fmt::format("{}", i) : parameter.name, wantedFor(parameter)));
    texts.push_back(
        !found[i] ? argumentOf(fmt::format("{}={}", i, proposalFor(signature, i, sizes, count)))
        : leavesSizeOpen(*found[i]) ? withCount(*found[i], count)
                                    : *found[i]);
    bytes += Resolver(signature, i, texts.back(), sizes).memoryBytes();
  }
  requireMemory(signature.kernel, 2 * bytes);
  std::vector<Argument> arguments;
  for (size_t i = 0; i < found.size(); ++i) {
    arguments.push_back(Resolver(signature, i, texts[i], sizes).argument());
    if (found[i])
      continue;
    arguments.back().assumed = true;
    if (arguments.back().kind == ArgumentKind::kValue)
      arguments.back().contents = texts[i].text;
  }
  return arguments;
}

} // namespace aiwc::kernel_launch
