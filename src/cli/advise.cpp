#include "advice/report.h"
#include "command.h"
#include "common/error.h"
#include "embedded.h"
#include "incomplete.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "kernel_sources.h"
#include "output.h"
#include "terminal.h"
#include "text/text.h"
#include "tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace aiwc::cli {

namespace {

struct AdviseOptions {
  std::vector<std::string> files;
  LaunchOptions launch;
  std::vector<std::string> deviceFolders;
  std::string devices{kUsualDevices};
  std::string source;
  std::string colour = "auto";
  bool json = false;
  bool sarif = false;
  bool tune = false;
  bool all = false;
};

std::string asText(const std::vector<advice::Advised> &kernels,
                   const std::vector<predict::DeviceProfile> &devices, bool all,
                   const std::vector<std::string> &notes, const text::Terminal &terminal) {
  std::vector<std::string> ids;
  for (const predict::DeviceProfile &device : devices)
    ids.push_back(device.id);
  std::string text = advice::toText(kernels, ids, all, terminal);
  for (const advice::Advised &kernel : kernels)
    if (kernel.tuning)
      text +=
          fmt::format("\n{}{}", kernels.size() > 1 ? text::printable(kernel.kernel, 60) + "\n" : "",
                      advice::toText(*kernel.tuning, terminal));
  if (std::ranges::any_of(kernels, [](const auto &kernel) {
        return !kernel.kernel.empty() && !kernel.findings.empty();
      }))
    text +=
        "\n" + text::wrapped("Gains are upper bounds by the model, each as if it was the only "
                             "change, on the time of the kernels without transfers; they cannot "
                             "be multiplied.",
                             0, std::clamp<size_t>(terminal.columns, 40, 100));
  return text + inParagraphs(notes, terminal);
}

/// Tunes the kernels of the run in `folder`, and adds what that finds to `kernels`, which are those
/// of `launches` in the same order.
void addTunings(const std::string &folder, const std::vector<KernelLaunches> &launches,
                const std::vector<predict::DeviceProfile> &devices,
                std::vector<advice::Advised> &kernels) {
  auto tunings = tune(folder, launches, devices, predict::publishedModel());
  for (size_t i = 0; i < tunings.size(); ++i) {
    if (!tunings[i])
      continue;
    std::vector<advice::Finding> &findings = kernels[i].findings;
    if (auto finding = advice::findingOf(*tunings[i])) // the largest gain comes first
      findings.insert(std::ranges::find_if(findings,
                                           [&](const advice::Finding &other) {
                                             return other.largestGain() < finding->largestGain();
                                           }),
                      std::move(*finding));
    kernels[i].tuning = std::move(tunings[i]);
  }
}

std::string advised(const AdviseOptions &options) {
  const bool isText = !options.json && !options.sarif;
  const text::Terminal terminal = isText ? standardOutput(options.colour) : text::Terminal{};
  const auto devices = loadDevices(options.deviceFolders, options.devices);
  KernelSources sources(options.source.empty() ? std::vector<std::string>()
                                               : std::vector{options.source});
  if (options.tune &&
      (options.files.size() != 1 || !std::filesystem::is_directory(options.files[0])))
    throw Error("aiwc advise: --tune expects one argument, the folder of a run");
  Extent extent;
  auto profiles = readRuns(options.files, LaunchFilter(options.launch, "aiwc advise"), &extent);
  const std::string leftOut = leaveIncompleteOut(profiles, "aiwc advise");
  std::vector<advice::Advised> kernels;
  const std::vector<KernelLaunches> byKernel = launchesByKernel(profiles);
  for (const KernelLaunches &launches : byKernel) {
    for (const NamedProfile *named : launches.profiles)
      if (const std::string problem = predict::publishedModel().whyNot(*named->profile);
          !problem.empty())
        throw Error(fmt::format("{}: {}", text::printable(named->file, 4096), problem));
    advice::Advised kernel;
    kernel.title = launches.title(terminal);
    kernel.kernel = launches.heaviest().launch.kernel;
    kernel.file = launches.heaviest().file;
    if (const SourceFile *source = sources.of(launches.heaviest()))
      kernel.source = {source->path, source->text};
    const std::vector<advice::LaunchKind> kinds = launches.kinds();
    kernel.findings = advice::findingsOf(kinds, devices, predict::publishedModel());
    kernel.seconds = advice::secondsOf(kinds, devices, predict::publishedModel());
    kernels.push_back(std::move(kernel));
  }
  if (options.tune)
    addTunings(options.files[0], byKernel, devices, kernels);
  std::vector<const profile::KernelProfile *> all;
  all.reserve(profiles.size());
  for (const NamedProfile &named : profiles)
    all.push_back(&*named.profile);
  if (auto findings = advice::applicationFindings(all, devices, predict::publishedModel());
      !findings.empty())
    kernels.insert(kernels.begin(), {extent.whole ? "The application" : "All launches together",
                                     "",
                                     "",
                                     {},
                                     std::move(findings),
                                     {},
                                     {}});
  sources.requireUse();
  if (!leftOut.empty())
    warn(leftOut);
  return options.json    ? advice::toJson(kernels)
         : options.sarif ? advice::toSarif(kernels)
                         : asText(kernels, devices, options.all, extent.notes, terminal);
}

} // namespace

void addAdvise(Command app) {
  auto options = std::make_shared<AdviseOptions>();
  Command command =
      app.subcommand("advise", "Say what costs kernels time, where, and what to do about it");
  addRuns(command, options->files);
  addKernelOption(command, options->launch);
  addDeviceOptions(command, options->devices, options->deviceFolders,
                   "Predict gains on these devices");
  command
      .option("--source", &options->source,
              "The kernels' source, if the run has not kept it or to name your own file")
      .type("FILE");
  command.flag("--tune", options->tune,
               "Run the application of the run again with other local sizes, and compare "
               "them");
  command.flag("--all", options->all,
               "Print findings and kernels of less than 1 % of the run, too");
  Option json = command.flag("--json", options->json, "Print JSON");
  command.flag("--sarif", options->sarif, "Print SARIF, for editors and code review")
      .excludes(json);
  addColour(command, options->colour);
  command.examples(
      {{"aiwc advise profiles", ""},
       {"aiwc advise profiles --devices rtx3090,a100-sxm4-40gb", "gains on these devices"},
       {"aiwc advise profiles --source blur.cl", "with the text of the lines"},
       {"aiwc advise profiles --tune", "with the best of other local sizes"},
       {"aiwc advise profiles --sarif > findings.sarif", "for editors and code review"}});
  command.action([options] { print(advised(*options)); });
}

} // namespace aiwc::cli
