#include "command.h"
#include "command_line/output.h"
#include "embed/file.h"
#include "embed/match.h"
#include "embedded.h"
#include "inputs.h"
#include "profile/json.h"
#include "text/text.h"
#include "views/summary.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace aiwc::cli {

namespace {

struct LookupOptions {
  std::string file;
  LaunchOptions launch;
  bool json = false;
  bool strict = false;
};

/// The profiles that were found, or the profile that was scaled from them.
struct Answer {
  std::vector<NamedProfile> profiles;
  std::optional<scaling::ScaledProfile> scaled;
};

Answer lookUp(const LookupOptions &options) {
  const LaunchFilter filter(options.launch, "aiwc annotate lookup");
  const auto complain = [&](const std::string &message) {
    if (options.strict)
      throw Unsatisfied(message);
    warn(message);
  };
  Answer answer;
  answer.profiles = readEmbedded(options.file, filter, complain);
  if (const auto launch = filter.launch(); launch && answer.profiles.empty())
    answer.scaled = embed::profileFor(embed::annotationsOf(options.file), *launch);
  if (answer.profiles.empty() && !answer.scaled)
    throw Unsatisfied(fmt::format("{}: no profile is embedded{}", options.file, filter.text()));
  return answer;
}

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", text::printable(named.file, 4096),
                        views::toText(*named.profile));
  return text;
}

std::string launchText(const profile::LaunchKey &launch) {
  return fmt::format("{} in groups of {}", profile::sizeText(launch.globalSize, launch.workDim),
                     profile::sizeText(launch.localSize, launch.workDim));
}

/// The keys of the metrics with this origin.
std::string keysOf(const scaling::ScaledProfile &scaled, scaling::Origin origin) {
  std::string keys;
  for (const profile::MetricInfo &metric : profile::catalogue())
    if (scaled.origin(metric.metric) == origin)
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", metric.key);
  return keys;
}

std::string asText(const std::string &file, const scaling::ScaledProfile &scaled) {
  std::string text = fmt::format("{}\n", text::printable(file, 4096));
  text += views::toText(scaled.profile);
  text += fmt::format("Scaled to {:.4g} times the work-items of {}{}.\n", scaled.workItemRatio,
                      launchText(scaled.from.front()),
                      scaled.from.size() > 1 ? fmt::format(", by the power law through it and {}",
                                                           launchText(scaled.from.back()))
                                             : "");
  text += fmt::format(
      "For profiles scaled this far on the benchmark suite, the cost of computation and memory "
      "traffic was within a factor of {:.3g} of that of the measured profile in half of {} "
      "cases, and within {:.3g} in nine of ten.\n",
      scaled.accuracy->typicalFactor, scaled.accuracy->cases, scaled.accuracy->mostFactor);
  const std::string assumed = keysOf(scaled, scaling::Origin::kAssumed);
  if (!assumed.empty())
    text += fmt::format("No profile has this local size, so these metrics are assumptions: {}.\n",
                        assumed);
  return text;
}

/// The profile's JSON, with members added that say how it was made.
std::string asJson(const scaling::ScaledProfile &scaled) {
  auto made = nlohmann::ordered_json::object();
  for (const profile::LaunchKey &launch : scaled.from)
    made["from"].push_back({{"global_size", launch.globalSize}, {"local_size", launch.localSize}});
  made["work_item_ratio"] = scaled.workItemRatio;
  made["other_local_size"] = scaled.otherLocalSize;
  made["error_factor_median"] = scaled.accuracy->typicalFactor;
  made["error_factor_ninth_decile"] = scaled.accuracy->mostFactor;
  made["error_factor_cases"] = scaled.accuracy->cases;
  for (const profile::MetricInfo &metric : profile::catalogue())
    made["origins"][std::string(metric.key)] = scaling::toString(scaled.origin(metric.metric));
  std::string text = profile::toJson(scaled.profile);
  text.insert(text.rfind("\n}"), ",\n  \"scaling\": " + made.dump());
  return "[\n" + text + "]\n";
}

} // namespace

void addLookup(Command app) {
  auto options = std::make_shared<LookupOptions>();
  Command command = app.subcommand("lookup", "Print the profiles embedded in a file of kernels");
  command.option("FILE", &options->file, "The annotated file").required();
  addLaunchOptions(command, options->launch);
  command.flag("--json", options->json, "Print a JSON array of profiles");
  command.flag("--strict", options->strict,
               "Fail (exit status 1) if a profile is stale or cannot be read");
  command.examples(
      {{"aiwc annotate lookup blur.cl", "all profiles in it"},
       {"aiwc annotate lookup blur.cl --kernel blur --global 4096x4096", "scaled if need be"},
       {"aiwc annotate lookup blur.cl --json > profiles.json", ""}});
  command.action([options] {
    const Answer answer = lookUp(*options);
    if (answer.scaled)
      print(options->json ? asJson(*answer.scaled) : asText(options->file, *answer.scaled));
    else
      print(options->json ? toJsonArray(answer.profiles) : asText(answer.profiles));
  });
}

} // namespace aiwc::cli
