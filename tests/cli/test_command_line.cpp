#include "../predict/machines.h"
#include "cli/command_line.h"
#include "embed/opencl_c.h"
#include "process.h"
#include "profile/json.h"
#include "run/run.h"

#include <fmt/format.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>
#include <thread>

using namespace aiwc::cli;
using aiwc::command_line::Command;
using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

void forEachCommand(const Command &command, const std::string &name,
                    const std::function<void(const Command &, const std::string &)> &visit) {
  visit(command, name);
  for (const Command &child : command.subcommands())
    forEachCommand(child, name + " " + child.name(), visit);
}

/// The commands that a help shows as examples, without their comments.
std::vector<std::string> examplesOf(const Command &command) {
  std::istringstream lines(command.footer());
  std::vector<std::string> examples;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  aiwc ")) {
      line.erase(std::min(line.find(" # "), line.size()));
      line.erase(line.find_last_not_of(' ') + 1);
      examples.push_back(line.substr(2));
    }
  return examples;
}

/// The words of a command line, up to a redirection.
std::vector<std::string> wordsOf(std::string line) {
  line.erase(std::min(line.find(" > "), line.size()));
  std::erase(line, '\'');
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// Every file that an example names, and the devices of the repository.
class Workplace {
public:
  static constexpr const char *kSource = "kernel void blur(global float *a) {}\n";

  Workplace() {
    KernelProfile profile = kernelOf(blockedProduct());
    profile.provenance.kernel = "blur";
    profile.provenance.workDim = 2;
    profile.provenance.sourceKind = "opencl-c";
    profile.provenance.sourceHash = aiwc::embed::bareHash(kSource);
    profile.provenance.globalSize = {128, 128, 1};
    profile.provenance.localSize = {16, 16, 1};
    profile.setCount("work_items"_metric, 128 * 128);
    profile.setCount("work_groups"_metric, 8 * 8);
    for (const char *name : {"profiles", "before", "after", "suite/a", "suite/b", "suite/c"}) {
      std::filesystem::create_directories(folder_ / name);
      write(folder_ / name / "aiwc_blur_0.json", toJson(profile));
    }
    aiwc::run::Run run;
    run.command = {"./blur"};
    run.seconds = 1;
    run.launches = {aiwc::run::launchOf(profile, "aiwc_blur_0.json")};
    write(folder_ / "profiles/run.json", aiwc::run::toJson(run));
    write(folder_ / "blur.cl", kSource);
    CHECK(
        runAiwc({"annotate", "embed", "--force", "profiles", "--into", "blur.cl"}, here()).status ==
        0);
  }
  Setting here() const { return {.folder = folder_.path()}; }

private:
  TemporaryFolder folder_;
};

class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name))
      old_ = old;
    setenv(name, value, 1);
  }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;
  ~Variable() {
    if (old_)
      setenv(name_, old_->c_str(), 1);
    else
      unsetenv(name_);
  }

private:
  const char *name_;
  std::optional<std::string> old_;
};

/// What the command writes to a terminal of this width.
std::string onTerminal(const std::vector<std::string> &arguments, Setting setting,
                       unsigned short columns) {
  int ours = -1;
  int theirs = -1;
  char name[256];
  winsize size{24, columns, 0, 0};
  REQUIRE(openpty(&ours, &theirs, name, nullptr, &size) == 0);
  std::string text;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ours, buffer, sizeof(buffer))) > 0;)
      text.append(buffer, static_cast<size_t>(got));
  });
  setting.out = name;
  CHECK(runAiwc(arguments, setting).status == 0);
  close(theirs); // or the reader would wait
  reader.join();
  close(ours);
  std::erase(text, '\r');
  return text;
}

size_t longestLine(const std::string &text) {
  std::istringstream lines(text);
  size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, line.size());
  return longest;
}

} // namespace

TEST_CASE("the help of every command ends with examples that its parser accepts") {
  forEachCommand(commandLine().root(), "aiwc", [](const Command &command, const std::string &name) {
    INFO(name);
    const std::vector<std::string> examples = examplesOf(command);
    CHECK((!examples.empty() || !command.subcommands().empty()));
    for (const std::string &example : examples) {
      INFO(example);
      CHECK_THAT(example, StartsWith(name));
      const bool readsItself =
          std::ranges::any_of(std::array{"aiwc run ", "aiwc attach ", "aiwc build "},
                              [&](const char *start) { return example.starts_with(start); });
      if (readsItself)
        continue;
      std::vector<std::string> words = wordsOf(example);
      words.erase(words.begin());
      CHECK_NOTHROW(commandLine().check(words));
    }
  });
}

