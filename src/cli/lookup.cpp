#include "command.h"
#include "embed/compact_text.h"
#include "embed/file.h"
#include "embed/launch_scaling.h"
#include "output.h"
#include "profile/json.h"
#include "profile/summary.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace aiwc::cli {

namespace {

using embed::Annotation;
using embed::Annotations;

struct LookupOptions {
  std::string file;
  std::string kernel;
  std::string global;
  std::string local;
  bool json = false;
  bool strict = false;
  bool exact = false;
};

std::optional<profile::Size3> sizeOf(std::string_view option, std::string_view text,
                                     uint32_t *count = nullptr) {
  if (text.empty())
    return std::nullopt;
  profile::Size3 size = {1, 1, 1};
  uint32_t dimensions = 0;
  for (std::string_view rest = text; rest.data() != nullptr;) {
    const auto value = embed::parseCount(embed::takeUntil(rest, 'x'));
    if (!value || dimensions == size.size())
      throw Error(fmt::format("aiwc lookup: {} is '{}': expected sizes, such as 64 or 64x64",
                              option, profile::printable(text, 60)));
    size[dimensions++] = *value;
  }
  if (count)
    *count = dimensions;
  return size;
}

std::vector<Annotation> matching(const LookupOptions &options, const Annotations &all) {
  const auto global = sizeOf("--global", options.global);
  const auto local = sizeOf("--local", options.local);
  std::vector<Annotation> result;
  for (const Annotation &annotation : all.found) {
    const embed::Launch &launch = annotation.launch;
    if ((options.kernel.empty() || launch.kernel == options.kernel) &&
        (!global || launch.globalSize == *global) && (!local || launch.localSize == *local))
      result.push_back(annotation);
  }
  return result;
}

/// Says what is wrong with an annotation, or ends here where that is asked for.
void complain(const LookupOptions &options, const std::string &what) {
  const std::string message = profile::printable(what, 4096);
  if (options.strict)
    throw Unsatisfied(message);
  warn(message);
}

/// What was found, or else made of what was found.
struct Answer {
  std::vector<NamedProfile> profiles;
  std::optional<embed::ScaledProfile> scaled;
};

/// The profile of a launch that was not characterised, where one was asked for.
std::optional<embed::ScaledProfile> scaled(const LookupOptions &options, const Annotations &all) {
  if (options.exact || options.kernel.empty() || options.global.empty())
    return std::nullopt;
  embed::Launch launch;
  launch.kernel = options.kernel;
  launch.globalSize = *sizeOf("--global", options.global, &launch.workDim);
  if (const auto local = sizeOf("--local", options.local))
    launch.localSize = *local;
  return embed::profileFor(all, launch);
}

Answer lookUp(const LookupOptions &options) {
  const Annotations all = embed::annotationsOf(options.file);
  for (const std::string &reason : all.reasons)
    complain(options, reason);
  if (all.rejected > all.reasons.size())
    complain(options, fmt::format("{}: {} more annotations cannot be read", options.file,
                                  all.rejected - all.reasons.size()));
  Answer answer;
  for (const Annotation &annotation : matching(options, all)) {
    if (annotation.stale)
      complain(options, fmt::format("{}: kernel {} is stale: it was characterised as source {}, "
                                    "this is {}",
                                    annotation.place, annotation.launch.kernel,
                                    annotation.sourceHash, all.sourceHash));
    try {
      answer.profiles.push_back({annotation.place, annotation.profile()});
    } catch (const Error &error) {
      complain(options, error.what());
    }
  }
  if (answer.profiles.empty())
    answer.scaled = scaled(options, all);
  if (answer.profiles.empty() && !answer.scaled)
    throw Unsatisfied(fmt::format("{}: no profile is embedded{}{}{}", options.file,
                                  options.kernel.empty() ? "" : " of kernel " + options.kernel,
                                  options.global.empty() ? "" : " of global size " + options.global,
                                  options.local.empty() ? "" : " of local size " + options.local));
  return answer;
}

std::string asText(const std::vector<NamedProfile> &profiles) {
  std::string text;
  for (const NamedProfile &named : profiles)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", profile::printable(named.file, 4096),
                        profile::toText(named.profile));
  return text;
}

