#pragma once

#include <string>
#include <string_view>

namespace aiwc::cli {

/// Throws Error unless the name ends in .html, .svg, .png or .pdf, or, with `orTimeline`, in .json.
/// `command` is named in it.
void requirePageOrPicture(std::string_view command, const std::string &file,
                          bool orTimeline = false);
/// Whether the name is that of a timeline (report/timeline.h): it ends in .json.
bool isTimeline(std::string_view file);

/// Writes `page` to `file`, or, if the name ends in .svg, .png or .pdf, the picture of one of its
/// views, `chart`.
void writePageOrPicture(const std::string &file, const std::string &page, std::string_view chart);

} // namespace aiwc::cli
