// Limits on files and descriptors, and standard error in other hands: what we write neither ends an
// application nor goes where it does not belong.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

/// The last group of the last launches fails where three threads analyse what three before have
/// done.
const Words kThreads = {"--aiwc-engine=compiled", "--aiwc-threads=3"};

/// The launcher in a folder of its own, whose words `change` may put others around.
struct Session {
  explicit Session(const std::string &mode, Words options = kThreads)
      : command(launch({application("limits"), mode}, options, folder)) {}
  /// Gives the launcher to a shell as `"$@"`.
  Session &within(const std::string &script) {
    const Words shell = {"/bin/sh", "-c", script, "sh"};
    command.words.insert(command.words.begin(), shell.begin(), shell.end());
    return *this;
  }
  size_t filesOf(const fs::path &part) const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder / part), fs::directory_iterator()));
  }

  Folder folder;
  Command command;
};

constexpr const char *kSummary = "count, invocation ";

std::string tooLarge(const Session &session) {
  return "aiwc: " + (session.folder / "out").string() +
         ": the profile cannot be written: File too large\n";
}

} // namespace

TEST_CASE("A limit on the size of files is one line and status 3") {
  Session session("plain");
  session.command.words.insert(session.command.words.end() - 2, "--aiwc-quiet");
  session.within("ulimit -f 8; exec \"$@\"");
  const Outcome outcome = run(session.command);
  CHECK(outcome.signal == 0);
  CHECK(outcome.out == "3, 0 signals\n");
  CHECK(outcome.err == tooLarge(session));
  CHECK(outcome.status == 3);
  CHECK(readProfiles(session.folder / "out").empty()); // and no temporary files
}

TEST_CASE("So is one that the application sets in between") {
  const auto [mode, signals] =
      GENERATE(table<std::string, int>({{"file-size", 0}, {"pending", 1}}));
  Session session(mode);
  session.command.words.insert(session.command.words.end() - 2, "--aiwc-quiet");
  const Outcome outcome = run(session.command);
  INFO(mode);
  CHECK(outcome.signal == 0);
  CHECK(outcome.out == "6, " + std::to_string(signals) + " signals\n");
  CHECK(outcome.err == tooLarge(session));
  CHECK(outcome.status == 3);
  CHECK(readProfiles(session.folder / "out").size() == 3);
}

TEST_CASE("Nobody listens any more to what the launcher and the plugin say") {
  Session session("many");
  session.within("{ \"$@\" 2>&1 >said; echo $? >status; } | true");
  CHECK(run(session.command).status == 0);
  awaitText(session.folder / "status", "\n");
  CHECK(contents(session.folder / "said") == "50, 0 signals\n");
  CHECK(contents(session.folder / "status") == "0\n");
  CHECK(readProfiles(session.folder / "out").size() == 50);
}

TEST_CASE("Nobody listens to an error, which is the status nevertheless") {
  Session session("many");
  session.command.words.insert(session.command.words.end() - 2, "--aiwc-quiet");
  session.within("ulimit -f 8; { \"$@\" 2>&1 >said; echo $? >status; } | true");
  CHECK(run(session.command).status == 0);
  awaitText(session.folder / "status", "\n");
  CHECK(contents(session.folder / "said") == "50, 0 signals\n");
  CHECK(contents(session.folder / "status") == "3\n");
}

TEST_CASE("A file of the application in the place of standard error stays as it is") {
  const auto [mode, value] =
      GENERATE(table<std::string, int>({{"own", 6}, {"own-before", 3}, {"own-all", 6}}));
  Session session(mode, {"--aiwc-engine=compiled", "--aiwc-threads=3", "--aiwc-verbose"});
  const Outcome outcome = run(session.command);
  INFO(mode << ": " << outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == std::to_string(value) + ", 0 signals\n");
  CHECK(contents(session.folder / "own") == "");
  // An application that closes every descriptor closes ours, too.
  CHECK(countOf(outcome.err, kSummary) == (mode == "own-all" ? 3 : value));
  CHECK(readProfiles(session.folder / "out").size() == static_cast<size_t>(value));
}

TEST_CASE("An application that holds every descriptor has its profiles") {
  Session session("descriptors");
  session.within("ulimit -n 64; exec \"$@\"");
  const Outcome outcome = run(session.command);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "6, 0 signals\n");
  CHECK(readProfiles(session.folder / "out").size() == 6);
}

TEST_CASE("A handler of the application runs in no thread of ours") {
  const Words threads = GENERATE(Words{"--aiwc-threads=3"}, Words{"--aiwc-threads=2"});
  const Characterised run = characterise({application("limits"), "handler"}, threads);
  CHECK(run.succeeded().outcome.out == std::to_string(3 * 10000) + ", 0 signals\n");
  CHECK(run["busy_2"].provenance.engine == "compiled");
}

TEST_CASE("A daemon that the application leaves behind does not hold standard error") {
  Session session("daemon");
  session.within("\"$@\" 2>&1 >said | cat >/dev/null; >over");
  CHECK(run(session.command).status == 0);
  CHECK(contents(session.folder / "said") == "3, 0 signals\n");
  CHECK(!fs::exists(session.folder / "late"));
}
