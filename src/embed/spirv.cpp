#include "embed/spirv.h"

#include "common/error.h"
#include "embed/marker.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace aiwc::embed {

namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kWordBytes = 4;
constexpr size_t kHeaderWords = 5;
constexpr size_t kVersionWord = 1;
constexpr uint32_t kFirstVersion = 0x00010100; // that has OpModuleProcessed
constexpr uint32_t kNextMajorVersion = 0x00020000;

// Opcodes (SPIR-V specification, 3.49).
constexpr uint32_t kOpEntryPoint = 15;
constexpr uint32_t kOpModuleProcessed = 330;

/// Opcodes of the instructions that may be before annotations (decorations), in the order of the
/// layout: capabilities, extensions, imports, memory model, entry points, execution modes, debug.
constexpr std::array<uint32_t, 14> kBeforeDecorations = {
    17, 10, 11, 14, kOpEntryPoint, 16, 331, 7, 4, 3, 2, 5, 6, kOpModuleProcessed};

/// The words of a module.
class Words {
public:
  explicit Words(std::string_view bytes)
      : bytes_(bytes), swapped_(bytes.size() >= kWordBytes && read(0, false) != kMagic) {}

  size_t size() const { return bytes_.size() / kWordBytes; }
  uint32_t operator[](size_t word) const { return read(word * kWordBytes, swapped_); }

  /// The bytes of a literal string from `word` to its end or `end`; none where it does not end
  /// before that.
  std::optional<std::string> string(size_t word, size_t end) const {
    if (word >= end)
      return std::nullopt;
    std::string result(bytes_.substr(word * kWordBytes, (end - word) * kWordBytes));
    if (swapped_)
      for (size_t i = 0; i < result.size(); i += kWordBytes)
        std::reverse(result.begin() + static_cast<ptrdiff_t>(i),
                     result.begin() + static_cast<ptrdiff_t>(i + kWordBytes));
    const size_t length = result.find('\0');
    if (length == std::string::npos)
      return std::nullopt;
    result.resize(length);
    return result;
  }

  void append(uint32_t word, std::string &to) const {
    for (size_t i = 0; i < kWordBytes; ++i)
      to += static_cast<char>(word >> 8U * (swapped_ ? kWordBytes - 1 - i : i));
  }

private:
  /// The first byte is the lowest, unless swapped.
  uint32_t read(size_t at, bool swapped) const {
    uint32_t word = 0;
    for (size_t i = 0; i < kWordBytes; ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[at + i]);
      word |= static_cast<uint32_t>(byte) << 8U * (swapped ? kWordBytes - 1 - i : i);
    }
    return word;
  }

  std::string_view bytes_;
  bool swapped_;
};

struct Instruction {
  uint32_t opcode = 0;
  size_t begin = 0, end = 0; ///< words
};

/// The instructions before the decorations, and where they end.
struct Preamble {
  std::vector<Instruction> instructions;
  size_t end = kHeaderWords; ///< word
  std::string reason;        ///< why it ended, where not as it should
};

Preamble preambleOf(const Words &words) {
  Preamble preamble;
  if (words.size() < kHeaderWords) {
    preamble.end = words.size();
    preamble.reason = fmt::format("has {} words: expected the header of SPIR-V", words.size());
    return preamble;
  }
  while (preamble.end < words.size()) {
    const uint32_t first = words[preamble.end];
    const Instruction instruction{first & 0xffffU, preamble.end, preamble.end + (first >> 16U)};
    if (std::ranges::find(kBeforeDecorations, instruction.opcode) == kBeforeDecorations.end())
      return preamble;
    if (instruction.end == instruction.begin || instruction.end > words.size()) {
      preamble.reason =
          fmt::format("word {}: an instruction of {} words: expected 1 to {}", instruction.begin,
                      first >> 16U, words.size() - instruction.begin);
      return preamble;
    }
    preamble.instructions.push_back(instruction);
    preamble.end = instruction.end;
  }
  return preamble;
}

/// Whether the instruction is one of our annotations, damaged or not: decided by the start of its
/// string.
bool isAnnotation(const Words &words, const Instruction &instruction) {
  if (instruction.opcode != kOpModuleProcessed)
    return false;
  constexpr size_t kNameWords = (kMarkerName.size() + kWordBytes - 1) / kWordBytes;
  const size_t begin = instruction.begin + 1;
  if (instruction.end < begin + kNameWords)
    return false;
  for (size_t i = 0; i < kMarkerName.size(); ++i) {
    const uint32_t word = words[begin + i / kWordBytes];
    if (static_cast<char>(word >> 8U * (i % kWordBytes)) != kMarkerName[i])
      return false;
  }
  return true;
}