TEST_CASE("the examples work that need only profiles, kernels and devices") {
  const Workplace workplace;
  const std::string path = std::filesystem::path(AIWC_COMMAND).parent_path().string() + ":";
  size_t ran = 0;
  forEachCommand(
      commandLine().root(), "aiwc", [&](const Command &command, const std::string &name) {
        for (const std::string &example : examplesOf(command)) {
          // These need a program, its runs, times or an OpenCL device.
          bool needsMore = false;
          for (const char *start :
               {"aiwc run ", "aiwc attach ", "aiwc build ", "aiwc kernel ", "aiwc tune ",
                "aiwc devices measure ", "aiwc-sparse extrapolate "})
            needsMore = needsMore || example.starts_with(start);
          if (needsMore)
            continue;
          INFO(name << ": " << example);
          const Outcome outcome =
              runAiwc({"-c", "PATH=" + path + "$PATH; " + example},
                      {.command = "/bin/sh", .folder = workplace.here().folder});
          INFO(outcome.err);
          // strip empties the kernel that lookup and predict read.
          if (example.starts_with("aiwc annotate strip") ||
              example.starts_with("aiwc annotate embed"))
            CHECK(runAiwc({"annotate", "embed", "--force", "profiles", "--into", "blur.cl"},
                          workplace.here())
                      .status == 0);
          CHECK((outcome.status == 0));
          ++ran;
        }
      });
  CHECK(ran > 20);
}

TEST_CASE("aiwc help prints the help of a command") {
  CHECK(runAiwc({"help"}).out == runAiwc({"--help"}).out);
  CHECK(runAiwc({"help", "show"}).out == runAiwc({"show", "--help"}).out);
  CHECK(runAiwc({"help", "run"}).out == runAiwc({"run", "--help"}).out);
  CHECK(runAiwc({"help", "devices", "show"}).out == runAiwc({"devices", "show", "--help"}).out);
  CHECK_THAT(runAiwc({"help", "show"}).out, Contains("Usage: aiwc show [OPTIONS]"));
  CHECK_THAT(refusal({"help", "shwo"}),
             StartsWith("aiwc help: shwo: expected a command: run, kernel, build, show, advise, "
                        "predict, diff, report, ") &&
                 EndsWith("; did you mean show?"));
  CHECK(refusal({"help", "show", "all"}) == "aiwc help: all: expected no command here");
}

TEST_CASE("a wrong word is named, with the one that was probably meant") {
  CHECK_THAT(refusal({"shwo"}), StartsWith("aiwc: shwo: expected a command: run, kernel, build, "
                                           "show, advise, predict, diff, report, ") &&
                                    EndsWith("; did you mean show?: see aiwc --help"));
  CHECK_THAT(refusal({"shwo", "p.json", "--json"}), Contains("did you mean show?"));
  CHECK(refusal({"show", "--jsn", "p.json"}) == "aiwc show: --jsn: expected an option that it has; "
                                                "did you mean --json?: see aiwc show --help");
  CHECK(refusal({"predict", "p.json", "--device=gtx1080"}) ==
        "aiwc predict: --device=gtx1080: expected an option that it has; did you mean "
        "--devices?: see aiwc predict --help");
  CHECK(refusal({"--jason"}) == "aiwc: --jason: expected an option that it has: see aiwc --help");
  // An option of a parent that may stand behind its subcommand.
  CHECK_THAT(refusal({"devices", "show", "gtx1080", "--jsno"}), Contains("did you mean --json?"));
  CHECK_THAT(refusal({"devices", "shwo"}),
             Contains("aiwc devices: shwo: expected a command: list, show, ") &&
                 Contains("did you mean show?"));
  CHECK(refusal({"annotate", "strip", "a.cl", "extra"}) ==
        "aiwc annotate strip: extra: expected no further argument: see aiwc annotate strip --help");
  CHECK_THAT(refusal({"devices", "show", "gtx108"}), Contains("gtx1080"));
}

TEST_CASE("what has a new name says it in one line, with or without arguments") {
  CHECK(refusal({"model", "train", "times.csv"}) == "aiwc: model: is now the program aiwc-model");
  CHECK(refusal({"train", "times.csv"}) == "aiwc: train: is now aiwc-model train");
  CHECK(refusal({"schedule", "--help"}) == "aiwc: schedule: is now aiwc split --schedule");
  CHECK(refusal({"kernel", "k.cl", "--csv"}) == "aiwc kernel: --csv: is now aiwc show --csv RUN");
  CHECK(refusal({"kernel", "--verbose", "k.cl"}) ==
        "aiwc kernel: --verbose: is now aiwc show --all RUN");
  // An option that stands before the command today, or in the environment.
  for (const char *command : {"predict", "advise", "tune"})
    CHECK(refusal({command, "run", "--device-dir", "mine"}) ==
          fmt::format("aiwc {}: --device-dir: is now aiwc --device-dir DIR COMMAND", command));
  CHECK(refusal({"devices", "list", "--device-dir=mine"}) ==
        "aiwc devices: --device-dir: is now aiwc --device-dir DIR COMMAND");
  CHECK(refusal({"--device-dir", "a:b", "devices", "list"}) ==
        "--device-dir 'a:b': expected a folder whose name has no ':'");
  CHECK_THAT(refusal({"--device-dir"}), Contains("--device-dir"));
  CHECK(refusal({"kernel", "k.cl", "--threads", "2"}) ==
        "aiwc kernel: --threads: is now AIWC_THREADS=N in the environment");
  CHECK(refusal({"devices", "measure", "--quick"}) == "aiwc devices: --quick: is now --seconds 20");
  CHECK(refusal({"predict", "run", "--types", "gpu"}) ==
        "aiwc predict: --types: is now --devices gpu");
  // A file of such a name is none of it.
  CHECK_THAT(refusal({"show", "metrics"}), Contains("metrics: there is no such file or folder"));
  CHECK_THAT(refusal({"show", "--", "--devices"}),
             Catch::StartsWith("--devices: ") && !Contains("is now"));
}

