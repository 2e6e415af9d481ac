#pragma once

#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>

/// What the launcher tells the plugin (options.h: through the environment) and what the plugin
/// tells the launcher (status.h: through the status file). The two never share a process, and
/// between them runs a program that nobody here wrote: it may fork, clear its environment, close
/// every descriptor or be killed.
namespace aiwc {

/// What executes kernels.
enum class EngineChoice {
  kInterpreter, ///< Oclgrind
  kCompiled,    ///< machine code; stderr names the kernels that are interpreted, and why
  kAuto,        ///< machine code where possible
};

/// Invocations of a kernel, counted from 0 per kernel name, both ends inclusive.
struct InvocationRange {
  std::uint64_t first = 0;
  std::uint64_t last = UINT64_MAX;
  bool operator==(const InvocationRange &) const = default;
};

/// What the user asked for. The launcher makes it from the command line, the plugin from the
/// environment; session/option_table.h connects each member with its flag and its variable, and
/// oclgrind-aiwc(7) says what each option means.
struct SessionOptions {
  /// Where profiles go; an absolute path once it has been through either function below.
  std::filesystem::path output = ".";
  /// ECMAScript regular expression, searched anywhere in a kernel's name. Empty: every kernel.
  std::string kernels;
  /// Invocations to characterise.
  InvocationRange invocations;
  /// Of the lines whose reuse distances are measured, in bytes: a power of two from 32 to 256.
  std::uint32_t lineSize = 64;
  /// Work-groups of each launch to characterise, spread over all of them; 0: all.
  std::uint64_t sampleGroups = 0;
  EngineChoice engine = EngineChoice::kAuto;
  /// Threads that analyse what compiled kernels do, 1 to 256; 0: as many as there are cores.
  std::uint32_t threads = 0;
  /// Remarks on how the tool works, on stderr, even if `quiet`.
  bool verbose = false;
  /// No summaries and no progress on stderr. Errors are reported all the same.
  bool quiet = false;
  /// The programs are written into `output`, too, with their profiles inside.
  bool embed = false;
  /// Each profile gets a CSV file, too.
  bool csv = false;

  /// Where the plugin reports to the launcher. Empty: nowhere. Set by the launcher alone.
  std::filesystem::path statusFile;
  /// The plugin itself, as the launcher found it. Empty: not started by the launcher.
  std::filesystem::path plugin;
};

/// The options that the variables of session/option_table.h name, and AIWC_STATUS_FILE and
/// AIWC_PLUGIN. An unset or empty variable leaves the default, so that the plugin also works under
/// a plain `oclgrind --plugins`. Throws Error naming the variable that makes no sense.
SessionOptions optionsFromEnvironment();

/// Puts `options` into this process's environment, for optionsFromEnvironment of a child; removes
/// the variables of values that are the default. Throws Error if the environment cannot hold them.
void setEnvironment(const SessionOptions &options);

/// `path` seen from the current folder, without `.`, `..` and a slash at the end. Throws Error if
/// nobody can tell where the current folder is.
std::filesystem::path absolutePath(const std::filesystem::path &path);

/// Which invocations the options select. Costs one regular expression search per call, so ask once
/// per kernel launch.
class InvocationFilter {
public:
  explicit InvocationFilter(const SessionOptions &options);
  /// `invocation` counts the launches of kernels of this name from 0, whether selected or not.
  bool selects(std::string_view kernel, std::uint64_t invocation) const;

private:
  bool everyKernel_;
  std::regex kernels_;
  InvocationRange range_;
};

} // namespace aiwc
