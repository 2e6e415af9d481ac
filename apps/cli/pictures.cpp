#include "pictures.h"

#include "command_line/output.h"
#include "common/error.h"
#include "report/export.h"
#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::cli {

bool isTimeline(std::string_view file) {
  return file.ends_with(".json");
}

void requirePageOrPicture(std::string_view command, const std::string &file, bool orTimeline) {
  if (!file.ends_with(".html") && !report::pictureFormatOf(file) &&
      !(orTimeline && isTimeline(file)))
    throw Error(fmt::format("{}: -o {}: expected a name that ends in .html, .svg, .png{}", command,
                            text::printable(file, 4096),
                            orTimeline ? ", .pdf or .json" : " or .pdf"));
}

void writePageOrPicture(const std::string &file, const std::string &page, std::string_view chart) {
  if (const auto format = report::pictureFormatOf(file))
    command_line::writeOutput(file, report::picture(page, chart, *format));
  else
    command_line::writeOutput(file, page);
}

} // namespace aiwc::cli
