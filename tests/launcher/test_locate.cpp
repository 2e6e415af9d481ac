// Which Oclgrind stands behind the launcher, and what stands beside it.

#include "bench.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

// A second launcher, as another installation would have it: the same program in another file.
void installLauncher(const fs::path &folder) {
  fs::create_directories(folder);
  fs::copy_file(AIWC_LAUNCHER, folder / "oclgrind");
}

void installPluginCheck(const fs::path &folder) {
  fs::copy_file(AIWC_PLUGIN_CHECK, folder / "aiwc-plugin-check");
}

std::string path(const std::vector<fs::path> &folders) {
  std::string joined;
  for (const fs::path &folder : folders)
    joined += (joined.empty() ? "" : ":") + folder.string();
  return joined;
}

constexpr const char *kNone = "aiwc: no oclgrind on PATH after this launcher: expected the Debian "
                              "package 'oclgrind', or the path of an oclgrind in AIWC_OCLGRIND\n";

} // namespace

TEST_CASE("Two launchers on one PATH pass each other by, in either order") {
  Bench bench;
  installLauncher(bench.file("first"));
  installLauncher(bench.file("second"));
  installPluginCheck(bench.file("first"));
  installPluginCheck(bench.file("second"));
  fs::create_symlink(bench.file("first/oclgrind"), bench.file("out/oclgrind"));
  const std::string started = GENERATE("first", "second", "out");
  bench.environment["PATH"] = path({bench.file("first"), bench.file("out"), bench.file("second"),
                                    bench.file("stock"), bench.file("first")});
  Command command = bench.launcher({"/bin/sh", "-c", "exit 6"});
  if (GENERATE(false, true))
    command.words.insert(command.words.begin() + 1, "--aiwc");
  command.words[0] = bench.file(started) / "oclgrind";
  const Outcome outcome = run(command);
  INFO(outcome.err);
  CHECK(outcome.status == 6);
  CHECK(bench.arguments() == std::vector<std::string>{"/bin/sh", "-c", "exit 6"});
}

TEST_CASE("Launchers alone on a PATH find no Oclgrind and say which package has it") {
  Bench bench;
  installLauncher(bench.file("first"));
  installLauncher(bench.file("second"));
  bench.environment["PATH"] = path({bench.file("first"), bench.file("second")});
  const Outcome outcome =
      GENERATE(true, false) ? bench.run({"--aiwc", "/bin/true"}) : bench.run({"/bin/true"});
  CHECK(outcome.err == kNone);
  CHECK(outcome.status == 2);
}

TEST_CASE("A folder, or a file that cannot be executed, is no Oclgrind") {
  Bench bench;
  fs::create_directories(bench.file("folder/oclgrind"));
  fs::create_directory(bench.file("text"));
  write(bench.file("text/oclgrind"), "not executable");
  bench.environment["PATH"] = path({bench.file("folder"), bench.file("text")});
  CHECK(bench.run({"/bin/true"}).err == kNone);
  bench.environment["PATH"] = path({bench.file("folder"), bench.file("text"), bench.file("stock")});
  CHECK(bench.run({"/bin/true"}).status == 0);
}

TEST_CASE("AIWC_OCLGRIND goes before PATH, and must make sense") {
  Bench bench;
  fs::create_directory(bench.file("other"));
  fs::rename(bench.file("stock/oclgrind"), bench.file("other/my oclgrind"));
  bench.environment["AIWC_OCLGRIND"] = bench.file("other/my oclgrind");
  CHECK(bench.run({"/bin/sh", "-c", "exit 8"}).status == 8);
  CHECK(bench.run({"--aiwc", "/bin/sh", "-c", "exit 8"}).status == 8);

  bench.environment["AIWC_OCLGRIND"] = "/no/such";
  Outcome outcome = bench.run({"/bin/true"});
  CHECK(outcome.err ==
        "aiwc: AIWC_OCLGRIND is '/no/such', which is not an executable file: expected the "
        "path of the stock oclgrind\n");
  CHECK(outcome.status == 2);

  installLauncher(bench.file("second"));
  bench.environment["AIWC_OCLGRIND"] = bench.file("second/oclgrind");
  outcome = bench.run({"/bin/true"});
  CHECK_THAT(outcome.err, Catch::Contains("an aiwc launcher: expected the path of the stock"));
  CHECK(outcome.status == 2);
}

