#include "process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>

namespace aiwc::test {

Outcome runAiwc(const std::vector<std::string> &arguments, const Setting &setting) {
  const TemporaryFolder captured;
  const std::string out = setting.out.empty() ? (captured / "out").string() : setting.out;
  const std::string err = (captured / "err").string();
  std::vector<std::string> words = {setting.command.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto redirect = [](const std::string &path, int to) {
      return dup2(open(path.c_str(), O_WRONLY | O_CREAT, 0600), to) == to;
    };
    if (!setting.in.empty())
      dup2(open(setting.in.c_str(), O_RDONLY), STDIN_FILENO);
    if (redirect(out, STDOUT_FILENO) && redirect(err, STDERR_FILENO) &&
        (setting.folder.empty() || chdir(setting.folder.c_str()) == 0))
      execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = setting.out.empty() ? contents(out) : "";
  outcome.err = contents(err);
  return outcome;
}

std::string refusal(const std::vector<std::string> &arguments, const Setting &setting) {
  const Outcome outcome = runAiwc(arguments, setting);
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK(outcome.err.ends_with('\n'));
  return outcome.err.substr(0, outcome.err.find('\n'));
}

profile::KernelProfile sample(const std::string &kernel, uint64_t invocation) {
  profile::KernelProfile profile;
  profile.provenance.kernel = kernel;
  profile.provenance.invocation = invocation;
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {64, 1, 1};
  profile.provenance.localSize = {8, 1, 1};
  profile.provenance.engine = "interpreter";
  profile.setCount("work_items"_metric, 64);
  profile.setCount("total_instruction_count"_metric, 6400);
  profile.setReal("granularity"_metric, 1.0 / 64);
  profile.histograms.opcodes = {{"load", 64}};
  return profile;
}

OnlyDevicesOf::OnlyDevicesOf(const std::filesystem::path &folder) {
  setenv("AIWC_DEVICES", folder.c_str(), 1);
}

OnlyDevicesOf::~OnlyDevicesOf() {
  unsetenv("AIWC_DEVICES");
}

} // namespace aiwc::test
