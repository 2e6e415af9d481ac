#pragma once

#include <string>
#include <string_view>

namespace aiwc::command_line {

/// Writes all of `text` to standard output. Throws Error if that fails (for example, a full disk).
/// If the reader has closed the pipe (`| head`), ends the process silently, as SIGPIPE does.
void print(std::string_view text);

/// Prints a line on standard error; what would not be one line, such as a name with a newline, is
/// escaped.
void warn(std::string_view message);

/// Writes `content` to the file `name` atomically (common/file.h), or prints it if `name` is `-`.
void writeOutput(const std::string &name, std::string_view content);

} // namespace aiwc::command_line
