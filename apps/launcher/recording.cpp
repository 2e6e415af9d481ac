#include "launcher/recording.h"

#include "common/error.h"
#include "common/file.h"
#include "common/write.h"
#include "launcher/locate.h"
#include "launcher/report.h"
#include "launcher/session.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "run/folder.h"
#include "session/code_cache.h"
#include "session/status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

constexpr uint64_t kMostBytes = uint64_t{64} << 20; // of a request or an answer

/// A function and a block, by number.
using Place = std::pair<unsigned, unsigned>;

/// As plugin/aiwc_plugin.cpp has it.
struct Request {
  std::string module, workItems, kernel;
  std::map<Place, double> executions;
};

/// What aiwc-target-code prints.
struct Traffic {
  uint64_t stackBytes = 0;
  std::map<Place, double> bytes; ///< of one execution of a block
};

Request requestIn(const fs::path &file) {
  std::istringstream text(readFile(file, "a request", kMostBytes));
  Request request;
  std::getline(text, request.module);
  std::getline(text, request.workItems);
  std::getline(text, request.kernel);
  Place place;
  for (double executions = 0; text >> place.first >> place.second >> executions;)
    request.executions[place] = executions;
  return request;
}

/// What aiwc-target-code prints for families of devices, or kFailed and why it has failed.
class TargetCode {
public:
  explicit TargetCode(const Recording &recording) : recording_(recording) {
    const fs::path &given = recording.options.cache;
    const fs::path folder = given.empty() ? CodeCache::usersFolder() : given;
    const auto build = readFileIfAny(findTool("aiwc-target-code"));
    if (!build || folder.empty() || given == kNoCache)
      return;
    build_ = profile::sourceHash(*build);
    cache_.emplace(folder);
  }

  std::string of(const Request &request, std::string_view family) {
    // The module's file name is a hash of its content.
    const std::string key =
        CodeCache::keyOf({build_, family, request.module, request.kernel, request.workItems});
    if (cache_)
      if (auto known = cache_->find(key))
        return *std::move(known);
    int ended = 0;
    std::string output = run(request, family, ended);
    // 1 says that the kernel cannot be compiled. What fails otherwise may succeed the next time.
    if (cache_ && (WIFEXITED(ended) ? WEXITSTATUS(ended) <= 1 : WTERMSIG(ended) == SIGXCPU))
      cache_->store(key, output);
    return output;
  }

  static constexpr char kFailed = '!';

private:
  std::string run(const Request &request, std::string_view family, int &ended) const {
    const fs::path &folder = recording_.scratch.path();
    const fs::path output = folder / "target_code", errors = folder / "target_errors";
    const std::vector<std::string> command = {
        findTool("aiwc-target-code").string(), std::string(family), request.kernel,
        request.workItems, (folder / request.module).string()};
    ended = recording_.children.run(command, Children::Role::kOwn, [&] {
      ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
      for (const auto &[file, standard] :
           {std::pair(&output, STDOUT_FILENO), std::pair(&errors, STDERR_FILENO)})
        ::dup2(::open(file->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), standard);
    });
    if (ended == 0)
      return readFile(output, "blocks", kMostBytes);
    if (WIFSIGNALED(ended))
      return kFailed + (WTERMSIG(ended) == SIGXCPU
                            ? "it takes more than ten seconds"
                            : "the compiler died of signal " + std::to_string(WTERMSIG(ended)));
    const std::string said = readFile(errors, "an error", kMostBytes);
    return kFailed + said.substr(0, said.find('\n'));
  }

  const Recording &recording_;
  std::string build_; ///< that prints
  std::optional<CodeCache> cache_;
};

Traffic trafficIn(const std::string &output) {
  if (output.starts_with(TargetCode::kFailed))
    throw Error(output.substr(1));
  std::istringstream text(output);
  Traffic traffic;
  text >> traffic.stackBytes;
  Place place;
  for (double bytes = 0; text >> place.first >> place.second >> bytes;)
    traffic.bytes[place] = bytes;
  return traffic;
}

profile::PrivateTraffic sumOf(const Traffic &traffic, const std::map<Place, double> &executions) {
  double scratch = 0;
  for (const auto &[place, bytes] : traffic.bytes)
    if (const auto found = executions.find(place); found != executions.end())
      scratch += found->second * bytes;
  return {traffic.stackBytes, static_cast<uint64_t>(std::llround(scratch))};
}

/// The names of the files, in the same order in each run; none if the folder is gone.
std::vector<std::string> requestsIn(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (std::string name = entry.path().filename(); name.starts_with(kTargetRequestPrefix))
      names.push_back(std::move(name));
  std::ranges::sort(names);
  return names;
}

