#include "kernel_launch/capture.h"

#include "common/as_number.h"
#include "common/error.h"
#include "common/file.h"
#include "common/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostTextBytes = 1 << 20;

std::string textOf(const fs::path &file, std::string_view expected) {
  std::string text = readFile(file, expected, kMostTextBytes);
  while (!text.empty() &&
         (text.back() == '\n' || text.back() == '\r' || text.back() == '\0' || text.back() == ' '))
    text.pop_back();
  return text;
}

/// N of "<before>N<after>".
std::optional<uint64_t> numberBetween(std::string_view name, std::string_view before,
                                      std::string_view after) {
  if (!name.starts_with(before) || !name.ends_with(after) ||
      name.size() < before.size() + after.size())
    return std::nullopt;
  return asNumber(name.substr(before.size(), name.size() - before.size() - after.size()));
}

std::vector<fs::path> filesOf(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

/// The number of a folder "Enqueue_N_KERNEL".
std::optional<uint64_t> enqueueOf(const fs::path &folder) {
  constexpr std::string_view kPrefix = "Enqueue_";
  const std::string name = folder.filename().string();
  if (!name.starts_with(kPrefix))
    return std::nullopt;
  const std::string_view rest = std::string_view(name).substr(kPrefix.size());
  return asNumber(rest.substr(0, rest.find('_')));
}

/// A path without the separator at its end.
fs::path named(const fs::path &folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

bool isCapture(const fs::path &folder) {
  std::error_code ignored;
  return fs::exists(folder / "worksizes.txt", ignored) ||
         fs::exists(folder / "kernelName.txt", ignored);
}

Sizes sizesIn(const fs::path &file) {
  const auto wrong = [&](std::string_view what) {
    return Error(fmt::format("{}: {}: expected three lines, with the global size, the local size "
                             "and the offset of one to three dimensions",
                             file.string(), what));
  };
  std::istringstream lines(readFile(file, "the sizes of a captured launch", kMostTextBytes));
  std::vector<std::string> texts;
  for (std::string line; texts.size() < 3 && std::getline(lines, line);) {
    std::istringstream words(line);
    std::string text;
    for (std::string word; words >> word;)
      text += (text.empty() ? "" : "x") + word;
    texts.push_back(text);
  }
  if (texts.size() < 3)
    throw wrong("is truncated");
  if (texts[1].find_first_not_of("0x") == std::string::npos)
    texts[1] = ""; // left to OpenCL
  try {
    return sizesOf(texts[0], texts[1], texts[2]);
  } catch (const Error &error) {
    throw wrong(error.what());
  }
}

fs::path programIn(const fs::path &folder) {
  std::error_code ignored;
  for (const char *name : {"kernel.cl", "kernel.spv"})
    if (fs::exists(folder / name, ignored))
      return folder / name;
  for (const fs::path &file : filesOf(folder))
    if (file.filename().string().starts_with("DeviceBinary") &&
        readFileIfAny(file).value_or("").starts_with("BC\xC0\xDE")) // of LLVM
      return file;
  throw Error(fmt::format("{}: has no program: expected kernel.cl or kernel.spv", folder.string()));
}

SamplerText samplerIn(const fs::path &file) {
  const std::string text = textOf(file, "a captured sampler");
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  using Addressing = SamplerText::Addressing;
  SamplerText sampler;
  sampler.isNormalised = has("CL_TRUE");
  sampler.isLinear = has("FILTER_LINEAR");
  sampler.addressing = has("CLAMP_TO_EDGE")     ? Addressing::kClampToEdge
                       : has("ADDRESS_CLAMP")   ? Addressing::kClamp
                       : has("MIRRORED_REPEAT") ? Addressing::kMirroredRepeat
                       : has("ADDRESS_REPEAT")  ? Addressing::kRepeat
                                                : Addressing::kNone;
  return sampler;
}

Capture::ImageForm imageFormIn(const fs::path &file) {
  const std::string text = textOf(file, "the form of a captured image");
  std::istringstream words(text);
  std::vector<uint64_t> numbers;
  for (std::string word; words >> word;)
    if (const auto number = asNumber(word))
      numbers.push_back(*number);
  // Width, height, depth, bytes of a point, two pitches, channel type, channel order, kind.
  constexpr uint64_t kImage2d = 0x10F1, kImage3d = 0x10F2, kImage1d = 0x10F4;
  const auto wrong = [&] {
    return Error(fmt::format("{}: is no form of an image: expected nine numbers, of an image of "
                             "one to three dimensions",
                             file.string()));
  };
  if (numbers.size() != 9)
    throw wrong();
  Capture::ImageForm form;
  form.dimensions = numbers[8] == kImage1d   ? 1
                    : numbers[8] == kImage2d ? 2
                    : numbers[8] == kImage3d ? 3
                                             : 0;
  constexpr uint64_t kMostPoints = 1 << 19;
  for (size_t i = 0; i < 3; ++i)
    form.size[i] = i < form.dimensions ? numbers[i] : 1;
  form.pointBytes = numbers[3];
  form.channelType = static_cast<uint32_t>(numbers[6]);
  form.channelOrder = static_cast<uint32_t>(numbers[7]);
  if (form.dimensions == 0 || form.pointBytes == 0 || form.pointBytes > 16 ||
      std::ranges::any_of(form.size, [&](uint64_t n) { return n == 0 || n > kMostPoints; }))
    throw wrong();
  return form;
}

/// The files "..._Arg_<i>_Buffer_<n>.bin" and "..._Arg_<i>_Image_....raw" of a folder, by i.
std::map<size_t, fs::path> memoryIn(const fs::path &folder, std::string_view kind,
                                    std::string_view extension) {
  std::map<size_t, fs::path> found;
  for (const fs::path &file : filesOf(folder)) {
    const std::string name = file.filename().string();
    constexpr std::string_view kArgument = "_Arg_";
    const size_t at = name.rfind(kArgument);
    if (at == std::string::npos || !name.ends_with(extension))
      continue;
    const std::string_view rest = std::string_view(name).substr(at + kArgument.size());
    const size_t end = rest.find('_');
    if (end == std::string_view::npos || !rest.substr(end + 1).starts_with(kind))
      continue;
    if (const auto index = asNumber(rest.substr(0, end)))
      found.emplace(*index, file);
  }
  return found;
}

std::map<size_t, Capture::Memory> memoryOf(const fs::path &folder, std::string_view kind,
                                           std::string_view extension) {
  std::map<size_t, Capture::Memory> memory;
  for (auto &[index, file] : memoryIn(folder / "Pre", kind, extension))
    memory[index].before = std::move(file);
  for (auto &[index, file] : memoryIn(folder / "Post", kind, extension)) {
    if (!memory.contains(index))
      throw Error(fmt::format("{}: has no counterpart in Pre/: expected the buffer before the "
                              "launch",
                              file.string()));
    memory[index].after = std::move(file);
  }
  return memory;
}

void readArgumentFile(Capture &capture, const fs::path &file) {
  const std::string name = file.filename().string();
  if (const auto value = numberBetween(name, "Argument", ".bin"))
    capture.values[*value] = readFile(file, "a captured argument", kMostTextBytes);
  else if (const auto local = numberBetween(name, "Local", ".txt")) {
    const auto bytes = asNumber(textOf(file, "the size of local memory"));
    if (!bytes || *bytes == 0)
      throw Error(fmt::format("{}: is no size: expected a number of bytes", file.string()));
    capture.localBytes[*local] = *bytes;
  } else if (const auto sampler = numberBetween(name, "Sampler", ".txt"))
    capture.samplers[*sampler] = samplerIn(file);
  else if (const auto image = numberBetween(name, "Image_MetaData_", ".txt"))
    capture.imageForms[*image] = imageFormIn(file);
  else if (const auto offset = numberBetween(name, "SVM_Arg_Offset_", ".txt")) {
    const std::string text = textOf(file, "the offset of a pointer");
    if (text != "0")
      throw Error(fmt::format("{}: argument {} points {} bytes into its allocation: expected "
                              "pointers to where allocations begin",
                              file.string(), *offset, text));
  }
}

Argument memoryArgument(const Capture::Memory &memory, Argument::Kind kind) {
  Argument argument;
  argument.kind = kind;
  argument.bytes = readFile(memory.before, "a captured buffer", kMostBytes);
  argument.contents = "capture";
  if (argument.bytes.empty())
    throw Error(fmt::format("{}: is empty: expected the bytes of the buffer before the launch",
                            memory.before.string()));
  return argument;
}

Argument imageArgument(const Capture &capture, size_t index) {
  Argument argument = memoryArgument(capture.images.at(index), Argument::Kind::kImage);
  const auto form = capture.imageForms.find(index);
  if (form == capture.imageForms.end())
    throw Error(fmt::format("{}: has no Image_MetaData_{}.txt: expected the form of the image",
                            capture.folder.string(), index));
  const Capture::ImageForm &known = form->second;
  argument.imageSize = known.size;
  argument.imageDimensions = known.dimensions;
  argument.channelOrder = known.channelOrder;
  argument.channelType = known.channelType;
  const uint64_t wanted = known.size[0] * known.size[1] * known.size[2] * known.pointBytes;
  if (argument.bytes.size() != wanted)
    throw Error(fmt::format("{}: has {} bytes: expected {} of the image",
                            capture.images.at(index).before.string(), argument.bytes.size(),
                            wanted));
  return argument;
}

/// By their kinds.
constexpr std::array<std::string_view, 3> kWords = {"begin", "launched", "failed"};

} // namespace

std::vector<fs::path> capturesIn(const fs::path &folder) {
  if (isCapture(folder))
    return {folder};
  std::vector<fs::path> captures;
  for (const fs::path &place : {folder, folder / "Replay"})
    for (const fs::path &file : filesOf(place))
      if (enqueueOf(file) && isCapture(file))
        captures.push_back(file);
  std::ranges::stable_sort(captures, {}, [](const fs::path &file) { return *enqueueOf(file); });
  if (captures.empty())
    throw Error(fmt::format("{}: is no capture: expected a folder of the OpenCL Intercept Layer "
                            "with worksizes.txt, or one with folders Enqueue_N_KERNEL",
                            folder.string()));
  return captures;
}

Capture readCapture(const fs::path &folder) {
  Capture capture;
  capture.folder = named(folder);
  const fs::path nameFile = folder / "kernelName.txt";
  capture.kernel = textOf(nameFile, "the name of the captured kernel");
  if (std::ranges::any_of(capture.kernel, [](unsigned char c) { return c < ' '; }))
    throw Error(
        fmt::format("{}: has several lines: expected the name of a kernel", nameFile.string()));
  capture.sizes = sizesIn(folder / "worksizes.txt");
  capture.program = programIn(folder);
  if (auto options = readFileIfAny(folder / "buildOptions.txt")) {
    std::ranges::replace(*options, '\n', ' ');
    std::erase(*options, '\0');
    options->erase(std::min(options->find_last_not_of(" \r") + 1, options->size()));
    capture.buildOptions = std::move(*options);
  }
  for (const fs::path &file : filesOf(folder))
    readArgumentFile(capture, file);
  capture.buffers = memoryOf(folder, "Buffer", ".bin");
  capture.images = memoryOf(folder, "Image", ".raw");
  return capture;
}

namespace {

/// The bytes of its buffers and images: those of files here, and those of handles in the simulator.
uint64_t memoryBytes(const Capture &capture) {
  uint64_t bytes = 0;
  std::set<std::string_view> handles;
  const auto add = [&](size_t index, const Capture::Memory &memory) {
    std::error_code unknown; // which is said where it is read
    const std::uintmax_t size = fs::file_size(memory.before, unknown);
    const auto handle = capture.values.find(index);
    const bool isNew = handle == capture.values.end() || handles.insert(handle->second).second;
    bytes += unknown ? 0 : isNew ? 2 * size : size;
  };
  for (const auto &[index, memory] : capture.buffers)
    add(index, memory);
  for (const auto &[index, memory] : capture.images)
    add(index, memory);
  return bytes;
}

} // namespace

std::vector<Argument> argumentsOf(const Capture &capture, const Signature &signature) {
  requireMemory(signature.kernel, memoryBytes(capture));
  std::vector<Argument> arguments;
  std::map<std::string, uint64_t> handles; // arguments of one handle share their memory
  const auto wrong = [&](size_t index, std::string_view what, std::string_view expected) {
    return Error(fmt::format("{}: argument {} of {} {}: expected {}", capture.folder.string(),
                             signature.nameOf(index), signature.kernel, what, expected));
  };
  using Space = Parameter::Space;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter &parameter = signature.parameters[i];
    const auto value = capture.values.find(i);
    const bool hasValue = value != capture.values.end();
    Argument argument;
    switch (parameter.space) {
    case Space::kBuffer:
    case Space::kPointer:
      if (const auto buffer = capture.buffers.find(i); buffer != capture.buffers.end()) {
        argument = memoryArgument(buffer->second, Argument::Kind::kBuffer);
        if (hasValue)
          argument.shared = handles.try_emplace(value->second, i).first->second;
      } else if (hasValue && value->second.find_first_not_of('\0') == std::string::npos) {
        argument.kind = Argument::Kind::kNull;
      } else {
        throw wrong(i, "has no buffer in Pre/", fmt::format("a file ..._Arg_{}_Buffer_...bin", i));
      }
      break;
    case Space::kLocal:
      if (!capture.localBytes.contains(i))
        throw wrong(i, "has no size", fmt::format("a file Local{}.txt", i));
      argument.kind = Argument::Kind::kLocal;
      argument.localBytes = capture.localBytes.at(i);
      break;
    case Space::kImage:
      if (!capture.images.contains(i))
        throw wrong(i, "has no image in Pre/", fmt::format("a file ..._Arg_{}_Image_...raw", i));
      argument = imageArgument(capture, i);
      break;
    case Space::kSampler:
      if (!capture.samplers.contains(i))
        throw wrong(i, "has no sampler", fmt::format("a file Sampler{}.txt", i));
      argument.kind = Argument::Kind::kSampler;
      argument.sampler = capture.samplers.at(i);
      break;
    case Space::kValue:
      if (!hasValue)
        throw wrong(i, "has no value", fmt::format("a file Argument{}.bin", i));
      argument.bytes = value->second;
      if (parameter.bytes != 0 && parameter.bytes != argument.bytes.size())
        throw wrong(i, fmt::format("has {} bytes", argument.bytes.size()),
                    fmt::format("{} of its type {}", parameter.bytes, parameter.type));
      break;
    }
    arguments.push_back(std::move(argument));
  }
  if (!capture.values.empty() && capture.values.rbegin()->first >= signature.parameters.size())
    throw Error(fmt::format("{}: has Argument{}.bin: expected arguments 0 to {} of {}",
                            capture.folder.string(), capture.values.rbegin()->first,
                            static_cast<int64_t>(signature.parameters.size()) - 1,
                            signature.kernel));
  return arguments;
}

