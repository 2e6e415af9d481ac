/// The status file: what the plugin tells the launcher.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc {

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

} // namespace aiwc
