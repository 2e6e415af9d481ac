/// Generates the descriptions of commands and options in the manual pages.
#pragma once

#include <string>

namespace aiwc::describe {

/// Makes a manual page from its source in docs/man/: replaces each source line that names a part of
/// the command line by the text of that part. The names are `@options@` and `@variables@` of the
/// launcher, for a page with the macros of man(7), and `@synopsis@` and `@commands@` of aiwc,
/// `@model_synopsis@` and `@model_commands@` of aiwc-model, for
/// one with the macros of mdoc(7). Throws Error for any other name between @.
std::string manualPage(const std::string &source);

} // namespace aiwc::describe