class Failures {
public:
  /// A failure leaves `what` without targets, and the rest of the run as it is.
  void attempt(const std::string &what, const std::function<void()> &action) {
    try {
      action();
    } catch (const std::exception &error) { // an Error, or no memory
      if (count_++ == 0)
        first_ = what + ": " + error.what();
    }
  }
  void say(bool quiet) const {
    if (count_ > 0 && !quiet)
      complain(fmt::format("targets are missing: {}{}", first_,
                           count_ > 1 ? fmt::format(" (and {} more)", count_ - 1) : ""));
  }

private:
  size_t count_ = 0;
  std::string first_;
};

/// Adds profile::TargetTraffic to the profiles that processes of the run have asked it for, after
/// the application has ended. A kernel that cannot be compiled for a family, or not in ten seconds,
/// leaves its profiles as they are; one line on standard error says so. Throws Interrupted.
void addTargetTraffic(const Recording &recording) {
  TargetCode code(recording);
  // By module, kernel, work-items and family. None: it cannot be compiled.
  std::map<std::tuple<std::string, std::string, std::string, std::string_view>,
           std::optional<Traffic>>
      known;
  Failures failures;
  for (const std::string &name : requestsIn(recording.scratch.path())) {
    const fs::path file = recording.options.output / name.substr(kTargetRequestPrefix.size());
    failures.attempt(file.filename(), [&] {
      const Request request = requestIn(recording.scratch.path() / name);
      profile::KernelProfile profile = profile::readProfile(file);
      for (size_t i = 0; i < profile.targets.size(); ++i) {
        const std::string_view family = profile::kTargetFamilies[i];
        const auto place =
            known.try_emplace({request.module, request.kernel, request.workItems, family});
        std::optional<Traffic> &traffic = place.first->second;
        if (place.second)
          failures.attempt(fmt::format("{} on {}", request.kernel, family),
                           [&] { traffic = trafficIn(code.of(request, family)); });
        if (traffic)
          profile.targets[i] = sumOf(*traffic, request.executions);
      }
      replaceFile(file, profile::toJson(profile));
    });
  }
  failures.say(recording.options.quiet);
}

// Bytes reserved for the reports of a run, so that a disk which fills up later can still take them.
constexpr off_t kStatusFileBytes = 1 << 20;

void createStatusFile(const fs::path &path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    throw Error("cannot create the temporary file '" + path.string() + "'");
  // Some file systems cannot reserve space; then a full disk may lose a report. The limit on the
  // size of files may be lower; then a signal would end the launcher.
  const WriteSignalsHeld held;
  [[maybe_unused]] const int unreserved =
      ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, kStatusFileBytes);
  if (::geteuid() == 0) // nobody else knows the path of the private folder
    ::fchmod(file, 0622);
  ::close(file);
}

std::vector<pid_t> runningOf(const std::vector<pid_t> &processes) {
  std::vector<pid_t> running;
  std::ranges::copy_if(processes, std::back_inserter(running), isRunning);
  return running;
}

// What the processes of the application report. `pending`: where they keep what they have not
// reported; null: nowhere.
SessionStatus reportsOf(const SessionOptions &options, const PendingLaunches *pending) {
  SessionStatus status = readStatus(options.statusFile, options.output);
  if (pending)
    status.pending = pending->read();
  return status;
}

// The processes that use OpenCL and have outlived the application. Gives them a second to end, and
// then reads again what they report.
std::vector<pid_t> survivorsOf(SessionStatus &status, const SessionOptions &options,
                               const PendingLaunches *pending) {
  constexpr int kTries = 20;
  std::vector<pid_t> running = runningOf(status.writers);
  if (running.empty())
    return running;
  for (int tries = 0; !running.empty() && tries < kTries; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    running = runningOf(running);
  }
  status = reportsOf(options, pending);
  return running;
}

// Writes the file of the run, or removes it if no kernel ran. A failure is one more error of the
// run, unless there are others: they have the same cause.
void keep(const run::Run &run, const run::RunFile &file, SessionStatus &status) {
  try {
    if (run.launches.empty() && run.errors.empty())
      file.remove();
    else
      file.replace(run);
  } catch (const Error &error) {
    if (status.errors.empty())
      status.errors.emplace_back(error.what());
  }
}

// Adds to the run what its processes have reported. Returns as `complete`.
std::map<std::uint64_t, std::uint64_t> collect(run::Run &run, SessionStatus &status,
                                               const SessionOptions &options, int ended,
                                               double seconds) {
  for (const pid_t writer : status.writers)
    removeTemporaryFiles(options.output, writer);
  if (status.lost)
    status.errors.emplace_back(
        "reports of the application's processes are lost: the disks of the output folder and of "
        "the temporary folder were full, or files may not be larger: run.json may lack launches");
  return complete(run, status, ended, seconds);
}

// Writes the launches so far to the file of the run, while the application runs: a launcher that is
// killed leaves them.
class RunSoFar {
public:
  RunSoFar(const run::Run &run, const run::RunFile &file, const SessionOptions &options)
      : run_(run), file_(file), options_(options) {}

