#include "advice/description.h"
#include "advice/findings.h"
#include "advice/ranking.h"
#include "common/error.h"
#include "common/version.h"
#include "predict/costed_launch.h"
#include "predict/opencl_device.h"
#include "predict/prediction.h"
#include "profile/metric.h"
#include "profile/reuse.h"
#include "report/json_parts.h"
#include "report/launch_groups.h"
#include "report/page.h"
#include "report/views.h"
#include "text/text.h"
#include "views/cost_metrics.h"
#include "views/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace aiwc::report {

namespace {

using predict::FittedModel;
using profile::KernelProfile;

constexpr size_t kMostLines = 400;         // of a kernel's source, those with most instructions
constexpr size_t kMostSourceBytes = 65536; // of a kernel's source; beyond, only lines near those
constexpr size_t kSourceLineBytes = 240;
constexpr uint64_t kLinesAround = 3;
/// Caches whose misses the page shows by source line.
constexpr std::array<uint64_t, 6> kCacheBytes = {uint64_t{16} << 10U,  uint64_t{64} << 10U,
                                                 uint64_t{256} << 10U, uint64_t{1} << 20U,
                                                 uint64_t{4} << 20U,   uint64_t{16} << 20U};

Json demandJson(const predict::LaunchDemand &demand) {
  Json row = Json::array();
  for (const DemandField &field : demandFields())
    row.push_back(demand.*field.member);
  for (const double share : demand.laneUtilization)
    row.push_back(share);
  for (const double share : demand.coalescing)
    row.push_back(share);
  return row;
}

/// Bins as differences of their lowest distances, each followed by its accesses.
Json curveJson(const MissCurve &curve) {
  Json bins = Json::array();
  uint64_t last = 0;
  for (const auto &[distance, accesses] : curve.distances) {
    bins.push_back(distance - last);
    bins.push_back(accesses);
    last = distance;
  }
  return {{"launches", curve.launches},     {"line", curve.lineBytes},
          {"workGroups", curve.workGroups}, {"workGroupSize", curve.workGroupSize},
          {"cold", curve.coldAccesses},     {"bins", std::move(bins)}};
}

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
      cells.push_back(profile::slowAccesses(profile, *row, bytes));
    for (const uint64_t count :
         {row->accidentalDoubles + row->accidentalConversions, row->repeatedOps,
          row->divisionsByConstants, row->wideIndexProducts + row->wideIndexDivisions})
      cells.push_back(count);
    table.push_back(std::move(cells));
  }
  return table;
}

