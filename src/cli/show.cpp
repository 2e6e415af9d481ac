#include "advice/report.h"
#include "command.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "output.h"
#include "profile/listing.h"
#include "profile/summary.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

namespace aiwc::cli {

namespace {

struct ShowOptions {
  std::vector<std::string> files;
  bool json = false;
  bool csv = false;
  bool all = false;
  bool lines = false;
  bool idioms = false;
  std::string devices{kUsualDevices};
  std::vector<std::string> deviceFolders;
  std::string source;
  profile::LineView view;
};

/// Of a cache: "32768", "32KiB", "4MiB". Throws CLI::ValidationError, naming the option.
uint64_t bytesOf(const std::string &text) {
  const auto bytes = profile::parseBytes(text);
  if (!bytes)
    throw CLI::ValidationError(
        "--cache", fmt::format("{}: expected a size above 0 such as 49152, 32KiB or 4MiB", text));
  return *bytes;
}

std::string headerOf(const NamedProfile &named) {
  return fmt::format("{}, {}, invocation {}", profile::printable(named.file, 4096),
                     profile::printable(named.profile->provenance.kernel, 60),
                     named.profile->provenance.invocation);
}

std::string asLines(const std::vector<NamedProfile> &profiles, const std::string &sourceFile,
                    profile::LineView view) {
  const std::string source = sourceFile.empty() ? "" : readFile(sourceFile, "the kernel's source");
  view.source = source;
  std::string text;
  for (const NamedProfile &named : profiles) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", headerOf(named));
    if (!sourceFile.empty() && embed::bareHash(source) != named.profile->provenance.sourceHash)
      text += fmt::format("  {} is not the source that the kernel was built from: the text beside "
                          "a line may be wrong\n",
                          profile::printable(sourceFile, 4096));
    text += profile::lineTable(*named.profile, view);
  }
  return text;
}

std::string asIdioms(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", headerOf(named),
                        profile::idiomTable(*named.profile));
  return text;
}

/// An array with an object per profile: what the profile is, then its idioms and accesses.
std::string asIdiomsJson(const std::vector<NamedProfile> &profiles) {
  using Json = nlohmann::json;
  std::string text = "[";
  for (const NamedProfile &named : profiles) {
    const auto quoted = [](const std::string &value) {
      return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    const std::string idioms = profile::idiomJson(*named.profile);
    text += fmt::format("{}\n{{\n  \"file\": {},\n  \"kernel\": {},\n  \"invocation\": {},{}",
                        text.size() > 1 ? "," : "", quoted(named.file),
                        quoted(named.profile->provenance.kernel),
                        named.profile->provenance.invocation, idioms.substr(1));
  }
  return text + "\n]\n";
}

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles) {
    if (!text.empty())
      text += '\n';
    if (profiles.size() > 1)
      text += fmt::format("{}\n", profile::printable(named.file, 4096));
    text += profile::toText(*named.profile);
  }
  return text;
}

/// What each kernel does and what was found, in words.
std::string inWords(const ShowOptions &options, const std::vector<NamedProfile> &profiles) {
  const auto devices = loadDevices(options.deviceFolders, options.devices);
  const predict::FittedCostModel &model = predict::publishedModel();
  std::string text;
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const profile::KernelProfile &profile = *launches.heaviest().profile;
    std::vector<advice::DescriptionLine> lines = advice::descriptionOf(profile, devices, model);
    const auto usable = [&](const predict::DeviceProfile &device) {
      return model.lacking(profile, device).empty();
    };
    if (model.unusable(profile).empty() && std::ranges::all_of(devices, usable))
      if (const std::string found = advice::summary(advice::findingsOf(profile, devices, model));
          !found.empty())
        lines.push_back({"Findings", found + ". More by: aiwc advise"});
    text +=
        fmt::format("{}{}\n{}", text.empty() ? "" : "\n", launches.title(), advice::toText(lines));
  }
  return text;
}

/// The long form, which also holds several profiles: what the profile is, then the metric.
std::string asCsv(const std::vector<NamedProfile> &profiles) {
  std::string text = "file,kernel,invocation,metric,category,value\n";
  for (const NamedProfile &named : profiles)
    for (const profile::MetricInfo &metric : profile::catalogue())
      text += fmt::format("{},{},{},{},{},{}\n", profile::csvField(named.file),
                          profile::csvField(named.profile->provenance.kernel),
                          named.profile->provenance.invocation, profile::csvField(metric.name),
                          profile::toString(metric.category),
                          profile::formatValue((*named.profile)[metric.metric], "NaN"));
  return text;
}

} // namespace

void addShow(CLI::App &app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App *command = app.add_subcommand("show", "Print profiles");
  command->add_option("FILE", options->files, "JSON profiles, or folders of profiles")->required();
  CLI::Option *all = command->add_flag("--all", options->all, "Print all metrics of each profile");
  CLI::Option *json = command->add_flag("--json", options->json, "Print a JSON array of profiles");
  command->add_flag("--csv", options->csv, "Print a CSV row per profile and metric")
      ->excludes(json);
  CLI::Option *csv = command->get_option("--csv");
  CLI::Option *lines =
      command->add_flag("--lines", options->lines, "Print a row per source line, hottest first")
          ->excludes(json)
          ->excludes(csv);
  command
      ->add_flag("--idioms", options->idioms,
                 "Print the idioms of each kernel, and how each access steps through memory")
      ->excludes(csv)
      ->excludes(lines);
  for (const char *other : {"--json", "--csv", "--lines", "--idioms"})
    all->excludes(command->get_option(other));
  command
      ->add_option("--devices", options->devices,
                   "Say what limits the kernels on these devices: ids, separated by commas")
      ->type_name("IDS")
      ->capture_default_str();
  addDeviceFolders(*command, options->deviceFolders);
  command->add_option("--source", options->source, "The kernel's source, to print beside the lines")
      ->needs(lines);
  command
      ->add_option_function<std::string>(
          "--cache",
          [options](const std::string &text) { options->view.cacheBytes = bytesOf(text); },
          "Count the misses of a cache of this size (default: 32KiB)")
      ->type_name("BYTES|KiB|MiB|GiB")
      ->needs(lines);
  command
      ->add_option("--lanes", options->view.lanes,
                   "Count the idle lanes of groups of this many lanes")
      ->check(CLI::IsMember({8, 16, 32, 64}))
      ->capture_default_str()
      ->needs(lines);
  command->callback([options] {
    const auto profiles = readProfiles(options->files);
    if (options->lines)
      return print(asLines(profiles, options->source, options->view));
    if (options->idioms)
      return print(options->json ? asIdiomsJson(profiles) : asIdioms(profiles));
    print(options->json  ? toJsonArray(profiles)
          : options->csv ? asCsv(profiles)
          : options->all ? asText(profiles)
                         : inWords(*options, profiles));
  });
}

} // namespace aiwc::cli
