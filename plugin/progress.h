#pragma once

#include "plugin/launch_clock.h"
#include "plugin/pace.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace aiwc::plugin {

/// Without its end: the kernel, its work-groups that are done of all, the time left if that is
/// known, and of how many launches of the program this is which share of the time, if others were
/// before.
std::string progressLine(const std::string &kernel, const Pace &pace, const ProgramTime &program);

/// Shows on stderr how far a program is whose launches take long. A terminal has one line that is
/// overwritten, after the first second of a launch. A file gets a line every half a minute, as long
/// as half a minute or more is left of a launch; and both get one where launches took half a minute
/// without a line. The first one of a process also says what would shorten such a wait.
class Progress {
public:
  /// Of a launch that begins, or begins again. `recordedGroups`: so many of the work-groups are
  /// recorded; all: `totalGroups`. `hint`: what would shorten a long wait; empty: nothing.
  Progress(std::string kernel, uint64_t totalGroups, uint64_t recordedGroups, bool enabled,
           std::string hint);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Call after each work-group, from any simulator thread. `recorded`: whether it is recorded.
  void groupDone(bool recorded);
  /// Erases the displayed line.
  void clear();
  /// Call it where no work-group may end at the same time.
  const Pace &pace() const { return pace_; }

private:
  void write();

  std::string kernel_;
  bool enabled_;
  bool terminal_;
  std::string hint_;
  bool shown_ = false;
  Pace pace_;
  double nextShow_;
  std::mutex mutex_;
};

} // namespace aiwc::plugin
