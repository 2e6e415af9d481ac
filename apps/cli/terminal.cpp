#include "terminal.h"

#include "common/as_number.h"
#include "text/text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace aiwc::cli {

namespace {

constexpr size_t kLeastColumns = 40; // fewer cannot hold a table

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::optional<size_t> columnsOf(std::string_view text) {
  const auto number = asNumber<size_t>(text);
  return number != 0 ? number : std::nullopt;
}

size_t columnsOfStandardOutput(bool isTerminal) {
  winsize size{};
  if (isTerminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return columnsOf(variable("COLUMNS")).value_or(text::Terminal{}.columns);
}

} // namespace

text::Terminal standardOutput() {
  const bool isTerminal = isatty(STDOUT_FILENO) != 0;
  const std::string_view forced = variable("CLICOLOR_FORCE");
  const bool isForced = !forced.empty() && forced != "0";
  return {.columns = std::max(kLeastColumns, columnsOfStandardOutput(isTerminal)),
          .colour = variable("NO_COLOR").empty() &&
                    (isForced || (isTerminal && variable("TERM") != "dumb"))};
}

std::string headingOfRun(std::string_view name, const text::Terminal &terminal) {
  return text::emphasised(fmt::format("Run {}", text::printable(name, 200)),
                          text::Emphasis::kHeading, terminal) +
         "\n";
}

} // namespace aiwc::cli
