#include "command.h"
#include "common/error.h"
#include "embed/opencl_c.h"
#include "output.h"
#include "profile/listing.h"
#include "profile/summary.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>

namespace aiwc::cli {

namespace {

struct ShowOptions {
  std::vector<std::string> files;
  bool json = false;
  bool csv = false;
  bool lines = false;
  std::string source;
};

std::string readSource(const std::string &file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw Error(withReason(file + ": cannot be read", errno) + ": expected the kernel's source");
  return text;
}

std::string asLines(const std::vector<NamedProfile> &profiles, const std::string &sourceFile) {
  const std::string source = sourceFile.empty() ? "" : readSource(sourceFile);
  std::string text;
  for (const NamedProfile &named : profiles) {
    const profile::Provenance &provenance = named.profile.provenance;
    text += fmt::format("{}{}, {}, invocation {}\n", text.empty() ? "" : "\n",
                        profile::printable(named.file, 4096),
                        profile::printable(provenance.kernel, 60), provenance.invocation);
    if (!sourceFile.empty() && embed::bareHash(source) != provenance.sourceHash)
      text += fmt::format("  {} is not the source that the kernel was built from: the text beside "
                          "a line may be another's\n",
                          profile::printable(sourceFile, 4096));
    text += profile::lineTable(named.profile, source);
  }
  return text;
}

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
  CLI::Option *csv = command->get_option("--csv");
  CLI::Option *lines =
      command->add_flag("--lines", options->lines, "Print a row per source line, hottest first")
          ->excludes(json)
          ->excludes(csv);
  command->add_option("--source", options->source, "The kernel's source, to print beside the lines")
      ->needs(lines);
  command->callback([options] {
    const auto profiles = readProfiles(options->files);
    if (options->lines)
      return print(asLines(profiles, options->source));
    print(options->json  ? toJsonArray(profiles)
          : options->csv ? asCsv(profiles)
                         : asText(profiles));
  });
}

} // namespace aiwc::cli
