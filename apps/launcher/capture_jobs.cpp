#include "launcher/capture_jobs.h"

#include "common/as_number.h"
#include "common/error.h"
#include "common/file.h"
#include "common/write.h"
#include "kernel_launch/capture.h"
#include "launcher/locate.h"
#include "launcher/preflight.h"
#include "run/folder.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

namespace aiwc::launcher {
namespace {

using State = CapturedLaunch::State;

/// A job whose processes are killed while they do nothing for a capture is tried so often.
constexpr uint64_t kMostTries = 2;

// Files of a job.
constexpr std::string_view kLog = "captures.log", kPrinted = "job.txt";

fs::path captureFolder(const fs::path &output, const attach::CaptureMemory::Captured &captured) {
  return output / kCapturesFolder / std::to_string(captured.process) /
         ("Enqueue_" + std::to_string(captured.number) + "_kernel");
}

/// Sets the calling process, and those that it will start, to take only time that nobody wants, and
/// to be the first that has to go where memory runs out.
void stepBack() {
  const sched_param none{};
  if (::sched_setscheduler(0, SCHED_IDLE, &none) != 0) {
    constexpr int kLowest = 19;
    ::setpriority(PRIO_PROCESS, 0, kLowest);
  }
}

void beFirstToGo() {
  if (const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    writeAll(file, "1000");
    ::close(file);
  }
}

/// The numbers that name entries of a folder of /proc.
std::vector<pid_t> numbersIn(const fs::path &folder) {
  std::vector<pid_t> numbers;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (const auto number = asNumber<pid_t>(at->path().filename().string()))
      numbers.push_back(*number);
  }
  return numbers;
}

/// Gives all threads of a process group the usual priority. Returns false if the system refuses, as
/// it does to users without the capability.
bool stepForward(pid_t group) {
  const sched_param none{};
  for (const pid_t process : numbersIn("/proc"))
    if (::getpgid(process) == group)
      for (const pid_t thread : numbersIn(fs::path("/proc") / std::to_string(process) / "task"))
        if (::sched_setscheduler(thread, SCHED_OTHER, &none) != 0 && errno == EPERM)
          return false;
  return true;
}

/// The last line that a job has printed, without the name of its program.
std::string lastLineOf(const fs::path &printed) {
  const std::string text = readFileIfAny(printed).value_or("");
  const size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos)
    return "";
  const size_t before = text.find_last_of('\n', end);
  std::string line = text.substr(before + 1, end - before);
  for (const std::string_view name : {"aiwc: ", "aiwc kernel: "})
    if (line.starts_with(name))
      line.erase(0, name.size());
  return line;
}

std::string howItDied(int status) {
  if (WIFSIGNALED(status))
    return "its simulator was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           ::strsignal(WTERMSIG(status)) + ")";
  return "its simulator ended with status " + std::to_string(WEXITSTATUS(status));
}

void removeQuietly(const fs::path &path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

} // namespace

CaptureJobs::CaptureJobs(const SessionOptions &options, Children &children, fs::path scratch,
                         attach::CaptureMemory *memory)
    : options_(options), children_(children), scratch_(std::move(scratch)), memory_(memory) {}

void CaptureJobs::add(uint64_t process, uint64_t number, const fs::path &folder) {
  captured_.push_back({process, number, folder});
}

void CaptureJobs::takeNew() {
  if (!memory_)
    return;
  for (const attach::CaptureMemory::Captured &packed : memory_->takeComplete())
    captured_.push_back(
        {packed.process, packed.number, captureFolder(options_.output, packed), packed});
}

size_t CaptureJobs::atWork() const {
  return static_cast<size_t>(std::ranges::count_if(captured_, [](const CapturedLaunch &captured) {
    return captured.state == State::kWaiting || captured.state == State::kRunning;
  }));
}

void CaptureJobs::advance() {
  takeNew();
  int status = 0;
  if (job_ > 0) {
    if (::waitpid(job_, &status, WNOHANG) != job_)
      return;
    finish(status);
  }
  if (!isStopped_)
    start();
}

void CaptureJobs::start() {
  batch_.clear();
  for (size_t i = 0; i < captured_.size(); ++i)
    if (captured_[i].state == State::kWaiting)
      batch_.push_back(i);
  if (batch_.empty())
    return;
  std::vector<std::string> command = {findCommand().string(),
                                      "kernel",
                                      "--output",
                                      options_.output.string(),
                                      "--append",
                                      "--quiet",
                                      "--budget",
                                      "0"};
  for (const size_t place : batch_) {
    captured_[place].state = State::kRunning;
    command.push_back(captured_[place].folder.string());
  }
  removeQuietly(scratch_ / kLog);
  runsBefore_ = run::contentOf(options_.output).runs;
  job_ = children_.start(command, [&] { prepare(); });
}

