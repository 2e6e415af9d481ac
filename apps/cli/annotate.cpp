#include "command.h"
#include "command_line/output.h"
#include "common/file.h"
#include "embed/container.h"
#include "embed/match.h"
#include "embed/sidecar.h"
#include "embedded.h"
#include "inputs.h"
#include "profile/json.h"
#include "text/text.h"
#include "views/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

namespace aiwc::cli {

namespace {

using embed::Annotation;
using embed::Annotations;
using embed::Container;

struct EmbedOptions {
  std::vector<std::string> profiles;
  LaunchOptions launch;
  std::string into;
  std::string output;
  bool sidecar = false;
  bool force = false;
};

/// The content that the annotations are added to.
struct Target {
  std::string content;
  const Container *container = nullptr;
  bool sidecar = false;
  Annotations annotations; ///< of what is to be replaced
  embed::Identity identity;
};

Target readTarget(const EmbedOptions &options) {
  Target target;
  target.content = readFile(options.into, "a kernel's source or binary");
  target.container = &embed::containerOf(options.into, target.content);
  target.sidecar = options.sidecar || !target.container->holds;
  target.annotations = target.container->read(target.content);
  try {
    target.identity = target.container->identity(target.content);
  } catch (const Error &error) {
    if (!target.sidecar) // which goes with anything
      throw Error(fmt::format("{}: {}", options.into, error.what()));
  }
  if (!target.sidecar)
    return target;
  const std::filesystem::path sidecar = embed::sidecarOf(options.into);
  std::error_code ignored;
  if (std::filesystem::exists(sidecar, ignored))
    target.annotations = embed::readSidecar(readFile(sidecar, "a sidecar"), sidecar.string(),
                                            target.annotations.sourceHash);
  else
    target.annotations.found.clear();
  return target;
}

void checkBelongs(const NamedProfile &named, const EmbedOptions &options, const Target &target) {
  if (options.force)
    return;
  const std::string mismatch =
      embed::mismatch(named.profile->provenance, *target.container, target.identity);
  if (!mismatch.empty())
    throw Error(fmt::format("{}: {}, in {} ({}); --force embeds it anyway", named.file, mismatch,
                            options.into, target.container->name));
}

std::vector<Annotation> added(const EmbedOptions &options, const Target &target) {
  std::vector<NamedProfile> profiles =
      readRuns(options.profiles, LaunchFilter(options.launch, "aiwc annotate embed"));
  leaveRepresentedOut(profiles);
  std::vector<const profile::KernelProfile *> all;
  for (const NamedProfile &named : profiles) {
    checkBelongs(named, options, target);
    all.push_back(&*named.profile);
  }
  const auto chosen = embed::onePerLaunch(all);
  std::vector<Annotation> result;
  for (const NamedProfile &named : profiles)
    try {
      // Also checks profiles that are left out, so that the result does not depend on the others.
      Annotation annotation = embed::annotationOf(*named.profile);
      if (std::ranges::find(chosen, &*named.profile) != chosen.end())
        result.push_back(std::move(annotation));
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", named.file, error.what()));
    }
  if (const size_t left = profiles.size() - result.size(); left > 0)
    warn(fmt::format(
        "aiwc annotate embed: {} of {} profiles left out: for each kernel and NDRange, only the "
        "profile with the most instructions is embedded",
        left, profiles.size()));
  return result;
}

void embedInto(const EmbedOptions &options) {
  const Target target = readTarget(options);
  const auto annotations = embed::replaced(target.annotations.found, added(options, target));
  const std::string result = [&] {
    if (target.sidecar)
      return embed::writeSidecar(annotations, target.annotations.sourceHash);
    try {
      return target.container->embed(target.content, annotations);
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", options.into, error.what()));
    }
  }();
  writeOutput(!options.output.empty() ? options.output
              : target.sidecar        ? embed::sidecarOf(options.into).string()
                                      : options.into,
              result);
}

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

std::string lookupText(const std::vector<NamedProfile> &profiles) {
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

std::string lookupText(const std::string &file, const scaling::ScaledProfile &scaled) {
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

struct StripOptions {
  std::string file;
  std::string output;
};

void stripFile(const StripOptions &options) {
  const std::string content = readFile(options.file, "an annotated kernel's file");
  const std::string bare = [&] {
    try {
      return embed::containerOf(options.file, content).strip(content);
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", options.file, error.what()));
    }
  }();
  if (!options.output.empty())
    writeOutput(options.output, bare);
  else if (bare != content)
    writeOutput(options.file, bare);
}

} // namespace

void addEmbed(Command app) {
  auto options = std::make_shared<EmbedOptions>();
  Command command = app.subcommand("embed", "Embed profiles in a file of kernels");
  addRuns(command, options->profiles).required();
  addKernelOption(command, options->launch);
  command
      .option("--into", &options->into,
              "The file of the kernels: OpenCL C, LLVM bitcode, SPIR-V or a CUDA program")
      .type("FILE")
      .required();
  command
      .option("-o,--output", &options->output,
              "Write here instead of replacing the file; - for standard output")
      .type("FILE");
  command.flag("--sidecar", options->sidecar,
               "Do not change the file; write FILE.aiwc.json beside it");
  command.flag("--force", options->force,
               "Also embed profiles of another source or of a missing kernel");
  command.examples({{"aiwc annotate embed profiles --into blur.cl", ""},
                    {"aiwc annotate embed profiles --into blur.cl -o annotated.cl", "a copy"},
                    {"aiwc annotate embed profiles --into blur.cl --sidecar", "beside the file"}});
  command.action([options] { embedInto(*options); });
}

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
      print(options->json ? asJson(*answer.scaled) : lookupText(options->file, *answer.scaled));
    else
      print(options->json ? toJsonArray(answer.profiles) : lookupText(answer.profiles));
  });
}

void addStrip(Command app) {
  auto options = std::make_shared<StripOptions>();
  Command command = app.subcommand(
      "strip", "Remove embedded profiles from a file of kernels; change nothing else");
  command.option("FILE", &options->file, "The annotated file").required();
  command
      .option("-o,--output", &options->output,
              "Write here instead of replacing the file; - for standard output")
      .type("FILE");
  command.examples({{"aiwc annotate strip blur.cl", ""},
                    {"aiwc annotate strip blur.cl -o -", "prints it and leaves blur.cl as it is"}});
  command.action([options] { stripFile(*options); });
}

} // namespace aiwc::cli
