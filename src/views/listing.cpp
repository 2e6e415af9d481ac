#include "views/listing.h"

#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::views {

using namespace profile;

namespace {

std::string dependence(const LoopRow &row) {
  if (!row.carriesDependence)
    return "-";
  if (!*row.carriesDependence)
    return row.carriesValue ? "a private value" : "none";
  std::string text = "line";
  for (const auto &[write, read] : row.dependences)
    text += fmt::format(" {}->{}", write, read);
  return text;
}

} // namespace

std::string loopTable(const KernelProfile &profile) {
  if (profile.histograms.loops.empty())
    return {};
  std::string text = "Loops\n      line  depth     entries       trips  trips per entry  carries a "
                     "dependence  function\n";
  for (const LoopRow &row : profile.histograms.loops)
    text += fmt::format(
        "  {:>8}  {:>5}  {:>10}  {:>10}  {:>15}  {:>20}  {}\n",
        row.line == 0 ? "?" : fmt::format("{}", row.line), row.depth, row.entries, row.trips,
        row.minTrips == row.maxTrips ? fmt::format("{}", row.minTrips)
                                     : fmt::format("{} to {}", row.minTrips, row.maxTrips),
        dependence(row), text::printable(row.function, 60));
  return text;
}

} // namespace aiwc::views
