/// The status file, in which the plugin reports to the launcher.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc {

/// Writes the status file, in the plugin. Each call appends its lines with one write, so that
/// threads and forked processes can report at the same time. Each call opens the file again,
/// because an application may close a descriptor that it does not know and reuse its number. No
/// call throws: a report that fails must not disturb the application.
///
/// Where the file takes no more (a full disk, a limit on the size of files), the lines go to a
/// hidden file of this process in another folder. Where that fails, too, the status file is marked,
/// which takes no space: the launcher then knows that reports are lost.
class StatusFile {
public:
  /// An empty path makes an object that reports nothing. `spareFolder` is for what does not go into
  /// the file; empty: none.
  explicit StatusFile(std::filesystem::path path, std::filesystem::path spareFolder = {});
  /// Reports that the plugin was loaded into a process. Call it once per OpenCL context or process.
  void loaded(std::string_view pluginVersion) noexcept;
  /// Reports the launch of a kernel with this name, selected or not. Only the first launch of each
  /// name has to be reported.
  void kernelLaunched(std::string_view kernel) noexcept;
  /// Reports that this process uses OpenCL and may write files. Call it before the first one.
  void writes() noexcept;
  /// Reports launches that have ended, each as a text of run/launch.h without line ends. Returns
  /// whether they are all in the file, or the launcher has ended; otherwise report them again.
  bool launchesEnded(const std::vector<std::string> &launches) noexcept;
  /// Reports what the application has asked of the device, by names with blanks between them.
  void asked(std::string_view names) noexcept;
  /// Reports what the host has read after a launch, whose number in its process is `launch`.
  /// Returns whether the report is in the file.
  bool hostRead(std::uint64_t launch, std::uint64_t bytes, std::uint64_t transfers) noexcept;
  /// Reports that the profile of an invocation is complete on disk. Only the first of a process has
  /// to be reported.
  void profileWritten(const std::filesystem::path &profile) noexcept;
  /// Reports what the user should know, which is no error.
  void note(std::string_view message) noexcept;
  /// Reports that the plugin could not do what the user requested. The launcher prints the message
  /// after the application has ended, and exits with a non-zero status. Returns whether the report
  /// is in the file.
  bool error(std::string_view message) noexcept;

private:
  bool append(std::string_view kind, std::string_view text) noexcept;
  bool write(std::string_view lines) noexcept;
  std::filesystem::path path_, spareFolder_;
  std::atomic<unsigned> spares_ = 0; ///< files in that folder that take no more
  std::atomic<bool> isOver_ = false; ///< whether the launcher has ended
};

struct HostReads {
  std::uint64_t bytes = 0, transfers = 0;
};

/// The reports of all processes of one run, as the launcher reads them.
struct SessionStatus {
  bool loaded = false;
  /// Version of the plugin that reported first.
  std::string pluginVersion;
  /// Processes that may have written files, each once.
  std::vector<pid_t> writers;
  /// Number of profiles that were reported; 0 if there are none.
  std::uint64_t profiles = 0;
  /// Names of the kernels launched, each once, in the order of their first report.
  std::vector<std::string> kernels;
  /// What the applications asked of the device.
  std::set<std::string> asked;
  /// The launches that have ended.
  std::vector<std::string> launches;
  /// Launches that have ended, in no order, whose processes may not have come to report them.
  std::vector<std::string> pending;
  /// What the host has read after launches, by process and launch.
  std::map<std::pair<pid_t, std::uint64_t>, HostReads> hostReads;
  /// Remarks, in the order of their reports.
  std::vector<std::string> notes;
  /// Error messages, each once, in the order of their first report.
  std::vector<std::string> errors;
  /// Whether there are reports that could not be written.
  bool lost = false;
};

/// Reads a status file, and what its writers have put into `spareFolder`. A missing file counts as
/// one without reports. Skips lines that are invalid or have no end (its writer was killed, or the
/// disk is full).
SessionStatus readStatus(const std::filesystem::path &path,
                         const std::filesystem::path &spareFolder = {});

/// How the names of files begin in which the plugin asks the launcher for the code of other devices
/// (plugin/aiwc_plugin.cpp); the profile's file name follows.
inline constexpr std::string_view kTargetRequestPrefix = "targets_";

} // namespace aiwc
