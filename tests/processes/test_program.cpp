#include "processes/program.h"
#include "support/files.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace aiwc;
using processes::ChildProgram;

namespace {

ChildProgram shell(const std::string &text) {
  return {.words = {"sh", "-c", text}, .failure = "sh cannot be run"};
}

} // namespace

TEST_CASE("a program is looked up in PATH, and its status is that of waitpid") {
  CHECK(processes::run(shell("exit 0")) == 0);
  const int ended = processes::run(shell("exit 7"));
  REQUIRE(WIFEXITED(ended));
  CHECK(WEXITSTATUS(ended) == 7);
  const int killed = processes::run(shell("kill -9 $$"));
  REQUIRE(WIFSIGNALED(killed));
  CHECK(WTERMSIG(killed) == 9);
}

TEST_CASE("a word for a shell is what the shell reads") {
  CHECK(processes::shellWord("a/b-c.d") == "a/b-c.d");
  for (const std::string word : {"", "a b", "it's", "$HOME", "*", "'\\''"}) {
    INFO(word);
    const test::TemporaryFolder folder;
    ChildProgram program = shell("printf %s " + processes::shellWord(word));
    program.output = (folder / "out").string();
    CHECK(processes::run(program) == 0);
    CHECK(test::contents(folder / "out") == word);
  }
}

TEST_CASE("files take the place of the standard streams") {
  const test::TemporaryFolder folder;
  test::write(folder / "input", "words");
  ChildProgram program = shell("cat; echo ' of errors' >&2");
  program.input = folder / "input";
  program.output = folder / "output";
  SECTION("a file each") {
    program.errors = folder / "errors";
    REQUIRE(processes::run(program) == 0);
    CHECK(test::contents(program.output) == "words");
    CHECK(test::contents(program.errors) == " of errors\n");
  }
  SECTION("one file for output and errors, in their order") {
    program.errors = program.output;
    REQUIRE(processes::run(program) == 0);
    CHECK(test::contents(program.output) == "words of errors\n");
  }
}

TEST_CASE("a program runs in its folder with its environment, in a group of its own") {
  const test::TemporaryFolder folder;
  ChildProgram program = shell("pwd; echo \"$A$HOME\"");
  program.output = folder / "output";
  program.folder = folder.path();
  program.environment = {"A=value", "PATH=/usr/bin:/bin"};
  program.startsGroup = true;
  const pid_t child = processes::start(program);
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(getpgid(child) == child);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(test::contents(program.output) ==
        std::filesystem::canonical(folder.path()).string() + "\nvalue\n");
}

TEST_CASE("a program that cannot be started is an error with the system's reason") {
  CHECK(test::errorOf([] {
          processes::run({.words = {"/does/not/exist"}, .failure = "it cannot be run"});
        }) == "it cannot be run: No such file or directory");
}
