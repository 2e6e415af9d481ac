#include "launcher/record.h"

#include "common/error.h"
#include "common/version.h"

#include <sys/wait.h>

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace aiwc::launcher {

run::Run begun(const Arguments &arguments) {
  run::Run run;
  run.command = arguments.application;
  for (const GivenOption &given : arguments.ours) {
    run.options.emplace_back(given.option->flag);
    if (given.option->takesArgument())
      run.options.push_back(given.text);
  }
  run.options.insert(run.options.end(), arguments.stockOptions.begin(),
                     arguments.stockOptions.end());
  std::error_code failed;
  run.folder = std::filesystem::current_path(failed).string();
  run.started = run::timestamp();
  run.toolVersion = kVersion;
  run.oclgrindVersion = AIWC_OCLGRIND_VERSION;
  return run;
}

void complete(run::Run &run, const SessionStatus &status, int ended, int toldToEndBy,
              double seconds) {
  run.seconds = seconds;
  run.status =
      static_cast<uint64_t>(WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended));
  run.cutOffBy = static_cast<uint64_t>(WIFSIGNALED(ended) ? WTERMSIG(ended) : toldToEndBy);
  run.errors = status.errors;
  std::map<uint64_t, uint64_t> processes; // id -> number
  for (const std::string &text : status.launches) {
    run::Launch launch;
    try {
      launch = run::launchOf(text, "a launch");
    } catch (const Error &error) { // its process died while it wrote
      run.errors.emplace_back(error.what());
      continue;
    }
    if (const auto reads =
            status.hostReads.find({static_cast<pid_t>(launch.process), launch.number});
        reads != status.hostReads.end())
      launch.deviceToHost = {reads->second.bytes, reads->second.transfers};
    launch.process = processes.try_emplace(launch.process, processes.size()).first->second;
    run.launches.push_back(std::move(launch));
  }
}

} // namespace aiwc::launcher
