#include "plugin/progress.h"

#include "plugin/messages.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aiwc::plugin {
namespace {

// In seconds.
constexpr double kFirst = 1;
constexpr double kInterval = 0.25; // on a terminal
constexpr double kLineInterval = 30;
constexpr double kLongWait = 30;

/// What this process has said. Guarded by the lock that a launch holds, and by that of its
/// progress.
struct Said {
  double last; ///< when the first launch began, or of the last line that stays
  bool hint = false;
};

Said &said(double now) {
  static auto *instance = new Said{now}; // outlives every static destructor
  return *instance;
}

std::string secondsText(double seconds) {
  constexpr double kMinute = 60;
  return seconds < kMinute ? fmt::format("{:.2g} s", seconds) : text::formatWait(seconds);
}

} // namespace

std::string progressLine(const std::string &kernel, const Pace &pace, const ProgramTime &program) {
  constexpr double kPerCent = 100;
  std::string line =
      fmt::format("aiwc: {}: {} of {} work-groups ({:.0f} %)", kernel, pace.done(), pace.groups(),
                  kPerCent * static_cast<double>(pace.done()) /
                      static_cast<double>(std::max<uint64_t>(1, pace.groups())));
  if (const auto left = pace.secondsLeft())
    line += ", " + text::formatWait(*left) + " left";
  if (program.launches == 0)
    return line;
  const double present = pace.now() - program.begun, all = program.seconds + present;
  return line + fmt::format("; launch {} has {:.0f} % of {}, {} each before", program.launches + 1,
                            all > 0 ? kPerCent * present / all : 0, secondsText(all),
                            secondsText(program.seconds / static_cast<double>(program.launches)));
}

Progress::Progress(std::string kernel, uint64_t totalGroups, uint64_t recordedGroups, bool enabled,
                   std::string hint)
    : kernel_(std::move(kernel)), enabled_(enabled), terminal_(saysToTerminal()),
      hint_(std::move(hint)), pace_(totalGroups, recordedGroups, secondsNow()),
      nextShow_(std::min(pace_.begun() + kFirst, said(pace_.begun()).last + kLineInterval)) {}

void Progress::clear() {
  if (shown_)
    say("\r\033[K");
  shown_ = false;
}

void Progress::groupDone(bool recorded) {
  const std::scoped_lock lock(mutex_);
  pace_.groupDone(recorded, std::max(pace_.now(), secondsNow()));
  if (enabled_ && pace_.now() >= nextShow_)
    write();
}

void Progress::write() {
  const double now = pace_.now();
  Said &before = said(now);
  const auto left = pace_.secondsLeft();
  const bool isSilent = now >= before.last + kLineInterval;
  const bool isLong = left && *left >= kLongWait;
  const bool isLongWait = isLong || isSilent;
  const bool isFirst = now >= pace_.begun() + kFirst;
  const std::string line = progressLine(kernel_, pace_, programTime());
  std::string hint;
  if (isLongWait && !hint_.empty() && !std::exchange(before.hint, true))
    hint = "aiwc: " + hint_ + "\n";
  if (terminal_ && isFirst) {
    say("\r\033[K" + hint + fitTerminal(line));
    shown_ = true;
    before.last = now;
  } else if (isLongWait) {
    say(line + "\n" + hint);
    before.last = now;
  }
  nextShow_ = terminal_
                  ? now + kInterval
                  : std::min(now + (isLong ? kLineInterval : kFirst), before.last + kLineInterval);
}

} // namespace aiwc::plugin
