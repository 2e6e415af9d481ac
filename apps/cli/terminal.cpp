#include "terminal.h"

#include "text/text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace aiwc::cli {

namespace {

constexpr size_t kLeastColumns = 40; // fewer cannot hold a table

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::optional<size_t> columnsOf(std::string_view text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0)
    return std::nullopt;
  return number;
}

size_t columnsOfStandardOutput(bool isTerminal) {
  winsize size{};
  if (isTerminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return columnsOf(variable("COLUMNS")).value_or(text::Terminal{}.columns);
}

} // namespace

void addColour(Command command, std::string &when) {
  command.option("--color", &when, "Colours and bold letters; auto: on a terminal")
      .type("WHEN")
      .oneOf({"auto", "always", "never"})
      .showDefault();
}

text::Terminal standardOutput(const std::string &when) {
  const bool isTerminal = isatty(STDOUT_FILENO) != 0;
  const bool automatic = isTerminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return {.columns = std::max(kLeastColumns, columnsOfStandardOutput(isTerminal)),
          .colour = when == "always" || (when == "auto" && automatic)};
}

std::string headingOfRun(std::string_view name, const text::Terminal &terminal) {
  return text::emphasised(fmt::format("Run {}", text::printable(name, 200)),
                          text::Emphasis::kHeading, terminal) +
         "\n";
}

} // namespace aiwc::cli
