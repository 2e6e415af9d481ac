#include "attach/command_log.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace aiwc::attach {

namespace {

constexpr std::chrono::milliseconds kReportInterval{100};

/// Reports take at most one part in so many of the application's time.
constexpr int kPartOfTime = 50;

} // namespace

void CommandLog::own() {
  if (owner_ == getpid())
    return;
  // A forked child: the commands are its parent's, which reports them.
  owner_ = getpid();
  queued_.clear();
  unreported_.clear();
  last_.reset();
  launches_ = 0;
  toDevice_ = {};
  status_.writes();
}

uint64_t CommandLog::addLaunch(run::Launch launch, cl_event event, bool isTimed) {
  const std::scoped_lock lock(mutex_);
  own();
  const uint64_t number = launches_++;
  launch.process = static_cast<uint64_t>(owner_);
  launch.number = number;
  queued_.push_back({event, isTimed, std::move(launch), {}, 0});
  takeEnded();
  return number;
}

void CommandLog::addTransfer(Direction direction, uint64_t bytes, cl_event event, bool isTimed) {
  const std::scoped_lock lock(mutex_);
  own();
  queued_.push_back({event, isTimed, std::nullopt, direction, bytes});
  takeEnded();
}

void CommandLog::collect() {
  const std::scoped_lock lock(mutex_);
  own();
  takeEnded();
}

void CommandLog::finish() {
  const std::scoped_lock lock(mutex_);
  own();
  takeEnded();
  // What has not ended keeps its place among the launches, without a time.
  for (Queued &command : queued_)
    if (command.launch) {
      command.isTimed = false;
      take(command);
    }
  queued_.clear();
  if (last_)
    unreported_.push_back(toJson(*std::exchange(last_, std::nullopt)));
  report();
}

bool CommandLog::hasEnded(cl_event event) const {
  cl_int state = CL_QUEUED;
  return opencl_.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                                nullptr) != CL_SUCCESS ||
         state <= CL_COMPLETE; // below: it ended with an error
}

/// 0 if the driver does not tell.
uint64_t CommandLog::timeOf(cl_event event, cl_profiling_info from, cl_profiling_info to) const {
  cl_ulong begin = 0, end = 0;
  const auto read = [&](cl_profiling_info what, cl_ulong &time) {
    return opencl_.clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) == CL_SUCCESS;
  };
  return read(from, begin) && read(to, end) && end > begin ? end - begin : 0;
}

void CommandLog::takeEnded() {
  while (!queued_.empty() && hasEnded(queued_.front().event)) {
    take(queued_.front());
    opencl_.clReleaseEvent(queued_.front().event);
    queued_.pop_front();
  }
  reportIfTime();
}

void CommandLog::take(Queued &command) {
  const uint64_t nanos =
      command.isTimed ? timeOf(command.event, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END)
                      : 0;
  if (command.launch) {
    if (last_)
      unreported_.push_back(toJson(*last_));
    last_ = std::move(command.launch);
    last_->hostToDevice = std::exchange(toDevice_, {});
    if (nanos > 0 && last_->measured) {
      last_->measured->nanos = nanos;
      last_->measured->queuedNanos =
          timeOf(command.event, CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_END);
    } else {
      last_->measured.reset();
    }
    return;
  }
  const bool isLater = command.direction == Direction::kToHost && last_;
  if (command.direction == Direction::kToHost && !isLater)
    return; // before the first launch
  run::Transfers &sum = isLater ? last_->deviceToHost : toDevice_;
  sum.bytes += command.bytes;
  ++sum.transfers;
  sum.nanos += nanos;
}

void CommandLog::reportIfTime() {
  const Clock::time_point now = Clock::now();
  if (!unreported_.empty() &&
      now - reported_ >= std::max<Clock::duration>(kReportInterval, reportTook_ * kPartOfTime))
    report();
}

void CommandLog::report() {
  const Clock::time_point begin = Clock::now();
  if (!unreported_.empty() && status_.launchesEnded(unreported_))
    unreported_.clear();
  reported_ = Clock::now();
  reportTook_ = reported_ - begin;
}

} // namespace aiwc::attach
