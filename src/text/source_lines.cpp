#include "text/source_lines.h"

#include <algorithm>
#include <charconv>

namespace aiwc::text {

namespace {

/// N of a line `#line N` or `# N`, which gives the line below the number N; 0 for any other line.
uint64_t directedNumber(std::string_view line) {
  const auto skip = [&](std::string_view characters) {
    line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
  };
  skip(" \t");
  if (!line.starts_with('#'))
    return 0;
  line.remove_prefix(1);
  skip(" \t");
  if (line.starts_with("line"))
    line.remove_prefix(4);
  skip(" \t");
  uint64_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

} // namespace

std::map<uint64_t, SourceLine> numberedLines(std::string_view source) {
  std::map<uint64_t, SourceLine> lines;
  uint64_t number = 0;
  bool appended = false;
  for (uint64_t place = 1; !source.empty(); ++place) {
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    appended = appended || line.starts_with("// Included from ");
    number = appended ? place : number + 1;
    lines.insert_or_assign(number, SourceLine{place, line});
    if (const uint64_t next = appended ? 0 : directedNumber(line); next > 0) {
      lines.erase(lines.lower_bound(next), lines.end());
      number = next - 1;
    }
  }
  return lines;
}

} // namespace aiwc::text
