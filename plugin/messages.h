#pragma once

#include <string>
#include <string_view>

namespace aiwc::plugin {

/// Prints `text` on the standard error that the process was started with, at once and without the
/// application's `stderr`, which may be closed. Prints nothing if the application has closed that
/// file or nobody reads it; in no case does the application get a signal or a text into a file of
/// its own.
void say(std::string_view text) noexcept;

/// Whether `say` prints on a terminal.
bool saysToTerminal() noexcept;
/// As much of the line as the terminal has room for, if it says how much that is.
std::string fitTerminal(std::string line);

} // namespace aiwc::plugin