TEST_CASE("A wrapper script that leads back to the launcher is passed by the second time") {
  Bench bench;
  fs::create_directory(bench.file("wrapper"));
  const std::string options = GENERATE("", "--aiwc --aiwc-kernel from_wrapper");
  const std::string how = GENERATE("exec", "");
  writeScript(bench.file("wrapper/oclgrind"),
              "echo wrapper >> \"" + bench.file("wrapper.log").string() + "\"\n" + how + " \"" +
                  AIWC_LAUNCHER + "\" " + options + " \"$@\"\n");
  bench.environment["PATH"] =
      path({bench.file("wrapper"), bench.file("stock"), "/usr/bin", "/bin"});
  Command command = bench.launcher({"/bin/sh", "-c", "exit 5"});
  command.words[0] = bench.file("wrapper/oclgrind");
  const Outcome outcome = run(command);
  CHECK(outcome.status == 5);
  CHECK(bench.arguments() == std::vector<std::string>{"/bin/sh", "-c", "exit 5"});
  CHECK(bench.variable("AIWC_KERNEL") == (options.empty() ? "(unset)" : "from_wrapper"));
  CHECK(bench.variable("AIWC_LAUNCHER_SCRIPTS") == "(unset)"); // no business of the application
  // Once for the user and once for each program that the launcher starts: version, check, this.
  const std::string log = contents(bench.file("wrapper.log"));
  CHECK(std::count(log.begin(), log.end(), '\n') == (options.empty() ? 2 : 4));
}

TEST_CASE("A wrapper script around the stock Oclgrind is an Oclgrind") {
  Bench bench;
  fs::create_directory(bench.file("wrapper"));
  writeScript(bench.file("wrapper/oclgrind"), "export OCLGRIND_MAX_WGSIZE=77\nexec \"" +
                                                  bench.file("stock/oclgrind").string() +
                                                  "\" \"$@\"\n");
  bench.environment["PATH"] = path({bench.file("wrapper"), "/usr/bin", "/bin"});
  CHECK(bench.run({"--aiwc", "/bin/sh", "-c", "exit 3"}).status == 3);
  CHECK(bench.variable("OCLGRIND_MAX_WGSIZE") == "77");
  CHECK(bench.variable("OCLGRIND_PLUGINS") == AIWC_FAKE_PLUGIN);
}

TEST_CASE("An installation that was moved finds its own plugin and check program") {
  Bench bench;
  bench.environment.erase("AIWC_PLUGIN");
  const fs::path bin = bench.file("moved here/bin");
  installLauncher(bin);
  const fs::path lib = bin / AIWC_PLUGIN_FOLDER;
  fs::create_directories(lib);
  Command command = bench.launcher({"--aiwc", "/bin/true"});
  command.words[0] = bin / "oclgrind";

  const std::string plugin = (lib / "aiwc_oclgrind_plugin.so").lexically_normal();
  Outcome outcome = run(command);
  CHECK(outcome.err == "aiwc: the plugin '" + plugin +
                           "' does not exist: expected it where aiwc was "
                           "installed or built, or its path in AIWC_PLUGIN\n");
  CHECK(outcome.status == 3);

  fs::copy_file(AIWC_FAKE_PLUGIN, plugin);
  outcome = run(command);
  CHECK_THAT(outcome.err, Catch::Contains("aiwc-plugin-check': No such file"));
  CHECK(outcome.status == 3);

  installPluginCheck(bin);
  CHECK(run(command).status == 4); // nothing was characterised
  CHECK(bench.variable("OCLGRIND_PLUGINS") == plugin);
}
