/// Generates the tables of metrics in docs/metrics.md.
#pragma once

#include <string>

namespace aiwc::describe {

/// The tables in Markdown, one per category, which scripts/metric-tables writes into the document.
std::string metricTables();

} // namespace aiwc::describe