namespace {

/// Which errors are allowed: relative to the larger number, and to the largest one of the buffer.
struct Bounds {
  double ofNumber, ofLargest;
};
Bounds boundsOf(const ValueType &type) {
  return type.bytes == 2   ? Bounds{1e-2, 1e-3}
         : type.bytes == 4 ? Bounds{1e-3, 1e-5}
                           : Bounds{1e-9, 1e-11};
}

std::string floatDifference(const ValueType &type, const std::string &simulated,
                            const std::string &captured, const ResultNames &names) {
  const size_t count = captured.size() / type.bytes;
  const auto at = [&](const std::string &bytes, size_t i) {
    return floatAt(type, &bytes[i * type.bytes]);
  };
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    if (const double size = std::fabs(at(captured, i)); std::isfinite(size))
      largest = std::max(largest, size);
  const Bounds bounds = boundsOf(type);
  size_t different = 0, worst = 0;
  double worstError = -1;
  for (size_t i = 0; i < count; ++i) {
    const double a = at(simulated, i), b = at(captured, i);
    const double error = std::fabs(a - b);
    const double allowed = std::max(bounds.ofNumber * std::max(std::fabs(a), std::fabs(b)),
                                    bounds.ofLargest * largest);
    if (a == b || (std::isnan(a) && std::isnan(b)) || (std::isfinite(error) && error <= allowed))
      continue;
    ++different;
    const double size = std::isfinite(error) ? error : HUGE_VAL;
    if (size > worstError) {
      worstError = size;
      worst = i;
    }
  }
  if (different == 0)
    return "";
  return fmt::format("{} of {} numbers of type {} differ, most at index {}: {:.6g} {}, {:.6g} {}",
                     different, count, ValueType{type.kind, type.bytes}.name(), worst,
                     at(simulated, worst), names.one, at(captured, worst), names.other);
}

std::string exactDifference(size_t step, const std::string &simulated, const std::string &captured,
                            const std::optional<ValueType> &type, const ResultNames &names) {
  const size_t count = captured.size() / step;
  size_t different = 0, first = 0;
  for (size_t i = 0; i < count; ++i)
    if (simulated.compare(i * step, step, captured, i * step, step) != 0 && different++ == 0)
      first = i;
  if (different == 0)
    return "";
  const auto value = [&](const std::string &bytes) {
    if (type)
      return fmt::format("{}", integerAt(*type, &bytes[first * step]));
    return fmt::format("{:#04x}", static_cast<unsigned char>(bytes[first * step]));
  };
  return fmt::format("{} of {} {} differ, first at index {}: {} {}, {} {}", different, count,
                     type ? "numbers of type " + ValueType{type->kind, type->bytes}.name()
                          : std::string("bytes"),
                     first, value(simulated), names.one, value(captured), names.other);
}

} // namespace

