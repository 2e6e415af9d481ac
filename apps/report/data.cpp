#include "advice/description.h"
#include "advice/findings.h"
#include "advice/ranking.h"
#include "common/error.h"
#include "common/version.h"
#include "predict/costed_launch.h"
#include "predict/fitted/launch_demand.h"
#include "predict/opencl_type.h"
#include "predict/prediction.h"
#include "profile/metric.h"
#include "profile/reuse.h"
#include "report/json_parts.h"
#include "report/page.h"
#include "report/times.h"
#include "report/views.h"
#include "text/source_lines.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace aiwc::report {

namespace {

using predict::DeviceProfile;
using predict::Parameter;
using profile::KernelProfile;

constexpr size_t kMostLines = 400;         // of a kernel's source, those with most instructions
constexpr size_t kMostSourceBytes = 65536; // of a kernel's source; beyond, only lines near those
constexpr size_t kSourceLineBytes = 240;
constexpr uint64_t kLinesAround = 3;
constexpr std::array kMatrixTypes = {"16-bit", "tf32", "8-bit", "64-bit"}; // PerMatrixType
constexpr size_t kMostChanged = 16; // devices with what-ifs: those chosen first
/// Caches whose misses the page shows by source line.
constexpr std::array<uint64_t, 6> kCacheBytes = {uint64_t{16} << 10U,  uint64_t{64} << 10U,
                                                 uint64_t{256} << 10U, uint64_t{1} << 20U,
                                                 uint64_t{4} << 20U,   uint64_t{16} << 20U};

Json errorsJson(const KernelProfile &profile) {
  if (!profile.provenance.sampled() && !profile.provenance.extrapolated())
    return nullptr;
  Json errors = Json::array();
  for (const profile::MetricInfo &metric : profile::catalogue())
    errors.push_back(finite(profile.standardError(metric.metric)));
  return errors;
}

/// The widths of the schedule's levels: pairs of a width, rounded down to three bits behind the
/// first, and the operations in levels of about this width.
Json levelsJson(const KernelProfile &profile) {
  std::map<uint64_t, double> operations;
  for (const auto &[width, levels] : profile.histograms.asapFpLevels) {
    uint64_t step = 1;
    while (width / step >= 16)
      step *= 2;
    operations[width / step * step] += static_cast<double>(width) * static_cast<double>(levels);
  }
  Json rows = Json::array();
  for (const auto &[width, count] : operations)
    rows.push_back({width, count});
  return rows;
}

/// The rows with most instructions, by line. Of each: line, instructions, floating-point
/// operations, bytes, branches, mispredictions, idle lanes of groups of 8, 16, 32 and 64, misses of
/// the caches, accidental 64-bit operations and conversions, operations that work-items repeat,
/// divisions by constants, products and divisions of wide indices.
Json linesJson(const KernelProfile &profile, std::set<uint64_t> &shown) {
  std::vector<const profile::LineRow *> rows;
  for (const profile::LineRow &row : profile.histograms.lines)
    rows.push_back(&row);
  std::ranges::stable_sort(rows, std::ranges::greater{}, &profile::LineRow::instructions);
  rows.resize(std::min(rows.size(), kMostLines));
  std::ranges::sort(rows, {}, &profile::LineRow::line);
  Json table = Json::array();
  for (const profile::LineRow *row : rows) {
    shown.insert(row->line);
    Json cells = {row->line,        row->instructions,   row->fpOps,      row->bytes,
                  row->branches,    row->mispredictions, row->idleLanes8, row->idleLanes16,
                  row->idleLanes32, row->idleLanes64};
    for (const uint64_t bytes : kCacheBytes)
      cells.push_back(profile::cacheMisses(profile, *row, bytes));
    for (const uint64_t count :
         {row->accidentalDoubles + row->accidentalConversions, row->repeatedOps,
          row->divisionsByConstants, row->wideIndexProducts + row->wideIndexDivisions})
      cells.push_back(count);
    table.push_back(std::move(cells));
  }
  return table;
}

/// [first line number, text, text, ...] for each run of lines; a long source has only the lines
/// around `shown`.
Json sourceJson(std::string_view source, const std::set<uint64_t> &shown) {
  Json blocks = Json::array();
  const bool whole = source.size() <= kMostSourceBytes;
  uint64_t last = 0;
  for (const auto &[number, line] : text::numberedLines(source)) {
    if (!whole) {
      const auto next = shown.lower_bound(number > kLinesAround ? number - kLinesAround : 0);
      if (next == shown.end() || *next > number + kLinesAround)
        continue;
    }
    std::string text; // tabs as blanks, so that `printable` does not escape them
    for (const char c : line.text.substr(0, 4 * kSourceLineBytes))
      if (c == '\t')
        text.append(4, ' ');
      else
        text += c;
    if (blocks.empty() || number != last + 1)
      blocks.push_back(Json::array({number}));
    blocks.back().push_back(text::printable(text, kSourceLineBytes));
    last = number;
  }
  return blocks;
}

/// `name` and `code` are those of the kernel that the findings are of; the code may be null.
Json findingsJson(const std::vector<advice::Finding> &findings, std::string_view name = "",
                  const advice::SourceCode *code = nullptr) {
  Json rows = Json::array();
  for (const advice::Finding &finding : findings) {
    Json evidence = Json::array();
    for (const advice::Evidence &place : finding.evidence)
      evidence.push_back({place.line, place.text});
    Json edits = Json::array();
    for (const advice::Edit &edit :
         code ? advice::editsOf(finding.change, name, *code) : std::vector<advice::Edit>())
      for (const std::string &line : text::split(edit.after, '\n'))
        edits.push_back({edit.line, text::printable(line, kSourceLineBytes)});
    const advice::RuleInfo &rule = advice::info(finding.rule);
    rows.push_back(
        {{"rule", rule.key},
         {"title", finding.title.empty() ? std::string(rule.title) : finding.title},
         {"problem", finding.problem},
         {"remedy", finding.remedy + (code ? advice::sketchOf(finding.change, name, *code) : "")},
         {"evidence", std::move(evidence)},
         {"saves", advice::gainText(finding)},
         {"edits", std::move(edits)}});
  }
  return rows;
}

/// Sizes of caches in bytes, eight per power of two, for the curves of misses.
const std::vector<uint64_t> &curveSizes() {
  static const std::vector<uint64_t> sizes = [] {
    constexpr int kSteps = 8;
    constexpr int kFirst = 6, kLast = 31; // 64 B to 2 GiB, more than any cache
    std::vector<uint64_t> all;
    for (int i = kSteps * kFirst; i <= kSteps * kLast; ++i)
      all.push_back(static_cast<uint64_t>(std::round(std::exp2(i / static_cast<double>(kSteps)))));
    return all;
  }();
  return sizes;
}

/// Miss ratios at curveSizes(), without those at the end that repeat the one before.
Json missesJson(const KernelTimes &times) {
  constexpr int kDigits = 4; // of a curve that is drawn
  Json ratios = Json::array();
  for (const double ratio : times.missRatios(curveSizes()))
    ratios.push_back(rounded(ratio, kDigits));
  while (ratios.size() > 1 && ratios[ratios.size() - 2] == ratios.back())
    ratios.erase(ratios.size() - 1);
  return ratios;
}

/// What the page is about besides its kernels.
struct Shown {
  const Page &page;
  std::vector<DeviceProfile> chosen;
  std::vector<ChangedDevices> changes; ///< of those chosen
};

/// The keys of what devices lack for the kernel, by their ids.
Json lacksJson(const ReportedKernel &kernel, const KernelTimes &times,
               std::span<const DeviceProfile> devices) {
  Json lacks = Json::object();
  for (const DeviceProfile &device : devices)
    if (kernel.isLaunchedOn(device.type))
      if (const predict::Missing missing = times.missing(device); !missing.empty())
        lacks[device.id] = missing.keys();
  return lacks;
}

/// The numbers of a kernel, without its source, findings and divisions.
Json kernelJson(const ReportedKernel &kernel, const std::string &name, const Usable &usable,
                const KernelTimes &times, const Shown &shown) {
  const KernelProfile &main = *kernel.main;
  const profile::Provenance &provenance = main.provenance;
  const predict::FittedCostModel &model = *shown.page.model;
  Json changed = Json::array();
  Json changedExplained = Json::array();
  const MeasuredKernel measured(kernel, usable, times, shown.page.devices, model);
  for (const ChangedDevices &change : shown.changes) {
    changed.push_back(timesJson(kernel, times, change.devices, model, measured, true));
    changedExplained.push_back(explainedJson(measured, change.devices, true));
  }

  predict::PerMatrixType matrices{};
  double operations = 0;
  bool floatingPoint = false;
  uint64_t sampled = 0;
  uint64_t errors = 0;
  for (const KernelProfile *launch : usable.launches) {
    std::ranges::transform(matrices, predict::matrixOpsOf(*launch), matrices.begin(), std::plus());
    floatingPoint = floatingPoint || predict::isFloatingPoint(*launch);
    operations += launch->real("fp_ops"_metric);
    sampled += launch->provenance.sampled() ? 1 : 0;
    errors += launch->simulatorErrors;
  }
  operations = std::accumulate(matrices.begin(), matrices.end(), operations);
  const auto *const most = std::ranges::max_element(matrices);
  return {{"name", name},
          {"kernel", text::printable(provenance.kernel, kNameBytes)},
          {"title", kernel.title},
          {"seenType", kernel.seenType},
          {"asked", kernel.asked},
          {"launches", usable.launches.size()},
          {"leftOut", usable.leftOut},
          {"leftOutReason", text::printable(usable.reason, kNameBytes)},
          {"sampled", sampled},
          {"simulatorErrors", errors},
          {"times", timesJson(kernel, times, shown.page.devices, model, measured)},
          {"changed", std::move(changed)},
          {"measuredOn", measured.json()},
          {"explained", explainedJson(measured, shown.page.devices, false)},
          {"changedExplained", std::move(changedExplained)},
          {"lacks", lacksJson(kernel, times, shown.page.devices)},
          {"misses", missesJson(times)},
          {"transfersKnown", times.transfersKnown()},
          {"operations", finite(operations)},
          {"floatingPoint", floatingPoint || *most > 0},
          {"matrices", *most > 0
                           ? Json(kMatrixTypes.at(static_cast<size_t>(most - matrices.begin())))
                           : Json(nullptr)},
          {"footprint", main.real("footprint_bytes"_metric) >= 0
                            ? Json(main.real("footprint_bytes"_metric))
                            : Json(nullptr)},
          {"metrics", metricsJson(main)},
          {"errors", errorsJson(main)}};
}

/// What was found in a kernel, and its predicted time by chosen device.
struct Found {
  std::vector<advice::Finding> findings;
  std::vector<double> seconds;
};

Found foundIn(std::span<const advice::LaunchKind> kinds, std::span<const DeviceProfile> chosen,
              std::span<const DeviceProfile> able, const predict::FittedCostModel &model) {
  Found found = {advice::findingsOf(kinds, able, model), std::vector<double>(chosen.size())};
  const std::vector<double> seconds = advice::secondsOf(kinds, able, model);
  for (size_t i = 0; i < able.size(); ++i)
    found.seconds[static_cast<size_t>(std::ranges::find(chosen, able[i].id, &DeviceProfile::id) -
                                      chosen.begin())] = seconds[i];
  return found;
}

/// Gives the findings of `kernels` their places among all, and what they save of the run's time.
void rankFindings(const std::vector<Found> &found, const std::vector<std::string> &devices,
                  Json &kernels) {
  std::vector<advice::KernelFindings> all;
  all.reserve(found.size());
  for (const Found &one : found)
    all.push_back({one.findings, one.seconds});
  size_t rank = 0;
  for (advice::RankedFinding &row : advice::ranked(all, devices)) {
    Json &finding = kernels[row.kernel]["findings"][row.finding];
    finding["rank"] = rank++;
    finding["notable"] = row.notable;
    finding["saves"] = std::move(row.saves);
  }
}

/// The divisions of the kernel's longest launch, without and with transfers; null if the model
/// cannot use it.
Json mainJson(const ReportedKernel &kernel, const Usable &usable,
              std::span<const DeviceProfile> able, const predict::FittedCostModel &model) {
  const KernelProfile &main = *kernel.main;
  if (std::ranges::find(usable.launches, &main) == usable.launches.end())
    return nullptr;
  Json json = {{"invocation", main.provenance.invocation},
               {"splits", Json::array({splitsJson(main, able, false, model)})}};
  const predict::LaunchTraffic traffic(main);
  if (traffic.unknown.empty() && traffic.writes.transfers + traffic.reads.transfers > 0)
    json["splits"].push_back(splitsJson(main, able, true, model));
  return json;
}

Json detailedJson(const ReportedKernel &kernel, const std::string &name, const Usable &usable,
                  const Shown &page, Json &sources, Found &found) {
  const std::span<const DeviceProfile> chosen = page.chosen;
  const predict::FittedCostModel &model = *page.page.model;
  const KernelProfile &main = *kernel.main;
  const profile::Provenance &provenance = main.provenance;
  const KernelTimes times(usable, model);
  Json json = kernelJson(kernel, name, usable, times, page);
  json["measured"] = Json::object(); // microseconds
  constexpr double kMicros = 1e6;
  if (usable.launches.size() == kernel.launches.size())
    for (const auto &[device, seconds] : kernel.measured)
      json["measured"][device] = kMicros * seconds;
  json["levels"] = levelsJson(main);
  std::set<uint64_t> shown;
  const std::vector<advice::LaunchKind> kinds =
      advice::kindsOf(usable.launches, usable.errorFactors);
  const KernelProfile all = advice::together(kinds);
  json["lines"] = linesJson(all, shown);
  json["linesLeftOut"] = all.histograms.lines.size() - json["lines"].size();
  json["source"] = nullptr; // kernels of one program share theirs
  if (Json source = sourceJson(kernel.source, shown); !source.empty()) {
    const auto place = std::find(sources.begin(), sources.end(), source);
    json["source"] = place - sources.begin();
    if (place == sources.end())
      sources.push_back(std::move(source));
  }
  json["sourceName"] = text::printable(kernel.sourceName, kNameBytes);
  Json outside = Json::array();
  Json description = Json::array();
  // A device without double precision cannot run a kernel that needs it.
  std::vector<DeviceProfile> able(chosen.begin(), chosen.end());
  std::erase_if(able, [&](const DeviceProfile &device) {
    return !kernel.isLaunchedOn(device.type) || !times.missing(device).empty();
  });
  for (const std::string &feature :
       predict::CostedLaunch(advice::longestOf(kinds), model).outsideTrainingRange())
    outside.push_back(feature);
  json["main"] = mainJson(kernel, usable, able, model);
  found = foundIn(kinds, chosen, able, model);
  for (const advice::DescriptionLine &line : advice::descriptionOf(kinds, able, model))
    description.push_back({line.subject, line.text});
  json["outsideTrainingRange"] = std::move(outside);
  json["findings"] = findingsJson(found.findings, provenance.kernel, kernel.code);
  json["description"] = std::move(description);
  return json;
}

} // namespace