/// In the job's process.
void CaptureJobs::prepare() {
  if (isIdlePriority_)
    stepBack();
  beFirstToGo();
  redirect(scratch_ / kPrinted);
  ::setenv(kernel_launch::kCaptureLogVariable, (scratch_ / kLog).c_str(), 1);
  bool areAllThere = true;
  for (size_t i = 0; i < batch_.size(); ++i)
    if (const CapturedLaunch &captured = captured_[batch_[i]]; captured.packed)
      try {
        memory_->unpack(*captured.packed, captured.folder);
      } catch (const std::exception &error) { // the next job goes on without it
        kernel_launch::logCapture({kernel_launch::CaptureEvent::Kind::kFailed, i, error.what()});
        writeAll(STDERR_FILENO, std::string(error.what()) + "\n"); // if the log has no room, too
        areAllThere = false;
      }
  if (!areAllThere)
    throw std::system_error(ENOSPC, std::generic_category());
  const fs::path temporary = scratch_ / "tmp"; // goes with our folder if the job is killed
  fs::create_directories(temporary);
  ::setenv("TMPDIR", temporary.c_str(), 1);
}

std::optional<size_t> CaptureJobs::current() const {
  if (job_ <= 0)
    return std::nullopt;
  const auto events = kernel_launch::readCaptureLog(scratch_ / kLog);
  if (events.empty() || events.back().place >= batch_.size())
    return std::nullopt;
  return batch_[events.back().place];
}

/// The launches of the run that the job has added to the folder, whose file is then removed.
std::vector<run::Launch> CaptureJobs::takeLaunches() const {
  std::vector<run::Launch> launches;
  for (const fs::path &file : run::contentOf(options_.output).runs)
    try {
      if (std::ranges::find(runsBefore_, file) != runsBefore_.end())
        continue;
      const run::Run run = run::readRun(file);
      if (!run::isKernelHost(run.command) ||
          run.command.back() != captured_[batch_.back()].folder.string())
        continue; // somebody else's
      launches = run.launches;
      removeQuietly(file);
    } catch (const Error &) { // somebody else's, too
    }
  return launches;
}

void CaptureJobs::succeed(CapturedLaunch &captured, run::Launch simulated) {
  captured.state = State::kDone;
  captured.simulated = std::move(simulated);
  removeQuietly(captured.folder);
}

void CaptureJobs::fail(CapturedLaunch &captured, std::string reason) {
  captured.state = State::kFailed;
  captured.reason = std::move(reason);
}

void CaptureJobs::finish(int status) {
  job_ = 0;
  for (const size_t place : batch_)
    if (std::error_code ignored; fs::exists(captured_[place].folder, ignored))
      captured_[place].packed.reset();
  using Event = kernel_launch::CaptureEvent;
  const auto events = kernel_launch::readCaptureLog(scratch_ / kLog);
  const std::vector<run::Launch> launches = takeLaunches();
  size_t launched = 0;
  bool isAtOne = false;
  for (const Event &event : events) {
    if (event.place >= batch_.size())
      continue;
    CapturedLaunch &captured = captured_[batch_[event.place]];
    isAtOne = event.kind == Event::Kind::kBegin;
    if (event.kind == Event::Kind::kFailed)
      fail(captured, event.reason);
    if (event.kind != Event::Kind::kLaunched || launched == launches.size())
      continue;
    if (const run::Launch &launch = launches[launched++]; launch.hasProfile() && launch.complete)
      succeed(captured, launch);
    else
      fail(captured, "the simulator did not finish it");
  }
  for (; launched < launches.size(); ++launched) // it was ended in the midst of one
    if (launches[launched].hasProfile())
      removeQuietly(options_.output / launches[launched].profile);
  if (isAtOne && !isEnding_)
    if (const size_t place = events.back().place; place < batch_.size())
      fail(captured_[batch_[place]], howItDied(status));
  putBack(status);
}

/// What the job has not come to waits again, unless the job has come to nothing.
void CaptureJobs::putBack(int status) {
  const bool hasDoneSome = std::ranges::any_of(
      batch_, [&](size_t place) { return captured_[place].state != State::kRunning; });
  for (const size_t place : batch_) {
    CapturedLaunch &captured = captured_[place];
    if (captured.state != State::kRunning)
      continue;
    captured.state = State::kWaiting;
    if (isEnding_ || hasDoneSome || (++captured.tries < kMostTries && WIFSIGNALED(status)))
      continue;
    const std::string said = lastLineOf(scratch_ / kPrinted);
    fail(captured, said.empty() || WIFSIGNALED(status) ? howItDied(status) : said);
  }
}

void CaptureJobs::atNormalPriority() {
  if (!std::exchange(isIdlePriority_, false) || job_ <= 0)
    return;
  if (!stepForward(job_))
    endJob(); // another one goes on with its captures
}

void CaptureJobs::stop() {
  isStopped_ = true;
  if (job_ > 0)
    endJob();
}

void CaptureJobs::endJob() {
  constexpr std::chrono::milliseconds kMoment{20};
  constexpr int kMoments = 150; // that it has to write what it has done
  stepForward(job_);
  ::kill(job_, SIGTERM);
  isEnding_ = true;
  int status = 0;
  for (int i = 0; ::waitpid(job_, &status, WNOHANG) != job_; ++i) {
    if (i == kMoments)
      ::kill(-job_, SIGKILL);
    std::this_thread::sleep_for(kMoment);
  }
  finish(status);
  isEnding_ = false;
}

void CaptureJobs::unpackAll() {
  takeNew();
  for (CapturedLaunch &captured : captured_)
    if (captured.packed)
      try {
        memory_->unpack(*captured.packed, captured.folder);
        captured.packed.reset();
      } catch (const std::exception &error) {
        if (captured.state != State::kFailed)
          fail(captured, error.what());
      }
}

} // namespace aiwc::launcher
