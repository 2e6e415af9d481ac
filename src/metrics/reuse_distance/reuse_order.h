#pragma once

#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "metrics/reuse_distance/source_lines.h"
#include "trace/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace aiwc::metrics {

/// A run of consecutive work-groups, with the data that is needed to append it to earlier groups
/// [PARDA]. The reuse within the run was counted before.
struct GroupRun {
  uint64_t first = 0, last = 0; ///< linear ids
  std::vector<uint64_t> lines;  ///< in the order of their first access
  std::vector<uint32_t> firsts; ///< per line, the number of the source line of that access
  std::vector<uint32_t> order;  ///< indices into `lines`; most recently accessed last
};

/// Counts the reuse across runs of work-groups. It receives the runs from the threads that
/// simulated them, in any order, and joins them in the canonical order of groups.
///
/// A run is appended to the stack of all lines when all groups before it were appended. Until then
/// it waits, with 16 bytes per line. Adjacent waiting runs are joined whenever the number of
/// waiting lines has doubled. If threads take groups in order, there are at most as many gaps as
/// threads, so the waiting lines are at most a few times the distinct lines per thread, for any
/// number of groups.
///
/// Joining is exact: the result does not depend on which thread simulated a group, or when. A reuse
/// across runs counts for the source line of the later access.
class ReuseOrder {
public:
  enum class Runs {
    kJoined,
    kApart, ///< as if each were a launch of its own: a line is first accessed once in each run
  };

  /// All groups must belong to `program`.
  explicit ReuseOrder(const trace::Program &program, Runs runs = Runs::kJoined);
  explicit ReuseOrder(const SourceLines &lines, Runs runs = Runs::kJoined);

  /// Adds a run. Thread-safe. The time is proportional to the lines of the run and of the runs that
  /// waited for it.
  void add(GroupRun run);
  /// Adds the runs of `other`, which has seen other groups. `other` must not be used afterwards.
  void merge(ReuseOrder &other);
  /// Adds the reuse across runs to `distances` and returns the first accesses of lines, by the
  /// number of the source line that makes them. Call it once, after all runs were added: groups
  /// that are still missing were never executed.
  std::vector<uint64_t> finish(DistanceCounts &distances);
  /// Whether no run was ever added.
  bool empty() const;
  /// The number of lines of all waiting runs (a line counts once per run), plus one per run.
  size_t waitingLines() const;

private:
  using Waiting = std::map<uint64_t, GroupRun>; ///< by the first group

  /// The stack of lines, with the source line that accessed each line first.
  struct Followed {
    LruStack stack;
    std::vector<uint32_t> firsts; ///< by the lines' numbers
  };

  void append(const GroupRun &run, Followed &followed);
  void takeWaiting();
  void joinNeighbours();

  const Runs runs_;
  mutable std::mutex mutex_; ///< guards all members below
  DistanceCounts distances_;
  std::vector<uint64_t> ofApart_; ///< first accesses of runs that are apart, by source line
  Followed joined_;               ///< the groups before `next_`
  uint64_t next_ = 0;             ///< the first group that is not in `joined_`
  Waiting waiting_;
  size_t waitingLines_ = 0;
  size_t joinedLines_ = 0; ///< `waitingLines_` after runs were last joined
};

} // namespace aiwc::metrics
