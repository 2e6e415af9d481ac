/// Profiles that are embedded in kernels, and which of all profiles a subcommand is about.
#pragma once

#include "embed/compact_profile.h"
#include "inputs.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// --kernel, --global and --local, as they were given; empty where they were not.
struct LaunchOptions {
  std::string kernel, global, local;
};
void addLaunchOptions(CLI::App &command, LaunchOptions &options);

class LaunchFilter {
public:
  /// Throws Error, which begins with `command`, for sizes that are none.
  LaunchFilter(const LaunchOptions &options, const std::string &command);

  bool selects(const profile::Launch &launch) const;
  /// The launch that is named: a kernel and a global size, a local size of zeros where that is
  /// left open. None where one of the first two is.
  std::optional<profile::Launch> launch() const;
  bool selectsAll() const { return options_.kernel.empty() && !global_ && !local_; }
  /// For messages: " of kernel k of global size 64"; empty where all are selected.
  std::string text() const;

private:
  LaunchOptions options_;
  std::optional<profile::Size3> global_, local_;
  uint32_t dimensions_ = 0; ///< of the global size
};

/// Told what is wrong with an annotation, in one line.
using Complain = std::function<void(const std::string &)>;

/// The profiles of the launches that `filter` selects which `file` and its sidecar carry, in their
/// order; stale ones among them, after a complaint. Throws Error where `file` cannot be read.
std::vector<NamedProfile> readEmbedded(const std::string &file, const LaunchFilter &filter,
                                       const Complain &complain);

/// Those of readProfiles, and those that annotated kernels among the arguments carry: what is
/// neither a folder nor JSON. Where `filter` names a launch that none of them has, its profile is
/// scaled (scaling/launch_scaling.h). That, and what is wrong with some, is said on standard error.
/// Throws Error, too, for a kernel without any that can be read, and where `filter` selects nothing
/// at all.
std::vector<NamedProfile> readProfilesAndKernels(const std::vector<std::string> &arguments,
                                                 const LaunchFilter &filter);

} // namespace aiwc::cli
