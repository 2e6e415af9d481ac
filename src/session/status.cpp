// The status file has one line per report: the kind of the report, a tab and the escaped text. An
// empty line precedes what one write appends: a line before it that was cut keeps to itself.

#include "session/status.h"

#include "common/as_number.h"
#include "common/file.h"
#include "common/write.h"
#include "session/escape.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <sstream>
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
constexpr std::string_view kNote = "note";
constexpr std::string_view kError = "error";

// Enough for a path and a reason. A longer text is cut, so that it cannot fill the disk, but for
// launches, which are bounded by their kernels' arguments.
constexpr std::size_t kLongestText = 8192;

std::string lineOf(std::string_view kind, std::string_view text) {
  return std::string(kind) + "\t" + escapeLine(text) + "\n";
}

/// The permissions of a status file some of whose reports are lost: they cost no space.
constexpr mode_t kLostMode = 0700;

/// What the names of spare files have after the number of their process: a hash of the path of the
/// status file, which no other run has, and which others must not know.
std::string spareMark(const std::filesystem::path &statusFile) {
  return std::to_string(std::hash<std::string>()(statusFile.native())) + "_";
}

/// Returns 0, or an errno. A line that is cut has no end.
int appendTo(const std::filesystem::path &path, std::string_view text) {
  return withDescriptor([&] {
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
      return errno;
    const WriteSignalsHeld held;
    const ssize_t written = ::write(file, text.data(), text.size());
    const int reason = written < 0                                    ? errno
                       : written == static_cast<ssize_t>(text.size()) ? 0
                                                                      : ENOSPC;
    ::close(file);
    return reason;
  });
}

/// Takes the part before the next tab, or all that is left, from the front of `text`.
std::string_view takePart(std::string_view &text) {
  const std::string_view part = text.substr(0, text.find('\t'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// Adds what a report says that a host has read; ignores an invalid text.
void addReads(std::string_view text, SessionStatus &status) {
  const auto process = asNumber<pid_t>(takePart(text));
  const auto launch = asNumber(takePart(text)), bytes = asNumber(takePart(text)),
             transfers = asNumber(takePart(text));
  if (process && launch && bytes && transfers)
    status.hostReads[{*process, *launch}] = {*bytes, *transfers};
}

} // namespace

StatusFile::StatusFile(std::filesystem::path path, std::filesystem::path spareFolder)
    : path_(std::move(path)), spareFolder_(std::move(spareFolder)) {}

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

bool StatusFile::launchesEnded(const std::vector<std::string> &launches) noexcept {
  if (path_.empty()) // nobody wants to know
    return true;
  try {
    std::string lines;
    for (const std::string &launch : launches)
      lines += lineOf(kLaunch, launch);
    return lines.empty() || write(lines) || isOver_;
  } catch (...) { // out of memory
    return false;
  }
}

bool StatusFile::hostRead(std::uint64_t launch, std::uint64_t bytes,
                          std::uint64_t transfers) noexcept {
  if (path_.empty())
    return true;
  try {
    return append(kHostRead, std::to_string(getpid()) + "\t" + std::to_string(launch) + "\t" +
                                 std::to_string(bytes) + "\t" + std::to_string(transfers));
  } catch (...) { // out of memory
    return false;
  }
}

void StatusFile::profileWritten(const std::filesystem::path &profile) noexcept {
  append(kProfile, profile.native());
}

void StatusFile::note(std::string_view message) noexcept {
  append(kNote, message);
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
    const std::string text = "\n" + std::string(lines);
    const int reason = appendTo(path_, text);
    if (reason == 0)
      return true;
    isOver_ = reason == ENOENT || reason == ENOTDIR;
    if (isOver_)
      return false;
    for (int tries = 0; tries < 2 && !spareFolder_.empty(); ++tries) {
      const unsigned spare = spares_;
      if (appendTo(spareFolder_ /
                       (temporaryPrefix(getpid()) + spareMark(path_) + std::to_string(spare)),
                   text) == 0)
        return true;
      spares_ = spare + 1; // the next one may be empty
    }
  } catch (...) { // out of memory
  }
  ::chmod(path_.c_str(), kLostMode);
  return false;
}

namespace {

/// Reads a status file, or a spare one.
class StatusReader {
public:
  void add(const std::filesystem::path &path);
  SessionStatus take() { return std::move(status_); }

private:
  SessionStatus status_;
  std::unordered_set<std::string> seenKernels_, seenErrors_;
};

void StatusReader::add(const std::filesystem::path &path) {
  SessionStatus &status = status_;
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
    } else if (kind == kKernel && seenKernels_.insert(text).second) {
      status.kernels.push_back(text);
    } else if (kind == kAsked) {
      std::istringstream names(text);
      for (std::string name; names >> name;)
        status.asked.insert(name);
    } else if (kind == kWriter) {
      const pid_t writer = asNumber<pid_t>(text).value_or(0);
      if (writer > 0 && std::ranges::find(status.writers, writer) == status.writers.end())
        status.writers.push_back(writer);
    } else if (kind == kLaunch) {
      status.launches.push_back(text);
    } else if (kind == kHostRead) {
      addReads(text, status);
    } else if (kind == kProfile) {
      ++status.profiles;
    } else if (kind == kNote) {
      status.notes.push_back(text);
    } else if (kind == kError && seenErrors_.insert(text).second) {
      status.errors.push_back(text);
    }
  }
}

} // namespace

SessionStatus readStatus(const std::filesystem::path &path,
                         const std::filesystem::path &spareFolder) {
  StatusReader reader;
  reader.add(path);
  std::error_code failed;
  if (!spareFolder.empty())
    for (std::filesystem::directory_iterator entry(spareFolder, failed), end;
         !failed && entry != end; entry.increment(failed))
      if (const std::string name = entry->path().filename().string();
          name.starts_with(kTemporaryPrefix) && name.find(spareMark(path)) != std::string::npos)
        reader.add(entry->path());
  SessionStatus status = reader.take();
  struct stat facts {};
  status.lost = ::stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IXUSR) != 0;
  return status;
}

} // namespace aiwc
