#include "support/simulate.h"

#include "common/error.h"
#include "common/temporary_folder.h"
#include "profile/json.h"
#include "session/option_table.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace aiwc::test {
namespace fs = std::filesystem;

namespace {

/// Far beyond what any simulation of a test takes, under a sanitizer on a loaded machine included.
constexpr unsigned kTimeLimitSeconds = 180;

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(path.string() + ": cannot be read: expected a file");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What the child's environment is changed by. The profiling variables of the test's own
/// environment are not to get in.
std::vector<std::pair<std::string, std::string>>
environment(const SimulationOptions &options, const fs::path &output, const std::string &runtime) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {"LC_ALL", "C"}, // the simulator prints counts with the locale's separators
      {"OCLGRIND_NUM_THREADS", std::to_string(options.threads)},
  };
  std::vector<std::string> preload;
  if (options.plugin) {
    variables.emplace_back("OCLGRIND_PLUGINS", AIWC_TEST_PLUGIN);
    variables.emplace_back("AIWC_OUTPUT", output.string());
    variables.emplace_back("AIWC_QUIET", "1");
    variables.emplace_back("AIWC_INVOCATIONS", "0-"); // each launch has a profile to compare
    variables.emplace_back("AIWC_CACHE", "none");     // the user's is not a test's business
    variables.emplace_back("AIWC_ENGINE", options.compiled ? "compiled" : "interpreter");
    if (options.compiled)
      variables.emplace_back("AIWC_THREADS", std::to_string(options.threads));
    preload.emplace_back(AIWC_TEST_OUR_PRELOAD);
    if (AIWC_TEST_PRELOAD[0] != '\0') {
      // An instrumented plugin in a simulator that is not: the runtime has to come first, and
      // what the simulator leaks, and that it deletes images as other objects, is not ours.
      preload.insert(preload.begin(), AIWC_TEST_PRELOAD);
      variables.emplace_back("ASAN_OPTIONS",
                             "detect_leaks=0:new_delete_type_mismatch=0:exitcode=99");
      variables.emplace_back("TSAN_OPTIONS", "exitcode=99:ignore_noninstrumented_modules=1");
    }
  }
  if (!runtime.empty())
    preload.push_back(runtime);
  std::string list;
  for (const std::string &library : preload)
    list += (list.empty() ? "" : ":") + library;
  if (!list.empty())
    variables.emplace_back("LD_PRELOAD", list);
  variables.insert(variables.end(), options.environment.begin(), options.environment.end());
  return variables;
}

[[noreturn]] void becomeSimulator(const std::vector<std::pair<std::string, std::string>> &variables,
                                  std::vector<char *> arguments, const fs::path &folder,
                                  const fs::path &output, const fs::path &errors) {
  for (const Option &option : kOptions)
    unsetenv(std::string(option.variable).c_str());
  for (const char *name : {"OCLGRIND_PLUGINS", "OCLGRIND_INST_COUNTS", "OCLGRIND_DATA_RACES"})
    unsetenv(name);
  for (const auto &[name, value] : variables)
    setenv(name.c_str(), value.c_str(), 1);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out >= 0 && err >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0 &&
      chdir(folder.c_str()) == 0) {
    alarm(kTimeLimitSeconds); // it outlives the exec: a simulator that hangs dies of SIGALRM
    execv(arguments[0], arguments.data());
  }
  _exit(127);
}

/// `runtime`: of OpenCL, to be loaded before the program; empty where it needs none.
Simulation run(std::vector<std::string> words, const fs::path &folder, const std::string &runtime,
               const SimulationOptions &options) {
  const aiwc::TemporaryFolder temporary("aiwc-simulate");
  const fs::path profiles = temporary.path() / "profiles";
  fs::create_directory(profiles);
  const fs::path output = temporary.path() / "stdout", errors = temporary.path() / "stderr";

  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto variables = environment(options, profiles, runtime);

  const pid_t child = fork();
  if (child < 0)
    throw Error(withReason("cannot start the simulator", errno));
  if (child == 0)
    becomeSimulator(variables, arguments, folder, output, errors);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw Error(withReason("cannot wait for the simulator", errno));

  Simulation result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (result.status == 127)
    throw Error(words[0] + ": cannot be started: expected a program for Oclgrind");
  result.output = contents(output);
  result.errors = contents(errors);
  for (const auto &entry : fs::directory_iterator(profiles)) {
    if (entry.path().extension() != ".json")
      continue;
    WrittenProfile written;
    written.name = entry.path().stem().string();
    written.json = contents(entry.path());
    written.profile = profile::fromJson(written.json, entry.path().string());
    result.profiles.push_back(std::move(written));
  }
  std::sort(result.profiles.begin(), result.profiles.end(),
            [](const auto &a, const auto &b) { return a.name < b.name; });
  return result;
}

} // namespace

Simulation runSimulation(const fs::path &simulationFile, const SimulationOptions &options) {
  const fs::path file = fs::absolute(simulationFile);
  std::vector<std::string> words = {AIWC_TEST_OCLGRIND_KERNEL};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  words.push_back(file.filename().string());
  return run(std::move(words), file.parent_path(), "", options);
}

Simulation runApplication(std::vector<std::string> words, const fs::path &folder,
                          const SimulationOptions &options) {
  return run(std::move(words), folder, AIWC_TEST_OCLGRIND_RUNTIME, options);
}

std::vector<profile::KernelProfile> simulate(const fs::path &simulationFile,
                                             const SimulationOptions &options) {
  Simulation simulation = runSimulation(simulationFile, options);
  if (simulation.status != 0)
    throw Error(simulationFile.string() + ": the simulator ended with status " +
                std::to_string(simulation.status) + ": expected 0: " + simulation.errors);
  std::vector<profile::KernelProfile> profiles;
  for (WrittenProfile &written : simulation.profiles)
    profiles.push_back(std::move(written.profile));
  return profiles;
}

std::vector<double> dumpedBuffer(const Simulation &simulation, const std::string &argument) {
  std::vector<double> values;
  std::istringstream lines(simulation.output);
  const std::string start = "  " + argument + "[";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start))
      values.push_back(std::strtod(line.c_str() + line.find('=') + 1, nullptr));
  return values;
}

} // namespace aiwc::test