/// N of a line `#line N` or `# N`, which gives the line below the number N; 0 for any other line.
uint64_t directedNumber(std::string_view line) {
  const auto skip = [&](std::string_view characters) {
    line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
  };
  skip(" \t");
  if (!line.starts_with('#'))
    return 0;
  line.remove_prefix(1);
  skip(" \t");
  if (line.starts_with("line"))
    line.remove_prefix(4);
  skip(" \t");
  uint64_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

/// The lines of a source under the numbers that profiles have for them: those of the compiler,
/// which obeys #line. Lines that are numbered again are left out. What a run has appended to the
/// source is numbered as it stands there (plugin/program/source_text.h).
std::map<uint64_t, std::string_view> numberedLines(std::string_view source) {
  std::map<uint64_t, std::string_view> lines;
  uint64_t number = 0;
  bool appended = false;
  for (uint64_t place = 1; !source.empty(); ++place) {
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    appended = appended || line.starts_with("// Included from ");
    number = appended ? place : number + 1;
    lines.insert_or_assign(number, line);
    if (const uint64_t next = appended ? 0 : directedNumber(line); next > 0) {
      lines.erase(lines.lower_bound(next), lines.end());
      number = next - 1;
    }
  }
  return lines;
}

/// [first line number, text, text, ...] for each run of lines; a long source has only the lines
/// around `shown`.
Json sourceJson(std::string_view source, const std::set<uint64_t> &shown) {
  Json blocks = Json::array();
  const bool whole = source.size() <= kMostSourceBytes;
  uint64_t last = 0;
  for (const auto &[number, line] : numberedLines(source)) {
    if (!whole) {
      const auto next = shown.lower_bound(number > kLinesAround ? number - kLinesAround : 0);
      if (next == shown.end() || *next > number + kLinesAround)
        continue;
    }
    std::string text; // tabs as blanks, so that `printable` does not escape them
    for (const char c : line.substr(0, 4 * kSourceLineBytes))
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

/// `kernel` is the one that the findings are of; its source may be empty.
Json findingsJson(const std::vector<advice::Finding> &findings, std::string_view kernel = "",
                  std::string_view source = "") {
  Json rows = Json::array();
  for (const advice::Finding &finding : findings) {
    Json evidence = Json::array();
    for (const advice::Evidence &place : finding.evidence)
      evidence.push_back({place.line, place.text});
    Json edits = Json::array();
    for (const advice::Edit &edit : advice::editsOf(finding.change, kernel, source))
      for (const std::string &line : text::split(edit.after, '\n'))
        edits.push_back({edit.line, text::printable(line, kSourceLineBytes)});
    const advice::RuleInfo &rule = advice::info(finding.rule);
    rows.push_back({{"rule", rule.key},
                    {"title", finding.title.empty() ? std::string(rule.title) : finding.title},
                    {"problem", finding.problem},
                    {"remedy", finding.remedy + advice::sketchOf(finding.change, kernel, source)},
                    {"evidence", std::move(evidence)},
                    {"saves", advice::gainText(finding)},
                    {"edits", std::move(edits)}});
  }
  return rows;
}

Json costMetricsJson() {
  Json rows = Json::array();
  for (const views::CostMetric &metric : views::kCostMetrics) {
    const views::Quantity quantity = views::quantityOf(metric.key, "a page");
    rows.push_back({{"name", metric.name},
                    {"unit", quantity.unit},
                    {"isShare", !quantity.addsUp},
                    {"fewerIsBetter", metric.fewerIsBetter}});
  }
  return rows;
}

/// What all launches cost, by views::kCostMetrics; shares are those of the longest launch.
Json costsJson(const std::vector<const KernelProfile *> &launches, const KernelProfile &main) {
  Json values = Json::array();
  for (const views::CostMetric &metric : views::kCostMetrics) {
    const views::Quantity quantity = views::quantityOf(metric.key, "a page");
    values.push_back(
        finite(profile::toDouble(quantity.addsUp ? quantity.sum(launches) : quantity.of(main))));
  }
  return values;
}

/// What both runs of a comparison have of a kernel.
Json kernelJson(const Kernel &kernel, const std::string &name, const Usable &usable) {
  const KernelProfile &main = *kernel.main;
  const profile::Provenance &provenance = main.provenance;
  const LaunchGroups grouped = groupedLaunches(usable.launches);
  Json groups = Json::array();
  for (const LaunchGroup &group : grouped.groups) {
    Json row = demandJson(group.demand);
    row.insert(row.begin(), group.launches);
    groups.push_back(std::move(row));
  }
  Json curves = Json::array();
  for (const MissCurve &curve : grouped.curves)
    curves.push_back(curveJson(curve));

  double operations = 0;
  bool floatingPoint = false;
  bool transfersKnown = true;
  uint64_t sampled = 0;
  uint64_t errors = 0;
  for (const KernelProfile *launch : usable.launches) {
    floatingPoint = floatingPoint || predict::isFloatingPoint(*launch);
    transfersKnown = transfersKnown && predict::LaunchTraffic(*launch).unknown.empty();
    sampled += launch->provenance.sampled() ? 1 : 0;
    errors += launch->simulatorErrors;
  }
  for (const KernelProfile *launch : usable.launches)
    operations += floatingPoint ? launch->real("fp_ops"_metric)
                                : launch->real("total_instruction_count"_metric);
  return {{"name", name},
          {"kernel", text::printable(provenance.kernel, kNameBytes)},
          {"title", kernel.title},
          {"seenType", kernel.seenType},
          {"asked", kernel.asked},
          {"onTypes", kernel.onTypes},
          {"launches", usable.launches.size()},
          {"leftOut", usable.leftOut},
          {"leftOutReason", text::printable(usable.reason, kNameBytes)},
          {"sampled", sampled},
          {"simulatorErrors", errors},
          {"pooled", grouped.pooled},
          {"groups", std::move(groups)},
          {"curves", std::move(curves)},
          {"transfersKnown", transfersKnown},
          {"operations", finite(operations)},
          {"floatingPoint", floatingPoint},
          {"footprint", main.real("footprint_bytes"_metric) >= 0
                            ? Json(main.real("footprint_bytes"_metric))
                            : Json(nullptr)},
          {"costs", costsJson(usable.launches, main)},
          {"metrics", metricsJson(main)},
          {"errors", errorsJson(main)}};
}

/// What was found in a kernel, and its predicted time by chosen device.
struct Found {
  std::vector<advice::Finding> findings;
  std::vector<double> seconds;
};

Found foundIn(std::span<const advice::LaunchKind> kinds,
              std::span<const predict::DeviceProfile> chosen,
              std::span<const predict::DeviceProfile> able, const predict::FittedCostModel &model) {
  Found found = {advice::findingsOf(kinds, able, model), std::vector<double>(chosen.size())};
  const std::vector<double> seconds = advice::secondsOf(kinds, able, model);
  for (size_t i = 0; i < able.size(); ++i)
    found.seconds[static_cast<size_t>(
        std::ranges::find(chosen, able[i].id, &predict::DeviceProfile::id) - chosen.begin())] =
        seconds[i];
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

Json detailedJson(const Kernel &kernel, const std::string &name, const Usable &usable,
                  std::span<const predict::DeviceProfile> chosen,
                  const predict::FittedCostModel &model, Json &sources, Found &found) {
  const KernelProfile &main = *kernel.main;
  const profile::Provenance &provenance = main.provenance;
  Json json = kernelJson(kernel, name, usable);
  const bool mainUsable = std::ranges::find(usable.launches, &main) != usable.launches.end();
  json["main"] = nullptr;
  if (mainUsable)
    json["main"] = {{"demand", demandJson(predict::demandOf(main))},
                    {"curve", curveJson(curveOf(main))},
                    {"invocation", provenance.invocation},
                    {"dimensions", provenance.workDim},
                    {"offset", provenance.globalOffset},
                    {"global", provenance.globalSize},
                    {"local", provenance.localSize}};
  json["measured"] = Json::object(); // microseconds
  constexpr double kMicros = 1e6;
  if (usable.launches.size() == kernel.launches.size())
    for (const auto &[device, seconds] : kernel.measured)
      json["measured"][device] = kMicros * seconds;
  json["engine"] = provenance.engine;
  json["sourceHash"] = text::printable(provenance.sourceHash, kNameBytes);
  json["buildOptions"] = text::printable(provenance.buildOptions, kNameBytes);
  json["levels"] = levelsJson(main);
  std::set<uint64_t> shown;
  const std::vector<advice::LaunchKind> kinds = advice::kindsOf(usable.launches, usable.spreads);
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
  Json unseen = Json::array();
  Json description = Json::array();
  // A device without double precision cannot run a kernel that needs it.
  std::vector<predict::DeviceProfile> able(chosen.begin(), chosen.end());
  std::erase_if(able, [&](const predict::DeviceProfile &device) {
    return !kernel.isLaunchedOn(device.type);
  });
  for (const advice::LaunchKind &kind : kinds) {
    const predict::CostedLaunch launch(*kind.profile, model);
    std::erase_if(able, [&](const predict::DeviceProfile &device) {
      return !launch.missing(device).empty();
    });
  }
  for (const std::string &feature : predict::CostedLaunch(advice::longestOf(kinds), model).unseen())
    unseen.push_back(feature);
  found = foundIn(kinds, chosen, able, model);
  for (const advice::DescriptionLine &line : advice::descriptionOf(kinds, able, model))
    description.push_back({line.subject, line.text});
  json["unseen"] = std::move(unseen);
  json["findings"] = findingsJson(found.findings, provenance.kernel, kernel.source);
  json["description"] = std::move(description);
  return json;
}

} // namespace

bool Kernel::isLaunchedOn(predict::DeviceType type) const {
  return onTypes.empty() || std::ranges::find(onTypes, predict::openClType(type)) != onTypes.end();
}

namespace {

Json coefficientsJson(const predict::Coefficients &values) {
  Json row = Json::array();
  for (const double value : values)
    row.push_back(value);
  return row;
}

/// By ErrorPart.
Json spreadsJson(const predict::Spreads &spreads) {
  Json rows = Json::array();
  for (const predict::Spread &spread : spreads)
    rows.push_back({spread.low, spread.high});
  return rows;
}

Json unitJson(const predict::hardware::ComputeUnit &unit) {
  return {{"lanes", unit.lanes}, {"laneGroups", unit.laneGroups}, {"workGroups", unit.workGroups}};
}

/// What the terms say of hardware, and the bins of reuse distances.
Json hardwareJson() {
  namespace hardware = predict::hardware;
  return {{"laneWidths", hardware::kLaneWidths},
          {"coalescingWidths", hardware::kCoalescingWidths},
          {"jointItems", hardware::kJointItems},
          {"integerDivision", hardware::kIntegerDivision},
          {"conversion", hardware::kConversion},
          {"cpuMemoryShare", hardware::kCpuMemoryShare},
          {"cpuAtomicCycles", hardware::kCpuAtomicCycles},
          {"privateCacheBytes", hardware::kPrivateCacheBytes},
          {"nvidiaUnit", unitJson(hardware::kNvidiaUnit)},
          {"otherUnit", unitJson(hardware::kOtherUnit)},
          {"manyCores", hardware::kManyCores},
          {"slowCoreClock", hardware::kSlowCoreClock},
          {"copyShare", hardware::kCopyShare},
          {"leastTransferMicros", hardware::kLeastTransferMicros},
          {"queueBeyondOverhead", hardware::kQueueBeyondOverhead},
          {"unknownOverhead", hardware::kUnknownOverhead},
          {"exactDistances", profile::kExactReuseDistances},
          {"binsPerPower", profile::kReuseBinsPerPower}};
}

/// The names of the parameters without which there is no time.
Json neededJson() {
  Json names = Json::array();
  for (const predict::Parameter parameter : predict::kTimeTermParameters)
    names.push_back(predict::info(parameter).name);
  return names;
}

Json modelJson(const predict::FittedCostModel &model) {
  constexpr std::array<std::string_view, predict::kTermCount> kGroups = {"compute", "cache", "dram",
                                                                         "latency", "launch"};
  Json terms = Json::array();
  for (const predict::TimeTermInfo &term : predict::timeTerms())
    terms.push_back({{"key", term.key},
                     {"name", term.name},
                     {"group", kGroups[static_cast<size_t>(term.group)]}});
  const FittedModel &fitted = model.model();
  Json classes = Json::object();
  for (const predict::ClassCoefficients &row : fitted.classes)
    classes[std::string(predict::toString(row.deviceClass))] = coefficientsJson(row.values);
  return {{"name", text::printable(model.name(), kNameBytes)},
          {"terms", std::move(terms)},
          {"hardware", hardwareJson()},
          {"needs", neededJson()},
          {"tieChance", predict::kTieChance},
          {"classes", std::move(classes)},
          {"launchAboveShortest", fitted.launchAboveShortest},
          {"knownDevice", spreadsJson(fitted.knownDevice)},
          {"unknownDevice", spreadsJson(fitted.unknownDevice)},
          {"unknownDeviceMeasuredLaunch", spreadsJson(fitted.unknownDeviceMeasuredLaunch)},
          {"errorCorrelation", fitted.errorCorrelation}};
}

Json deviceJson(const predict::DeviceProfile &device, const FittedModel &model) {
  Json values = Json::array();
  for (const auto &quantity : device.quantities)
    values.push_back(quantity ? Json(quantity->value) : Json(nullptr));
  Json deviation = nullptr;
  if (model.knows(device.id)) {
    const predict::Coefficients all = model.coefficientsFor(device);
    const predict::Coefficients ofClass = model.classCoefficients(device);
    deviation = Json::array();
    for (size_t k = 0; k < all.size(); ++k)
      deviation.push_back(all[k] - ofClass[k]);
  }
  return {{"id", device.id},
          {"name", device.name},
          {"vendor", device.vendor},
          {"type", predict::toString(device.type)},
          {"year", device.year},
          {"parameters", std::move(values)},
          {"deviation", std::move(deviation)},
          {"measuredLaunch", predict::hasMeasuredLaunchOverhead(device)},
          {"measuredBandwidth", predict::hasMeasuredBandwidth(device)}};
}

Json parametersJson() {
  Json rows = Json::array();
  for (const predict::ParameterInfo &row : predict::parameters())
    rows.push_back({{"name", row.name},
                    {"key", row.key},
                    {"unit", row.unit},
                    {"minimum", row.minimum},
                    {"maximum", row.maximum},
                    {"integer", row.integer},
                    {"description", row.description}});
  return rows;
}

} // namespace

std::string dataJson(const Page &page) {
  const std::vector<predict::DeviceProfile> chosen = withIds(page.devices, page.chosen);
  Json json = {{"tool", fmt::format("aiwc {}", kVersion)},
               {"run", text::printable(page.run.name, kNameBytes)},
               {"whole", page.run.whole},
               {"notes", page.run.notes},
               {"model", modelJson(*page.model)},
               {"chosen", page.chosen},
               {"parameters", parametersJson()},
               {"catalogue", catalogueJson()},
               {"cacheBytes", kCacheBytes},
               {"devices", Json::array()},
               {"kernels", Json::array()},
               {"sources", Json::array()},
               {"leftOut", Json::array()},
               {"application", Json::array()},
               {"before", nullptr}};
  json["radarAxes"] = radarAxesJson();
  json["costMetrics"] = costMetricsJson();
  json["views"] = viewsJson(runViews());
  json["texts"] = textsJson(runTexts());
  json["footer"] = fmt::format("Written by aiwc {}. Times are predicted by the {} model from "
                               "profiles that are counted in a simulator: no device was used.",
                               kVersion, text::printable(page.model->name(), kNameBytes));
  for (const DemandField &field : demandFields())
    json["demand"].push_back(field.key);
  for (const predict::DeviceProfile &device : page.devices)
    json["devices"].push_back(deviceJson(device, page.model->model()));

  std::vector<const KernelProfile *> launches;
  std::vector<const KernelProfile *> onFirst; // those on the type of the first device
  bool isApart = false;                       // whether others are launched on other types
  std::vector<Found> found;                   // by kernel that is shown
  std::string reason = "no kernels";
  const std::vector<std::string> names = namesOf(page.run);
  for (size_t i = 0; i < names.size(); ++i) {
    const Kernel &kernel = page.run.kernels[i];
    const Usable usable = usableOf(kernel);
    launches.insert(launches.end(), usable.launches.begin(), usable.launches.end());
    isApart = isApart || !kernel.onTypes.empty();
    if (kernel.isLaunchedOn(chosen.front().type))
      onFirst.insert(onFirst.end(), usable.launches.begin(), usable.launches.end());
    if (usable.launches.empty()) {
      reason = fmt::format("kernel {}: {}", names[i], text::printable(usable.reason, kNameBytes));
      json["leftOut"].push_back(reason);
    } else {
      json["kernels"].push_back(detailedJson(kernel, names[i], usable, chosen, *page.model,
                                             json["sources"], found.emplace_back()));
    }
  }
  if (launches.empty())
    throw Error(fmt::format("{}: cannot be reported: {}",
                            text::printable(page.run.name, kNameBytes), reason));
  rankFindings(found, page.chosen, json["kernels"]);
  for (const char *part :
       {"model", "parameters", "catalogue", "radarAxes", "costMetrics", "views", "texts", "notes"})
    putInWordsOf(launches, json[part]);
  std::vector<predict::DeviceProfile> able = chosen;
  std::erase_if(able, [&](const predict::DeviceProfile &device) {
    return (isApart && predict::openClType(device.type) != predict::openClType(chosen[0].type)) ||
           std::ranges::any_of(onFirst, [&](const KernelProfile *launch) {
             return !predict::CostedLaunch(*launch, *page.model).missing(device).empty();
           });
  });
  if (!onFirst.empty())
    json["application"] = findingsJson(advice::applicationFindings(onFirst, able, *page.model));
  if (page.before) {
    Json before = {{"run", text::printable(page.before->name, kNameBytes)},
                   {"kernels", Json::array()}};
    const std::vector<std::string> namesBefore = namesOf(*page.before);
    for (size_t i = 0; i < namesBefore.size(); ++i) {
      const Kernel &kernel = page.before->kernels[i];
      if (const Usable usable = usableOf(kernel); !usable.launches.empty())
        before["kernels"].push_back(kernelJson(kernel, namesBefore[i], usable));
    }
    json["before"] = std::move(before);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace aiwc::report
