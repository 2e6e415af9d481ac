// The launcher `oclgrind`: the stock Oclgrind with our options. Without one of them it only runs
// the stock program.

#include "attach/capture_memory.h"
#include "attach/pending_reports.h"
#include "common/error.h"
#include "common/file.h"
#include "common/signals.h"
#include "common/version.h"
#include "launcher/arguments.h"
#include "launcher/captured.h"
#include "launcher/child.h"
#include "launcher/energy.h"
#include "launcher/locate.h"
#include "launcher/opencl_use.h"
#include "launcher/preflight.h"
#include "launcher/record.h"
#include "launcher/report.h"
#include "predict/device_library.h"
#include "predict/opencl_device.h"
#include "run/folder.h"
#include "session/status.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kPluginStatus = 3;

constexpr std::string_view kOutputFlag = "--aiwc-output";
const char *const kOutputVariable = "AIWC_OUTPUT";

// Bytes reserved for the reports of a run, so that a disk which fills up later can still take them.
constexpr off_t kStatusFileBytes = 1 << 20;

// What captures of an application's launches may take in memory, or a share of what is available.
constexpr std::uint64_t kMostCapturedBytes = std::uint64_t{2} << 30;
constexpr std::uint64_t kPartOfMemory = 4;

std::vector<std::string> stockCommand(const Stock &stock, const Arguments &arguments) {
  std::vector<std::string> command = {stock.program.string()};
  command.insert(command.end(), arguments.stockOptions.begin(), arguments.stockOptions.end());
  command.insert(command.end(), arguments.application.begin(), arguments.application.end());
  return command;
}

bool isGiven(const Arguments &arguments, std::string_view flag) {
  return std::ranges::any_of(arguments.ours,
                             [&](const GivenOption &given) { return given.option->flag == flag; });
}

SessionOptions sessionOptions(const Arguments &arguments) {
  SessionOptions options = optionsFromEnvironment();
  for (const GivenOption &given : arguments.ours)
    readOption(*given.option, given.text, given.option->flag, options);
  options.plugin = findPlugin();
  if (!std::getenv(kOutputVariable) && !isGiven(arguments, kOutputFlag))
    options.output = run::newFolderFor(absolutePath("."), arguments.application.front());
  // Within a run of ours, the output folder is that run's.
  options.append = options.append || (std::getenv(kOutputVariable) && !options.statusFile.empty());
  return options;
}

// The plugins: ours, then those of the command line, then those of the environment, each once,
// because a plugin that is loaded twice gets every callback twice.
std::string pluginList(const SessionOptions &options, const Arguments &arguments) {
  std::vector<std::string> lists = arguments.plugins;
  if (const char *inherited = std::getenv("OCLGRIND_PLUGINS"))
    lists.emplace_back(inherited);
  std::vector<std::string> plugins = {options.plugin.string()};
  for (const std::string &list : lists)
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      const std::string plugin = list.substr(begin, end - begin);
      begin = end + 1;
      std::error_code error;
      bool known = plugin.empty() || fs::equivalent(plugin, options.plugin, error);
      for (const std::string &other : plugins)
        known |= other == plugin;
      if (!known)
        plugins.push_back(plugin);
    }
  std::string joined = plugins.front();
  for (std::size_t i = 1; i < plugins.size(); ++i)
    joined += ":" + plugins[i];
  return joined;
}

// Adds a library of ours to a list of libraries in the environment, after the user's. Blanks and
// colons separate names: if the path of our library contains one, a link without them replaces it.
void addLibrary(const char *variable, fs::path library, const PrivateFolder &scratch) {
  if (library.string().find_first_of(" :") != std::string::npos) {
    const fs::path link = scratch.path() / library.filename();
    if (!fs::exists(link))
      fs::create_symlink(library, link);
    library = link;
  }
  const char *inherited = std::getenv(variable);
  const std::string list = inherited && *inherited ? std::string(inherited) + ":" : "";
  ::setenv(variable, (list + library.string()).c_str(), 1);
}

