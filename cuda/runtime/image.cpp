#include "cuda/runtime/image.h"

#include "common/error.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

namespace aiwc::cuda {
namespace {

constexpr std::string_view kMagic = "AIWCCUDA";
constexpr uint64_t kVersion = 1;
constexpr size_t kNumbers = 5, kHeaderBytes = 8 + kNumbers * sizeof(uint64_t);
constexpr size_t kAddressBytes = 8;
/// CUDA's limit of all arguments together is 32764 bytes.
constexpr size_t kMostArgumentBytes = 1 << 16;

struct Header {
  uint64_t version = 0;
  std::array<uint64_t, 4> parts{}; ///< bytes: table, global, constant, bitcode
};

Header readHeader(const std::byte *image) {
  if (std::memcmp(image, kMagic.data(), kMagic.size()) != 0)
    throw Error("image of device code: no such image: expected it to begin with 'AIWCCUDA'");
  std::array<uint64_t, kNumbers> numbers{};
  for (size_t i = 0; i < kNumbers; ++i)
    for (size_t byte = 0; byte < sizeof(uint64_t); ++byte)
      numbers[i] |= std::to_integer<uint64_t>(image[8 + i * sizeof(uint64_t) + byte]) << 8 * byte;
  if (numbers[0] != kVersion)
    throw Error("image of device code: version " + std::to_string(numbers[0]) +
                ": expected version 1; build the program again");
  return {numbers[0], {numbers[1], numbers[2], numbers[3], numbers[4]}};
}

size_t sizeOf(const Header &header) {
  size_t bytes = kHeaderBytes;
  for (const uint64_t part : header.parts) {
    // Half of the address space, so that pointers into it cannot overflow.
    if (part > std::numeric_limits<size_t>::max() / 2 - bytes)
      throw Error("image of device code: its parts are larger than memory");
    bytes += part;
  }
  return bytes;
}

/// A line of the table.
class Line {
public:
  Line(std::string_view text, size_t number) : rest_(text), number_(number) {}

  [[noreturn]] void fail(const std::string &what) const {
    throw Error("image of device code:" + std::to_string(number_) + ": " + what);
  }
  bool atEnd() const { return ended_; }
  std::string_view word(const char *what) {
    if (ended_)
      fail(std::string("the line ends: expected ") + what);
    const size_t end = rest_.find('\t');
    const std::string_view field = rest_.substr(0, end);
    ended_ = end == std::string_view::npos;
    rest_.remove_prefix(ended_ ? rest_.size() : end + 1);
    if (field.empty())
      fail(std::string("empty field: expected ") + what);
    return field;
  }
  size_t number(const char *what) {
    const std::string_view field = word(what);
    size_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
      fail("'" + std::string(field) + "': expected " + what);
    return value;
  }
  Space space() {
    const std::string_view field = word("'global' or 'constant'");
    if (field == "global")
      return Space::kGlobal;
    if (field == "constant")
      return Space::kConstant;
    fail("'" + std::string(field) + "': expected 'global' or 'constant'");
  }

private:
  std::string_view rest_;
  size_t number_;
  bool ended_ = false;
};

KernelEntry readKernel(Line &line) {
  KernelEntry kernel;
  kernel.name = line.word("the kernel's name");
  kernel.function = line.word("the kernel's function");
  std::string_view hidden = line.word("the hidden arguments");
  if (hidden != "-") {
    for (const auto &[letter, has] : {std::pair{'d', &kernel.hasDynamicShared},
                                      {'g', &kernel.hasGlobal},
                                      {'c', &kernel.hasConstant}})
      if (!hidden.empty() && hidden.front() == letter) {
        *has = true;
        hidden.remove_prefix(1);
      }
    if (!hidden.empty())
      line.fail("unknown hidden argument: expected '-' or some of 'd', 'g', 'c' in this order");
  }
  kernel.sharedBytes = line.number("the bytes of shared memory");
  size_t together = 0;
  while (!line.atEnd()) {
    const size_t bytes = line.number("the bytes of an argument");
    if (bytes > kMostArgumentBytes || (together += bytes) > kMostArgumentBytes)
      line.fail("arguments of more than 65536 bytes");
    kernel.argumentBytes.push_back(bytes);
  }
  return kernel;
}

/// Whether the part has `bytes` bytes at the offset.
bool contains(const Image &image, Space space, size_t offset, size_t bytes) {
  const size_t size = image.initial[static_cast<size_t>(space)].size();
  return offset <= size && bytes <= size - offset;
}

void readEntry(Line line, Image &image) {
  const std::string_view kind = line.word("'kernel', 'symbol' or 'pointer'");
  if (kind == "kernel") {
    image.kernels.push_back(readKernel(line));
  } else if (kind == "symbol") {
    SymbolEntry symbol;
    symbol.name = line.word("the symbol's name");
    symbol.space = line.space();
    symbol.offset = line.number("an offset");
    symbol.bytes = line.number("a size");
    if (!contains(image, symbol.space, symbol.offset, symbol.bytes))
      line.fail("the symbol is outside of its memory");
    image.symbols.push_back(std::move(symbol));
  } else if (kind == "pointer") {
    PointerEntry pointer;
    pointer.space = line.space();
    pointer.offset = line.number("an offset");
    pointer.targetSpace = line.space();
    pointer.targetOffset = line.number("an offset");
    if (!contains(image, pointer.space, pointer.offset, kAddressBytes) ||
        !contains(image, pointer.targetSpace, pointer.targetOffset, 0))
      line.fail("the pointer or its target is outside of its memory");
    image.pointers.push_back(pointer);
  } else {
    line.fail("'" + std::string(kind) + "': expected 'kernel', 'symbol' or 'pointer'");
  }
  if (!line.atEnd())
    line.fail("more fields than expected");
}

} // namespace

size_t imageBytes(const std::byte *image) {
  return sizeOf(readHeader(image));
}

Image parseImage(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes)
    throw Error("image of device code: " + std::to_string(bytes.size()) +
                " bytes: expected a header of 48");
  const Header header = readHeader(bytes.data());
  if (sizeOf(header) != bytes.size())
    throw Error("image of device code: " + std::to_string(bytes.size()) + " bytes: expected " +
                std::to_string(sizeOf(header)));
  std::span<const std::byte> rest = bytes.subspan(kHeaderBytes);
  const auto take = [&rest](size_t size) {
    const auto part = rest.first(size);
    rest = rest.subspan(size);
    return part;
  };
  const auto table = take(header.parts[0]);
  Image image;
  image.initial = {take(header.parts[1]), take(header.parts[2])};
  image.bitcode = take(header.parts[3]);
  std::string_view text(reinterpret_cast<const char *>(table.data()), table.size());
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end != 0)
      readEntry(Line(text.substr(0, end), number), image);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return image;
}

} // namespace aiwc::cuda
