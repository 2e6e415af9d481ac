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
#include <sstream>
#include <string>
#include <unordered_set>

namespace aiwc {
namespace {

constexpr std::string_view kLoaded = "loaded";
constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kAsked = "asked";
constexpr std::string_view kWriter = "writer";
constexpr std::string_view kLaunch = "launch";
constexpr std::string_view kHostRead = "host_read";
constexpr std::string_view kProfile = "profile";
constexpr std::string_view kError = "error";

// Enough for a path and a reason. A longer text is cut, so that it cannot fill the disk, but for
// launches, which are bounded by their kernels' arguments.
constexpr std::size_t kLongestText = 8192;

std::string lineOf(std::string_view kind, std::string_view text) {
  return std::string(kind) + "\t" + escapeLine(text) + "\n";
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

/// Adds what a report says that a host has read; ignores an invalid text.
void addReads(std::string_view text, SessionStatus &status) {
  std::uint64_t process = 0, launch = 0;
  HostReads reads;
  if (readNumber(takePart(text), process) && readNumber(takePart(text), launch) &&
      readNumber(takePart(text), reads.bytes) && readNumber(takePart(text), reads.transfers))
    status.hostReads[{static_cast<pid_t>(process), launch}] = reads;
}

} // namespace

StatusFile::StatusFile(std::filesystem::path path) : path_(std::move(path)) {}

void StatusFile::loaded(std::string_view pluginVersion) noexcept {
  append(kLoaded, pluginVersion);
}

void StatusFile::kernelLaunched(std::string_view kernel) noexcept {
  append(kKernel, kernel);
}

void StatusFile::asked(std::string_view names) noexcept {
  append(kAsked, names);
}

void StatusFile::writes() noexcept {
  append(kWriter, std::to_string(getpid())); // short enough to need no memory
}

void StatusFile::launchesEnded(const std::vector<std::string> &launches) noexcept {
  try {
    std::string lines;
    for (const std::string &launch : launches)
      lines += lineOf(kLaunch, launch);
    write(lines);
  } catch (...) { // out of memory
  }
}

void StatusFile::hostRead(std::uint64_t launch, std::uint64_t bytes,
                          std::uint64_t transfers) noexcept {
  try {
    append(kHostRead, std::to_string(getpid()) + "\t" + std::to_string(launch) + "\t" +
                          std::to_string(bytes) + "\t" + std::to_string(transfers));
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
  try {
    return write(lineOf(kind, text.substr(0, kLongestText)));
  } catch (...) { // out of memory
    return false;
  }
}

bool StatusFile::write(std::string_view lines) noexcept {
  if (path_.empty())
    return false;
  try {
    return withDescriptor([&] {
             const int file =
                 ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
             if (file < 0)
               return errno;
             const WriteSignalsHeld held;
             // An incomplete line has no end, so the reader skips it.
             const ssize_t written = ::write(file, lines.data(), lines.size());
             ::close(file);
             return written == static_cast<ssize_t>(lines.size()) ? 0 : EIO;
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
    } else if (kind == kAsked) {
      std::istringstream names(text);
      for (std::string name; names >> name;)
        status.asked.insert(name);
    } else if (kind == kWriter) {
      pid_t writer = 0;
      std::from_chars(text.data(), text.data() + text.size(), writer);
      if (writer > 0)
        status.writers.push_back(writer);
    } else if (kind == kLaunch) {
      status.launches.push_back(text);
    } else if (kind == kHostRead) {
      addReads(text, status);
    } else if (kind == kProfile) {
      ++status.profiles;
    } else if (kind == kError && seenErrors.insert(text).second) {
      status.errors.push_back(text);
    }
  }
  return status;
}

} // namespace aiwc
