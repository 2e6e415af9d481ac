#include "device_code/device_code.h"

#include "common/as_number.h"
#include "common/error.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <utility>

namespace aiwc::cuda {
namespace {

constexpr std::string_view kMagic = "AIWCCUDA";
constexpr uint64_t kVersion = 2;
constexpr size_t kNumberBytes = 8, kNumbers = 5;
constexpr size_t kHeaderBytes = kMagic.size() + kNumbers * kNumberBytes;
/// CUDA's limit of all arguments together is 32764 bytes.
constexpr size_t kMostArgumentBytes = 1 << 16;

struct Header {
  uint64_t version = 0;
  std::array<uint64_t, 4> parts{}; ///< bytes: table, global, constant, bitcode
};

/// Of at least `kHeaderBytes` bytes.
Header readHeader(const char *code) {
  if (std::memcmp(code, kMagic.data(), kMagic.size()) != 0)
    throw Error("device code: no such header: expected it to begin with 'AIWCCUDA'");
  std::array<uint64_t, kNumbers> numbers{};
  for (size_t i = 0; i < kNumbers; ++i)
    for (size_t byte = 0; byte < kNumberBytes; ++byte)
      numbers[i] |=
          uint64_t{static_cast<unsigned char>(code[kMagic.size() + i * kNumberBytes + byte])}
          << 8 * byte;
  if (numbers[0] != kVersion)
    throw Error("device code: version " + std::to_string(numbers[0]) +
                ": expected version 2; build the program again");
  return {numbers[0], {numbers[1], numbers[2], numbers[3], numbers[4]}};
}

size_t sizeOf(const Header &header) {
  size_t bytes = kHeaderBytes;
  for (const uint64_t part : header.parts) {
    // Half of the address space, so that pointers into it cannot overflow.
    if (part > std::numeric_limits<size_t>::max() / 2 - bytes)
      throw Error("device code: its parts are larger than memory");
    bytes += part;
  }
  return bytes;
}

const char *nameOf(SymbolSpace space) {
  return space == SymbolSpace::kGlobal ? "global" : "constant";
}

/// The letters of the hidden arguments, in their order.
template <typename Kernel> auto hiddenOf(Kernel &kernel) {
  return std::array{std::pair{'d', &kernel.hasDynamicShared}, std::pair{'g', &kernel.hasGlobal},
                    std::pair{'c', &kernel.hasConstant}};
}

/// A line of the table.
class Line {
public:
  Line(std::string_view text, size_t number) : rest_(text), number_(number) {}

