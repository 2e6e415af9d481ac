#include "command_line/output.h"
#include "commands.h"
#include "sparse/features.h"
#include "sparse/matrix.h"
#include "text/text.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

using Json = nlohmann::ordered_json;
using sparse::Features;
using sparse::Spread;

struct DataArguments {
  std::string file;
  bool json = false;
};

/// What is known of a file.
struct DataReport {
  std::string file;
  sparse::Origin origin;
  Features features;
};

/// From those of the smallest caches of devices to those of the largest.
constexpr std::array<uint64_t, 4> kCaches{uint64_t{32} << 10U, uint64_t{256} << 10U,
                                          uint64_t{2} << 20U, uint64_t{16} << 20U};

std::string line(std::string_view name, const std::string &value) {
  return fmt::format("  {:<22}{}\n", name, value);
}

std::string spreadText(const Spread &spread) {
  return fmt::format("{} to {}, mean {:.4g}, sd {:.4g}, Gini {:.3f}, {} empty", spread.min,
                     spread.max, spread.mean, spread.sd, spread.gini, spread.empty);
}

std::string dataText(const DataReport &report) {
  const Features &of = report.features;
  std::string text = fmt::format("{}: {} rows, {} columns, {} non-zeros ({}{})\n", report.file,
                                 of.rows, of.columns, of.nonZeros, report.origin.format,
                                 report.origin.symmetry.empty()
                                     ? ""
                                     : ", " + report.origin.field + ", " + report.origin.symmetry);
  if (report.origin.merged > 0)
    text += line("repeated entries", fmt::format("{}, counted once", report.origin.merged));
  if (!report.origin.sample.empty())
    text += line("sample", text::printable(report.origin.sample, 400));
  text += line("density", fmt::format("{:.3g} % of the positions", 100 * of.density));
  text += line("non-zeros per row", spreadText(of.rowDegrees));
  text += line("non-zeros per column", spreadText(of.columnDegrees));
  if (of.patternSymmetry)
    text += line("symmetry", fmt::format("{:.1f} % of the non-zeros off the diagonal have a mirror "
                                         "image",
                                         100 * *of.patternSymmetry));
  text += line("bandwidth", fmt::format("{}; mean distance to the diagonal {:.4g}; profile {}",
                                        of.bandwidth, of.meanDistance, of.profile));
  text += line("diagonal", fmt::format("{:.2f} % of the non-zeros", 100 * of.diagonalShare));
  text += line("blocks of 4 x 4",
               fmt::format("{:.1f} % full, where they have a non-zero", 100 * of.blockDensity));
  text +=
      line("row to row", fmt::format("{:.1f} % of the non-zeros are below one of the row before",
                                     100 * of.rowOverlap));
  text += fmt::format("Reading x in y = A x, {} bytes per element, misses a cache of\n",
                      of.gather.elementBytes);
  for (const uint64_t bytes : kCaches)
    text += line(bytes >> 20U > 0 ? fmt::format("{} MiB", bytes >> 20U)
                                  : fmt::format("{} KiB", bytes >> 10U),
                 fmt::format("{:.2f} % of the times", 100 * of.gather.missRatio(bytes)));
  return text;
}

Json spreadJson(const Spread &spread) {
  return {{"min", spread.min}, {"max", spread.max},   {"mean", spread.mean},
          {"sd", spread.sd},   {"gini", spread.gini}, {"empty", spread.empty}};
}

std::string dataJson(const DataReport &report) {
  const Features &of = report.features;
  Json json{{"file", report.file},
            {"format", report.origin.format},
            {"field", report.origin.field},
            {"symmetry", report.origin.symmetry},
            {"sample", report.origin.sample},
            {"repeated_entries", report.origin.merged},
            {"rows", of.rows},
            {"columns", of.columns},
            {"non_zeros", of.nonZeros},
            {"density", of.density},
            {"row_degrees", spreadJson(of.rowDegrees)},
            {"column_degrees", spreadJson(of.columnDegrees)},
            {"pattern_symmetry", of.patternSymmetry ? Json(*of.patternSymmetry) : Json()},
            {"bandwidth", of.bandwidth},
            {"mean_distance", of.meanDistance},
            {"profile", of.profile},
            {"diagonal_share", of.diagonalShare},
            {"block_density_4", of.blockDensity},
            {"row_overlap", of.rowOverlap}};
  Json ratios = Json::object();
  for (const uint64_t bytes : kCaches)
    ratios[fmt::format("{}", bytes)] = of.gather.missRatio(bytes);
  json["gather"] = {{"element_bytes", of.gather.elementBytes},
                    {"line_bytes", of.gather.lineBytes},
                    {"cold_accesses", of.gather.coldAccesses},
                    {"reuse_distances", of.gather.distances},
                    {"miss_ratios", ratios}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

void addDescribe(Command app) {
  auto arguments = std::make_shared<DataArguments>();
  Command command = app.subcommand(
      "describe", "Describe a sparse matrix or graph: its shape, its degrees, the reuse of what it "
                  "gathers");
  command
      .option("FILE", &arguments->file,
              "Matrix Market file or edge list, perhaps compressed by gzip; - for standard "
              "input")
      .required();
  command.flag("--json", arguments->json, "Print JSON");
  command.examples({{"aiwc-sparse describe web.mtx", "what decides about the speed of its product"},
                    {"aiwc-sparse describe mesh.mtx --json", "all features, as JSON"}});
  command.action([arguments] {
    DataReport report;
    report.file = text::printable(arguments->file, 4096);
    const sparse::Matrix matrix = sparse::readMatrix(arguments->file, {}, &report.origin);
    report.features = sparse::featuresOf(matrix);
    print(arguments->json ? dataJson(report) : dataText(report));
  });
}

} // namespace aiwc::cli
