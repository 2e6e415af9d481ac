#include "process.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Where `aiwc` in the folder `bin` looks for its launcher.
std::filesystem::path launcherFrom(const std::filesystem::path &bin) {
  return (bin / AIWC_LAUNCHER).lexically_normal();
}

/// An installation whose launcher prints its arguments, one per line, and ends with status 7. The
/// oclgrind beside aiwc is another program, as it is where a distribution installs both.
class Installation {
public:
  Installation() {
    const auto bin = folder_ / "a bin";
    std::filesystem::create_directory(bin);
    std::filesystem::copy_file(AIWC_COMMAND, setting_.command = bin / "aiwc");
    writeScript(bin / "oclgrind", "echo stock\n");
    std::filesystem::create_directories(launcherFrom(bin).parent_path());
    writeScript(launcherFrom(bin), "for argument; do echo \"<$argument>\"; done\nexit 7\n");
  }

  /// The launcher's arguments for these of `aiwc run`.
  std::string launched(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    const Outcome outcome = runAiwc(arguments, setting_);
    CHECK(outcome.status == 7);
    CHECK(outcome.err.empty());
    return outcome.out;
  }

  const Setting &setting() const { return setting_; }

private:
  static void writeScript(const std::filesystem::path &file, const std::string &text) {
    write(file, "#!/bin/sh\n" + text);
    chmod(file.c_str(), 0755);
  }

  TemporaryFolder folder_;
  Setting setting_;
};

} // namespace

TEST_CASE("aiwc run becomes the launcher of its installation, with --aiwc") {
  const Installation installation;
  CHECK(installation.launched({"--", "./app", "x y", ""}) == "<--aiwc>\n<./app>\n<x y>\n<>\n");
  CHECK(installation.launched({"./app", "x"}) == "<--aiwc>\n<./app>\n<x>\n");
}

TEST_CASE("aiwc run calls its options what the launcher calls them") {
  const Installation installation;
  CHECK(
      installation.launched({"--output", "d e", "--kernel", "a*", "--invocations", "1-3",
                             "--line-size", "128", "--sample-groups", "9", "--engine", "compiled",
                             "--threads", "3", "--verbose", "--embed", "--quiet", "--", "./app"}) ==
      "<--aiwc>\n<--aiwc-output>\n<d e>\n<--aiwc-kernel>\n<a*>\n<--aiwc-invocations>\n<1-3>\n"
      "<--aiwc-line-size>\n<128>\n<--aiwc-sample-groups>\n<9>\n<--"
      "aiwc-engine>\n<compiled>\n"
      "<--aiwc-threads>\n<3>\n<--aiwc-verbose>\n"
      "<--aiwc-embed>\n<--aiwc-quiet>\n<./app>\n");
  CHECK(installation.launched({"--output=d", "--kernel=a=b", "./app"}) ==
        "<--aiwc>\n<--aiwc-output=d>\n<--aiwc-kernel=a=b>\n<./app>\n");
}

TEST_CASE("aiwc run leaves other options and the application's own to whom they belong") {
  const Installation installation;
  CHECK(installation.launched({"--num-threads", "4", "--quiet", "--", "./app", "--output", "x"}) ==
        "<--aiwc>\n<--num-threads>\n<4>\n<--aiwc-quiet>\n<./app>\n<--output>\n<x>\n");
  CHECK(installation.launched({"./app", "--quiet", "--", "--output"}) ==
        "<--aiwc>\n<./app>\n<--quiet>\n<-->\n<--output>\n");
  CHECK(installation.launched({"--data-races", "./app", "--quiet"}) ==
        "<--aiwc>\n<--data-races>\n<./app>\n<--quiet>\n");
  CHECK(installation.launched({"--outputs", "./app"}) == "<--aiwc>\n<--outputs>\n<./app>\n");
  CHECK(installation.launched({"--", "run", "--help"}) == "<--aiwc>\n<run>\n<--help>\n");
}

TEST_CASE("aiwc run says what is wrong before anything runs") {
  const Installation installation;
  for (const std::vector<std::string> &arguments : {std::vector<std::string>{"run"},
                                                    {"run", "--"},
                                                    {"run", "--quiet"},
                                                    {"run", "--quiet", "--"}})
    CHECK_THAT(refusal(arguments, installation.setting()),
               StartsWith("aiwc run: no application: expected aiwc run ["));
  CHECK_THAT(refusal({"run", "--output"}, installation.setting()),
             StartsWith("aiwc run: --output has no argument: expected"));
  CHECK_THAT(refusal({"run", "--kernel", "--", "./app"}, installation.setting()),
             StartsWith("aiwc run: --kernel has no argument: expected"));
  CHECK_THAT(refusal({"run", "--quiet=1", "./app"}, installation.setting()),
             StartsWith("aiwc run: --quiet takes no argument: expected"));
}

TEST_CASE("aiwc run without its launcher names where it looked") {
  const Installation installation;
  const auto bin = installation.setting().command.parent_path();
  std::filesystem::remove(bin / "oclgrind");
  std::filesystem::remove(launcherFrom(bin));
  CHECK(refusal({"run", "--", "true"}, installation.setting()) ==
        "aiwc run: " + launcherFrom(bin).string() +
            " cannot be run: No such file or directory: expected the launcher of this aiwc there");
}

TEST_CASE("In the build tree, where nothing is installed, aiwc run takes the launcher beside it") {
  const Installation installation;
  const auto bin = installation.setting().command.parent_path();
  std::filesystem::remove(bin / "oclgrind");
  std::filesystem::rename(launcherFrom(bin), bin / "oclgrind");
  CHECK(installation.launched({"--", "./app"}) == "<--aiwc>\n<./app>\n");
}

TEST_CASE("aiwc run --help explains its options") {
  const Outcome outcome = runAiwc({"run", "--help"});
  CHECK(outcome.status == 0);
  for (const char *option :
       {"--output DIR", "--kernel NAMES", "--invocations WHICH", "--line-size 32|64|128|256",
        "--sample-groups N", "--engine compiled|interpreter|auto", "--threads N", "--verbose",
        "--quiet"})
    CHECK_THAT(outcome.out, Contains(option));
}

TEST_CASE("aiwc run --help says that a cache is a folder or none") {
  CHECK_THAT(runAiwc({"run", "--help"}).out, Contains("--cache DIR|none "));
}
