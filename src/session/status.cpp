// The status file has one line per report: the kind of the report, a tab and the escaped text.

#include "session/status.h"

#include "common/signals.h"
#include "common/write.h"
#include "session/escape.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <unordered_set>

namespace aiwc {
namespace {

constexpr std::string_view kLoaded = "loaded";
constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kWriter = "writer";
constexpr std::string_view kLaunches = "launches";
constexpr std::string_view kProfile = "profile";
constexpr std::string_view kError = "error";

// Enough for a path and a reason. A longer text is cut, so that it cannot fill the disk.
constexpr std::size_t kLongestText = 8192;

/// The text of a report of launches: three numbers, the kernel and the reason, with tabs between.
std::string textOf(const LaunchCount &count, const std::string &kernel, const std::string &reason) {
  return std::to_string(count.launches) + "\t" + std::to_string(count.characterised) + "\t" +
         std::to_string(count.instructions) + "\t" + kernel + "\t" + reason;
}

/// Takes the part before the next tab, or all that is left, from the front of `text`.
std::string_view takePart(std::string_view &text) {
  const std::string_view part = text.substr(0, text.find('\t'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

bool readNumber(std::string_view text, std::uint64_t &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Adds the launches of a report; ignores an invalid text.
void addLaunches(std::string_view text, LaunchCounts &counts) {
  LaunchCount count;
  const bool valid = readNumber(takePart(text), count.launches) &&
                     readNumber(takePart(text), count.characterised) &&
                     readNumber(takePart(text), count.instructions);
  const std::string kernel(takePart(text));
  if (valid && !kernel.empty())
    counts[kernel][std::string(text)] += count;
}

} // namespace

StatusFile::StatusFile(std::filesystem::path path) : path_(std::move(path)) {}

void StatusFile::loaded(std::string_view pluginVersion) noexcept {
  append(kLoaded, pluginVersion);
}

void StatusFile::kernelLaunched(std::string_view kernel) noexcept {
  append(kKernel, kernel);
}

void StatusFile::writes() noexcept {
  append(kWriter, std::to_string(getpid())); // short enough to need no memory
}

void StatusFile::launchesEnded(const LaunchCounts &counts) noexcept {
  try {
    for (const auto &[kernel, byReason] : counts)
      for (const auto &[reason, count] : byReason)
        append(kLaunches, textOf(count, kernel, reason));
  } catch (...) { // out of memory
  }
}

void StatusFile::profileWritten(const std::filesystem::path &profile) noexcept {
  append(kProfile, profile.native());
}

bool StatusFile::error(std::string_view message) noexcept {
  return append(kError, message);
}

bool StatusFile::append(std::string_view kind, std::string_view text) noexcept {
  if (path_.empty())
    return false;
  try {
    std::string line(kind);
    line += '\t';
    line += escapeLine(text.substr(0, kLongestText));
    line += '\n';
    return withDescriptor([&] {
             const int file =
                 ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
             if (file < 0)
               return errno;
             const WriteSignalsHeld held;
             // An incomplete line has no end, so the reader skips it.
             const ssize_t written = ::write(file, line.data(), line.size());
             ::close(file);
             return written == static_cast<ssize_t>(line.size()) ? 0 : EIO;
           }) == 0;
  } catch (...) { // out of memory
    return false;
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
    } else if (kind == kWriter) {
      pid_t writer = 0;
      std::from_chars(text.data(), text.data() + text.size(), writer);
      if (writer > 0)
        status.writers.push_back(writer);
    } else if (kind == kLaunches) {
      addLaunches(text, status.launches);
    } else if (kind == kProfile) {
      ++status.profiles;
    } else if (kind == kError && seenErrors.insert(text).second) {
      status.errors.push_back(text);
    }
  }
  return status;
}

} // namespace aiwc
