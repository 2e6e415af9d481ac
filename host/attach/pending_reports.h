/// What the layer has to report and has not: in memory that it shares with the launcher, so that a
/// process which is killed, or becomes another program, takes nothing along.
#pragma once

#include "common/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::attach {

/// The variable that has the path of the memory. Unset: what is pending goes with its process.
inline constexpr const char *kReportsVariable = "AIWC_PENDING_REPORTS";

/// The number of the program that this process runs: it has the process's id in its last 22 bits,
/// and another one of the same process, after exec, has others before them. Below 2^53.
uint64_t programNumber();

/// The launcher's side.
class ReportMemory {
public:
  /// Throws Error if the system has no memory.
  ReportMemory();

  /// By which other processes of the user reach it as long as a process has this object.
  std::filesystem::path path() const;
  /// What is pending of all processes, in no order.
  std::vector<std::string> pending() const;

private:
  Descriptor file_;
};

/// Of a process: texts of launches, of which the last one may still change. What finds no room is
/// not kept. Not thread-safe.
class PendingReports {
public:
  PendingReports() = default;
  ~PendingReports() { leave(); }
  PendingReports(const PendingReports &) = delete;
  PendingReports &operator=(const PendingReports &) = delete;

  /// Takes room for this process, which has forgotten what its parent had to report.
  void begin();
  /// Sets the last text, which replaces the last that was set unless that was kept.
  void set(std::string_view text);
  /// The last text changes no more.
  void keep();
  /// All were reported.
  void clear();

private:
  struct Room;

  void leave();

  Room *room_ = nullptr; ///< null: there is none
  size_t kept_ = 0;      ///< bytes
  size_t set_ = 0;       ///< bytes, with the last text
};

/// Memory of `bytes`, of which only what is written takes space. A limit on the size of files
/// (`ulimit -f`) counts only if it is a hard one. Throws Error if the system has none. For
/// processes of a single thread.
Descriptor memoryFile(const char *name, uint64_t bytes);

/// By which other processes of the user reach it as long as this process has it.
std::filesystem::path pathOf(const Descriptor &memory);

} // namespace aiwc::attach