/// Calls `use` with each piece of the module that is not an annotation.
template <typename Use>
void betweenAnnotations(std::string_view module, const Words &words, const Preamble &preamble,
                        Use use) {
  size_t at = 0;
  for (const Instruction &instruction : preamble.instructions)
    if (isAnnotation(words, instruction)) {
      use(module.substr(at, instruction.begin * kWordBytes - at));
      at = instruction.end * kWordBytes;
    }
  use(module.substr(at));
}

void appendInstruction(const Words &words, std::string_view text, std::string &to) {
  const size_t stringWords = text.size() / kWordBytes + 1; // with a zero behind it
  words.append(static_cast<uint32_t>(stringWords + 1) << 16U | kOpModuleProcessed, to);
  for (size_t word = 0; word < stringWords; ++word) {
    uint32_t value = 0;
    for (size_t i = 0; i < kWordBytes; ++i)
      if (const size_t at = word * kWordBytes + i; at < text.size())
        value |= static_cast<uint32_t>(static_cast<unsigned char>(text[at])) << 8U * i;
    words.append(value, to);
  }
}

void checkVersion(const Words &words) {
  const uint32_t version = words.size() > kVersionWord ? words[kVersionWord] : 0;
  if (version < kFirstVersion || version >= kNextMajorVersion)
    throw Error(fmt::format("SPIR-V {}.{}: expected 1.1 or a later 1.x, which has instructions for "
                            "annotations; --sidecar writes them beside the file",
                            version >> 16U, version >> 8U & 0xffU));
}

/// Recognised by the magic number, in either byte order.
bool isSpirv(const std::filesystem::path & /*file*/, std::string_view bytes) {
  return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

} // namespace

Annotations readSpirv(std::string_view module) {
  const Words words(module);
  const Preamble preamble = preambleOf(words);
  Annotations result;
  profile::SourceHasher hasher;
  betweenAnnotations(module, words, preamble, [&](std::string_view piece) { hasher.add(piece); });
  result.sourceHash = hasher.hash();
  for (const Instruction &instruction : preamble.instructions) {
    if (!isAnnotation(words, instruction))
      continue;
    const std::string place = fmt::format("word {}", instruction.begin);
    const auto text = words.string(instruction.begin + 1, instruction.end);
    if (!text) {
      result.reject(place, "a string without an end: expected a byte 0");
      continue;
    }
    std::string_view rest = std::string_view(*text).substr(kMarkerName.size());
    const Marker marker = takeMarker(rest);
    result.addMarked(marker, std::string(rest), place);
  }
  if (!preamble.reason.empty())
    result.reject("SPIR-V", preamble.reason);
  result.markStale();
  return result;
}

std::string stripSpirv(std::string_view module) {
  const Words words(module);
  std::string result;
  result.reserve(module.size());
  betweenAnnotations(module, words, preambleOf(words),
                     [&](std::string_view piece) { result += piece; });
  return result;
}

std::string embedIntoSpirv(std::string_view module, std::span<const Annotation> annotations) {
  std::string bare = stripSpirv(module);
  const Words words(bare);
  const Preamble preamble = preambleOf(words);
  if (!preamble.reason.empty())
    throw Error(preamble.reason);
  checkVersion(words);
  const std::string marker =
      fmt::format("{}{}\n", kMarkerName, writeMarker(profile::sourceHash(bare)));
  std::string instructions;
  for (const Annotation &annotation : annotations)
    appendInstruction(words, marker + annotation.text, instructions);
  bare.insert(preamble.end * kWordBytes, instructions);
  return bare;
}

std::vector<std::string> definedInSpirv(std::string_view module) {
  constexpr size_t kNameOperand = 3; // behind the execution model and the function
  const Words words(module);
  std::vector<std::string> names;
  for (const Instruction &instruction : preambleOf(words).instructions)
    if (instruction.opcode == kOpEntryPoint)
      if (auto name = words.string(instruction.begin + kNameOperand, instruction.end))
        names.push_back(*std::move(name));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const Container kSpirv = {
    .name = "SPIR-V",
    .sourceKind = "",
    .recognises = isSpirv,
    .read = readSpirv,
    .strip = stripSpirv,
    .embed = embedIntoSpirv,
    .identity =
        [](std::string_view module) {
          return Identity{"", definedInSpirv(module)};
        },
};

} // namespace aiwc::embed
