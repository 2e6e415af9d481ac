/// Evaluations as text for people and JSON for programs.
#pragma once

#include "evaluation/measured.h"
#include "evaluation/summary.h"

#include <string>
#include <vector>

namespace aiwc::evaluation {

/// What a report begins with.
struct Heading {
  std::string model;
  std::string protocol; ///< whose kernels, whose times
};

/// A table of kernels, one of applications per size and of all sizes, what always taking one
/// device comes to, and what was left out.
std::string publishedTable(const Heading &heading, const Joined &joined,
                           const std::vector<std::string> &devices);
/// The same, with the times of every device.
std::string publishedJson(const Heading &heading, const Joined &joined,
                          const std::vector<std::string> &devices);

std::string measuredTable(const Heading &heading, const Comparisons &comparisons);
std::string measuredJson(const Heading &heading, const Comparisons &comparisons);

/// The cases by size: each size's, and behind them all where there are several.
std::vector<std::pair<std::string, std::vector<Case>>> bySize(const std::vector<Case> &cases);

} // namespace aiwc::evaluation