  [[noreturn]] void fail(const std::string &what) const {
    throw Error("device code:" + std::to_string(number_) + ": " + what);
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
    const auto value = asNumber<size_t>(field);
    if (!value)
      fail("'" + std::string(field) + "': expected " + what);
    return *value;
  }
  SymbolSpace space() {
    const std::string_view field = word("'global' or 'constant'");
    for (const SymbolSpace space : kSymbolSpaces)
      if (field == nameOf(space))
        return space;
    fail("'" + std::string(field) + "': expected 'global' or 'constant'");
  }

private:
  std::string_view rest_;
  size_t number_;
  bool ended_ = false;
};

DeviceCode::Kernel readKernel(Line &line) {
  DeviceCode::Kernel kernel;
  kernel.name = line.word("the kernel's name");
  kernel.function = line.word("the kernel's function");
  std::string_view hidden = line.word("the hidden arguments");
  if (hidden != "-") {
    for (const auto &[letter, has] : hiddenOf(kernel))
      if (!hidden.empty() && hidden.front() == letter) {
        *has = true;
        hidden.remove_prefix(1);
      }
    if (!hidden.empty())
      line.fail("unknown hidden argument: expected '-' or some of 'd', 'g', 'c' in this order");
  }
  kernel.sharedBytes = line.number("the bytes of shared memory");
  kernel.mostThreads = line.number("the most threads of a block");
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
bool contains(const DeviceCode &code, SymbolSpace space, size_t offset, size_t bytes) {
  const size_t size = code.initial[indexOf(space)].size();
  return offset <= size && bytes <= size - offset;
}

void readEntry(Line line, DeviceCode &code) {
  const std::string_view kind = line.word("'kernel', 'refused', 'symbol' or 'pointer'");
  if (kind == "kernel") {
    code.kernels.push_back(readKernel(line));
  } else if (kind == "refused") {
    DeviceCode::Refused refused;
    refused.name = line.word("the kernel's name");
    refused.reason = line.word("the reason");
    code.refused.push_back(std::move(refused));
  } else if (kind == "symbol") {
    DeviceCode::Symbol symbol;
    symbol.name = line.word("the symbol's name");
    symbol.space = line.space();
    symbol.offset = line.number("an offset");
    symbol.bytes = line.number("a size");
    if (!contains(code, symbol.space, symbol.offset, symbol.bytes))
      line.fail("the symbol is outside of its memory");
    code.symbols.push_back(std::move(symbol));
  } else if (kind == "pointer") {
    DeviceCode::Pointer pointer;
    pointer.space = line.space();
    pointer.offset = line.number("an offset");
    pointer.targetSpace = line.space();
    pointer.targetOffset = line.number("an offset");
    if (!contains(code, pointer.space, pointer.offset, kNumberBytes) ||
        !contains(code, pointer.targetSpace, pointer.targetOffset, 0))
      line.fail("the pointer or its target is outside of its memory");
    code.pointers.push_back(pointer);
  } else {
    line.fail("'" + std::string(kind) + "': expected 'kernel', 'refused', 'symbol' or 'pointer'");
  }
  if (!line.atEnd())
    line.fail("more fields than expected");
}

std::string tableOf(const DeviceCode &code) {
  std::string lines;
  for (const DeviceCode::Kernel &kernel : code.kernels) {
    std::string hidden;
    for (const auto &[letter, has] : hiddenOf(kernel))
      if (*has)
        hidden += letter;
    lines += fmt::format("kernel\t{}\t{}\t{}\t{}\t{}", kernel.name, kernel.function,
                         hidden.empty() ? "-" : hidden, kernel.sharedBytes, kernel.mostThreads);
    for (const size_t bytes : kernel.argumentBytes)
      lines += fmt::format("\t{}", bytes);
    lines += '\n';
  }
  for (const DeviceCode::Refused &refused : code.refused)
    lines += fmt::format("refused\t{}\t{}\n", refused.name, refused.reason);
  for (const DeviceCode::Symbol &symbol : code.symbols)
    lines += fmt::format("symbol\t{}\t{}\t{}\t{}\n", symbol.name, nameOf(symbol.space),
                         symbol.offset, symbol.bytes);
  for (const DeviceCode::Pointer &pointer : code.pointers)
    lines += fmt::format("pointer\t{}\t{}\t{}\t{}\n", nameOf(pointer.space), pointer.offset,
                         nameOf(pointer.targetSpace), pointer.targetOffset);
  return lines;
}

void appendNumber(std::string &bytes, uint64_t number) {
  for (size_t i = 0; i < kNumberBytes; ++i)
    bytes += static_cast<char>(number >> 8 * i & 0xff);
}

} // namespace

std::string writeDeviceCode(const DeviceCode &code) {
  const std::string table = tableOf(code);
  std::string bytes(kMagic);
  appendNumber(bytes, kVersion);
  for (const std::string *part : {&table, &code.initial[0], &code.initial[1], &code.bitcode})
    appendNumber(bytes, part->size());
  return bytes + table + code.initial[0] + code.initial[1] + code.bitcode;
}

size_t deviceCodeBytes(const char *code) {
  return sizeOf(readHeader(code));
}

DeviceCode parseDeviceCode(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes)
    throw Error("device code: " + std::to_string(bytes.size()) + " bytes: expected a header of 48");
  const Header header = readHeader(bytes.data());
  if (sizeOf(header) != bytes.size())
    throw Error("device code: " + std::to_string(bytes.size()) + " bytes: expected " +
                std::to_string(sizeOf(header)));
  bytes.remove_prefix(kHeaderBytes);
  const auto take = [&bytes](size_t size) {
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return part;
  };
  std::string_view table = take(header.parts[0]);
  DeviceCode code;
  for (const SymbolSpace space : kSymbolSpaces)
    code.initial[indexOf(space)] = take(header.parts[1 + indexOf(space)]);
  code.bitcode = take(header.parts[3]);
  for (size_t number = 1; !table.empty(); ++number) {
    const size_t end = table.find('\n');
    if (end != 0)
      readEntry(Line(table.substr(0, end), number), code);
    table.remove_prefix(end == std::string_view::npos ? table.size() : end + 1);
  }
  return code;
}

std::vector<std::string_view> deviceCodesIn(std::string_view file) {
  std::vector<std::string_view> codes;
  for (size_t at = file.find(kMagic); at != std::string_view::npos;
       at = file.find(kMagic, at + 1)) {
    const std::string_view rest = file.substr(at);
    if (rest.size() < kHeaderBytes)
      break;
    try {
      if (const size_t size = deviceCodeBytes(rest.data()); size <= rest.size())
        codes.push_back(rest.substr(0, size));
    } catch (const Error &) { // the text of a program that looks for device code
    }
  }
  return codes;
}

} // namespace aiwc::cuda
