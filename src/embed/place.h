#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace aiwc::embed {

struct Place {
  size_t offset = 0; ///< the beginning of a line, in bytes
  size_t line = 1;   ///< its number
};

/// Finds, for each kernel that `source` (OpenCL C) defines or declares by name, the place to insert
/// lines before it: the beginning of the line in which its first declaration begins, including
/// attributes before `kernel`. A place is always outside of comments, strings, directives,
/// parentheses, braces and conditional groups, and no backslash joins it to the line before. If a
/// kernel's declaration begins inside any of these, its place is the nearest valid one above. The
/// search ends at a #line directive in the source, because the number for a further #line is
/// unknown after it. Macros are not expanded, so a kernel whose name or `kernel` keyword comes from
/// a macro is not found.
std::map<std::string, Place, std::less<>> kernelPlaces(std::string_view source);

/// The first place in any source: after a byte order mark.
Place topOf(std::string_view source);

} // namespace aiwc::embed
