#include "kernel_launch/capture_log.h"

#include "common/file.h"
#include "common/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace aiwc::kernel_launch {

namespace {

/// By their kinds.
constexpr std::array<std::string_view, 3> kWords = {"begin", "launched", "failed"};

} // namespace

void logCapture(const CaptureEvent &event) noexcept {
  const char *const path = std::getenv(kCaptureLogVariable);
  if (!path)
    return;
  try {
    std::string reason = event.reason;
    std::ranges::replace(reason, '\n', ' ');
    const std::string line =
        fmt::format("{} {} {}\n", kWords.at(static_cast<size_t>(event.kind)), event.place, reason);
    constexpr mode_t kMode = 0600;
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
    if (file < 0)
      return;
    writeAll(file, line);
    close(file);
  } catch (...) { // out of memory
  }
}

std::vector<CaptureEvent> readCaptureLog(const std::filesystem::path &file) {
  std::vector<CaptureEvent> events;
  std::istringstream lines(readFileIfAny(file).value_or(""));
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    std::istringstream words(line);
    std::string word;
    CaptureEvent event;
    if (!(words >> word >> event.place))
      continue;
    const auto *const known = std::ranges::find(kWords, word);
    if (known == kWords.end())
      continue;
    event.kind = static_cast<CaptureEvent::Kind>(known - kWords.begin());
    std::getline(words >> std::ws, event.reason);
    events.push_back(std::move(event));
  }
  return events;
}

} // namespace aiwc::kernel_launch
