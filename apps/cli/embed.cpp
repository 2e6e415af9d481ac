#include "command.h"
#include "command_line/output.h"
#include "common/file.h"
#include "embed/container.h"
#include "embed/sidecar.h"
#include "embedded.h"
#include "inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
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

} // namespace aiwc::cli