bool ReportedKernel::isLaunchedOn(predict::DeviceType type) const {
  return onTypes.empty() || std::ranges::find(onTypes, predict::openClType(type)) != onTypes.end();
}

namespace {

/// What the page draws of a device; null where that is not known.
Json drawnJson(const DeviceProfile &device) {
  const auto value = [&](Parameter parameter) {
    return device.has(parameter) ? Json(device[parameter]) : Json(nullptr);
  };
  Json caches = Json::object();
  for (const auto &[level, parameter] :
       {std::pair("L1", Parameter::kL1Capacity), std::pair("L2", Parameter::kL2Capacity),
        std::pair("L3", Parameter::kL3Capacity)})
    if (device.has(parameter))
      caches[level] = device[parameter];
  const Parameter rate =
      device.has(Parameter::kFp32Rate) ? Parameter::kFp32Rate : Parameter::kFp64Rate;
  Json peak = nullptr; // GFLOP/s
  if (device.has(Parameter::kCores) && device.has(rate))
    peak = device[Parameter::kCores] * device[rate];
  Json matrixPeaks = Json::object(); // GFLOP/s
  const predict::PerMatrixType matrixRates = predict::matrixRatesOf(device);
  for (size_t type = 0; type < matrixRates.size(); ++type)
    if (matrixRates[type] > 0)
      matrixPeaks[kMatrixTypes.at(type)] = matrixRates[type] / 1e3; // from 1/us
  return {{"id", device.id},
          {"class", predict::toString(predict::classOf(device))},
          {"cores", value(Parameter::kCores)},
          {"caches", std::move(caches)},
          {"peak", std::move(peak)},
          {"matrixPeaks", std::move(matrixPeaks)},
          {"bandwidth", value(Parameter::kDramBandwidth)},
          {"memory", value(Parameter::kMemoryCapacity)}};
}

Json devicesJson(std::span<const DeviceProfile> devices, const predict::FittedCostModel &model) {
  Json rows = Json::array();
  for (const DeviceProfile &device : devices) {
    Json row = drawnJson(device);
    row["name"] = device.name;
    row["type"] = predict::openClType(device.type);
    row["known"] = model.knows(device);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json whatIfsJson(std::span<const ChangedDevices> changes) {
  Json rows = Json::array();
  for (const ChangedDevices &change : changes) {
    Json devices = Json::array();
    for (const DeviceProfile &device : change.devices)
      devices.push_back(drawnJson(device));
    rows.push_back({{"text", change.whatIf.text}, {"devices", std::move(devices)}});
  }
  return rows;
}

Json partsJson(const predict::FittedCostModel &model) {
  Json parts = Json::array();
  for (const predict::TermInfo &part : model.parts())
    parts.push_back({{"key", part.key}, {"name", part.name}});
  return parts;
}

} // namespace

std::string dataJson(const Page &page) {
  Shown shown{page, withIds(page.devices, page.chosen), {}};
  const std::vector<DeviceProfile> &chosen = shown.chosen;
  shown.changes =
      changedDevices(std::span(chosen).first(std::min(chosen.size(), kMostChanged)), page.whatIfs);
  Json json = {{"tool", fmt::format("aiwc {}", kVersion)},
               {"run", text::printable(page.run.name, kNameBytes)},
               {"whole", page.run.whole},
               {"notes", page.run.notes},
               {"parts", partsJson(*page.model)},
               {"equalTimes", predict::kEqualTimes},
               {"tieProbability", predict::kTieProbability},
               {"errorCorrelation", page.model->errorCorrelation()},
               {"classCorrelation",
                {{"same", page.model->model().classCorrelation.same},
                 {"others", page.model->model().classCorrelation.others},
                 {"itself", predict::kGreatestCorrelation}}},
               {"chosen", page.chosen},
               {"divided", kMostDivided},
               {"catalogue", catalogueJson()},
               {"cacheBytes", kCacheBytes},
               {"curveSizes", curveSizes()},
               {"laneWidths", predict::hardware::kLaneWidths},
               {"devices", devicesJson(page.devices, *page.model)},
               {"whatIfs", whatIfsJson(shown.changes)},
               {"kernels", Json::array()},
               {"sources", Json::array()},
               {"leftOut", Json::array()},
               {"application", Json::array()}};
  json["views"] = viewsJson(runViews());
  json["texts"] = textsJson(runTexts());
  json["footer"] = fmt::format("Written by aiwc {}. Times are predicted by the {} model from "
                               "profiles that are counted in a simulator: no device was used.",
                               kVersion, text::printable(page.model->name(), kNameBytes));

  std::vector<const KernelProfile *> launches;
  std::vector<const KernelProfile *> onFirst; // those on the type of the first device
  bool isApart = false;                       // whether others are launched on other types
  std::vector<Found> found;                   // by kernel that is shown
  std::string reason = "no kernels";
  const std::vector<std::string> names = namesOf(page.run);
  for (size_t i = 0; i < names.size(); ++i) {
    const ReportedKernel &kernel = page.run.kernels[i];
    const Usable usable = usableOf(kernel);
    launches.insert(launches.end(), usable.launches.begin(), usable.launches.end());
    isApart = isApart || !kernel.onTypes.empty();
    if (kernel.isLaunchedOn(chosen.front().type))
      onFirst.insert(onFirst.end(), usable.launches.begin(), usable.launches.end());
    if (usable.launches.empty()) {
      reason = fmt::format("kernel {}: {}", names[i], text::printable(usable.reason, kNameBytes));
      json["leftOut"].push_back(reason);
    } else {
      json["kernels"].push_back(
          detailedJson(kernel, names[i], usable, shown, json["sources"], found.emplace_back()));
    }
  }
  if (launches.empty())
    throw Error(fmt::format("{}: cannot be reported: {}",
                            text::printable(page.run.name, kNameBytes), reason));
  rankFindings(found, page.chosen, json["kernels"]);
  for (const char *part : {"parts", "catalogue", "views", "texts", "notes"})
    putInWordsOf(launches, json[part]);
  for (Json &kernel : json["kernels"])
    putInWordsOf(launches, kernel["asked"]);
  std::vector<DeviceProfile> able = chosen;
  std::erase_if(able, [&](const DeviceProfile &device) {
    return (isApart && predict::openClType(device.type) != predict::openClType(chosen[0].type)) ||
           std::ranges::any_of(onFirst, [&](const KernelProfile *launch) {
             return !predict::CostedLaunch(*launch, *page.model).missing(device).empty();
           });
  });
  if (!onFirst.empty())
    json["application"] = findingsJson(advice::applicationFindings(onFirst, able, *page.model));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace aiwc::report
