#include "command.h"
#include "embed/compact_text.h"
#include "embed/file.h"
#include "output.h"
#include "profile/summary.h"
#include "profile/text.h"
#include "profiles.h"

#include <fmt/format.h>

#include <memory>
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
};

std::optional<profile::Size3> sizeOf(std::string_view option, std::string_view text) {
  if (text.empty())
    return std::nullopt;
  profile::Size3 size = {1, 1, 1};
  size_t dimensions = 0;
  for (std::string_view rest = text; rest.data() != nullptr;) {
    const auto value = embed::parseCount(embed::takeUntil(rest, 'x'));
    if (!value || dimensions == size.size())
      throw Error(fmt::format("aiwc lookup: {} is '{}': expected sizes, such as 64 or 64x64",
                              option, profile::printable(text, 60)));
    size[dimensions++] = *value;
  }
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

std::vector<NamedProfile> lookUp(const LookupOptions &options) {
  const Annotations all = embed::annotationsOf(options.file);
  for (const std::string &reason : all.reasons)
    complain(options, reason);
  if (all.rejected > all.reasons.size())
    complain(options, fmt::format("{}: {} more annotations cannot be read", options.file,
                                  all.rejected - all.reasons.size()));
  std::vector<NamedProfile> profiles;
  for (const Annotation &annotation : matching(options, all)) {
    if (annotation.stale)
      complain(options,
               fmt::format(
                   "{}: kernel {} is stale: it {} {}, this is {}", annotation.place,
                   annotation.launch.kernel,
                   annotation.carrierHash.empty() ? "was characterised as source" : "was put into",
                   annotation.carrierHash.empty() ? annotation.sourceHash : annotation.carrierHash,
                   all.sourceHash));
    try {
      profiles.push_back({annotation.place, annotation.profile()});
    } catch (const Error &error) {
      complain(options, error.what());
    }
  }
  if (profiles.empty())
    throw Unsatisfied(fmt::format("{}: no profile is embedded{}{}{}", options.file,
                                  options.kernel.empty() ? "" : " of kernel " + options.kernel,
                                  options.global.empty() ? "" : " of global size " + options.global,
                                  options.local.empty() ? "" : " of local size " + options.local));
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
  command->add_option("--kernel", options->kernel, "Only of this kernel");
  command->add_option("--global", options->global, "Only of this global size, such as 64x64");
  command->add_option("--local", options->local, "Only of this local size");
  command->add_flag("--json", options->json, "Print a JSON array of profiles");
  command->add_flag("--strict", options->strict,
                    "Fail (exit status 1) where one is stale or cannot be read");
  command->callback([options] {
    const std::vector<NamedProfile> profiles = lookUp(*options);
    print(options->json ? toJsonArray(profiles) : asText(profiles));
  });
}

} // namespace aiwc::cli
