#include "attach/command_log.h"

#include "opencl_api/answers.h"
#include "run/launch_texts.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace aiwc::attach {

namespace {

constexpr std::chrono::milliseconds kReportInterval{100};

/// Reports take at most one part in so many of the application's time.
constexpr int kPartOfTime = 50;

} // namespace

uint64_t CommandLog::now() {
  return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
}

/// Below 0: it ended with an error.
int CommandLog::stateOf(cl_event event) const {
  return opencl::askOr<cl_int>(CL_COMPLETE, opencl_.clGetEventInfo,
                               CL_EVENT_COMMAND_EXECUTION_STATUS, event);
}

/// Has the driver mark when the command begins and ends, if its queue does not measure it.
std::shared_ptr<CommandLog::Marks> CommandLog::marksOf(const Command &command) const {
  if (command.isTimed || !opencl_.clSetEventCallback)
    return nullptr;
  auto marks = std::make_shared<Marks>();
  marks->queued = command.queuedNanos;
  using Shared = std::shared_ptr<Marks>;
  const auto set = [&](cl_int state, void(CL_CALLBACK * mark)(cl_event, cl_int, void *)) {
    auto kept = std::make_unique<Shared>(marks); // until the driver calls
    const cl_int result = opencl_.clSetEventCallback(command.event, state, mark, kept.get());
    if (result == CL_SUCCESS)
      static_cast<void>(kept.release());
    return result == CL_SUCCESS;
  };
  if (stateOf(command.event) > CL_RUNNING) // else the driver would tell at once, and too late
    set(CL_RUNNING, [](cl_event, cl_int, void *kept) {
      const std::unique_ptr<Shared> marked(static_cast<Shared *>(kept));
      (*marked)->began = now();
    });
  const bool isMarked = set(CL_COMPLETE, [](cl_event, cl_int, void *kept) {
    const std::unique_ptr<Shared> marked(static_cast<Shared *>(kept));
    (*marked)->ended = now();
  });
  return isMarked ? marks : nullptr;
}

void CommandLog::own() {
  if (owner_ == getpid())
    return;
  // A forked child: the commands are its parent's, which reports them.
  owner_ = getpid();
  queued_.clear();
  unreported_.clear();
  last_.reset();
  isTextOld_ = false;
  pending_.begin();
  launches_ = 0;
  toDevice_ = {};
  queueNumbers_.clear();
  firstQueued_.clear();
  status_.writes();
}

uint64_t CommandLog::addLaunch(run::Launch launch, const Command &command) {
  auto marks = marksOf(command);
  const std::scoped_lock lock(mutex_);
  own();
  const uint64_t number = launches_++;
  launch.process = programNumber();
  launch.number = number;
  queued_.push_back({command.event,
                     std::move(marks),
                     std::move(launch),
                     {},
                     0,
                     queueOf(command),
                     command.device});
  takeEnded();
  return number;
}

void CommandLog::addTransfer(Direction direction, uint64_t bytes, const Command &command) {
  auto marks = marksOf(command);
  const std::scoped_lock lock(mutex_);
  own();
  queued_.push_back({command.event, std::move(marks), std::nullopt, direction, bytes,
                     queueOf(command), command.device});
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
  for (Queued &command : queued_) {
    const bool isEnded = hasEnded(command);
    if (command.launch && !isEnded)
      command.launch->measured.reset();
    if (command.launch || isEnded)
      take(command);
    if (isEnded)
      opencl_.clReleaseEvent(command.event);
  }
  queued_.clear();
  endLast();
  report();
}

bool CommandLog::hasEnded(const Queued &command) const {
  if (command.marks)
    return command.marks->ended > 0;
  return stateOf(command.event) <= CL_COMPLETE;
}

uint64_t CommandLog::queueOf(const Command &command) {
  return queueNumbers_.try_emplace(command.queue, queueNumbers_.size()).first->second;
}

