#include "eod/common/program_source.h"

#include "eod/common/error.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>

// In this file alone, so that who links the library needs no other for it.
#define XXH_INLINE_ALL // NOLINT(cppcoreguidelines-macro-usage)
#include <xxhash.h>

namespace aiwc::eod {
namespace {

constexpr std::string_view kMarker = "//@aiwc ";
constexpr std::string_view kBegin = "//@aiwc begin ";
constexpr std::string_view kLineDirective = "#line ";
constexpr std::string_view kEnd = " //@aiwc end";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse(const std::string &complaint) {
  throw UsageError(fmt::format("--program {}: expected OpenCL C or a program's binary", complaint));
}

bool isEnd(std::string_view line) {
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line.starts_with(kLineDirective) && line.ends_with(kEnd);
}

} // namespace

std::string readProgram(const std::string &file) {
  constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{64} << 20U;
  struct stat status {};
  // Asked before opening: opening a pipe would wait for its other end.
  if (stat(file.c_str(), &status) != 0)
    refuse(withReason(file + ": cannot be read", errno));
  if (!S_ISREG(status.st_mode))
    refuse(file + ": is not a regular file");
  if (static_cast<std::uintmax_t>(status.st_size) > kMaximumBytes)
    refuse(fmt::format("{}: has {} bytes, more than {}", file, status.st_size, kMaximumBytes));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<size_t>(status.st_size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad())
    refuse(withReason(file + ": cannot be read", errno));
  text.resize(static_cast<size_t>(stream.gcount()));
  return text;
}

std::string sourceHash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("xxh3-128:{:016x}{:016x}", hash.high64, hash.low64);
}

std::string withoutAnnotations(std::string_view source) {
  std::string result;
  size_t kept = 0;             // where begins what is not in `result` yet
  std::optional<size_t> block; // where the open block begins
  size_t at = source.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (at < source.size()) {
    const size_t newline = source.find('\n', at);
    const size_t next = newline == std::string_view::npos ? source.size() : newline + 1;
    const std::string_view line = source.substr(at, std::min(newline, source.size()) - at);
    if (line.starts_with(kBegin)) {
      block = block ? block : at;
    } else if (block && isEnd(line)) {
      result += source.substr(kept, *block - kept);
      kept = next;
      block.reset();
    } else if (!line.starts_with(kMarker)) {
      block.reset(); // its lines do not follow one another: it is none
    }
    at = next;
  }
  result += source.substr(kept);
  return result;
}

} // namespace aiwc::eod
