#include "programs.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace aiwc::eod::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

Outcome run(const std::string &application, const std::string &options) {
  const fs::path folder =
      fs::temp_directory_path() / ("eod_command_line." + std::to_string(getpid()));
  fs::create_directory(folder);
  // What the OpenCL loader leaks is not this project's.
  const std::string in =
      "cd '" + folder.string() + "' && ASAN_OPTIONS=detect_leaks=0 OCL_ICD_VENDORS=/nonexistent '";
  const std::string program = EOD_PROGRAMS "/eod-" + application;
  const int code = std::system((in + program + "' " + options + " >out 2>err").c_str());
  Outcome outcome{WIFEXITED(code) ? WEXITSTATUS(code) : -1, contents(folder / "out"),
                  contents(folder / "err")};
  fs::remove_all(folder);
  return outcome;
}

void checkRefused(const std::string &application, std::initializer_list<Refusal> refusals) {
  for (const Refusal &refusal : refusals) {
    const Outcome outcome = run(application, refusal.options);
    INFO("eod-" << application << ' ' << refusal.options << '\n' << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.starts_with("eod-" + application + ": "));
    CHECK_THAT(outcome.err, Catch::Contains(refusal.says));
  }
}

double listed(const std::string &list, const std::string &size, int column) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != size)
      continue;
    for (int i = 0; i < column; ++i)
      words >> word;
    return std::stod(word);
  }
  return -1;
}

} // namespace aiwc::eod::test
