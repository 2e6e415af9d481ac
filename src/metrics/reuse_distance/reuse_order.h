#pragma once

#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "trace/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace aiwc::metrics {

/// What has to be known of a run of consecutive work-groups to place it behind others [PARDA]: the
/// reuse within it is counted already.
struct GroupRun {
  uint64_t first = 0, last = 0; ///< linear ids
  std::vector<uint64_t> lines;  ///< in the order of their first access
  std::vector<uint32_t> firsts; ///< for each the number of the source line of that access
  std::vector<uint32_t> order;  ///< positions in `lines`, most recently accessed last
};

/// Puts runs of work-groups behind one another in the canonical order, as they arrive from the
/// threads that simulated them, and counts the reuse across them.
///
/// A run joins the stack of all lines as soon as every group before it has. A run that comes
/// earlier waits, 16 bytes per line; those that wait and follow each other are joined once they
/// have doubled. Where threads take groups in order, no more gaps can be among them than there
/// are threads, so that what waits is at most a few times the distinct lines for each thread,
/// however many groups there are.
///
/// Joining is exact: nothing depends on who simulated which group when. A reuse across runs counts
/// for the source line of the later access.
class ReuseOrder {
public:
  /// `program`: that of all groups.
  explicit ReuseOrder(const trace::Program &program);

  /// Thread-safe. Takes time in proportion to the run's lines, and to those of the runs that waited
  /// for it.
  void add(GroupRun run);
  /// Adds what `other`, which has seen other groups, knows. `other` is not used afterwards.
  void merge(ReuseOrder &other);
  /// Adds the reuse across runs to `distances` and returns, for each distinct line, the number of
  /// the source line that accessed it first. To be called once, when all runs are there: what is
  /// missing between two was never executed.
  std::vector<uint32_t> finish(DistanceCounts &distances);
  /// Whether nothing was ever added.
  bool empty() const;
  /// Lines of the runs that wait, each run's counted by itself; a run counts as one more.
  size_t waitingLines() const;

private:
  using Waiting = std::map<uint64_t, GroupRun>; ///< by their first group

  /// Lines in the order of their accesses, and who accessed them first.
  struct Followed {
    LruStack stack;
    std::vector<uint32_t> firsts; ///< by the lines' numbers
  };

  void append(const GroupRun &run, Followed &followed);
  void takeWaiting();
  void joinNeighbours();

  mutable std::mutex mutex_; ///< guards all that follows
  DistanceCounts distances_;
  Followed joined_;   ///< the groups up to `next_`
  uint64_t next_ = 0; ///< the first group that is not in `joined_`
  Waiting waiting_;
  size_t waitingLines_ = 0;
  size_t joinedLines_ = 0; ///< the same when they were joined last
};

} // namespace aiwc::metrics
