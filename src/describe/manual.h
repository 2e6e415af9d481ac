/// The options in the manual pages.
#pragma once

#include <string>

namespace aiwc::describe {

/// A page of the manual, from its source in man/: lines of the source that name a part of the table
/// of options are replaced by it. In a page that is written with the macros of man(7), these are
/// `@options@` and `@variables@`; in one of mdoc(7), `@run_synopsis@` and `@run_options@`. Throws
/// Error for any other name between @.
std::string manualPage(const std::string &source);

} // namespace aiwc::describe
