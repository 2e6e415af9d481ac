#include "process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace aiwc::test {

Folder::Folder() {
  // The blank is there on purpose: every path of every test has one.
  std::string name = (fs::temp_directory_path() / "aiwc test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Process::Process(const Command &command, Terminal terminal) {
  std::string screen;
  if (terminal == Terminal::kOwn) {
    keyboard_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(keyboard_ >= 0);
    REQUIRE(::grantpt(keyboard_) == 0);
    REQUIRE(::unlockpt(keyboard_) == 0);
    screen = ::ptsname(keyboard_);
  }
  const std::string out = captured_ / "out";
  const std::string err = captured_ / "err";
  std::vector<std::string> settings;
  for (const auto &[name, value] : command.environment)
    settings.push_back(name + "=" + value);
  std::vector<char *> words;
  for (const std::string &word : command.words)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  std::vector<char *> environment;
  for (const std::string &setting : settings)
    environment.push_back(const_cast<char *>(setting.c_str()));
  environment.push_back(nullptr);
  child_ = ::fork();
  REQUIRE(child_ >= 0);
  if (child_ > 0)
    return;
  ::setsid();
  if (terminal == Terminal::kOwn) // the first terminal a session leader opens is its own
    ::dup2(::open(screen.c_str(), O_RDWR), STDIN_FILENO);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
  if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0)
    ::_exit(126);
  ::execve(words.front(), words.data(), environment.data());
  ::_exit(127);
}

Process::~Process() {
  if (!ended_) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  if (keyboard_ >= 0)
    ::close(keyboard_);
}

void Process::type(const std::string &keys) const {
  REQUIRE(::write(keyboard_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

Outcome Process::wait() {
  int status = 0;
  REQUIRE(::waitpid(child_, &status, 0) == child_);
  ended_ = true;
  Outcome outcome;
  if (WIFEXITED(status))
    outcome.status = WEXITSTATUS(status);
  else
    outcome.signal = WTERMSIG(status);
  outcome.out = contents(captured_ / "out");
  outcome.err = contents(captured_ / "err");
  return outcome;
}

Outcome run(const Command &command) {
  return Process(command).wait();
}

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const fs::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  REQUIRE(file.good());
}

void writeScript(const fs::path &path, const std::string &text) {
  write(path, "#!/bin/sh\n" + text);
  fs::permissions(path, fs::perms::owner_all);
}

void awaitText(const fs::path &path, const std::string &text) {
  using namespace std::chrono_literals;
  for (int tries = 0; tries < 6000; ++tries) {
    if (contents(path).find(text) != std::string::npos)
      return;
    std::this_thread::sleep_for(10ms);
  }
  FAIL("'" << text << "' never appeared in " << path << ", which holds:\n" << contents(path));
}

} // namespace aiwc::test
