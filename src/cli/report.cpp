#include "command.h"
#include "common/error.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "kernel_sources.h"
#include "output.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/text.h"
#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace aiwc::cli {

namespace {

/// Two CPUs and three GPUs of different vendors, of those that the published model knows best.
constexpr std::string_view kFirstDevices = "i7-6700k,i5-3350,gtx1080,k40c,fiji-furyx";

struct ReportOptions {
  std::vector<std::string> files;
  std::string compare;
  std::string output = "report.html";
  std::vector<std::string> deviceFolders;
  std::string devices{kFirstDevices};
  std::vector<std::string> sources;
  std::string model = "published";
};

std::string nameOf(const std::vector<std::string> &arguments) {
  std::string name = arguments.front();
  while (name.size() > 1 && name.ends_with('/'))
    name.pop_back();
  if (const auto file = std::filesystem::path(name).filename().string();
      !file.empty() && file != "." && file != "..")
    name = file;
  else
    name = std::filesystem::absolute(name).lexically_normal().parent_path().filename().string();
  if (arguments.size() > 1)
    name += fmt::format(" and {} more", arguments.size() - 1);
  return name;
}

report::Run runOf(const std::vector<std::string> &arguments,
                  const std::vector<NamedProfile> &profiles, KernelSources &sources) {
  report::Run run{nameOf(arguments), {}};
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const NamedProfile &heaviest = launches.heaviest();
    report::Kernel kernel{
        .title = launches.title(), .launches = launches.read(), .main = &*heaviest.profile};
    if (const SourceFile *source = sources.of(heaviest)) {
      kernel.source = source->text;
      kernel.sourceName = std::filesystem::path(source->path).filename().string();
    }
    run.kernels.push_back(std::move(kernel));
  }
  return run;
}

std::unique_ptr<predict::FittedCostModel> modelOf(const ReportOptions &options) {
  if (options.model == "automatch" || options.model == "idiom")
    throw Error(
        fmt::format("aiwc report: --model {}: expected published, or a file that aiwc train "
                    "wrote: the page shows intervals, which this model does not have",
                    options.model));
  if (options.model == "published")
    return std::make_unique<predict::FittedCostModel>(predict::publishedModel());
  return std::make_unique<predict::FittedCostModel>(profile::printable(options.model, 4096),
                                                    predict::readModel(options.model));
}

std::string reported(const ReportOptions &options) {
  const auto model = modelOf(options);
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  report::Page page;
  page.model = model.get();
  for (const predict::DeviceProfile *device : library.select(options.devices)) {
    page.chosen.push_back(device->id);
    page.devices.push_back(*device);
  }
  for (const predict::DeviceProfile &device : library.devices())
    if (device.opencl && std::ranges::find(page.chosen, device.id) == page.chosen.end())
      page.devices.push_back(device);
  std::ranges::sort(page.devices, {}, &predict::DeviceProfile::id);

  KernelSources sources(options.sources);
  const auto profiles = readProfiles(options.files);
  page.run = runOf(options.files, profiles, sources);
  std::vector<NamedProfile> before;
  if (!options.compare.empty()) {
    before = readProfiles({options.compare});
    page.before = runOf({options.compare}, before, sources);
  }
  sources.requireUse();
  return report::html(page);
}

} // namespace

void addReport(CLI::App &app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App *command = app.add_subcommand(
      "report", "Write a run as one HTML page: times, ranking, reasons, source lines, metrics");
  command->add_option("RUN", options->files, "Folders of profiles, or JSON profiles")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Write the page to this file; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--devices", options->devices,
                   "Device ids, separated by commas: those that the page shows at first")
      ->type_name("IDS")
      ->capture_default_str();
  addDeviceFolders(*command, options->deviceFolders);
  command->add_option("--compare", options->compare, "An earlier run to compare with")
      ->type_name("DIR");
  command
      ->add_option("--source", options->sources,
                   "The kernels' source, for its lines; may be repeated. Sources that the run has "
                   "kept are found")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option("--model", options->model,
                   "published (fitted to measured times), or a file that aiwc train wrote")
      ->type_name("published|FILE")
      ->capture_default_str();
  addExamples(*command, {{"aiwc report profiles", "writes the page into this folder"},
                         {"aiwc report after --compare before -o change.html", ""}});
  command->callback([options] { writeOutput(options->output, reported(*options)); });
}

} // namespace aiwc::cli