TEST_CASE("the first eight commands are those that one needs first") {
  const std::string help = runAiwc({"--help"}).out;
  const size_t more = help.find("\nMore:\n");
  REQUIRE(more != std::string::npos);
  size_t last = help.find("\nSubcommands:\n");
  for (const char *command :
       {"run", "kernel", "build", "show", "advise", "predict", "diff", "report"}) {
    const size_t place = help.find(std::string("\n  ") + command + " ");
    INFO(command);
    CHECK((last < place && place < more));
    last = place;
  }
  CHECK(commandLine().root().subcommands().size() == 14); // with help
}

TEST_CASE("colours are for terminals, unless the user decides otherwise") {
  const Workplace workplace;
  const Setting here = workplace.here();
  const Variable terminal("TERM", "xterm");
  unsetenv("NO_COLOR");
  unsetenv("CLICOLOR_FORCE");
  const std::string escape = "\x1b[";
  for (const char *command : {"show", "advise", "predict"}) {
    INFO(command);
    const std::string plain = runAiwc({command, "profiles"}, here).out;
    CHECK_THAT(plain, !Contains(escape));
    CHECK_THAT(onTerminal({command, "profiles"}, here, 100), Contains(escape));
    {
      const Variable forced("CLICOLOR_FORCE", "1");
      CHECK_THAT(runAiwc({command, "profiles"}, here).out, Contains(escape));
      const Variable none("NO_COLOR", "1");
      CHECK(runAiwc({command, "profiles"}, here).out == plain);
    }
    for (const char *notForced : {"0", ""}) {
      const Variable variable("CLICOLOR_FORCE", notForced);
      CHECK(runAiwc({command, "profiles"}, here).out == plain);
    }
    {
      const Variable none("NO_COLOR", "1");
      CHECK(onTerminal({command, "profiles"}, here, 100) == plain);
    }
    {
      const Variable empty("NO_COLOR", "");
      CHECK_THAT(onTerminal({command, "profiles"}, here, 100), Contains(escape));
    }
    const Variable dumb("TERM", "dumb");
    CHECK(onTerminal({command, "profiles"}, here, 100) == plain);
  }
  // Never in what programs read.
  const Variable forced("CLICOLOR_FORCE", "1");
  CHECK_THAT(runAiwc({"predict", "profiles", "--csv"}, here).out, !Contains(escape));
  CHECK_THAT(runAiwc({"advise", "profiles", "--json"}, here).out, !Contains(escape));
  CHECK(refusal({"show", "profiles", "--color=never"}, here) ==
        "aiwc show: --color: is now NO_COLOR=1 or CLICOLOR_FORCE=1 in the environment");
}

TEST_CASE("what is printed fits the terminal") {
  const Workplace workplace;
  const Setting here = workplace.here();
  const std::vector<std::vector<std::string>> commands = {
      {"show", "profiles"},
      {"advise", "profiles"},
      {"predict", "profiles", "--what-if", "cores=12345,dram_bandwidth=2x,fp32_rate=3x",
       "--devices", "mi100"}};
  for (const std::vector<std::string> &words : commands) {
    INFO(words[0]);
    const Variable plain("NO_COLOR", "1");
    CHECK(longestLine(onTerminal(words, here, 250)) > 90);
    CHECK(longestLine(onTerminal(words, here, 90)) <= 90);
    const Variable columns("COLUMNS", "90");
    CHECK(longestLine(runAiwc(words, here).out) <= 90);
  }
  const Variable nonsense("COLUMNS", "wide");
  CHECK(longestLine(runAiwc({"advise", "profiles"}, here).out) <= 100);
}

TEST_CASE("aiwc devices list --ids lists what other commands take") {
  const Outcome outcome = runAiwc({"devices", "list", "--ids"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("\ngtx1080\n") && !Contains(" "));
  CHECK(longestLine(runAiwc({"devices", "list", "--ids", "cpu"}).out) < 40);
  CHECK_THAT(runAiwc({"devices", "list", "--ids", "cpu"}).out, !Contains("gtx1080"));
  CHECK(runAiwc({"devices", "list", "--ids", "--json"}).status == 2);
}