std::string differenceOf(const Parameter &parameter, const std::string &simulated,
                         const std::string &captured, const ResultNames &names) {
  if (simulated.size() != captured.size())
    return fmt::format("it has {} bytes {}, {} {}", simulated.size(), names.one, captured.size(),
                       names.other);
  const auto type =
      parameter.space == Parameter::Space::kImage ? std::nullopt : parameter.valueType();
  if (!type || captured.size() % type->bytes != 0)
    return exactDifference(1, simulated, captured, std::nullopt, names);
  return type->isInteger() ? exactDifference(type->bytes, simulated, captured, type, names)
                           : floatDifference(*type, simulated, captured, names);
}

void logCapture(const CaptureEvent &event) noexcept {
  const char *const path = std::getenv(kCaptureLogVariable);
  if (!path)
    return;
  try {
    std::string reason = event.reason;
    std::ranges::replace(reason, '\n', ' ');
    const std::string line =
        fmt::format("{} {} {}\n", kWords.at(static_cast<size_t>(event.kind)), event.place, reason);
    constexpr mode_t kMode = 0600;
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
    if (file < 0)
      return;
    writeAll(file, line);
    close(file);
  } catch (...) { // out of memory
  }
}

std::vector<CaptureEvent> readCaptureLog(const std::filesystem::path &file) {
  std::vector<CaptureEvent> events;
  std::istringstream lines(readFileIfAny(file).value_or(""));
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    std::istringstream words(line);
    std::string word;
    CaptureEvent event;
    if (!(words >> word >> event.place))
      continue;
    const auto *const known = std::ranges::find(kWords, word);
    if (known == kWords.end())
      continue;
    event.kind = static_cast<CaptureEvent::Kind>(known - kWords.begin());
    std::getline(words >> std::ws, event.reason);
    events.push_back(std::move(event));
  }
  return events;
}

} // namespace aiwc::kernel_launch
