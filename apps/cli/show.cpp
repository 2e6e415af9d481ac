#include "advice/ranking.h"
#include "advice/report.h"
#include "advice/words.h"
#include "catalogue/definitions.h"
#include "command.h"
#include "command_line/output.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "embedded.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "predict/costed_launch.h"
#include "profile/csv.h"
#include "profile/metric.h"
#include "terminal.h"
#include "text/json_text.h"
#include "text/terminal.h"
#include "text/text.h"
#include "views/line_counts.h"
#include "views/listing.h"
#include "views/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::cli {

namespace {

std::string metricsText(); ///< in 80 columns, by category

std::string metricsCsv(); ///< a row per metric

std::string metricsJson(); ///< an array with an object per metric

/// "kernels/saxpy: 2, an addition after a multiplication."
std::string exampleOf(const metrics::Example &example) {
  return fmt::format("kernels/{}: {:g}, {}.", example.kernel, example.value, example.because);
}

std::string metricsText() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); ++i) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}{}\n", i ? "\n" : "", profile::toString(metric.category));
    text += fmt::format("  {}", metric.key);
    if (metric.name != metric.key)
      text += fmt::format(" ({})", metric.name);
    if (!metric.unit.empty())
      text += fmt::format(", {}", metric.unit);
    text += "\n" + text::wrapped(fmt::format("{} [{}]", metrics::definitionOf(metric.metric),
                                             profile::toString(metric.scaling)),
                                 6);
    for (const metrics::Example &example : metrics::examplesOf(metric.metric))
      text += text::wrapped(exampleOf(example), 6);
  }
  return text;
}

std::string metricsCsv() {
  std::string text = "key,name,category,type,unit,definition,scaling,sampled\n";
  for (const profile::MetricInfo &metric : profile::catalogue())
    text += fmt::format("{},{},{},{},{},{},{},{}\n", metric.key, text::csvField(metric.name),
                        profile::toString(metric.category), profile::toString(metric.type),
                        metric.unit, text::csvField(metrics::definitionOf(metric.metric)),
                        profile::toString(metric.scaling), profile::toString(metric.estimate));
  return text;
}

std::string metricsJson() {
  auto json = nlohmann::ordered_json::array();
  for (const profile::MetricInfo &metric : profile::catalogue()) {
    json.push_back({{"key", metric.key},
                    {"name", metric.name},
                    {"category", profile::toString(metric.category)},
                    {"type", profile::toString(metric.type)},
                    {"unit", metric.unit},
                    {"definition", metrics::definitionOf(metric.metric)},
                    {"scaling", profile::toString(metric.scaling)},
                    {"sampled", profile::toString(metric.estimate)}});
    for (const metrics::Example &example : metrics::examplesOf(metric.metric))
      json.back()["examples"].push_back(
          {{"kernel", example.kernel}, {"value", example.value}, {"because", example.because}});
  }
  return json.dump(2) + "\n";
}

struct ShowLinesOptions {
  views::LineOptions counts;
  std::string source; ///< file with the kernels' source; empty: what the run kept
};

using views::LineCountField;
using views::LineListing;
using Json = nlohmann::ordered_json;

std::string headerOf(const KernelLaunches &launches) {
  const NamedProfile &first = *launches.profiles.front();
  const std::string file = text::printable(first.file, 4096);
  if (launches.profiles.size() == 1)
    return fmt::format("{}, {}, invocation {}", file, launches.label,
                       first.profile->provenance.invocation);
  return fmt::format("{} to {}, {}, {} launches together", file,
                     text::printable(launches.profiles.back()->file, 4096), launches.label,
                     launches.profiles.size());
}

