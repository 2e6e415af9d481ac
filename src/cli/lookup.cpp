#include "command.h"
#include "embedded.h"
#include "output.h"
#include "profile/summary.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <memory>

namespace aiwc::cli {

namespace {

struct LookupOptions {
  std::string file;
  LaunchOptions launch;
  bool json = false;
  bool strict = false;
};

std::vector<NamedProfile> lookUp(const LookupOptions &options) {
  const LaunchFilter filter(options.launch, "aiwc lookup");
  const auto complain = [&](const std::string &message) {
    if (options.strict)
      throw Unsatisfied(message);
    warn(message);
  };
  const std::vector<NamedProfile> profiles = readEmbedded(options.file, filter, complain);
  if (profiles.empty())
    throw Unsatisfied(fmt::format("{}: no profile is embedded{}", options.file, filter.text()));
  return profiles;
}

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", profile::printable(named.file, 4096),
                        profile::toText(named.profile));
  return text;
}

} // namespace

void addLookup(CLI::App &app) {
  auto options = std::make_shared<LookupOptions>();
  CLI::App *command =
      app.add_subcommand("lookup", "Print the profiles embedded in a kernel's file");
  command->add_option("FILE", options->file, "The annotated file")->required();
  addLaunchOptions(*command, options->launch);
  command->add_flag("--json", options->json, "Print a JSON array of profiles");
  command->add_flag("--strict", options->strict,
                    "Fail (exit status 1) where one is stale or cannot be read");
  command->callback([options] {
    const std::vector<NamedProfile> profiles = lookUp(*options);
    print(options->json ? toJsonArray(profiles) : asText(profiles));
  });
}

} // namespace aiwc::cli
