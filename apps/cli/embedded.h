/// Reads runs, the arguments of all subcommands that take profiles, and selects their launches.
#pragma once

#include "command.h"
#include "common/name_patterns.h"
#include "embed/compact_profile.h"
#include "inputs.h"
#include "text/terminal.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// The values of --kernel, --global and --local as the user gave them; empty if not given.
struct LaunchOptions {
  std::string kernel, global, local;
};
/// Adds --kernel alone.
void addKernelOption(Command command, LaunchOptions &options);
/// Adds --kernel, --global and --local.
void addLaunchOptions(Command command, LaunchOptions &options);
/// Adds the arguments RUN, of which `about` says more if they are not only what is looked
/// at. Most commands require one.
Option addRuns(Command command, std::vector<std::string> &runs, const std::string &about = "");

class LaunchFilter {
public:
  /// Selects all.
  LaunchFilter() = default;
  /// Throws Error, with a message that begins with `command`, for invalid names and sizes.
  LaunchFilter(const LaunchOptions &options, const std::string &command);

  bool selects(const profile::LaunchKey &launch) const;
  bool selects(const run::Launch &launch) const;
  bool selectsKernel(std::string_view name) const { return kernels_.selects(name); }
  /// The launch that the options name: a kernel, a global size, and a local size (zeros if not
  /// given). The kernel is `otherwise` if none is given. None if it is not given by one name, or
  /// the global size is not given.
  std::optional<profile::LaunchKey> launch(const std::string &otherwise = "") const;
  bool selectsAll() const { return options_.kernel.empty() && !global_ && !local_; }
  /// The selection for messages: " of kernel k of global size 64"; empty if it selects everything.
  std::string text() const;

private:
  bool selects(std::string_view kernel, const profile::Size3 &global,
               const profile::Size3 &local) const;

  LaunchOptions options_;
  NamePatterns kernels_;
  std::optional<profile::Size3> global_, local_;
  uint32_t dimensions_ = 0; ///< number of dimensions of the global size
};

/// Called with a one-line message for each annotation that has a problem.
using Complain = std::function<void(const std::string &)>;

/// The profiles of `file` and its sidecar whose launches `filter` selects, in their order. Stale
/// profiles are included, after a complaint. Throws Error if `file` cannot be read.
std::vector<NamedProfile> readEmbedded(const std::string &file, const LaunchFilter &filter,
                                       const Complain &complain);

/// What the launches that `readRuns` returns are of an application.
struct Extent {
  /// Whether they are all launches of runs that ended by themselves.
  bool whole = true;
  /// Sentences without an end: what is missing, and what is estimated and how well.
  std::vector<std::string> notes;
  uint64_t unselected = 0; ///< launches that the filter left out
};
/// The notes as paragraphs, after an empty line; empty if there are none.
std::string inParagraphs(const std::vector<std::string> &notes, const text::Terminal &terminal);

/// The launches of runs. A run is what `readProfiles` reads, or an annotated kernel: a file that is
/// not JSON. If `filter` names a launch that none of them has, its profile is scaled from others
/// (scaling/launch_scaling.h). Prints a note on standard error if a profile is scaled or has a
/// problem. With `extent`, also returns the launches that were not characterised, as `readProfiles`
/// does, and notes about scaled profiles are in `extent` only. Throws Error also for a kernel
/// without a readable profile, and if `filter` selects nothing.
std::vector<NamedProfile> readRuns(const std::vector<std::string> &arguments,
                                   const LaunchFilter &filter, Extent *extent = nullptr);

} // namespace aiwc::cli
