#pragma once

#include "common/name_patterns.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// The data that the launcher sends to the plugin (options.h: through the environment) and the data
/// that the plugin sends back (status.h: through the status file). The two never share a process.
/// The plugin runs in a user's application, which may fork, clear its environment, close every
/// descriptor or be killed.
namespace aiwc {

/// What executes kernels.
enum class EngineChoice {
  kInterpreter, ///< Oclgrind
  kAuto,        ///< machine code if possible
  kCompiled,    ///< the same; names on stderr each kernel that is interpreted, and why
  kOptimised,   ///< the same, with the best code at once
};

/// Whether standard error names the kernels that are interpreted.
constexpr bool namesInterpretedKernels(EngineChoice engine) {
  return engine == EngineChoice::kCompiled || engine == EngineChoice::kOptimised;
}

/// The value of SessionOptions::cache, which is no absolute path, for no cache.
inline constexpr std::string_view kNoCache = "none";

/// How accurate the profiles of long launches are (metrics/sampled_groups/sampler.h).
enum class AccuracyLevel {
  kStandard, ///< launches of more than 10^9 instructions: standard errors below 1 %
  kExact,    ///< all work-groups of all launches
  kFast,     ///< launches of more than 10^8 instructions: standard errors below 5 %
};

struct Accuracy {
  AccuracyLevel level = AccuracyLevel::kStandard;
  /// A launch is long if it executes more instructions; 0: as many as `level` says.
  std::uint64_t longLaunch = 0;
  bool operator==(const Accuracy &) const = default;
};

/// The value of SessionOptions::budget for no limit.
inline constexpr double kNoBudget = std::numeric_limits<double>::infinity();

/// Invocations of a kernel, counted from 0 per kernel name: every `step`-th from `first` to `last`,
/// both inclusive.
struct InvocationSelection {
  std::uint64_t first = 0;
  std::uint64_t last = UINT64_MAX;
  std::uint64_t step = 1; ///< at least 1
  /// Whether later launches of a kind, which have the same code, NDRange, arguments and steering
  /// contents of memory, have the profile of the first one instead of one of their own.
  bool onePerKind = false;
  bool operator==(const InvocationSelection &) const = default;
};

/// The local size that the launches of a kernel get in place of the application's.
struct LocalSize {
  std::string kernel;           ///< name
  std::uint32_t dimensions = 1; ///< 1 to 3
  std::array<std::uint64_t, 3> size{1, 1, 1};
  bool operator==(const LocalSize &) const = default;
};

/// The options that the user has set. The launcher reads them from the command line, the plugin
/// from the environment. session/option_table.h assigns a flag and a variable to each member, and
/// oclgrind-aiwc(7) explains each option.
struct SessionOptions {
  /// Folder for the profiles. optionsFromEnvironment returns it, and setEnvironment writes it, as
  /// an absolute path. The launcher takes the default for a folder of its own choice.
  std::filesystem::path output = ".";
  /// Whether the folder may hold other runs.
  bool append = false;
  /// Whether a run in which nothing is characterised is no failure.
  bool allowEmpty = false;
  /// Names of kernels, or patterns (common/name_patterns.h). Empty: every kernel.
  std::string kernels;
  /// Invocations to characterise.
  InvocationSelection invocations{.onePerKind = true};
  /// Size in bytes of the lines whose reuse distances are measured: a power of two from 32 to 256.
  std::uint32_t lineSize = 64;
  /// At most one for each kernel.
  std::vector<LocalSize> localSizes;
  /// Work-groups of each launch to characterise, spread over all of them; 0: as many as `accuracy`
  /// needs.
  std::uint64_t sampleGroups = 0;
  Accuracy accuracy;
  /// What the launches of a process may take, in seconds. A launch that would take more than is
  /// left runs only the work-groups of its sample; the kernels' results are then wrong.
  double budget = kNoBudget;
  /// Id of the device that the application sees; empty: a generic GPU.
  std::string device;
  /// The version of OpenCL that the device says it has: "1.2" or "3.0".
  std::string openCl = "1.2";
  EngineChoice engine = EngineChoice::kAuto;
  /// Threads that analyse what compiled kernels do, 1 to 256; 0: as many as there are cores.
  std::uint32_t threads = 0;
  /// Absolute path of the folder in which the compiled engine keeps machine code from one process
  /// to the next. Empty: the user's cache folder; kNoCache: none.
  std::filesystem::path cache;
  /// Print on stderr which kernels are interpreted and why, even if `quiet`; and, unless `quiet`,
  /// all metrics of each launch.
  bool verbose = false;
  /// Print no summary and no progress on stderr. Errors are still reported.
  bool quiet = false;
  /// Compile the kernels for other devices, too, after the run (profile::TargetTraffic).
  bool targets = false;

  /// The file in which the plugin reports to the launcher. Empty: no reports. Only the launcher
  /// sets it.
  std::filesystem::path statusFile;
  /// The plugin's file, as the launcher found it. Empty: the launcher was not used.
  std::filesystem::path plugin;

  bool hasBudget() const { return budget < kNoBudget; }
  /// Whether there is a time that can be used up.
  bool hasTime() const { return hasBudget() && budget > 0; }
};

/// Reads the options from the variables of session/option_table.h, AIWC_STATUS_FILE and
/// AIWC_PLUGIN. An unset or empty variable leaves the default, so that the plugin also works under
/// a plain `oclgrind --plugins`. Throws Error that names the variable if a value is invalid.
SessionOptions optionsFromEnvironment();

/// Writes `options` to this process's environment, where optionsFromEnvironment of a child reads
/// them. Removes the variables of options that have their default value. Throws Error if the
/// environment cannot hold them.
void setEnvironment(const SessionOptions &options);

/// Has messages name options as `aiwc` does, `--append` in place of `--aiwc-append`; setEnvironment
/// hands it on to the plugin, in the variable.
void nameOptionsAsAiwc();
inline constexpr const char *kNamesAsAiwc = "AIWC_NAMES_AS_AIWC";
/// The options in a message, as the user types them.
std::string asTyped(std::string message);

/// `path` as an absolute path, without `.`, `..` and a slash at the end; a relative path starts at
/// the current folder. Throws Error if the current folder cannot be determined.
std::filesystem::path absolutePath(const std::filesystem::path &path);

/// Decides which invocations the options select.
class InvocationFilter {
public:
  explicit InvocationFilter(const SessionOptions &options);
  /// `invocation` counts the launches of kernels of this name from 0, whether selected or not.
  /// Whether launches are of one kind is left to the caller.
  bool selects(std::string_view kernel, std::uint64_t invocation) const;

private:
  NamePatterns kernels_;
  InvocationSelection invocations_;
};

} // namespace aiwc