std::string launchText(const embed::Launch &launch) {
  return fmt::format("{} in groups of {}", embed::sizeText(launch.globalSize, launch.workDim),
                     embed::sizeText(launch.localSize, launch.workDim));
}

/// Of the metrics with this origin.
std::string keysOf(const embed::ScaledProfile &scaled, embed::Origin origin) {
  std::string keys;
  for (const profile::MetricInfo &metric : profile::catalogue())
    if (scaled.origin(metric.metric) == origin)
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", metric.key);
  return keys;
}

std::string asText(const std::string &file, const embed::ScaledProfile &scaled) {
  std::string text = fmt::format("{}\n", profile::printable(file, 4096));
  text += profile::toText(scaled.profile);
  text += fmt::format("Scaled to {:.4g} times the work-items of {}{}.\n", scaled.workItemRatio,
                      launchText(scaled.from.front()),
                      scaled.from.size() > 1 ? fmt::format(", by the power law through it and {}",
                                                           launchText(scaled.from.back()))
                                             : "");
  text += fmt::format(
      "On the benchmark suite, computation and memory traffic of profiles scaled so "
      "far cost within a factor of {:.3g} of what was measured in half of {} cases, "
      "and within {:.3g} in nine of ten.\n",
      scaled.accuracy->typicalFactor, scaled.accuracy->cases, scaled.accuracy->mostFactor);
  const std::string assumed = keysOf(scaled, embed::Origin::kAssumed);
  if (!assumed.empty())
    text += fmt::format("The local size is another one, and these are assumptions: {}.\n", assumed);
  return text;
}

/// The profile, and beside its members how it was made.
std::string asJson(const embed::ScaledProfile &scaled) {
  auto made = nlohmann::ordered_json::object();
  for (const embed::Launch &launch : scaled.from)
    made["from"].push_back({{"global_size", launch.globalSize}, {"local_size", launch.localSize}});
  made["work_item_ratio"] = scaled.workItemRatio;
  made["other_local_size"] = scaled.otherLocalSize;
  made["error_factor_median"] = scaled.accuracy->typicalFactor;
  made["error_factor_ninth_decile"] = scaled.accuracy->mostFactor;
  made["error_factor_cases"] = scaled.accuracy->cases;
  for (const profile::MetricInfo &metric : profile::catalogue())
    made["origins"][std::string(metric.key)] = embed::toString(scaled.origin(metric.metric));
  std::string text = profile::toJson(scaled.profile);
  text.insert(text.rfind("\n}"), ",\n  \"scaling\": " + made.dump());
  return "[\n" + text + "]\n";
}

} // namespace

void addLookup(CLI::App &app) {
  auto options = std::make_shared<LookupOptions>();
  CLI::App *command =
      app.add_subcommand("lookup", "Print the profiles embedded in a kernel's file");
  command->add_option("FILE", options->file, "The annotated file")->required();
  command->add_option("--kernel", options->kernel, "Only of this kernel");
  command->add_option("--global", options->global, "Only of this global size, such as 64x64");
  command->add_option("--local", options->local, "Only of this local size");
  command->add_flag("--json", options->json, "Print a JSON array of profiles");
  command->add_flag("--strict", options->strict,
                    "Fail (exit status 1) where one is stale or cannot be read");
  command->add_flag("--exact", options->exact,
                    "Fail (exit status 1) where --kernel was not characterised with --global and "
                    "--local, instead of scaling the nearest launches");
  command->callback([options] {
    const Answer answer = lookUp(*options);
    if (answer.scaled)
      print(options->json ? asJson(*answer.scaled) : asText(options->file, *answer.scaled));
    else
      print(options->json ? toJsonArray(answer.profiles) : asText(answer.profiles));
  });
}

} // namespace aiwc::cli
