#include "command.h"
#include "output.h"
#include "profile/json.h"
#include "profile/summary.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <memory>

namespace aiwc::cli {

namespace {

struct ShowOptions {
  std::vector<std::string> files;
  bool json = false;
  bool csv = false;
};

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles) {
    if (!text.empty())
      text += '\n';
    if (profiles.size() > 1)
      text += fmt::format("{}\n", profile::printable(named.file, 4096));
    text += profile::toText(named.profile);
  }
  return text;
}

std::string asJson(const std::vector<NamedProfile> &profiles) {
  std::string text = "[\n";
  for (const NamedProfile &named : profiles) {
    if (text.size() > 2)
      text.insert(text.size() - 1, ",");
    text += profile::toJson(named.profile);
  }
  return text + "]\n";
}

/// The long form, which also holds several profiles: what the profile is, then the metric.
std::string asCsv(const std::vector<NamedProfile> &profiles) {
  std::string text = "file,kernel,invocation,metric,category,value\n";
  for (const NamedProfile &named : profiles)
    for (const profile::MetricInfo &metric : profile::catalogue())
      text += fmt::format("{},{},{},{},{},{}\n", profile::csvField(named.file),
                          profile::csvField(named.profile.provenance.kernel),
                          named.profile.provenance.invocation, profile::csvField(metric.name),
                          profile::toString(metric.category),
                          profile::formatValue(named.profile[metric.metric], "NaN"));
  return text;
}

} // namespace

void addShow(CLI::App &app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App *command = app.add_subcommand("show", "Print profiles");
  command->add_option("FILE", options->files, "JSON profiles, or folders of them")->required();
  CLI::Option *json = command->add_flag("--json", options->json, "Print a JSON array of profiles");
  command->add_flag("--csv", options->csv, "Print a CSV row per profile and metric")
      ->excludes(json);
  command->callback([options] {
    const auto profiles = readProfiles(options->files);
    print(options->json ? asJson(profiles) : options->csv ? asCsv(profiles) : asText(profiles));
  });
}

} // namespace aiwc::cli
