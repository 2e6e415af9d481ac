#include "command.h"
#include "embed/file.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "output.h"
#include "profile/source_hash.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>

namespace aiwc::cli {

namespace {

using embed::Annotation;
using embed::Annotations;
using embed::Carrier;

struct EmbedOptions {
  std::vector<std::string> profiles;
  std::string into;
  std::string output;
  bool sidecar = false;
  bool force = false;
};

/// What the annotations go into, as it is.
struct Target {
  std::string content;
  Carrier carrier = Carrier::kOpenClC;
  Annotations annotations;
};

Target readTarget(const EmbedOptions &options) {
  Target target;
  target.content = embed::readFile(options.into, "a kernel's source or binary");
  target.carrier = embed::carrierOf(options.into, target.content);
  if (target.carrier == Carrier::kOpenClC)
    target.annotations = embed::readAnnotations(target.content);
  else
    target.annotations.sourceHash = profile::sourceHash(target.content);
  if (target.carrier == Carrier::kOpenClC && !options.sidecar)
    return target;
  const std::filesystem::path sidecar = embed::sidecarOf(options.into);
  std::error_code ignored;
  if (std::filesystem::exists(sidecar, ignored))
    target.annotations = embed::readSidecar(embed::readFile(sidecar, "a sidecar"), sidecar.string(),
                                            target.annotations.sourceHash);
  return target;
}

void checkBelongs(const NamedProfile &named, const EmbedOptions &options, const Target &target) {
  const profile::Provenance &from = named.profile.provenance;
  if (options.force || embed::belongs(from, target.annotations.sourceHash, target.carrier))
    return;
  throw Error(fmt::format("{}: provenance.source_hash is {} ({}): expected {}, that of {}; --force "
                          "embeds it all the same, as stale",
                          named.file, profile::printable(from.sourceHash, 60),
                          profile::printable(from.sourceKind, 40), target.annotations.sourceHash,
                          options.into));
}

std::vector<Annotation> added(const EmbedOptions &options, const Target &target) {
  const std::vector<NamedProfile> profiles = readProfiles(options.profiles);
  std::vector<const profile::KernelProfile *> all;
  for (const NamedProfile &named : profiles) {
    checkBelongs(named, options, target);
    all.push_back(&named.profile);
  }
  const auto chosen = embed::onePerLaunch(all);
  std::vector<Annotation> result;
  for (const NamedProfile &named : profiles)
    try {
      // Also of those that are left out, so that what is refused does not depend on the others.
      Annotation annotation = embed::annotationOf(named.profile);
      if (std::ranges::find(chosen, &named.profile) != chosen.end())
        result.push_back(std::move(annotation));
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", named.file, error.what()));
    }
  if (const size_t left = profiles.size() - result.size(); left > 0)
    warn(fmt::format("aiwc embed: {} of {} profiles left out: of the same kernel and NDRange, the "
                     "one with the most instructions is embedded",
                     left, profiles.size()));
  return result;
}

void embedInto(const EmbedOptions &options) {
  const Target target = readTarget(options);
  // Of the source as it is now; others would only be found stale.
  std::vector<Annotation> kept;
  for (const Annotation &annotation : target.annotations.found)
    if (!annotation.stale)
      kept.push_back(annotation);
  const auto annotations = embed::replaced(kept, added(options, target));
  const bool sidecar = options.sidecar || target.carrier == Carrier::kSidecar;
  const std::string result = sidecar
                                 ? embed::writeSidecar(annotations, target.annotations.sourceHash)
                                 : embed::embed(target.content, annotations);
  writeOutput(!options.output.empty() ? options.output
              : sidecar               ? embed::sidecarOf(options.into).string()
                                      : options.into,
              result);
}

} // namespace

void addEmbed(CLI::App &app) {
  auto options = std::make_shared<EmbedOptions>();
  CLI::App *command = app.add_subcommand("embed", "Put profiles into the kernels' source");
  command->add_option("PROFILE", options->profiles, "JSON profiles, or folders of them")
      ->required();
  command->add_option("--into", options->into, "The source that the kernels were built from")
      ->required();
  command->add_option("-o,--output", options->output,
                      "Write here instead of replacing the file; - for standard output");
  command->add_flag("--sidecar", options->sidecar,
                    "Leave the file alone, write FILE.aiwc.json beside it");
  command->add_flag("--force", options->force, "Embed profiles of another source, too");
  command->callback([options] { embedInto(*options); });
}

} // namespace aiwc::cli
