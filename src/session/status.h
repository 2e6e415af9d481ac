/// The status file, in which the plugin reports to the launcher.
#pragma once

#include "session/launch_counts.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc {

/// Writes the status file, in the plugin. Each call appends one line with one write, so that
/// threads and forked processes can report at the same time. Each call opens the file again,
/// because an application may close a descriptor that it does not know and reuse its number. No
/// call throws: a report that fails must not disturb the application.
class StatusFile {
public:
  /// An empty path makes an object that reports nothing.
  explicit StatusFile(std::filesystem::path path);
  /// Reports that the plugin was loaded into a process. Call it once per OpenCL context or process.
  void loaded(std::string_view pluginVersion) noexcept;
  /// Reports the launch of a kernel with this name, selected or not. Only the first launch of each
  /// name has to be reported.
  void kernelLaunched(std::string_view kernel) noexcept;
  /// Reports that this process is about to write files. Call it before the first one.
  void writes() noexcept;
  /// Reports launches that have ended and that were not reported before.
  void launchesEnded(const LaunchCounts &counts) noexcept;
  /// Reports that the profile of an invocation is complete on disk.
  void profileWritten(const std::filesystem::path &profile) noexcept;
  /// Reports that the plugin could not do what the user requested. The launcher prints the message
  /// after the application has ended, and exits with a non-zero status. Returns whether the report
  /// is in the file.
  bool error(std::string_view message) noexcept;

private:
  bool append(std::string_view kind, std::string_view text) noexcept;
  std::filesystem::path path_;
};

/// The reports of all processes of one run, as the launcher reads them.
struct SessionStatus {
  bool loaded = false;
  /// Version of the plugin that reported first.
  std::string pluginVersion;
  /// Processes that wrote files.
  std::vector<pid_t> writers;
  /// Number of profiles written.
  std::uint64_t profiles = 0;
  /// Names of the kernels launched, each once, in the order of their first report.
  std::vector<std::string> kernels;
  /// The launches that have ended.
  LaunchCounts launches;
  /// Error messages, each once, in the order of their first report.
  std::vector<std::string> errors;
};

/// Reads a status file. A missing file counts as one without reports. Skips lines that are invalid
/// or have no end (its writer was killed, or the disk is full).
SessionStatus readStatus(const std::filesystem::path &path);

} // namespace aiwc