CommandLog::Times CommandLog::timesOf(const Queued &command) {
  if (!command.marks) {
    // None if the driver does not tell.
    const auto timeOf = [&](cl_profiling_info what) -> std::optional<uint64_t> {
      cl_ulong time = 0;
      if (opencl_.clGetEventProfilingInfo(command.event, what, sizeof time, &time, nullptr) !=
          CL_SUCCESS)
        return std::nullopt;
      return time;
    };
    const auto start = timeOf(CL_PROFILING_COMMAND_START), end = timeOf(CL_PROFILING_COMMAND_END),
               queued = timeOf(CL_PROFILING_COMMAND_QUEUED);
    const auto since = [&](std::optional<uint64_t> time) {
      return time && end && *end > *time ? *end - *time : 0;
    };
    return {start.value_or(0), since(start), since(queued)};
  }
  const uint64_t queued = command.marks->queued, ended = command.marks->ended;
  const uint64_t before = std::max(queued, std::exchange(lastEnd_, std::max(lastEnd_, ended)));
  uint64_t began = command.marks->began;
  if (began == 0 || began >= ended) // drivers may tell late of a begin
    began = before;
  return {began, ended > began ? ended - began : 0, ended > queued ? ended - queued : 0};
}

void CommandLog::takeEnded() {
  while (!queued_.empty() && hasEnded(queued_.front())) {
    take(queued_.front());
    opencl_.clReleaseEvent(queued_.front().event);
    queued_.pop_front();
  }
  reportIfTime();
}

/// Nothing more belongs to the last launch.
void CommandLog::endLast() {
  if (!last_)
    return;
  if (std::exchange(isTextOld_, false))
    setLastText();
  last_.reset();
  unreported_.push_back(std::move(lastText_));
  pending_.keep();
}

void CommandLog::setLastText() {
  lastText_ = toJson(*last_);
  pending_.set(lastText_);
}

/// Of a command whose times are known.
run::Place CommandLog::placeOf(const Queued &command, const Times &times) {
  const uint64_t end = times.start + times.nanos;
  const uint64_t queued = end - std::max(times.nanos, times.queuedNanos);
  const uint64_t zero =
      firstQueued_.try_emplace(command.marks ? nullptr : command.device, queued).first->second;
  // Commands of several threads may be listed in another order than they were queued in.
  return {command.queue, times.start > zero ? times.start - zero : 0};
}

void CommandLog::take(Queued &command) {
  const Times times = timesOf(command);
  if (command.launch) {
    endLast();
    last_ = std::move(command.launch);
    last_->hostToDevice = std::exchange(toDevice_, {});
    if (times.nanos > 0 && last_->measured) {
      last_->measured->nanos = times.nanos;
      last_->measured->queuedNanos = times.queuedNanos;
      last_->measured->isHostClock = command.marks != nullptr;
      last_->measured->place = placeOf(command, times);
    } else {
      last_->measured.reset();
    }
    setLastText();
    return;
  }
  const bool isLater = command.direction == Direction::kToHost && last_;
  if (command.direction == Direction::kToHost && !isLater)
    return; // before the first launch
  run::Transfers &sum = isLater ? last_->deviceToHost : toDevice_;
  sum.bytes += command.bytes;
  ++sum.transfers;
  sum.nanos += times.nanos;
  if (times.nanos > 0 && sum.placed.size() < run::Transfers::kMostPlaced)
    sum.placed.push_back({placeOf(command, times), times.nanos, command.bytes});
  if (!isLater)
    return;
  isTextOld_ = !std::has_single_bit(sum.transfers); // the text takes longer than short transfers
  if (!isTextOld_)
    setLastText();
}

void CommandLog::reportIfTime() {
  const Clock::time_point now = Clock::now();
  if (!unreported_.empty() &&
      now - reported_ >= std::max<Clock::duration>(kReportInterval, reportTook_ * kPartOfTime))
    report();
}

void CommandLog::report() {
  const Clock::time_point begin = Clock::now();
  std::vector<std::string> lines;
  lines.reserve(unreported_.size());
  run::LaunchTexts texts; // one report refers to none before it, which may be lost
  for (const std::string &text : unreported_)
    lines.push_back(texts.shortened(text));
  if (!lines.empty() && status_.launchesEnded(lines)) {
    unreported_.clear();
    pending_.clear();
    if (last_)
      pending_.set(lastText_);
  }
  reported_ = Clock::now();
  reportTook_ = reported_ - begin;
}

} // namespace aiwc::attach
