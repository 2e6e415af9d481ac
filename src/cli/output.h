#pragma once

#include <string_view>

namespace aiwc::cli {

/// Writes `text` to standard output, all of it. Throws Error where that fails (a full disk); where
/// the reader has gone (`| head`) it ends the process without a word, as SIGPIPE does.
void print(std::string_view text);

} // namespace aiwc::cli
