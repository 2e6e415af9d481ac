#include "views/listing.h"

#include "profile/access_row.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

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

using namespace profile;

namespace {

using Cells = std::vector<std::string>;

std::string lineText(uint64_t line) {
  return line == 0 ? "-" : fmt::format("{}", line);
}

std::string strideText(const std::optional<int64_t> &stride) {
  return stride ? fmt::format("{}", *stride) : "-";
}

std::string arrayText(const std::string &array) {
  return array.empty() ? "?" : text::printable(array, 60);
}

std::string instanceTable(const std::vector<AccessRow> &accesses, const text::Terminal &terminal) {
  const std::vector<IdiomInstance> instances = idiomInstances(accesses);
  if (instances.empty())
    return "  no idioms\n";
  std::vector<Cells> rows = {
      {"idiom", "function", "loop at line", "bytes", "local bytes", "footprint", "arrays"}};
  for (const IdiomInstance &instance : instances) {
    std::string arrays;
    for (const std::string &array : instance.arrays)
      arrays += (arrays.empty() ? "" : ", ") + arrayText(array);
    rows.push_back({std::string(toString(instance.idiom)), arrayText(instance.function),
                    lineText(instance.loop), text::formatBytes(instance.bytes),
                    text::formatBytes(instance.localBytes), text::formatBytes(instance.footprint),
                    arrays.empty() ? "?" : arrays});
  }
  return text::textTable(rows, {true, true, false, false, false, false, true},
                         {.indent = "  ", .names = {1, 6}, .terminal = terminal});
}

std::string accessTable(std::vector<AccessRow> accesses, const text::Terminal &terminal) {
  std::ranges::stable_sort(accesses, {},
                           [](const AccessRow &row) { return std::tie(row.line, row.function); });
  std::vector<Cells> rows = {{"line", "loop", "array", "memory", "kind", "accesses", "footprint",
                              "lane stride", "loop stride", "address", "idiom"}};
  for (const AccessRow &row : accesses)
    rows.push_back({lineText(row.line), lineText(row.loop), arrayText(row.array),
                    std::string(toString(row.space)), std::string(toString(row.kind)),
                    text::formatReadable(row.accesses), text::formatBytes(row.footprint),
                    strideText(row.laneStride), strideText(row.loopStride),
                    row.dataDependent ? "data" : "affine",
                    row.idiom ? std::string(toString(*row.idiom)) : "-"});
  return text::textTable(rows,
                         {false, false, true, true, true, false, false, false, false, true, true},
                         {.indent = "  ", .names = {2}, .terminal = terminal});
}

} // namespace

std::string idiomTable(const KernelProfile &profile, const text::Terminal &terminal) {
  if (!profile.accesses)
    return "  idioms are not known: the profile is embedded or scaled\n";
  if (profile.accesses->empty())
    return "  no accesses to global, constant or local memory\n";
  return instanceTable(*profile.accesses, terminal) + "\n" +
         accessTable(*profile.accesses, terminal);
}

} // namespace aiwc::views