void createStatusFile(const fs::path &path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    throw Error("cannot create the temporary file '" + path.string() + "'");
  // Some file systems cannot reserve space; then a full disk may lose a report. The limit on the
  // size of files may be lower; then a signal would end the launcher.
  const WriteSignalsHeld held;
  [[maybe_unused]] const int unreserved =
      ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, kStatusFileBytes);
  if (::geteuid() == 0) // as the folder's: nobody else knows the path
    ::fchmod(file, 0622);
  ::close(file);
}

std::vector<pid_t> runningOf(const std::vector<pid_t> &processes) {
  std::vector<pid_t> running;
  std::ranges::copy_if(processes, std::back_inserter(running), isRunning);
  return running;
}

// Makes `link` a symbolic link to `target`, in the place of an older one.
void linkTo(const fs::path &link, const fs::path &target) {
  const fs::path made = link.string() + ".new";
  fs::create_symlink(target, made);
  fs::rename(made, link);
}

// What processes of the application have not come to report. They reach the memory by a link in the
// launcher's folder, because another process may hold it later.
class PendingLaunches {
public:
  explicit PendingLaunches(const PrivateFolder &scratch)
      : link_(scratch.path() / "reports-memory") {
    hold();
  }
  const fs::path &path() const { return link_; }
  // The application reaches the memory by this process, from now on.
  void hold() const { linkTo(link_, memory_.path()); }
  std::vector<std::string> read() const { return memory_.pending(); }

private:
  attach::ReportMemory memory_;
  fs::path link_;
};

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

// The device that the application sees. Throws Error for an id that the library does not have.
predict::OpenClDevice chosenDevice(const SessionOptions &options) {
  if (options.device.empty())
    return predict::genericGpu();
  const char *const given = std::getenv("AIWC_DEVICES");
  const fs::path installed = findDevices();
  const bool areOthers = (given && *given) || !fs::is_directory(installed);
  const predict::DeviceLibrary library(areOthers ? predict::deviceFolders()
                                                 : std::vector<fs::path>{installed});
  return predict::openClDeviceOf(library[options.device]);
}

// Half of this machine's memory: the simulated device has its buffers there.
std::uint64_t mostDeviceMemory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

// The bytes of memory that can be had without swapping.
std::uint64_t availableMemory() {
  constexpr std::uint64_t kUnit = 1024;
  std::istringstream words(readFileIfAny("/proc/meminfo").value_or(""));
  std::uint64_t available = kMostCapturedBytes * kPartOfMemory / kUnit;
  for (std::string word; words >> word;)
    if (word == "MemAvailable:")
      words >> available;
  std::uint64_t most = 0, used = 0; // of a container
  if (std::istringstream(readFileIfAny("/sys/fs/cgroup/memory.max").value_or("")) >> most &&
      std::istringstream(readFileIfAny("/sys/fs/cgroup/memory.current").value_or("")) >> used)
    available = std::min(available, (most - std::min(most, used)) / kUnit);
  return available * kUnit;
}

