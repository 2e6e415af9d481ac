#include "launcher/session.h"

#include "common/close_words.h"
#include "common/error.h"
#include "common/version.h"
#include "launcher/locate.h"
#include "run/folder.h"
#include "run/launch_texts.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace aiwc::launcher {

namespace {

// Throws Error for a variable of the environment whose name is nearly that of an option.
void refuseMisspelt() {
  constexpr std::string_view kOurs = "AIWC_";
  std::vector<std::string> names;
  names.reserve(kOptions.size());
  for (const Option &option : kOptions)
    names.emplace_back(option.variable.substr(kOurs.size()));
  for (char **one = environ; *one; ++one) {
    const std::string variable(*one, std::strcspn(*one, "="));
    const std::string name = variable.starts_with(kOurs) ? variable.substr(kOurs.size()) : "";
    if (const std::string meant = closestWord(name, names);
        meant != name && !meant.empty() && meant.front() == name.front())
      throw Error(fmt::format("{} is no variable of aiwc: did you mean AIWC_{}?", variable, meant));
  }
}

} // namespace

SessionOptions sessionOptions(const GivenOptions &given) {
  refuseMisspelt();
  SessionOptions options = optionsFromEnvironment();
  for (const GivenOption &one : given)
    readOption(*one.option, one.text, one.option->flag, options);
  return options;
}

SessionOptions optionsOfRun(const GivenOptions &given,
                            const std::vector<std::string> &application) {
  const bool isOutputInEnvironment = std::getenv("AIWC_OUTPUT") != nullptr;
  SessionOptions options = sessionOptions(given);
  options.plugin = findPlugin();
  if (!isOutputInEnvironment && !givenOption(given, "--aiwc-output"))
    options.output = run::newFolderFor(absolutePath("."), application.front());
  // Within a run of ours, the output folder is that run's.
  options.append = options.append || (isOutputInEnvironment && !options.statusFile.empty());
  return options;
}

void addLibrary(const char *variable, fs::path library, const PrivateFolder &scratch) {
  // Blanks and colons separate names: if the path contains one, a link without them replaces it.
  if (library.string().find_first_of(" :") != std::string::npos)
    library = scratch.link(library.filename(), library);
  const char *inherited = std::getenv(variable);
  const std::string list = inherited && *inherited ? std::string(inherited) + ":" : "";
  ::setenv(variable, (list + library.string()).c_str(), 1);
}

run::Run begun(const std::vector<std::string> &application, const GivenOptions &options,
               const std::vector<std::string> &stockOptions) {
  run::Run run;
  run.command = application;
  run.options = wordsOf(options);
  run.options.insert(run.options.end(), stockOptions.begin(), stockOptions.end());
  std::error_code failed;
  run.folder = std::filesystem::current_path(failed).string();
  run.started = run::timestamp();
  run.toolVersion = kVersion;
  run.oclgrindVersion = AIWC_OCLGRIND_VERSION;
  return run;
}

namespace {

/// Each process numbers its launches without gaps.
void addGaps(const std::set<std::pair<uint64_t, uint64_t>> &launches,
             std::vector<std::string> &errors) {
  uint64_t missing = 0;
  for (auto launch = launches.begin(); launch != launches.end(); ++launch) {
    const auto next = std::next(launch);
    if (next != launches.end() && next->first == launch->first)
      missing += next->second - launch->second - 1;
  }
  if (missing > 0)
    errors.push_back(std::to_string(missing) + (missing == 1 ? " launch was" : " launches were") +
                     " not reported by the application's processes: run.json lacks " +
                     (missing == 1 ? "it" : "them"));
}

} // namespace

std::map<uint64_t, uint64_t> complete(run::Run &run, SessionStatus &status, int ended,
                                      double seconds) {
  run.seconds = seconds;
  run.status =
      static_cast<uint64_t>(WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended));
  std::map<uint64_t, uint64_t> processes;          // id -> number
  std::set<std::pair<uint64_t, uint64_t>> numbers; // of processes and launches
  std::unordered_set<std::string_view> seen;
  run::FullLaunches earlier;
  run.asked.assign(status.asked.begin(), status.asked.end());
  const auto add = [&](const std::string &text, bool isPending) {
    run::Launch launch;
    try {
      launch = run::launchOf(text, "a launch", earlier);
    } catch (const Error &error) {
      if (text.ends_with('}')) // or it was cut, and its process has reported it again
        status.errors.emplace_back(error.what());
      return;
    }
    if (!seen.insert(text).second) // reported again
      return;
    if (!numbers.emplace(launch.process, launch.number).second && isPending)
      return; // its process did come to report it
    if (const auto reads =
            status.hostReads.find({static_cast<pid_t>(launch.process), launch.number});
        reads != status.hostReads.end())
      launch.deviceToHost = {reads->second.bytes, reads->second.transfers};
    launch.process = processes.try_emplace(launch.process, processes.size()).first->second;
    run.launches.push_back(std::move(launch));
  };
  for (const std::string &text : status.launches)
    add(text, false);
  for (const std::string &text : status.pending)
    add(text, true);
  run::markFirstLaunches(run);
  addGaps(numbers, status.errors);
  run.errors = status.errors;
  return processes;
}

} // namespace aiwc::launcher
