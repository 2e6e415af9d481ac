#include "plugin/engine/group_threads.h"

#include "common/write.h"

#include <algorithm>
#include <map>

namespace aiwc::engine {
namespace {

NoTrace noTrace;

/// How many numbers of four bytes fill a granule.
constexpr size_t kNumbersPerGranule = (size_t{1} << kGranuleBits) / sizeof(uint32_t);

} // namespace

bool GroupThreads::canRun(const EngineLaunch &launch, std::span<const GlobalPointer> pointers) {
  if (!launch.untraced() || !launch.untraced()->code.runsAtOnce ||
      (launch.kernel.code.synchronises && !launch.untraced()->code.runsGroups))
    return false;
  if (launch.apart)
    return true;
  // Code does not report reads through an argument through which it does not write. So no such
  // argument may point to a buffer that is written through another one.
  struct Uses {
    bool written = false, untold = false;
  };
  std::map<uint64_t, Uses> uses;
  const KernelCode &code = launch.untraced()->code;
  for (const auto [value, address] : pointers) {
    Uses &use = uses[address >> GlobalView::kOffsetBits];
    (code.written.contains(value) ? use.written : use.untold) = true;
  }
  uses.erase(0);
  return std::ranges::none_of(
      uses, [](const auto &use) { return use.second.written && use.second.untold; });
}

GroupThreads::Worker::Worker(const EngineLaunch &of, ThreadView &view)
    : view(view), launch{of.kernel, of.invocation, of.program,    of.global,
                         stacks,    of.apart,      of.countsItems},
      runtime(launch, noTrace, traceMemory, &view) {
  runtime.prepareImages();
}

GroupThreads::GroupThreads(const EngineLaunch &launch, unsigned threads)
    : launch_(launch), views_(launch.global, std::min(threads, ThreadViews::kMostThreads)) {
  threads = std::min(threads, ThreadViews::kMostThreads);
  for (unsigned i = 0; i < threads; ++i) // here, since Oclgrind tells plugins of what it allocates
    workers_.emplace_back(launch, views_.at(i));
  const AllSignalsBlocked blocked;
  try {
    for (unsigned i = 1; i < threads; ++i)
      workers_[i].thread = PooledThread([this, i] { serve(workers_[i]); });
  } catch (...) {
    endThreads();
    throw;
  }
}

GroupThreads::~GroupThreads() {
  endThreads();
}

void GroupThreads::endThreads() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  for (Worker &worker : workers_)
    if (worker.thread.joinable())
      worker.thread.join();
}

/// Cuts the round into parts that seldom write to the same granule. If there are enough groups, a
/// part has whole rows of groups; else so many groups that their numbers fill whole granules if
/// each group writes one number; else if each work-item does.
void GroupThreads::cut(size_t begin, size_t end) {
  const size_t count = end - begin, wanted = kPartsPerThread * workers_.size();
  const oclgrind::Size3 groups = launch_.invocation.getNumGroups();
  const oclgrind::Size3 size = launch_.invocation.getLocalSize();
  size_t unit = std::max<size_t>(1, kNumbersPerGranule / (size.x * size.y * size.z));
  if (groups.y * groups.z > 1 && groups.x * workers_.size() <= count)
    unit = groups.x;
  else if (kNumbersPerGranule * wanted <= count)
    unit = kNumbersPerGranule;
  const size_t length = unit * std::max<size_t>(1, count / unit / wanted);
  parts_ = {begin};
  for (size_t at = (begin / unit) * unit + length; at < end; at += length)
    parts_.push_back(at);
  parts_.push_back(end);
}

void GroupThreads::runPart(Worker &worker) {
  // This many groups at each border of a part may share a granule with the neighbouring part.
  const size_t width = launch_.invocation.getLocalSize().x;
  const size_t border = exactBorders_ ? 1 + (kNumbersPerGranule - 2) / width : 0;
  for (size_t part = nextPart_++; part + 1 < parts_.size(); part = nextPart_++)
    for (size_t i = parts_[part]; i < parts_[part + 1]; ++i) {
      if (views_.hasFailed())
        return;
      if (areApart_) {
        if (!runApart(worker, part, i))
          return;
        continue;
      }
      try {
        worker.view.setExact(i < parts_[part] + border || i + border >= parts_[part + 1]);
        if (!worker.runtime.runGroup(i, false))
          views_.fail();
        else
          works_[i - begin_] = worker.runtime.work();
      } catch (...) { // no memory; in order, the launch fails with the right reason
        views_.fail();
      }
    }
}

/// Returns false if the thread shall run no more groups of the round.
bool GroupThreads::runApart(Worker &worker, size_t part, size_t group) {
  if (worker.failed)
    return false;
  bool succeeded = false;
  try {
    succeeded = worker.runtime.runGroup(group, false);
  } catch (...) { // no memory
  }
  if (succeeded) {
    works_[group - begin_] = worker.runtime.work();
    next_[part] = group + 1;
  } else {
    worker.failed = true;
    if (launch_.apart->code.callsRuntime)
      views_.fail();
  }
  return succeeded;
}

void GroupThreads::serve(Worker &worker) {
  std::unique_lock lock(mutex_);
  for (uint64_t served = 0;;) {
    changed_.wait(lock, [&] { return closed_ || round_ != served; });
    if (closed_)
      return;
    served = round_;
    lock.unlock();
    runPart(worker);
    lock.lock();
    if (--busy_ == 0)
      changed_.notify_all();
  }
}

bool GroupThreads::run(size_t begin, size_t end, bool exactBorders, uint64_t mostWork) {
  cut(begin, end);
  begin_ = begin;
  exactBorders_ = exactBorders;
  views_.beginRound(mostWork);
  works_.resize(end - begin);
  areApart_ = false;
  runRound();
  return views_.endRound();
}

GroupThreads::Round GroupThreads::runApart(size_t begin, size_t end, ThreadRuntime &spare) {
  try {
    cut(begin, end);
    works_.resize(end - begin);
    next_.assign(parts_.begin(), parts_.end());
  } catch (const std::bad_alloc &) {
    return {};
  }
  begin_ = begin;
  areApart_ = true;
  views_.beginRound(0);
  runRound();
  views_.endRound();
  std::vector<ThreadRuntime *> runtimes;
  for (Worker &worker : workers_) {
    if (worker.failed && launch_.apart->code.callsRuntime)
      return {true, worker.runtime.reason()};
    runtimes.push_back(&worker.runtime);
  }
  if (!spare.takeReports(runtimes))
    return {true, describe(Failure::kOutput)};
  for (size_t part = 0; part + 1 < parts_.size(); ++part)
    for (size_t i = next_[part]; i < parts_[part + 1]; ++i) {
      if (!spare.runGroup(i, false))
        return {true, spare.reason()};
      works_[i - begin_] = spare.work();
    }
  return {true, {}};
}

/// Has all threads run the parts.
void GroupThreads::runRound() {
  nextPart_ = 0;
  {
    const std::scoped_lock lock(mutex_);
    ++round_;
    busy_ = workers_.size() - 1;
  }
  changed_.notify_all();
  runPart(workers_.front());
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return busy_ == 0; });
}

uint64_t GroupThreads::untracedInstructions() const {
  uint64_t sum = 0;
  for (const Worker &worker : workers_)
    sum += worker.runtime.untracedInstructions();
  return sum;
}

} // namespace aiwc::engine
