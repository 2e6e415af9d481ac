#include "plugin/error_report.h"

#include "plugin/messages.h"
#include "plugin/results.h"
#include "session/escape.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aiwc::plugin {
namespace {

/// What to add to a failure of an application that has changed its user; empty if it has not.
std::string otherUser(const std::filesystem::path &statusFile) {
  struct stat facts {};
  if (::stat(statusFile.c_str(), &facts) != 0 || facts.st_uid == ::geteuid())
    return {};
  return fmt::format(": the application runs as user {}, the launcher as user {}: expected an "
                     "output folder that both can write to",
                     ::geteuid(), facts.st_uid);
}

} // namespace

void ErrorReport::add(std::string message) noexcept {
  try {
    message += otherUser(statusFile_);
  } catch (...) { // no memory: less is said
  }
  // The launcher shows what is in the status file when the application has ended.
  if (status_.error(message))
    return;
  try {
    const ResultsLock lock;
    if (++said_[message] > 1)
      return;
  } catch (...) { // no memory: said again
  }
  say("aiwc: " + escapeLine(message) + "\n");
}

void ErrorReport::conclude() noexcept {
  guard([&] {
    const ResultsLock lock;
    for (const auto &[message, count] : said_)
      if (count > 1)
        say(fmt::format("aiwc: {} more times: {}\n", count - 1, escapeLine(message)));
    said_.clear();
  });
}

} // namespace aiwc::plugin