  void write() {
    const auto now = Clock::now();
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(options_.statusFile, failed);
    if (failed || now < next_ || bytes == bytes_)
      return;
    bytes_ = bytes;
    run::Run run = run_;
    SessionStatus status = readStatus(options_.statusFile, options_.output);
    complete(run, status, 0, 0);
    run.seconds.reset();
    run.errors.clear(); // what is missing may come
    try {
      if (!run.launches.empty())
        file_.replace(run);
    } catch (const Error &) { // said at the end, if it fails then, too
    }
    // Reading takes time in proportion to all launches: of a long run less often.
    constexpr int kShare = 50;
    next_ = now + std::max<Clock::duration>(std::chrono::seconds(1), kShare * (Clock::now() - now));
  }

private:
  using Clock = std::chrono::steady_clock;

  const run::Run &run_;
  const run::RunFile &file_;
  const SessionOptions &options_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
  std::uintmax_t bytes_ = 0; // of the status file, at the last time
};

// In a process of its own: waits until the application's last process has ended, and completes the
// file of the run.
void completeLater(run::Run run, const run::RunFile &file, const Recording &recording, int ended,
                   double seconds) {
  const SessionOptions &options = recording.options;
  Capturing *const capturing = recording.capturing();
  PendingLaunches *const pending = recording.pending();
  ::setsid();
  if (const int nothing = ::open("/dev/null", O_RDWR); nothing >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(nothing, standard);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (capturing)
    capturing->hold();
  if (pending)
    pending->hold();
  SessionStatus status = reportsOf(options, pending);
  while (!runningOf(status.writers).empty()) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    status = reportsOf(options, pending);
  }
  const auto processes = collect(run, status, options, ended, seconds);
  if (capturing)
    capturing->mergeInto(run, processes, file.path());
  keep(run, file, status);
}

} // namespace

int record(const Recording &recording, run::Run run, const std::vector<std::string> &command,
           const std::function<void()> &prepare) {
  SessionOptions &options = recording.options;
  removeOldTemporaryFiles(options.output);
  const run::RunFile file(options.output, run);
  StatusFile runAround(options.statusFile); // where this one is within a run
  options.statusFile = recording.scratch.path() / "status";
  createStatusFile(options.statusFile);
  const auto start = std::chrono::steady_clock::now();
  const OwnDevice *const device = recording.device;
  Capturing *const capturing = recording.capturing();
  std::string openCl; // that the application has loaded
  const auto watch = [&] {
    if (capturing)
      capturing->advance();
    if (openCl.empty())
      openCl = openClOfChildren();
  };
  RunSoFar soFar(run, file, options);
  const std::function<void()> meanwhile =
      device ? std::function<void()>(watch) : [&] { soFar.write(); };
  const int ended = recording.children.run(
      command, device ? Children::Role::kNative : Children::Role::kApplication, prepare, meanwhile);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  SessionStatus status = reportsOf(options, recording.pending());
  const std::vector<pid_t> survivors = survivorsOf(status, options, recording.pending());
  run.cutOffBy = static_cast<std::uint64_t>(WIFSIGNALED(ended) ? WTERMSIG(ended)
                                                               : recording.children.toldToEndBy());
  const run::Run before = run;
  const auto processes = collect(run, status, options, ended, taken.count());
  for (const pid_t survivor : survivors) {
    status.errors.push_back("process " + std::to_string(survivor) +
                            " of the application still runs: run.json lacks its further launches "
                            "until it has ended");
    run.errors.push_back(status.errors.back());
  }
  keep(run, file, status);
  if (options.targets && survivors.empty() && recording.children.toldToEndBy() == 0)
    addTargetTraffic(recording);
  else if (options.targets && !options.quiet)
    complain("targets are missing: the application " +
             std::string(survivors.empty() ? "was told to end" : "still runs"));
  if (capturing && !survivors.empty())
    capturing->stop();
  if (!survivors.empty() && ::fork() == 0) {
    completeLater(before, file, recording, ended, taken.count());
    throw CompletedLater();
  }
  if (!survivors.empty())
    recording.scratch.leave();
  if (capturing && survivors.empty()) {
    const std::size_t known = run.errors.size();
    capturing->finish();
    capturing->mergeInto(run, processes, file.path());
    status.errors.insert(status.errors.end(),
                         run.errors.begin() + static_cast<std::ptrdiff_t>(known), run.errors.end());
    keep(run, file, status);
  }
  if (device)
    reportTimes(status, run, options, openCl, device->isPreloaded);
  else
    report(status, run, options);
  if (capturing && !options.quiet)
    reportLeft(capturing->left(), !survivors.empty(), options);
  if (capturing && capturing->signal() != 0 && capturing->signal() != SIGINT)
    throw Interrupted{capturing->signal()};
  if (status.profiles > 0)
    runAround.profileWritten(options.output);
  if (ended == 0 && !status.errors.empty())
    return W_EXITCODE(kPluginStatus, 0);
  const bool isEmpty = !device && status.profiles == 0 && !options.allowEmpty;
  return ended == 0 && isEmpty ? W_EXITCODE(kEmptyStatus, 0) : ended;
}

} // namespace aiwc::launcher
