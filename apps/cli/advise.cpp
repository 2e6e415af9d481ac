#include "advice/report.h"
#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "embedded.h"
#include "invocations.h"
#include "kernel_launches.h"
#include "kernel_sources.h"
#include "predict/opencl_type.h"
#include "terminal.h"
#include "text/text.h"
#include "try_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace aiwc::cli {

namespace {

struct AdviseOptions {
  std::vector<std::string> files;
  LaunchOptions launch;
  std::string devices{kUsualDevices};
  std::string source;
  bool json = false;
  bool sarif = false;
  bool tries = false;
  bool all = false;
};

std::string asText(const std::vector<advice::Advised> &kernels,
                   const std::vector<predict::DeviceProfile> &devices, std::optional<size_t> lead,
                   bool all, bool tries, const std::vector<std::string> &notes,
                   const text::Terminal &terminal) {
  std::vector<std::string> ids;
  ids.reserve(devices.size());
  for (const predict::DeviceProfile &device : devices)
    ids.push_back(device.id);
  std::string text = advice::toText(kernels, ids, lead, all, terminal);
  if (std::ranges::any_of(kernels, [](const auto &kernel) {
        return !kernel.kernel.empty() && !kernel.findings.empty();
      }))
    text +=
        "\n" + text::wrapped("Ranges go from what is likely at the lower end of the model's 80 % "
                             "intervals to the most at the upper end, each as if it was the only "
                             "change, on the time of the kernels without transfers; they cannot be "
                             "multiplied.",
                             0, std::clamp<size_t>(terminal.columns, 40, 100));
  if (!tries && std::ranges::any_of(kernels, [](const advice::Advised &kernel) {
        return kernel.source.code && std::ranges::any_of(kernel.findings, [&](const auto &finding) {
                 return !advice::editsOf(finding.change, kernel.kernel, *kernel.source.code)
                             .empty();
               });
      }))
    text += "The changed lines are untried: --try runs the kernel with them, and compares its "
            "results.\n";
  return text + inParagraphs(notes, terminal);
}

/// Of the devices, those of these types (predict::openClType); all if no type is given.
std::vector<predict::DeviceProfile>
devicesOfTypes(const std::vector<predict::DeviceProfile> &devices,
               const std::vector<std::string> &types) {
  std::vector<predict::DeviceProfile> some = devices;
  if (!types.empty())
    std::erase_if(some, [&](const predict::DeviceProfile &device) {
      return std::ranges::find(types, predict::openClType(device.type)) == types.end();
    });
  return some;
}

/// Gains and seconds of a kernel by all devices: on those that it is not launched on, it takes no
/// time.
void fillOthers(const std::vector<predict::DeviceProfile> &devices,
                const std::vector<predict::DeviceProfile> &launchedOn, advice::Advised &kernel) {
  if (devices.size() == launchedOn.size())
    return;
  std::vector<double> seconds(devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    const auto place = std::ranges::find(launchedOn, devices[i].id, &predict::DeviceProfile::id);
    if (place != launchedOn.end()) {
      seconds[i] = kernel.seconds[static_cast<size_t>(place - launchedOn.begin())];
      continue;
    }
    for (advice::Finding &finding : kernel.findings)
      if (!finding.gains.empty())
        finding.gains.insert(finding.gains.begin() + static_cast<std::ptrdiff_t>(i),
                             {devices[i].id, 1, 0});
  }
  kernel.seconds = std::move(seconds);
}

std::string advised(const AdviseOptions &options) {
  if (!options.json && !options.sarif && !options.tries && areAlternatives(options.files)) {
    std::string text;
    const std::vector<std::string> names = namesOfFolders(options.files);
    for (size_t i = 0; i < names.size(); ++i) {
      AdviseOptions one = options;
      one.files = {options.files[i]};
      text += (i > 0 ? "\n" : "") + headingOfRun(names[i], standardOutput()) + advised(one);
    }
    return text;
  }
  const bool isText = !options.json && !options.sarif;
  const text::Terminal terminal = isText ? standardOutput() : text::Terminal{};
  auto devices = loadDevices(options.devices);
  KernelSources sources(options.source.empty() ? std::vector<std::string>()
                                               : std::vector{options.source});
  if (options.tries &&
      (options.files.size() != 1 || !std::filesystem::is_directory(options.files[0])))
    throw Error("aiwc advise: --try expects one argument, the folder of a run");
  Extent extent;
  auto profiles = readRuns(options.files, LaunchFilter(options.launch, "aiwc advise"), &extent);
  const std::string leftOut = leaveIncompleteOut(profiles, "aiwc advise");
  leaveOut(devices, options.devices, profiles);
  std::vector<advice::Advised> kernels;
  const SeenTypes seen(profiles);
  for (const KernelLaunches &launches : seen.apart(launchesByKernel(profiles))) {
    for (const NamedProfile *named : launches.profiles)
      if (const std::string problem = predict::publishedModel().whyNot(*named->profile);
          !problem.empty())
        throw Error(fmt::format("{}: {}", text::printable(named->file, 4096), problem));
    advice::Advised kernel;
    kernel.title = launches.title(terminal);
    kernel.kernel = launches.heaviest().launch.kernel;
    kernel.label = launches.label;
    kernel.file = launches.heaviest().file;
    const SourceFile *const source = sources.of(launches.heaviest());
    const std::vector<advice::LaunchKind> kinds = launches.kinds();
    const std::vector<std::string> types = seen.stoodForBy(launches.heaviest());
    const auto stoodFor = devicesOfTypes(devices, types);
    kernel.findings = advice::findingsOf(kinds, stoodFor, predict::publishedModel());
    kernel.seconds = advice::secondsOf(kinds, stoodFor, predict::publishedModel());
    for (const predict::DeviceProfile &device : devices)
      kernel.limits.push_back(advice::limitOf(kinds, device, predict::publishedModel()));
    fillOthers(devices, stoodFor, kernel);
    if (source) {
      const bool isChanged = std::ranges::any_of(kernel.findings, [](const auto &finding) {
        return finding.change.kind != advice::Change::Kind::kNone;
      });
      kernel.source = {source->path, source->text, isChanged ? sources.codeOf(*source) : nullptr,
                       source->isKept};
    }
    kernels.push_back(std::move(kernel));
  }
  std::vector<const profile::KernelProfile *> all;
  all.reserve(profiles.size());
  // Of runs that saw several types of device, what is launched on the type of the first device.
  bool isApart = false;
  for (const NamedProfile &named : profiles) {
    const std::vector<std::string> types = seen.stoodForBy(named);
    isApart = isApart || !types.empty();
    if (!devicesOfTypes({devices.front()}, types).empty())
      all.push_back(&*named.profile);
  }
  const auto together =
      isApart ? devicesOfTypes(devices, {std::string(predict::openClType(devices.front().type))})
              : devices;
  if (auto findings = advice::applicationFindings(all, together, predict::publishedModel());
      !findings.empty()) {
    advice::Advised &application = *kernels.emplace(kernels.begin());
    application.title = extent.whole ? "The application" : "All launches together";
    application.findings = std::move(findings);
  }
  sources.requireUse();
  for (std::string &note : otherTypeNotes(profiles, devices))
    extent.notes.push_back(std::move(note));
  if (!leftOut.empty())
    warn(leftOut);
  if (!isText)
    return options.json ? advice::toJson(kernels) : advice::toSarif(kernels);
  // Who names devices asks about the first one.
  const auto lead = options.devices == kUsualDevices ? std::nullopt : std::optional<size_t>(0);
  std::string text =
      asText(kernels, devices, lead, options.all, options.tries, extent.notes, terminal);
  if (options.tries)
    text += triedChanges(options.files[0], kernels, options.devices);
  return text;
}

} // namespace

