#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace aiwc::embed {

struct Place {
  size_t offset = 0; ///< of the begin of a line, in bytes
  size_t line = 1;   ///< its number
};

/// Where lines can be put into OpenCL C, for each kernel that is defined or declared in it by name:
/// the begin of the line in which its first declaration begins (attributes before `kernel`
/// included). Such a place is outside of comments, strings, directives, parentheses, braces and
/// conditional groups, and no backslash joins it to the line before; a kernel whose declaration
/// begins in any of these gets the nearest such place above. A file's own #line ends the search,
/// since what a further one would have to say is unknown behind it. Macros are not expanded: a
/// kernel whose name or keyword one makes is not found.
std::map<std::string, Place, std::less<>> kernelPlaces(std::string_view source);

/// The first place of any source: behind a byte order mark.
Place topOf(std::string_view source);

} // namespace aiwc::embed
