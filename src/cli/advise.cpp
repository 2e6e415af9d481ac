#include "advice/report.h"
#include "command.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "incomplete.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "output.h"
#include "profile/text.h"
#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>

namespace aiwc::cli {

namespace {

struct AdviseOptions {
  std::vector<std::string> files;
  std::vector<std::string> deviceFolders;
  std::string devices{kUsualDevices};
  std::string source;
  std::string colour = "auto";
  bool json = false;
  bool sarif = false;
};

std::string asText(const std::vector<advice::Advised> &kernels, const profile::Terminal &terminal) {
  std::string text;
  for (const advice::Advised &kernel : kernels) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", kernel.title);
    text += kernel.findings.empty()
                ? "\nNothing found.\n"
                : "\n" + advice::toText(kernel.findings, kernel.source, terminal);
  }
  if (std::ranges::any_of(kernels, [](const auto &kernel) { return !kernel.findings.empty(); }))
    text +=
        "\n" + profile::wrapped("Gains are upper bounds by the model, each as if it was the only "
                                "change. Those of a kernel are on its own time without "
                                "transfers, those of the application on kernels and transfers "
                                "together; they cannot be multiplied.",
                                0, std::clamp<size_t>(terminal.columns, 40, 100));
  return text;
}

std::string advised(const AdviseOptions &options) {
  const bool isText = !options.json && !options.sarif;
  const profile::Terminal terminal = isText ? standardOutput(options.colour) : profile::Terminal{};
  const auto devices = loadDevices(options.deviceFolders, options.devices);
  const std::string source =
      options.source.empty() ? "" : readFile(options.source, "the kernel's source");
  const std::string hash = options.source.empty() ? "" : embed::bareHash(source);
  auto profiles = readProfiles(options.files);
  const std::string leftOut = leaveIncompleteOut(profiles, "aiwc advise");
  std::deque<std::string> sources; // that `kernels` refer to
  std::vector<advice::Advised> kernels;
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const profile::KernelProfile &profile = *launches.heaviest().profile;
    if (const std::string problem = predict::publishedModel().unusable(profile); !problem.empty())
      throw Error(
          fmt::format("{}: {}", profile::printable(launches.heaviest().file, 4096), problem));
    advice::Advised kernel;
    kernel.title = launches.title(terminal);
    kernel.kernel = profile.provenance.kernel;
    kernel.file = launches.heaviest().file;
    if (!hash.empty() && hash == profile.provenance.sourceHash)
      kernel.source = {options.source, source};
    else if (const std::string &kept = launches.heaviest().source; !kept.empty())
      kernel.source = {kept, sources.emplace_back(readFile(kept, "the kernel's source"))};
    kernel.findings = advice::findingsOf(profile, devices, predict::publishedModel());
    kernels.push_back(std::move(kernel));
  }
  std::vector<const profile::KernelProfile *> all;
  all.reserve(profiles.size());
  for (const NamedProfile &named : profiles)
    all.push_back(&*named.profile);
  if (auto findings = advice::applicationFindings(all, devices, predict::publishedModel());
      !findings.empty())
    kernels.insert(kernels.begin(), {"The application", "", "", {}, std::move(findings)});
  if (!options.source.empty() && std::ranges::none_of(kernels, [&](const auto &kernel) {
        return kernel.source.file == options.source;
      }))
    throw Error(fmt::format("{}: is not the source of any of these kernels: expected the file that "
                            "was given to clCreateProgramWithSource",
                            profile::printable(options.source, 4096)));
  if (!leftOut.empty())
    warn(leftOut);
  return options.json    ? advice::toJson(kernels)
         : options.sarif ? advice::toSarif(kernels)
                         : asText(kernels, terminal);
}

} // namespace

void addAdvise(CLI::App &app) {
  auto options = std::make_shared<AdviseOptions>();
  CLI::App *command =
      app.add_subcommand("advise", "Say what costs kernels time, where, and what to do about it");
  command->add_option("FILE", options->files, "JSON profiles, or folders of profiles")->required();
  command
      ->add_option("--devices", options->devices,
                   "Device ids, separated by commas, for which gains are predicted")
      ->type_name("IDS")
      ->capture_default_str();
  addDeviceFolders(*command, options->deviceFolders);
  command
      ->add_option("--source", options->source,
                   "The kernels' source, if the run has not kept it or to name your own file")
      ->type_name("FILE");
  CLI::Option *json = command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--sarif", options->sarif, "Print SARIF, for editors and code review")
      ->excludes(json);
  addColour(*command, options->colour);
  addExamples(*command,
              {{"aiwc advise profiles", ""},
               {"aiwc advise profiles --devices rtx3090,a100-sxm4-40gb", "gains on these devices"},
               {"aiwc advise profiles --source blur.cl", "with the text of the lines"},
               {"aiwc advise profiles --sarif > findings.sarif", "for editors and code review"}});
  command->callback([options] { print(advised(*options)); });
}

} // namespace aiwc::cli