// Describes the device to the preloaded library and to Oclgrind, whose limits the user may have set
// in the environment; options of the command line replace these later.
void showDevice(predict::OpenClDevice device) {
  if (device.memoryBytes)
    device.memoryBytes = std::min(*device.memoryBytes, mostDeviceMemory());
  const auto limit = [](const char *variable, std::uint64_t value) {
    ::setenv(variable, std::to_string(value).c_str(), 0);
  };
  limit("OCLGRIND_COMPUTE_UNITS", device.computeUnits);
  limit("OCLGRIND_LOCAL_MEM_SIZE", device.localBytes);
  limit("OCLGRIND_MAX_WGSIZE", device.workGroupItems);
  ::setenv("AIWC_DEVICE", device.text().c_str(), 1);
  ::setenv("AIWC_DEVICE_NAME", device.name.c_str(), 1);
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

// What captures of a run come to.
class Capturing {
public:
  Capturing(const Arguments &arguments, const SessionOptions &options, Children &children,
            const PrivateFolder &scratch)
      : options_(options), children_(children), waits_(!arguments.noWait),
        memory_(std::min(kMostCapturedBytes, availableMemory() / kPartOfMemory)),
        link_(scratch.path() / "captures-memory"),
        jobs_(options_, children, scratch.path(), &memory_) {
    hold();
  }

  attach::Budget budget(double share) const { return {share, memory_.bytes(), link_}; }
  // The application reaches the memory by this process, from now on.
  void hold() const { linkTo(link_, memory_.path()); }

  // While the application runs.
  void advance() {
    if (failure_.empty())
      guarded([&] { jobs_.advance(); });
  }
  void stop() {
    guarded([&] { jobs_.stop(); });
  }
  // After its end: runs what is left, unless the user does not want to wait.
  void finish() {
    if (!waits_ || !failure_.empty())
      stop();
    else
      guarded([&] {
        jobs_.advance();
        if (const std::size_t left = jobs_.atWork(); left > 0 && !options_.quiet)
          complain("the application has ended; characterising " + std::to_string(left) +
                   (left == 1 ? " captured launch" : " captured launches"));
        signal_ = characteriseCaptures(jobs_, children_, options_.quiet);
      });
  }
  // Adds the profiles to the run, and keeps the captures that are left.
  void mergeInto(run::Run &run, const Processes &processes, const fs::path &file) {
    jobs_.unpackAll();
    mergeProfiles(run, processes, jobs_);
    guarded([&] { left_ = keepCaptures(jobs_, processes, options_, file); });
    if (!failure_.empty())
      run.errors.push_back("captured launches were not characterised: " + failure_);
  }

  std::size_t left() const { return left_; }
  // The signal that ended the waiting, or 0.
  int signal() const { return signal_; }

private:
  template <typename Work> void guarded(const Work &work) {
    try {
      work();
    } catch (const std::exception &error) {
      failure_ = error.what();
    }
  }

  const SessionOptions &options_;
  Children &children_;
  bool waits_;
  attach::CaptureMemory memory_;
  fs::path link_;
  CaptureJobs jobs_;
  std::string failure_;
  std::size_t left_ = 0;
  int signal_ = 0;
};

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

// Where a run is recorded.
struct Recording {
  const Arguments &arguments;
  SessionOptions &options;
  Children &children;
  PrivateFolder &scratch;
  Capturing *capturing = nullptr;     ///< null: no launches are captured
  PendingLaunches *pending = nullptr; ///< null: processes keep none
};

// In a process of its own: waits until the application's last process has ended, and completes the
// file of the run.
void completeLater(run::Run run, const run::RunFile &file, const Recording &recording, int ended,
                   double seconds) {
  const SessionOptions &options = recording.options;
  Capturing *const capturing = recording.capturing;
  ::setsid();
  if (const int nothing = ::open("/dev/null", O_RDWR); nothing >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(nothing, standard);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (capturing)
    capturing->hold();
  if (recording.pending)
    recording.pending->hold();
  SessionStatus status = reportsOf(options, recording.pending);
  while (!runningOf(status.writers).empty()) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    status = reportsOf(options, recording.pending);
  }
  const auto processes = collect(run, status, options, ended, seconds);
  if (capturing)
    capturing->mergeInto(run, processes, file.path());
  keep(run, file, status);
}

// Runs `command`, after `prepare` in its process, and writes what its processes report to the file
// of the run. Returns how the application ended, as a waitpid(2) status.
int record(const Recording &recording, run::Run run, const std::vector<std::string> &command,
           const std::function<void()> &prepare) {
  SessionOptions &options = recording.options;
  removeOldTemporaryFiles(options.output);
  const run::RunFile file(options.output, run);
  options.statusFile = recording.scratch.path() / "status";
  createStatusFile(options.statusFile);
  const auto start = std::chrono::steady_clock::now();
  Capturing *const capturing = recording.capturing;
  std::string openCl; // that the application has loaded
  std::optional<Energy> energy;
  if (recording.arguments.time)
    energy.emplace();
  const auto watch = [&] {
    energy->soFar();
    if (capturing)
      capturing->advance();
    if (openCl.empty())
      openCl = openClOfChildren();
  };
  RunSoFar soFar(run, file, options);
  const std::function<void()> meanwhile =
      recording.arguments.time ? std::function<void()>(watch) : [&] { soFar.write(); };
  const int ended = recording.children.run(
      command, recording.arguments.time ? Children::Role::kNative : Children::Role::kApplication,
      prepare, meanwhile);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (energy)
    run.energy = energy->soFar();
  SessionStatus status = reportsOf(options, recording.pending);
  const std::vector<pid_t> survivors = survivorsOf(status, options, recording.pending);
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
  if (capturing && !survivors.empty())
    capturing->stop();
  if (!survivors.empty() && ::fork() == 0) {
    completeLater(before, file, recording, ended, taken.count());
    return 0;
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
  if (recording.arguments.time)
    reportTimes(status, run, options, openCl, recording.arguments.preload);
  else
    report(status, run, options);
  if (capturing && !options.quiet)
    reportLeft(capturing->left(), !survivors.empty(), options);
  if (capturing && capturing->signal() != 0 && capturing->signal() != SIGINT)
    throw Interrupted{capturing->signal()};
  return ended == 0 && !status.errors.empty() ? W_EXITCODE(kPluginStatus, 0) : ended;
}

// Runs the application in the simulator. Returns as `record`.
int characterise(const Arguments &arguments) {
  if (arguments.application.empty())
    throw Error("no application to characterise: expected oclgrind --aiwc [OPTIONS] COMMAND");
  checkApplication(arguments.application.front());
  SessionOptions options = sessionOptions(arguments);
  const predict::OpenClDevice device = chosenDevice(options);
  checkOutput(options.output, options.append);
  const Stock stock = findStock();

  Children children; // outlives the folder, so that a signal cannot leave the folder undeleted
  PrivateFolder scratch;
  checkVersion(stock, children, scratch);
  checkPlugin(stock, options, children, scratch);
  const bool hasPreload = fs::exists(findPreload(options.plugin));
  if (options.engine == EngineChoice::kCompiled && !hasPreload)
    throw Error("'" + findPreload(options.plugin).string() +
                "' does not exist: expected the library of the compiled engine beside the plugin");

  run::Run run = begun(arguments);
  if (hasPreload)
    run.answeredAs = {device.id, std::string(predict::openClType(device.type))};
  const std::string plugins = pluginList(options, arguments);
  return record({arguments, options, children, scratch}, std::move(run),
                stockCommand(stock, arguments), [&] {
                  markScript(stock);
                  setEnvironment(options);
                  ::setenv("OCLGRIND_PLUGINS", plugins.c_str(), 1);
                  if (hasPreload) {
                    // Stock Oclgrind puts its runtime before all of them.
                    addLibrary("LD_PRELOAD", findPreload(options.plugin), scratch);
                    showDevice(device);
                  }
                  // Its second build would be from a binary.
                  ::setenv("PYOPENCL_NO_CACHE", "1", 0);
                  const char *threads = std::getenv("OCLGRIND_NUM_THREADS");
                  // With more, Oclgrind 21.10 sometimes corrupts its heap.
                  if (!threads || !*threads)
                    ::setenv("OCLGRIND_NUM_THREADS", "1", 1);
                });
}

// Runs the application on its own device, and measures times. Returns as `record`.
int measure(const Arguments &arguments) {
  if (arguments.application.empty())
    throw Error("no application to measure: expected aiwc time [OPTIONS] -- COMMAND");
  checkApplication(arguments.application.front());
  SessionOptions options = sessionOptions(arguments);
  checkOutput(options.output, options.append);
  const fs::path library = findLayer();
  if (!fs::exists(library))
    throw PluginError("'" + library.string() +
                      "' does not exist: expected the layer of aiwc time "
                      "there");
  Children children;
  PrivateFolder scratch;
  run::Run run = begun(arguments);
  std::vector<std::string> command = arguments.application;
  command.front() = applicationPath(command.front()).string();
  std::optional<Capturing> capturing;
  if (arguments.captureShare)
    capturing.emplace(arguments, options, children, scratch);
  std::optional<PendingLaunches> pending;
  try {
    pending.emplace(scratch);
  } catch (const Error &) { // a killed process then takes its last launches along
  }
  const Recording recording{arguments,
                            options,
                            children,
                            scratch,
                            capturing ? &*capturing : nullptr,
                            pending ? &*pending : nullptr};
  return record(recording, std::move(run), command, [&] {
    setEnvironment(options);
    addLibrary("OPENCL_LAYERS", library, scratch);
    if (arguments.preload)
      addLibrary("LD_PRELOAD", library, scratch);
    if (pending)
      ::setenv(attach::kReportsVariable, pending->path().c_str(), 1);
    else
      ::unsetenv(attach::kReportsVariable);
    if (capturing)
      ::setenv(attach::kBudgetVariable,
               attach::budgetText(capturing->budget(*arguments.captureShare)).c_str(), 1);
    else
      ::unsetenv(attach::kBudgetVariable);
    ::setenv("PYOPENCL_NO_CACHE", "1", 0); // its second build would be from a binary
  });
}

// Goes on with the captures that are left of runs in a folder. Returns as `record`.
int resume(const Arguments &arguments) {
  SessionOptions options = optionsFromEnvironment();
  for (const GivenOption &given : arguments.ours)
    readOption(*given.option, given.text, given.option->flag, options);
  options.output = absolutePath(arguments.resumed);
  const std::vector<LeftCaptures> runs = leftIn(options.output);
  Children children;
  const PrivateFolder scratch;
  std::size_t left = 0;
  int signal = 0;
  SessionStatus status;
  status.loaded = true;
  for (const LeftCaptures &ofRun : runs) {
    run::Run run = run::readRun(ofRun.file);
    CaptureJobs jobs(options, children, scratch.path(), nullptr);
    addCaptures(ofRun, options.output, jobs);
    if (signal == 0)
      signal = characteriseCaptures(jobs, children, options.quiet);
    mergeProfiles(run, ofRun.processes, jobs);
    left += keepCaptures(jobs, ofRun.processes, options, ofRun.file);
    replaceFile(ofRun.file, toJson(run));
    status.errors = run.errors;
    reportTimes(status, run, options);
  }
  if (!options.quiet)
    reportLeft(left, false, options);
  if (signal != 0)
    throw Interrupted{signal};
  return left > 0 ? W_EXITCODE(kPluginStatus, 0) : 0;
}

// Prints the stock help or version, then ours. Returns the exit status.
int describe(const Arguments &arguments) {
  const Stock stock = findStock();
  int ended = 0;
  {
    Children children;
    ended = children.run(stockCommand(stock, arguments), Children::Role::kApplication,
                         [&] { markScript(stock); });
  }
  if (ended == 0) {
    if (arguments.help)
      std::fputs(helpText().c_str(), stdout);
    else
      std::printf("aiwc %s (for Oclgrind %s)\n", kVersion, AIWC_OCLGRIND_VERSION);
  }
  return ended;
}

int run(int argc, char **argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const Arguments arguments = parseArguments(words);
  if (arguments.help || arguments.version)
    return describe(arguments);
  if (!arguments.resumed.empty())
    return resume(arguments);
  if (arguments.time)
    return measure(arguments);
  if (arguments.characterise && !calledBack())
    return characterise(arguments);
  const Stock stock = findStock();
  std::vector<std::string> command = {stock.program.string()};
  if (arguments.characterise) // the launcher that ran the script does the rest
    command = stockCommand(stock, arguments);
  else
    command.insert(command.end(), words.begin(), words.end());
  markScript(stock);
  replaceBy(command);
}

} // namespace
} // namespace aiwc::launcher

int main(int argc, char **argv) {
  using namespace aiwc::launcher;
  if (std::getenv(aiwc::kStartedByAiwc)) {
    nameOptionsAsAiwc();
    ::unsetenv(aiwc::kStartedByAiwc); // a launcher that the application starts is its own
  }
  int ended = 0;
  try {
    ended = run(argc, argv);
  } catch (const Interrupted &interrupted) {
    dieOf(interrupted.signal);
  } catch (const PluginError &error) {
    complain(error.what());
    return kPluginStatus;
  } catch (const ApplicationError &error) {
    complain(error.what());
    return error.status();
  } catch (const std::exception &error) {
    complain(error.what());
    return kUsageStatus;
  }
  endLike(ended);
}
