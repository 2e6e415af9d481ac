/// Tables with one column per quantity of a variant, for the comparison of the engines.
#pragma once

#include "experiment.h"

#include <string>
#include <vector>

namespace aiwc::overhead {

struct Column {
  std::string head;
  /// The median over the rounds of this variant's quantity or, if `to` is given, of its ratio to
  /// the quantity of `to` in the same round.
  std::string variant, to;
  double (*quantity)(const Usage &) = nullptr;
  int digits = 2;
  /// Whether the quantity is a time in seconds, which is at least the limit if the variant exceeded
  /// the limit. Other quantities are then unknown.
  bool bounded = false;
};

/// A table in Markdown with one row per workload, and a last row of geometric means if there are
/// ratios. Columns of variants that are not in the plan are left out. A variant over the limit is
/// shown as "> limit"; a ratio to it shows the bound that follows and is left out of the means.
std::string markdownTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages, const std::vector<Column> &columns);

} // namespace aiwc::overhead
