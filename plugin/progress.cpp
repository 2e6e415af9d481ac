#include "plugin/progress.h"

#include "plugin/messages.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::plugin {
namespace {

constexpr std::chrono::milliseconds kFirst{1000};
constexpr std::chrono::milliseconds kInterval{250}; // on a terminal
constexpr std::chrono::seconds kLineInterval{30};
constexpr double kLongWait = 30; // seconds

} // namespace

Progress::Progress(std::string kernel, uint64_t totalGroups, uint64_t sampledGroups, bool enabled,
                   std::string_view shorter)
    : kernel_(std::move(kernel)),
      total_(totalGroups), kinds_{{totalGroups - sampledGroups}, {sampledGroups}},
      enabled_(enabled), terminal_(saysToTerminal()), shorter_(shorter), start_(Clock::now()),
      last_(start_), nextShow_((start_ + kFirst).time_since_epoch().count()) {}

void Progress::clear() {
  if (shown_)
    say("\r\033[K");
  shown_ = false;
}

void Progress::showIfDue(uint64_t done, bool sampled) {
  const Clock::time_point now = Clock::now();
  {
    const std::scoped_lock lock(mutex_);
    Kind &kind = kinds_[sampled];
    kind.done = std::min(kind.done + 1, kind.total);
    kind.seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (kinds_[0].total > 0 && kinds_[0].done == 0 && kinds_[1].done < kinds_[1].total)
      return; // the work-groups that are characterised do not tell how long the others take
  }
  if (now.time_since_epoch().count() < nextShow_.load(std::memory_order_relaxed))
    return;
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock)
    write(done, now);
}

std::string Progress::hint() const {
  static std::atomic<bool> given{false};
  if (shorter_.empty() || given.exchange(true))
    return {};
  return fmt::format("aiwc: {} would shorten such a wait\n", shorter_);
}

void Progress::write(uint64_t done, Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / elapsed;
  const bool areAlike = kinds_[0].done == 0; // as in the interpreter
  const double left = areAlike ? static_cast<double>(total_ - done) / rate
                               : kinds_[0].secondsLeft() + kinds_[1].secondsLeft();
  const bool isLong = left >= kLongWait;
  nextShow_ = (now + (terminal_ ? kInterval
                      : isLong  ? kLineInterval
                                : kFirst))
                  .time_since_epoch()
                  .count();
  const std::string line =
      fmt::format("aiwc: {}: {} of {} work-groups ({:.0f} %), {:.3g} per second, {} left", kernel_,
                  done, total_, 100.0 * static_cast<double>(done) / static_cast<double>(total_),
                  rate, text::formatWait(left));
  if (terminal_) {
    say("\r\033[K" + (isLong ? hint() : "") + line);
    shown_ = true;
  } else if (isLong) {
    say(line + "\n" + hint());
  }
}

} // namespace aiwc::plugin
