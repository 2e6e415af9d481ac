#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "embedded.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "kernel_sources.h"
#include "measured_times.h"
#include "models.h"
#include "predict/fitted/fitted_cost_model.h"
#include "report/export.h"
#include "report/page.h"
#include "report/views.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace aiwc::cli {

namespace {

struct ProfiledProgram {
  std::filesystem::path path;         ///< of its folder or file; absolute
  std::vector<NamedProfile> profiles; ///< in the order of `readRuns`
};

/// Without symbolic links, if that can be found out.
fs::path resolved(const fs::path &path) {
  std::error_code failed;
  fs::path result = fs::weakly_canonical(path, failed);
  return failed ? fs::absolute(path).lexically_normal() : result;
}

/// The last `count` components.
fs::path ending(const fs::path &path, size_t count) {
  fs::path result;
  auto part = path.end();
  for (size_t i = 0; i < count && part != path.begin(); ++i)
    result = result.empty() ? *--part : *--part / result;
  return result;
}

/// A folder with profiles is a program, however deep it lies in an argument, and a profile or an
/// annotated kernel that is an argument itself is another. What is named twice counts once. Throws
/// whatever `readRuns` does.
std::vector<ProfiledProgram> programsIn(const std::vector<std::string> &arguments,
                                        const LaunchFilter &filter) {
  std::vector<ProfiledProgram> programs;
  std::map<fs::path, size_t> places;
  // A profile is told by its file and its launch, or its place in an annotated kernel.
  std::set<std::pair<fs::path, std::string>> seen;
  for (NamedProfile &named : readRuns(arguments, filter)) {
    const bool embedded = !named.container.empty();
    const std::string &name = embedded ? named.container : named.file;
    fs::path file = isStandardInput(name) ? "standard input" : resolved(name);
    // Launches of a run may share a file.
    std::string launch = fmt::format("{} {}", named.launch.process, named.launch.number);
    if (!seen.emplace(file, embedded ? named.file : std::move(launch)).second)
      continue;
    fs::path path = named.fromFolder ? file.parent_path() : std::move(file);
    const auto [place, isNew] = places.emplace(path, programs.size());
    if (isNew)
      programs.push_back({std::move(path), {}});
    programs[place->second].profiles.push_back(std::move(named));
  }
  return programs;
}

/// A name for each path, for people: its last component without `.json`, and as many of those
/// before it as tell it from the other paths.
std::vector<std::string> shortNames(const std::vector<fs::path> &paths) {
  std::vector<std::string> names;
  for (const fs::path &path : paths) {
    const auto length = static_cast<size_t>(std::distance(path.begin(), path.end()));
    size_t count = 1;
    while (count < length && std::ranges::any_of(paths, [&](const fs::path &other) {
             return other != path && ending(other, count) == ending(path, count);
           }))
      ++count;
    fs::path name = ending(path, count);
    if (name.extension() == ".json")
      name.replace_extension();
    names.push_back(name.string());
  }
  return names;
}

struct ReportOptions {
  std::vector<std::string> files;
  LaunchOptions launch;
  bool many = false;
  std::vector<std::string> like;
  std::string output = "report.html";
  std::string chart;
  std::string devices{kUsualDevices};
  std::string measuredOn;
  std::vector<std::string> sources;
  std::vector<std::string> whatIfs;
  std::string model = "published";
};

std::string nameOf(const std::vector<std::string> &arguments) {
  const std::string path = std::filesystem::absolute(arguments.front()).string();
  return namesOfFolders({path})[0] +
         (arguments.size() > 1 ? fmt::format(" and {} more", arguments.size() - 1) : "");
}

/// What the launches took together, by devices on which all of them were measured; a warm-up counts
/// as the others do on average. `profiles`: those of `measured`, among which the launches are.
std::map<std::string, double> measuredOf(const KernelLaunches &launches,
                                         const std::vector<NamedProfile> &profiles,
                                         const MeasuredTimes &measured) {
  std::map<std::string, double> sums;
  std::map<std::string, size_t> counts;
  size_t warmUps = 0;
  for (const NamedProfile *named : launches.profiles) {
    const auto place = static_cast<size_t>(named - profiles.data());
    warmUps += measured.isWarmUp(place);
    for (const auto &[device, seconds] :
         measured.secondsOf(profiles, place, predict::Clock::kKernel)) {
      sums[device] += seconds;
      ++counts[device];
    }
  }
  const size_t all = launches.profiles.size();
  std::erase_if(sums, [&](const auto &sum) { return counts[sum.first] + warmUps < all; });
  for (auto &[device, seconds] : sums)
    seconds *= static_cast<double>(all) / static_cast<double>(counts[device]);
  return sums;
}

/// report::ReportedKernel::measuredLaunches.
std::map<std::string, std::vector<double>>
measuredLaunchesOf(const KernelLaunches &launches, const std::vector<NamedProfile> &profiles,
                   const MeasuredTimes &measured) {
  std::map<std::string, std::vector<double>> all;
  for (size_t i = 0; i < launches.profiles.size(); ++i)
    for (const auto &[device, seconds] :
         measured.secondsOf(profiles, static_cast<size_t>(launches.profiles[i] - profiles.data()),
                            predict::Clock::kKernel)) {
      std::vector<double> &times = all[device];
      times.resize(launches.profiles.size());
      times[i] = seconds;
    }
  return all;
}

report::Run runOf(const std::vector<std::string> &arguments,
                  const std::vector<NamedProfile> &profiles, const Extent &extent,
                  KernelSources &sources, const MeasuredTimes &measured) {
  report::Run run{nameOf(arguments), {}, extent.whole, extent.notes};
  const SeenTypes seen(profiles);
  for (const KernelLaunches &launches : seen.apart(launchesByKernel(profiles))) {
    const NamedProfile &heaviest = launches.heaviest();
    report::ReportedKernel kernel{.title = launches.title(),
                                  .launches = launches.read(),
                                  .main = &*heaviest.profile,
                                  .errorFactors = launches.errorFactors()};
    kernel.measured = measuredOf(launches, profiles, measured);
    if (measured.clock()) // as the page's model
      kernel.measuredLaunches = measuredLaunchesOf(launches, profiles, measured);
    if (const SourceFile *source = sources.of(heaviest)) {
      kernel.source = source->text;
      kernel.code = sources.codeOf(*source);
      kernel.sourceName = source->nameFor(heaviest);
    }
    if (heaviest.seen) {
      kernel.seenType = heaviest.seen->type;
      kernel.asked = heaviest.seen->asked;
      kernel.onTypes = seen.stoodForBy(heaviest);
    }
    run.kernels.push_back(std::move(kernel));
  }
  return run;
}

std::unique_ptr<predict::FittedCostModel> modelOf(const ReportOptions &options,
                                                  predict::Clock clock = predict::kUsualClock) {
  if (options.model == "automatch" || options.model == "idiom")
    throw Error(
        fmt::format("aiwc report: --model {}: expected published, or a file that aiwc-model train "
                    "wrote: the page shows intervals, which this model does not have",
                    options.model));
  return fittedModel(options.model, clock);
}

/// Fills in the devices of a page: those that the reader can choose, and those chosen at first.
void addDevices(const ReportOptions &options, std::vector<predict::DeviceProfile> &devices,
                std::vector<std::string> &chosen) {
  const predict::DeviceLibrary library = loadDevices();
  for (const predict::DeviceProfile *device : library.select(options.devices)) {
    chosen.push_back(device->id);
    devices.push_back(*device);
  }
  for (const predict::DeviceProfile &device : library.devices())
    if (device.opencl && std::ranges::find(chosen, device.id) == chosen.end())
      devices.push_back(device);
  std::ranges::sort(devices, {}, &predict::DeviceProfile::id);
}

/// The programs as runs of a page, under these names.
std::vector<report::Run> runsOf(const std::vector<ProfiledProgram> &programs,
                                std::span<const std::string> names) {
  std::vector<report::Run> runs;
  for (size_t i = 0; i < programs.size(); ++i) {
    report::Run run{names[i], {}};
    for (const KernelLaunches &launches : launchesByKernel(programs[i].profiles))
      run.kernels.push_back({.title = launches.title(),
                             .launches = launches.read(),
                             .main = &*launches.heaviest().profile});
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string manyReported(const ReportOptions &options) {
  const auto model = modelOf(options);
  report::SuitePage page;
  page.model = model.get();
  addDevices(options, page.devices, page.chosen);
  const LaunchFilter filter(options.launch, "aiwc report");
  std::vector<ProfiledProgram> programs = programsIn(options.files, filter);
  const std::vector<ProfiledProgram> unknown =
      options.like.empty() ? std::vector<ProfiledProgram>() : programsIn(options.like, filter);
  // A program is not compared with itself.
  std::erase_if(programs, [&](const ProfiledProgram &program) {
    return std::ranges::find(unknown, program.path, &ProfiledProgram::path) != unknown.end();
  });
  std::vector<std::filesystem::path> paths;
  for (const std::vector<ProfiledProgram> *list : {&std::as_const(programs), &unknown})
    for (const ProfiledProgram &program : *list)
      paths.push_back(program.path);
  const std::vector<std::string> names = shortNames(paths);
  page.name = nameOf(options.files);
  page.programs = runsOf(programs, names);
  page.newPrograms = runsOf(unknown, std::span(names).subspan(programs.size()));
  return report::html(page);
}

/// Shows the devices that were measured, unless the user chose devices.
void showMeasured(const ReportOptions &options, report::Page &page) {
  if (options.devices != kUsualDevices)
    return;
  for (const report::ReportedKernel &kernel : page.run.kernels)
    for (const auto &[device, seconds] : kernel.measured)
      if (std::ranges::find(page.chosen, device) == page.chosen.end() &&
          std::ranges::find(page.devices, device, &predict::DeviceProfile::id) !=
              page.devices.end())
        page.chosen.push_back(device);
}

std::string reported(const ReportOptions &options) {
  if (options.many)
    return manyReported(options);
  modelOf(options); // refuses what the page cannot use before the run is read
  report::Page page;
  addDevices(options, page.devices, page.chosen);
  for (const std::string &text : options.whatIfs)
    page.whatIfs.push_back({text, predict::parseChanges(text, "aiwc report: --what-if")});
  KernelSources sources(options.sources);
  const LaunchFilter filter(options.launch, "aiwc report");
  Extent extent;
  const auto profiles = readRuns(options.files, filter, &extent);
  const MeasuredTimes measured(profiles, loadDevices(), {{}, options.measuredOn});
  const predict::Clock clock = measured.clock().value_or(predict::kUsualClock);
  const auto model = modelOf(options, clock);
  page.model = model.get();
  page.run = runOf(options.files, profiles, extent, sources, measured);
  page.run.notes.push_back(noteOnClock(clock, measured.clock().has_value()));
  showMeasured(options, page);
  sources.requireUse();
  return report::html(page);
}

/// Writes the page, or, by the ending of the file's name, a picture of one of its views.
void writeReport(const ReportOptions &options) {
  const std::vector<report::View> &views = options.many ? report::suiteViews() : report::runViews();
  if (options.chart == "list") {
    print(report::pictureList(views));
    return;
  }
  const auto format = report::pictureFormatOf(options.output);
  if (options.output != "-" && !options.output.ends_with(".html") && !format)
    throw Error(fmt::format("aiwc report: -o {}: expected a name that ends in .html, .svg, .png "
                            "or .pdf",
                            text::printable(options.output, 4096)));
  if (!options.chart.empty()) {
    report::requirePicture(views, options.chart);
    if (!format)
      throw Error(fmt::format("aiwc report: --chart {}: expected also -o FILE, whose name ends in "
                              ".svg, .png or .pdf",
                              options.chart));
  }
  const std::string_view first = options.many ? "map" : "ranking";
  const std::string page = reported(options);
  writeOutput(options.output,
              format ? report::picture(page, options.chart.empty() ? first : options.chart, *format)
                     : page);
}

} // namespace

void addReport(Command app) {
  auto options = std::make_shared<ReportOptions>();
  Command command = app.subcommand(
      "report", "Write a run as one HTML page: times, ranking, reasons, source lines, metrics; or "
                "many programs: which are alike");
  Option many = command.flag(
      "--many", options->many,
      "Compare programs, each folder with profiles being one: map, clusters, Kiviat diagrams");
  command
      .option("--like", &options->like,
              "With --many: a new program, to be found among the others; may be repeated")
      .type("RUN")
      .repeatable()
      .needs(many);
  addRuns(command, options->files).required();
  addKernelOption(command, options->launch);
  command
      .option("-o,--output", &options->output,
              "Write the page, FILE.html, or a picture, FILE.svg, .png or .pdf; - for the page on "
              "standard output")
      .type("FILE")
      .showDefault();
  command
      .option("--chart", &options->chart,
              "The picture; list prints which there are. The default is ranking, with --many map")
      .type("NAME|list");
  addDevicesOption(command, options->devices, "Show these devices at first");
  command
      .option("--measured-on", &options->measuredOn,
              "The device on which aiwc attach measured the run; default: the one of its "
              "name")
      .type("ID")
      .excludes(many);
  command
      .option("--source", &options->sources,
              "The kernels' source, for its lines; may be repeated. Sources that the run has "
              "kept are found")
      .type("FILE")
      .repeatable()
      .excludes(many);
  command
      .option(
          "--what-if", &options->whatIfs,
          "Also show changed devices, besides half and twice of the usual parameters: cores=128 "
          "or dram_bandwidth=2x, separated by commas; may be repeated")
      .type("CHANGES")
      .repeatable()
      .excludes(many);
  command
      .option("--model", &options->model,
              "published (fitted to measured times), or a file that aiwc-model train wrote")
      .type("published|FILE")
      .showDefault();
  command.examples(
      {{"aiwc report profiles", "writes the page into this folder"},
       {"aiwc report profiles -o roofline.svg --chart roofline", "one chart of the page"},
       {"aiwc report profiles --what-if dram_bandwidth=2x,cores=128", ""},
       {"aiwc report --many suite --like profiles -o many.html",
        "the programs of a suite, and which of them one is like"}});
  command.action([options] { writeReport(*options); });
}

} // namespace aiwc::cli
