#include "command.h"
#include "common/error.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "output.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/text.h"
#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
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

struct SourceFile {
  std::string name;
  std::string text;
  bool used = false;
};

/// Sources of kernels: those that the user named, found by the hash that profiles have of them, and
/// those that runs have kept.
class Sources {
public:
  explicit Sources(const std::vector<std::string> &files) {
    for (const std::string &file : files) {
      std::string text = readFile(file, "the kernels' source");
      std::string hash = embed::bareHash(text);
      byHash_[std::move(hash)] = {file, std::move(text)};
    }
  }

  /// The source of the profile, with that name before that of its run; nullptr if there is none.
  const SourceFile *of(const NamedProfile &named) {
    if (const auto found = byHash_.find(named.launch.sourceHash); found != byHash_.end()) {
      found->second.used = true;
      return &found->second;
    }
    if (named.source.empty())
      return nullptr;
    const auto [kept, isNew] = kept_.try_emplace(named.source);
    if (isNew) {
      kept->second.name = std::filesystem::path(named.source).filename().string();
      kept->second.text = readFile(named.source, "the kernels' source");
    }
    return &kept->second;
  }

  /// Throws Error if the user named a file that is the source of no kernel.
  void requireUse() const {
    for (const auto &[hash, source] : byHash_)
      if (!source.used)
        throw Error(fmt::format("{}: is not the source of any of these kernels: expected the file "
                                "that was given to clCreateProgramWithSource",
                                profile::printable(source.name, 4096)));
  }

private:
  std::map<std::string, SourceFile> byHash_; ///< that the user named
  std::map<std::string, SourceFile> kept_;   ///< by file; nodes stay where they are
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
                  const std::vector<NamedProfile> &profiles, Sources &sources) {
  report::Run run{nameOf(arguments), {}};
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const NamedProfile &heaviest = launches.heaviest();
    report::Kernel kernel{.title = launches.title(), .launches = {}, .main = &*heaviest.profile};
    for (const NamedProfile *named : launches.profiles)
      kernel.launches.push_back(&*named->profile);
    if (const SourceFile *source = sources.of(heaviest)) {
      kernel.source = source->text;
      kernel.sourceName = source->name;
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

  Sources sources(options.sources);
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
