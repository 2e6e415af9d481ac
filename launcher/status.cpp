// The status file: a line per report, its kind, a tab and the escaped text.

#include "launcher/session.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <unordered_set>

namespace aiwc {
namespace {

constexpr std::string_view kLoaded = "loaded";
constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kProfile = "profile";
constexpr std::string_view kError = "error";

// Enough for a path and a reason; a longer text is cut rather than allowed to fill the disk.
constexpr std::size_t kLongestText = 8192;

std::optional<int> hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return std::nullopt;
}

// The inverse of escapeLine; what that could not have written is kept as it is.
std::string unescapeLine(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    const char kind = line[++i];
    if (kind == 'x' && i + 2 < line.size() && hexDigit(line[i + 1]) && hexDigit(line[i + 2])) {
      text += static_cast<char>(*hexDigit(line[i + 1]) * 16 + *hexDigit(line[i + 2]));
      i += 2;
    } else {
      text += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
    }
  }
  return text;
}

} // namespace

std::string escapeLine(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\')
      line += "\\\\";
    else if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      line += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    else
      line += c;
  }
  return line;
}

StatusFile::StatusFile(std::filesystem::path path) : path_(std::move(path)) {}

void StatusFile::loaded(std::string_view pluginVersion) noexcept {
  append(kLoaded, pluginVersion);
}

void StatusFile::kernelLaunched(std::string_view kernel) noexcept {
  append(kKernel, kernel);
}

void StatusFile::profileWritten(const std::filesystem::path &profile) noexcept {
  append(kProfile, profile.native());
}

void StatusFile::error(std::string_view message) noexcept {
  append(kError, message);
}

void StatusFile::append(std::string_view kind, std::string_view text) noexcept {
  if (path_.empty())
    return;
  try {
    std::string line(kind);
    line += '\t';
    line += escapeLine(text.substr(0, kLongestText));
    line += '\n';
    const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
      return;
    // Nobody is left to tell if this fails; a short line has no end and the reader drops it.
    [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
    ::close(file);
  } catch (...) { // out of memory
  }
}

SessionStatus readStatus(const std::filesystem::path &path) {
  SessionStatus status;
  std::unordered_set<std::string> seenKernels;
  std::unordered_set<std::string> seenErrors;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (file.eof())
      break; // no newline: the rest of the line is missing
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos)
      continue;
    const std::string kind = line.substr(0, tab);
    const std::string text = unescapeLine(std::string_view(line).substr(tab + 1));
    if (kind == kLoaded) {
      if (!status.loaded)
        status.pluginVersion = text;
      status.loaded = true;
    } else if (kind == kKernel && seenKernels.insert(text).second) {
      status.kernels.push_back(text);
    } else if (kind == kProfile) {
      ++status.profiles;
    } else if (kind == kError && seenErrors.insert(text).second) {
      status.errors.push_back(text);
    }
  }
  return status;
}

} // namespace aiwc
