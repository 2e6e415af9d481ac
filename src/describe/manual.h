/// Generates the descriptions of options in the manual pages.
#pragma once

#include <string>

namespace aiwc::describe {

/// Makes a manual page from its source in man/: replaces each source line that names a part of the
/// table of options by the text of that part. The names are `@options@` and `@variables@` for a
/// page with the macros of man(7), `@run_synopsis@` and `@run_options@` for one with the macros of
/// mdoc(7). Throws Error for any other name between @.
std::string manualPage(const std::string &source);

} // namespace aiwc::describe
