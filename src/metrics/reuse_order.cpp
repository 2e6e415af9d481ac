#include "metrics/reuse_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace aiwc::metrics {
namespace {

/// Fewer lines than these are not worth joining.
constexpr size_t kFewLines = 4096;

size_t weightOf(const GroupRun &run) {
  return run.lines.size() + 1;
}

} // namespace

void ReuseOrder::add(GroupRun run) {
  const std::scoped_lock lock(mutex_);
  if (run.first == next_) {
    append(run, stack_);
    next_ = run.last + 1;
    takeWaiting();
    return;
  }
  waitingLines_ += weightOf(run);
  waiting_.emplace(run.first, std::move(run));
  // Joining looks at everything that waits: worth it when that has doubled.
  if (waitingLines_ > 2 * joinedLines_ + kFewLines)
    joinNeighbours();
}

/// Accesses the lines of `run` behind everything that `stack` has seen. First accesses are counted
/// by the lines that there are in the end.
void ReuseOrder::append(const GroupRun &run, LruStack &stack) {
  for (const uint64_t line : run.lines)
    if (const uint64_t distance = stack.access(line); distance != LruStack::kCold)
      distances_.add(sample_.scaledDistance(distance));
  for (const uint32_t number : run.order)
    stack.access(run.lines[number]);
}

void ReuseOrder::takeWaiting() {
  for (auto run = waiting_.begin(); run != waiting_.end() && run->first == next_;
       run = waiting_.erase(run)) {
    append(run->second, stack_);
    next_ = run->second.last + 1;
    waitingLines_ -= weightOf(run->second);
  }
  joinedLines_ = std::min(joinedLines_, waitingLines_);
}

/// Makes one run of those that wait and follow each other.
void ReuseOrder::joinNeighbours() {
  waitingLines_ = 0;
  for (auto run = waiting_.begin(); run != waiting_.end(); ++run) {
    auto next = std::next(run);
    if (next != waiting_.end() && next->first == run->second.last + 1) {
      LruStack stack;
      append(run->second, stack);
      for (; next != waiting_.end() && next->first == run->second.last + 1;
           next = waiting_.erase(next)) {
        append(next->second, stack);
        run->second.last = next->second.last;
      }
      run->second.lines = stack.lines();
      run->second.order = stack.order();
    }
    waitingLines_ += weightOf(run->second);
  }
  joinedLines_ = waitingLines_;
}

void ReuseOrder::merge(ReuseOrder &other) {
  Waiting waiting;
  {
    const std::scoped_lock lock(mutex_, other.mutex_);
    distances_.merge(other.distances_);
    if (other.next_ > 0) { // one of the two has seen the first group
      stack_ = std::move(other.stack_);
      next_ = other.next_;
    }
    waiting = std::move(other.waiting_);
    takeWaiting();
  }
  for (auto &[first, run] : waiting)
    add(std::move(run));
}

uint64_t ReuseOrder::finish(ReuseBins &distances) {
  const std::scoped_lock lock(mutex_);
  for (const auto &[first, run] : waiting_)
    append(run, stack_);
  waiting_.clear();
  waitingLines_ = 0;
  distances.merge(distances_);
  return stack_.lines().size();
}

bool ReuseOrder::empty() const {
  const std::scoped_lock lock(mutex_);
  return next_ == 0 && waiting_.empty();
}

size_t ReuseOrder::waitingLines() const {
  const std::scoped_lock lock(mutex_);
  return waitingLines_;
}

} // namespace aiwc::metrics
