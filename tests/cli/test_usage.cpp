#include "common/version.h"
#include "process.h"
#include "profile/json.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

using namespace aiwc::test;
using Catch::Matchers::Contains;

TEST_CASE("aiwc --version and --help answer and succeed") {
  CHECK(runAiwc({"--version"}).out == runAiwc({"-V"}).out);
  CHECK(runAiwc({"-V"}).out == std::string("aiwc ") + aiwc::kVersion + "\n");
  const Outcome help = runAiwc({"--help"});
  CHECK(help.status == 0);
  for (const char *subcommand : {"run", "show", "diff", "report", "devices", "predict", "split"}) {
    CHECK_THAT(help.out, Contains(std::string("  ") + subcommand + " "));
    CHECK(runAiwc({subcommand, "--help"}).status == 0);
  }
}

TEST_CASE("bad usage is one line that names the argument and where help is") {
  CHECK(refusal({}) == "aiwc: A subcommand is required: see aiwc --help");
  CHECK_THAT(refusal({"--verbose"}), Contains("--verbose"));
  CHECK(refusal({"show"}) == "aiwc show: RUN is required: see aiwc show --help");
  CHECK_THAT(refusal({"show", "--xml", "p.json"}), Contains("--xml"));
  CHECK_THAT(refusal({"show", "--json", "--csv", "p.json"}), Contains("--json excludes --csv"));
  CHECK_THAT(refusal({"devices", "list", "extra"}), Contains("extra"));
  CHECK_THAT(refusal({"a\nb\x1b[1m"}), Contains("a\\x0ab\\x1b[1m"));
}

TEST_CASE("a reader that goes away is nothing to talk about") {
  // Both with SIGPIPE as it is by default and ignored, as some parents leave it.
  for (const bool ignored : {false, true}) {
    const TemporaryFolder folder;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]); // nobody reads
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGPIPE, ignored ? SIG_IGN : SIG_DFL);
      dup2(ends[1], STDOUT_FILENO);
      if (std::freopen((folder / "err").c_str(), "w", stderr))
        execl(AIWC_COMMAND, AIWC_COMMAND, "show", "--metrics", nullptr);
      _exit(127);
    }
    close(ends[1]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (ignored)
      CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGPIPE));
    else
      CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE));
    CHECK(contents(folder / "err").empty());
  }
}

TEST_CASE("a full disk behind standard output is an error") {
  CHECK(refusal({"show", "--metrics"}, {.out = "/dev/full"}) ==
        "aiwc: standard output cannot be written: No space left on device");
}
