#include "launcher/capture_progress.h"

#include "common/write.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

namespace aiwc::launcher {
namespace {

constexpr std::chrono::seconds kFirst{1};           // on a terminal
constexpr std::chrono::milliseconds kInterval{250}; // on a terminal
constexpr std::chrono::seconds kLineInterval{30};

} // namespace

std::string progressLine(size_t number, size_t total, const std::string &kernel,
                         std::chrono::seconds taken) {
  return fmt::format("characterising {} of {} captured launches (kernel {}): {}", number, total,
                     text::printable(kernel, 60),
                     text::formatWait(static_cast<double>(taken.count())));
}

CaptureProgress::CaptureProgress(bool isEnabled)
    : isEnabled_(isEnabled), isTerminal_(::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + (isTerminal_ ? kFirst : kLineInterval)) {}

void CaptureProgress::clear() {
  if (isShown_)
    writeAll(STDERR_FILENO, "\r\033[K");
  isShown_ = false;
}

void CaptureProgress::show(size_t number, size_t total, const std::string &kernel) {
  const Clock::time_point now = Clock::now();
  if (number_ != number) {
    number_ = number;
    began_ = now;
  }
  if (!isEnabled_ || number == 0 || now < next_)
    return;
  next_ = now + (isTerminal_ ? Clock::duration(kInterval) : Clock::duration(kLineInterval));
  const std::string line =
      "aiwc: " + progressLine(number, total, kernel,
                              std::chrono::duration_cast<std::chrono::seconds>(now - began_));
  writeAll(STDERR_FILENO, isTerminal_ ? "\r\033[K" + line : line + "\n");
  isShown_ = isTerminal_;
}

} // namespace aiwc::launcher
