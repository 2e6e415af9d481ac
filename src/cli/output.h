#pragma once

#include <string>
#include <string_view>

namespace aiwc::cli {

/// Writes `text` to standard output, all of it. Throws Error where that fails (a full disk); where
/// the reader has gone (`| head`) it ends the process without a word, as SIGPIPE does.
void print(std::string_view text);

/// A line on standard error.
void warn(std::string_view message);

/// Makes `content` the file `name`, at once (common/file.h), or prints it where that is `-`.
void writeOutput(const std::string &name, std::string_view content);

} // namespace aiwc::cli
