/// Tables whose columns are quantities of some variants: what the comparison of the engines prints.
#pragma once

#include "experiment.h"

#include <string>
#include <vector>

namespace aiwc::overhead {

struct Column {
  std::string head;
  /// The median over the rounds of this variant's quantity, or of its ratio to that of `to` in the
  /// same round where `to` is named.
  std::string variant, to;
  double (*quantity)(const Usage &) = nullptr;
  int digits = 2;
  /// Seconds that are no less than the limit where the variant was over it. Of others nothing is
  /// known then.
  bool bounded = false;
};

/// A table in Markdown, a row per workload, and a last row with the geometric means where there are
/// ratios. Columns of variants that the plan does not have are left out. What was over the limit
/// has "> limit"; a ratio of it says what that makes it at least, and is in no mean.
std::string markdownTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages, const std::vector<Column> &columns);

} // namespace aiwc::overhead