void addAdvise(Command app) {
  auto options = std::make_shared<AdviseOptions>();
  Command command =
      app.subcommand("advise", "Say what costs kernels time, where, and what to do about it");
  addRuns(command, options->files).required();
  addKernelOption(command, options->launch);
  addDevicesOption(command, options->devices, "Predict gains on these devices");
  command
      .option("--source", &options->source,
              "The kernels' source, if the run has not kept it or to name your own file")
      .type("FILE");
  command.flag("--all", options->all,
               "Print findings and kernels of less than 1 % of the run, too");
  Option tries =
      command.flag("--try", options->tries,
                   "Make the changes that are edits of the text in a copy of the kernel, "
                   "run it, and print what changes; of runs of aiwc kernel");
  Option json = command.flag("--json", options->json, "Print JSON").excludes(tries);
  command.flag("--sarif", options->sarif, "Print SARIF, for editors and code review")
      .excludes(json)
      .excludes(tries);
  command.examples(
      {{"aiwc advise profiles", ""},
       {"aiwc advise profiles --devices rtx3090,a100-sxm4-40gb", "gains on these devices"},
       {"aiwc advise profiles --source blur.cl", "with the text of the lines"},
       {"aiwc advise profiles --sarif > findings.sarif", "for editors and code review"}});
  command.action([options] { print(advised(*options)); });
}

} // namespace aiwc::cli
