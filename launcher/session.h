#pragma once

#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the launcher tells the plugin (the environment) and the plugin tells the launcher (the
/// status file). The two never share a process, and between them stands a program that nobody here
/// wrote: it may fork, clear its environment, close every descriptor or be killed.
namespace aiwc {

/// What executes kernels.
enum class EngineChoice {
  kInterpreter, ///< Oclgrind
  kCompiled,    ///< machine code; of a kernel that has to be interpreted, stderr tells why
  kAuto,        ///< machine code where possible
};

/// What the user asked for. The launcher makes it from the command line, the plugin from the
/// environment; every value has the meaning of the option of the same name in oclgrind-aiwc(7).
struct SessionOptions {
  /// Where profiles go; an absolute path once it has been through either function below.
  std::filesystem::path output = ".";
  /// ECMAScript regular expression, searched anywhere in a kernel's name. Empty: every kernel.
  std::string kernels;
  /// Invocations to characterise, counted from 0 per kernel name, both ends inclusive.
  std::uint64_t firstInvocation = 0;
  std::uint64_t lastInvocation = UINT64_MAX;
  /// Of the lines whose reuse distances are measured, in bytes: a power of two from 32 to 256.
  std::uint32_t lineSize = 64;
  /// Work-groups of each launch to characterise, spread over all of them; 0: all.
  std::uint64_t sampleGroups = 0;
  EngineChoice engine = EngineChoice::kAuto;
  /// Threads that analyse what compiled kernels do, 1 to 256; 0: as many as there are cores.
  std::uint32_t threads = 0;
  /// Remarks on how the tool works, on stderr.
  bool verbose = false;
  /// No summaries, no progress, no remarks on stderr. Errors are reported all the same.
  bool quiet = false;
  /// The programs are written into `output`, too, with their profiles inside.
  bool embed = false;
  /// Where the plugin reports to the launcher. Empty: nowhere.
  std::filesystem::path statusFile;
  /// The plugin itself, as the launcher found it. Empty: not started by the launcher.
  std::filesystem::path plugin;
};

/// The options that AIWC_OUTPUT, AIWC_KERNELS, AIWC_INVOCATIONS, AIWC_LINE_SIZE,
/// AIWC_SAMPLE_GROUPS, AIWC_ENGINE, AIWC_THREADS, AIWC_VERBOSE, AIWC_QUIET, AIWC_EMBED,
/// AIWC_STATUS_FILE and AIWC_PLUGIN name; an unset or empty variable leaves the default, so that
/// the plugin also works under a plain `oclgrind --plugins`. Throws Error naming the variable that
/// makes no sense.
SessionOptions optionsFromEnvironment();

/// Puts `options` into this process's environment, for optionsFromEnvironment of a child; removes
/// the variables of values that are the default. Throws Error if the environment cannot hold them.
void setEnvironment(const SessionOptions &options);

/// `path` seen from the current folder, without `.`, `..` and a slash at the end. Throws Error if
/// nobody can tell where the current folder is.
std::filesystem::path absolutePath(const std::filesystem::path &path);

/// Reads `A`, `A-`, `-B` or `A-B` (0 <= A <= B < 2^64) as first and last invocation. Throws Error
/// of the form `<what> is '<text>': expected ...`.
std::pair<std::uint64_t, std::uint64_t> parseInvocations(std::string_view text,
                                                         std::string_view what);

/// Reads a power of two from 32 to 256. Throws Error of the form `<what> is '<text>': expected
/// ...`.
std::uint32_t parseLineSize(std::string_view text, std::string_view what);

/// Reads a whole number above 0. Throws Error of the same form.
std::uint64_t parseSampleGroups(std::string_view text, std::string_view what);

/// Reads `interpreter`, `compiled` or `auto`. Throws Error of the same form.
EngineChoice parseEngine(std::string_view text, std::string_view what);

/// Reads a whole number from 1 to 256. Throws Error of the same form.
std::uint32_t parseThreads(std::string_view text, std::string_view what);

/// Compiles a kernel expression. Throws Error of the form `<what> is '<text>': expected ...`.
std::regex parseKernels(const std::string &text, std::string_view what);

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
  std::uint64_t first_;
  std::uint64_t last_;
};

/// The plugin's end of the status file. Each call appends one line with one write, so that threads
/// and forked processes can report at the same time. It opens the file anew each time: an
/// application may close a descriptor that it does not know and use its number for something else.
/// Never throws: a report that cannot be made must not disturb the application.
class StatusFile {
public:
  /// An empty path makes an object that reports nothing.
  explicit StatusFile(std::filesystem::path path);
  /// The plugin was loaded into a process; once per OpenCL context or process.
  void loaded(std::string_view pluginVersion) noexcept;
  /// A kernel of this name was launched, selected or not; the first launch of each name suffices.
  void kernelLaunched(std::string_view kernel) noexcept;
  /// The profile of an invocation is complete on disk.
  void profileWritten(const std::filesystem::path &profile) noexcept;
  /// Something that the user asked for could not be done. The launcher shows it after the
  /// application has ended, and exits non-zero.
  void error(std::string_view message) noexcept;

private:
  void append(std::string_view kind, std::string_view text) noexcept;
  std::filesystem::path path_;
};

/// The launcher's end: what all processes of one run reported.
struct SessionStatus {
  bool loaded = false;
  /// Of the plugin that reported first.
  std::string pluginVersion;
  /// Number of profiles written.
  std::uint64_t profiles = 0;
  /// Names of the kernels launched, each once, in the order of their first report.
  std::vector<std::string> kernels;
  /// Error messages, each once, in the order of their first report.
  std::vector<std::string> errors;
};

/// Reads a status file; a file that is missing says that nothing was reported. A line that makes no
/// sense or has no end (its writer was killed, the disk is full) is left out.
SessionStatus readStatus(const std::filesystem::path &path);

/// `text` with control characters and backslashes escaped: one line that is safe on a terminal.
std::string escapeLine(std::string_view text);

} // namespace aiwc