/// A table for each kernel: the sums of its launches.
std::string linesText(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options,
                      const text::Terminal &terminal) {
  constexpr std::string_view kSource = "the kernel's source";
  const std::string given = options.source.empty() ? "" : readFile(options.source, kSource);
  std::string text;
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    text += (text.empty() ? "" : "\n") +
            text::emphasised(headerOf(launches), text::Emphasis::kHeading, terminal) + "\n";
    for (const std::string &note : launches.notes())
      text += text::wrapped(note, 2, terminal.columns);
    if (!options.source.empty() &&
        embed::bareHash(given) != launches.heaviest().profile->provenance.sourceHash)
      text += fmt::format("  {} is not the source that the kernel was built from: the text of a "
                          "line may be wrong\n",
                          text::printable(options.source, 4096));
    const std::string kept = options.source.empty() && !launches.heaviest().source.empty()
                                 ? readFile(launches.heaviest().source, kSource)
                                 : "";
    text += views::lineTable(
        views::lineListing(launches.read(), options.counts), options.counts,
        {.source = options.source.empty() ? kept : given, .columns = terminal.columns});
  }
  return text;
}

/// A JSON array with an object per kernel; docs/formats.md lists the keys.
std::string linesJson(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options) {
  Json kernels = Json::array();
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const LineListing listing = views::lineListing(launches.read(), options.counts);
    Json files = Json::array();
    for (const NamedProfile *named : launches.profiles)
      files.push_back(named->file);
    Json rows = Json::array();
    for (const views::LineCounts &counts : listing.lines) {
      Json row;
      for (const LineCountField &field : views::kLineCountFields)
        row[std::string(field.key)] = counts.*field.member;
      rows.push_back(std::move(row));
    }
    const profile::Provenance &provenance = launches.heaviest().profile->provenance;
    kernels.push_back(
        {{"kernel", provenance.kernel},
         {"source_hash", provenance.sourceHash},
         {"files", std::move(files)},
         {"notes", launches.notes()},
         {"work_items", listing.workItems},
         {"line_bytes", listing.cacheLineBytes == 0 ? Json() : Json(listing.cacheLineBytes)},
         {"cache_bytes", options.counts.cacheBytes},
         {"lanes", options.counts.lanes},
         {"lines", std::move(rows)}});
  }
  return kernels.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A row per kernel and line, with the same counts.
std::string linesCsv(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options) {
  std::string text = "file,kernel,launches,work_items";
  for (const LineCountField &field : views::kLineCountFields)
    text += fmt::format(",{}", field.key);
  text += "\n";
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const LineListing listing = views::lineListing(launches.read(), options.counts);
    const NamedProfile &first = *launches.profiles.front();
    for (const views::LineCounts &counts : listing.lines) {
      text += fmt::format("{},{},{},{}", text::csvField(first.file),
                          text::csvField(first.profile->provenance.kernel),
                          launches.profiles.size(), listing.workItems);
      for (const LineCountField &field : views::kLineCountFields)
        text += fmt::format(",{}", counts.*field.member);
      text += "\n";
    }
  }
  return text;
}

struct ShowOptions {
  std::vector<std::string> files;
  LaunchOptions launch;
  bool json = false;
  bool csv = false;
  bool wide = false;
  bool all = false;
  bool lines = false;
  bool idioms = false;
  bool metrics = false;
  ShowLinesOptions linesOptions;
};

/// Of a cache: "32768", "32KiB", "4MiB". Throws Misuse.
uint64_t bytesOf(const std::string &text) {
  const auto bytes = text::parseBytes(text);
  if (!bytes)
    throw Misuse(fmt::format("{}: expected a size above 0 such as 49152, 32KiB or 4MiB", text));
  return *bytes;
}

std::string headerOf(const NamedProfile &named) {
  return fmt::format("{}, {}, invocation {}", text::printable(named.file, 4096),
                     text::printable(named.profile->provenance.kernel, 60),
                     named.profile->provenance.invocation);
}

std::string asIdioms(const std::vector<NamedProfile> &profiles, const text::Terminal &terminal) {
  std::string text;
  for (const NamedProfile &named : profiles)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", headerOf(named),
                        views::idiomTable(*named.profile, terminal));
  return text;
}

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles) {
    if (!text.empty())
      text += '\n';
    if (profiles.size() > 1)
      text += fmt::format("{}\n", text::printable(named.file, 4096));
    text += views::toText(*named.profile);
  }
  return text;
}

