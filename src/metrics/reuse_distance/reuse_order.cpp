#include "metrics/reuse_distance/reuse_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace aiwc::metrics {
namespace {

/// Fewer waiting lines than this are not worth joining.
constexpr size_t kFewLines = 4096;

size_t weightOf(const GroupRun &run) {
  return run.lines.size() + 1;
}

} // namespace

ReuseOrder::ReuseOrder(const trace::Program &program, Runs runs)
    : ReuseOrder(SourceLines(program), runs) {}

ReuseOrder::ReuseOrder(const SourceLines &lines, Runs runs)
    : runs_(runs), distances_(lines.count()), ofApart_(lines.count()) {}

void ReuseOrder::add(GroupRun run) {
  const std::scoped_lock lock(mutex_);
  if (runs_ == Runs::kApart) {
    next_ = std::max(next_, run.last + 1);
    for (const uint32_t source : run.firsts)
      ++ofApart_[source];
    return;
  }
  if (run.first == next_) {
    append(run, joined_);
    next_ = run.last + 1;
    takeWaiting();
    return;
  }
  waitingLines_ += weightOf(run);
  waiting_.emplace(run.first, std::move(run));
  // Joining visits all waiting runs, so it is done only when these have doubled.
  if (waitingLines_ > 2 * joinedLines_ + kFewLines)
    joinNeighbours();
}

/// Appends the line accesses of `run` to those of `followed`.
void ReuseOrder::append(const GroupRun &run, Followed &followed) {
  for (size_t i = 0; i < run.lines.size(); ++i) {
    const uint64_t distance = followed.stack.access(run.lines[i]);
    if (distance == LruStack::kCold)
      followed.firsts.push_back(run.firsts[i]);
    else
      distances_.add(run.firsts[i], distance);
  }
  for (const uint32_t number : run.order)
    followed.stack.access(run.lines[number]);
}

void ReuseOrder::takeWaiting() {
  for (auto run = waiting_.begin(); run != waiting_.end() && run->first == next_;
       run = waiting_.erase(run)) {
    append(run->second, joined_);
    next_ = run->second.last + 1;
    waitingLines_ -= weightOf(run->second);
  }
  joinedLines_ = std::min(joinedLines_, waitingLines_);
}

/// Joins adjacent waiting runs.
void ReuseOrder::joinNeighbours() {
  waitingLines_ = 0;
  for (auto run = waiting_.begin(); run != waiting_.end(); ++run) {
    auto next = std::next(run);
    if (next != waiting_.end() && next->first == run->second.last + 1) {
      Followed followed;
      append(run->second, followed);
      for (; next != waiting_.end() && next->first == run->second.last + 1;
           next = waiting_.erase(next)) {
        append(next->second, followed);
        run->second.last = next->second.last;
      }
      run->second.lines = followed.stack.lines();
      run->second.firsts = std::move(followed.firsts);
      run->second.order = followed.stack.order();
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
    if (runs_ == Runs::kApart) {
      next_ = std::max(next_, other.next_);
      for (size_t source = 0; source < ofApart_.size(); ++source)
        ofApart_[source] += other.ofApart_[source];
    } else if (other.next_ > 0) { // one of the two has seen the first group
      joined_ = std::move(other.joined_);
      next_ = other.next_;
    }
    waiting = std::move(other.waiting_);
    takeWaiting();
  }
  for (auto &[first, run] : waiting)
    add(std::move(run));
}

std::vector<uint64_t> ReuseOrder::finish(DistanceCounts &distances) {
  const std::scoped_lock lock(mutex_);
  for (const auto &[first, run] : waiting_)
    append(run, joined_);
  waiting_.clear();
  waitingLines_ = 0;
  distances.merge(distances_);
  std::vector<uint64_t> firsts = ofApart_;
  for (const uint32_t source : joined_.firsts)
    ++firsts[source];
  return firsts;
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
