#pragma once

#include "metrics/lru_stack.h"
#include "metrics/reuse_bins.h"
#include "metrics/reuse_sample.h"

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
  std::vector<uint32_t> order;  ///< positions in `lines`, most recently accessed last
};

/// Puts runs of work-groups behind one another in the canonical order, as they arrive from the
/// threads that simulated them, and counts the reuse across them.
///
/// A run joins the stack of all lines as soon as every group before it has. A run that comes
/// earlier waits, 12 bytes per line; those that wait and follow each other are joined once they
/// have doubled. Where threads take groups in order, no more gaps can be among them than there
/// are threads, so that what waits is at most a few times the distinct lines for each thread,
/// however many groups there are.
///
/// Joining is exact: nothing depends on who simulated which group when.
class ReuseOrder {
public:
  /// `rate`: of sampling (reuse_sample.h).
  explicit ReuseOrder(double rate) : sample_(rate) {}

  /// Thread-safe. Takes time in proportion to the run's lines, and to those of the runs that waited
  /// for it.
  void add(GroupRun run);
  /// Adds what `other`, which has seen other groups, knows. `other` is not used afterwards.
  void merge(ReuseOrder &other);
  /// Adds the reuse across runs to `distances` and returns the number of distinct lines. To be
  /// called once, when all runs are there: what is missing between two was never executed.
  uint64_t finish(ReuseBins &distances);
  /// Whether nothing was ever added.
  bool empty() const;
  /// Lines of the runs that wait, each run's counted by itself; a run counts as one more.
  size_t waitingLines() const;

private:
  using Waiting = std::map<uint64_t, GroupRun>; ///< by their first group

  void append(const GroupRun &run, LruStack &stack);
  void takeWaiting();
  void joinNeighbours();

  const ReuseSample sample_; ///< for its scale alone
  mutable std::mutex mutex_; ///< guards all that follows
  ReuseBins distances_;
  LruStack stack_;    ///< of the groups up to `next_`
  uint64_t next_ = 0; ///< the first group that has not joined `stack_`
  Waiting waiting_;
  size_t waitingLines_ = 0;
  size_t joinedLines_ = 0; ///< the same when they were joined last
};

} // namespace aiwc::metrics