/// What is said of a kernel.
struct Described {
  KernelLaunches launches;
  std::vector<advice::DescriptionLine> lines;
  std::vector<double> seconds; ///< predicted time of all launches, by device; empty: not known
};

/// What each kernel does and what was found, in words. If the times of all kernels can be
/// predicted, the longest comes first.
std::string inWords(const std::vector<NamedProfile> &profiles,
                    const std::vector<std::string> &notes, const text::Terminal &terminal) {
  const auto devices = loadDevices(kUsualDevices);
  const predict::FittedCostModel &model = predict::publishedModel();
  const auto costable = [&](const advice::LaunchKind &kind) {
    if (!model.whyNot(*kind.profile).empty())
      return false;
    const predict::CostedLaunch launch(*kind.profile, model);
    return std::ranges::all_of(devices, [&](const predict::DeviceProfile &device) {
      return launch.missing(device).empty();
    });
  };
  std::vector<Described> kernels;
  std::vector<double> all(devices.size());
  for (KernelLaunches &launches : launchesByKernel(profiles)) {
    const std::vector<advice::LaunchKind> kinds = launches.kinds();
    Described kernel{std::move(launches), advice::descriptionOf(kinds, devices, model), {}};
    if (std::ranges::all_of(kinds, costable)) {
      kernel.seconds = advice::secondsOf(kinds, devices, model);
      if (const std::string found = advice::summary(advice::findingsOf(kinds, devices, model));
          !found.empty())
        kernel.lines.push_back({"Findings", found + ". More by: aiwc advise"});
    }
    std::ranges::transform(kernel.seconds, all, all.begin(), std::plus());
    kernels.push_back(std::move(kernel));
  }
  const size_t lead = advice::leadDevice(all);
  if (kernels.size() > 1 &&
      std::ranges::none_of(kernels, &std::vector<double>::empty, &Described::seconds)) {
    std::ranges::stable_sort(kernels, std::ranges::greater(),
                             [&](const Described &kernel) { return kernel.seconds[lead]; });
    for (Described &kernel : kernels)
      kernel.lines.insert(kernel.lines.begin(),
                          {"Share", fmt::format("{} of the predicted time on {}.",
                                                advice::percent(kernel.seconds[lead] / all[lead]),
                                                devices[lead].id)});
  }
  std::string text;
  for (const Described &kernel : kernels)
    text += (text.empty() ? "" : "\n") + kernel.launches.title(terminal) + "\n" +
            advice::toText(kernel.lines, terminal);
  return text + inParagraphs(notes, terminal);
}

/// The long form, which also holds several profiles: what the profile is, then the metric.
std::string asCsv(const std::vector<NamedProfile> &profiles) {
  std::string text = "file,kernel,invocation,key,metric,category,value\n";
  for (const NamedProfile &named : profiles)
    for (const profile::MetricInfo &metric : profile::catalogue())
      text += fmt::format("{},{},{},{},{},{},{}\n", text::csvField(named.file),
                          text::csvField(named.profile->provenance.kernel),
                          named.profile->provenance.invocation, metric.key,
                          text::csvField(metric.name), profile::toString(metric.category),
                          text::formatValue((*named.profile)[metric.metric], "NaN"));
  return text;
}

/// The form for data frames: a row per profile.
std::string asWideCsv(const std::vector<NamedProfile> &profiles) {
  std::string text = profile::wideCsvHeader();
  for (const NamedProfile &named : profiles)
    text += profile::wideCsvRow(named.file, *named.profile);
  return text;
}

} // namespace

