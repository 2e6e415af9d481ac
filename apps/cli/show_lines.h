/// The output of `aiwc show --lines`.
#pragma once

#include "inputs.h"
#include "text/terminal.h"
#include "views/line_counts.h"

#include <string>
#include <vector>

namespace aiwc::cli {

struct ShowLinesOptions {
  views::LineOptions counts;
  std::string source; ///< file with the kernels' source; empty: what the run kept
};

/// A table for each kernel: the sums of its launches.
std::string linesText(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options,
                      const text::Terminal &terminal);
/// A JSON array with an object per kernel; docs/formats.md lists the keys.
std::string linesJson(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options);
/// A row per kernel and line, with the same counts.
std::string linesCsv(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options);

} // namespace aiwc::cli
