/// Writes evaluations as text for people and as JSON for programs.
#pragma once

#include "evaluation/measured.h"
#include "evaluation/summary.h"

#include <string>
#include <vector>

namespace aiwc::evaluation {

/// The heading of a report.
struct Heading {
  std::string model;
  std::string protocol; ///< the source of the kernels and of the times
};

/// Writes a table of kernels, a table of applications per size and for all sizes, the result of
/// always choosing one device, and the cases that were left out.
std::string publishedTable(const Heading &heading, const Joined &joined,
                           const std::vector<std::string> &devices);
/// The same as JSON, with the times of every device.
std::string publishedJson(const Heading &heading, const Joined &joined,
                          const std::vector<std::string> &devices);

std::string measuredTable(const Heading &heading, const Comparisons &comparisons);
std::string measuredJson(const Heading &heading, const Comparisons &comparisons);

/// The cases grouped by size and, if there are several sizes, all cases as the last group.
std::vector<std::pair<std::string, std::vector<Case>>> bySize(const std::vector<Case> &cases);

} // namespace aiwc::evaluation