void addShow(Command app) {
  auto options = std::make_shared<ShowOptions>();
  Command command =
      app.subcommand("show", "Say what kernels do, or print metrics, source lines or idioms");
  Option runs = addRuns(command, options->files);
  addKernelOption(command, options->launch);
  Option all = command.flag("--all", options->all, "Print all metrics of each profile");
  Option lines = command.flag("--lines", options->lines,
                              "Print a row per source line: the sums of all launches of a kernel");
  Option idioms =
      command.flag("--idioms", options->idioms,
                   "Print the idioms of each kernel, and how each access steps through memory");
  Option metrics = command.flag("--metrics", options->metrics,
                                "Print the definition of every metric; no RUN is read");
  Option json = command.flag("--json", options->json,
                             "Print JSON: the profiles, whose accesses have their idioms, or with "
                             "--lines their source lines");
  Option csv = command.flag("--csv", options->csv,
                            "Print a CSV row per profile and metric, or with --lines per line");
  Option wide = command
                    .flag("--wide", options->wide,
                          "With --csv: a row per profile, and a column per metric, for data frames")
                    .needs(csv)
                    .excludes(lines);
  all.excludes({json, csv, lines, idioms});
  lines.excludes(idioms);
  idioms.excludes({json, csv});
  csv.excludes(json);
  metrics.excludes({runs, command.declared("--kernel"), all, lines, idioms, wide});
  ShowLinesOptions &linesOptions = options->linesOptions;
  command
      .option("--sort", &linesOptions.counts.sort,
              "Order the lines by this count, largest first; line: as in the source")
      .type("COUNT")
      .oneOf(views::lineKeys())
      .showDefault()
      .needs(lines);
  command
      .option("--source", &linesOptions.source, "The kernel's source, if the run has not kept it")
      .type("FILE")
      .needs(lines)
      .excludes({json, csv});
  command
      .option(
          "--cache-size",
          [options](const std::string &text) {
            options->linesOptions.counts.cacheBytes = bytesOf(text);
          },
          "Count the misses of a cache of this size, such as 49152, 32KiB or 4MiB (default: 32KiB)")
      .type("SIZE")
      .needs(lines);
  command
      .option("--lanes", &linesOptions.counts.lanes,
              "Count the idle lanes of groups of this many lanes")
      .oneOf({8, 16, 32, 64})
      .showDefault()
      .needs(lines);
  command.examples({{"aiwc show profiles", "what each kernel does, in words"},
                    {"aiwc show --all profiles/aiwc_blur_0.json", "all metrics"},
                    {"aiwc show --lines --sort cache_misses --source blur.cl profiles", ""},
                    {"aiwc show --lines --csv profiles > lines.csv", "to compute with"},
                    {"aiwc show --csv --wide profiles > metrics.csv", "for a data frame"},
                    {"aiwc show --metrics", "what each metric means"}});
  command.action([options] {
    if (options->metrics)
      return print(options->json ? metricsJson() : options->csv ? metricsCsv() : metricsText());
    if (options->files.empty())
      throw Misuse("RUN is required");
    const text::Terminal terminal = standardOutput();
    const bool eachProfile = options->json || options->csv || options->all || options->idioms;
    if (!eachProfile && !options->lines && areAlternatives(options->files)) {
      const std::vector<std::string> names = namesOfFolders(options->files);
      for (size_t i = 0; i < names.size(); ++i) {
        Extent extent;
        const auto profiles =
            readRuns({options->files[i]}, LaunchFilter(options->launch, "aiwc show"), &extent);
        print((i > 0 ? "\n" : "") + headingOfRun(names[i], terminal) +
              inWords(profiles, extent.notes, terminal));
      }
      return;
    }
    Extent extent;
    auto profiles = readRuns(options->files, LaunchFilter(options->launch, "aiwc show"),
                             eachProfile || options->lines ? nullptr : &extent);
    if (eachProfile && !options->lines)
      leaveRepresentedOut(profiles);
    if (options->lines)
      return print(options->json  ? linesJson(profiles, options->linesOptions)
                   : options->csv ? linesCsv(profiles, options->linesOptions)
                                  : linesText(profiles, options->linesOptions, terminal));
    if (options->idioms)
      return print(asIdioms(profiles, terminal));
    print(options->json   ? toJsonArray(profiles)
          : options->wide ? asWideCsv(profiles)
          : options->csv  ? asCsv(profiles)
          : options->all  ? asText(profiles)
                          : inWords(profiles, extent.notes, terminal));
  });
}

} // namespace aiwc::cli
