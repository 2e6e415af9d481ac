/// eod: runs the benchmark suite and says what came of it.
#include "eod/common/device.h"
#include "eod/common/opencl.h"
#include "eod/common/output_file.h"
#include "eod/common/version.h"
#include "eod/runner/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <functional>

namespace aiwc::eod {
namespace {

void print(const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error("eod: standard output cannot be written");
}

/// --csv and --json of the commands that print tables.
struct Output {
  std::string csv;
  std::string json;
};

void addOutput(CLI::App &cli, Output &output, bool csv) {
  if (csv)
    cli.add_option("--csv", output.csv, "write the table as CSV to this file (-: stdout)");
  cli.add_option("--json", output.json, "write the table as JSON to this file (-: stdout)");
}

/// The text to stdout, unless that is where one of the others goes.
void write(const Output &output, const std::function<std::string(Format)> &as) {
  if (output.csv == "-" && output.json == "-")
    throw UsageError("--csv - and --json -: only one of them can be written to stdout");
  OutputFile csv(output.csv);
  OutputFile json(output.json);
  if (csv.wanted())
    csv.commit(as(Format::kCsv));
  if (json.wanted())
    json.commit(as(Format::kJson));
  if (!csv.isStdout() && !json.isStdout())
    print(as(Format::kText));
}

void addSelection(CLI::App &cli, Selection &selection, const char *sizes) {
  cli.add_option("--apps", selection.applications, "only these applications, comma-separated")
      ->delimiter(',');
  cli.add_option("--dwarfs", selection.dwarfs,
                 "only applications of these dwarfs (names or parts of names), comma-separated")
      ->delimiter(',');
  cli.add_option("--sizes", selection.sizes, sizes)->delimiter(',');
}

/// CLI11 wraps a negative number around where the type is 64 bits wide.
std::string notNegative(std::string &text) {
  return text.starts_with('-') ? text + ": expected 0 or more" : "";
}

void addSeed(CLI::App &cli, uint64_t &seed) {
  cli.add_option("--seed", seed, "seed of the generated inputs")
      ->check(CLI::Validator(notNegative, "", "seed"))
      ->capture_default_str();
}

std::string devicesText() {
  std::string text = fmt::format("{:<9} {:<7} {}\n", "platform", "device", "name");
  for (const DeviceNumber &device : matchingDevices({}))
    text += fmt::format("{:<9} {:<7} {} ({})\n", device.platform, device.device, device.name,
                        device.platformName);
  return text;
}

class Commands {
public:
  explicit Commands(CLI::App &cli) {
    cli.set_version_flag("--version", std::string("eod ") + kVersion);
    cli.require_subcommand(1);
    addList(*cli.add_subcommand("list", "Print the applications, their sizes and footprints"));
    addRun(*cli.add_subcommand("run", "Measure the applications on devices"));
    addSummary(*cli.add_subcommand("summary", "Print statistics of the measurements"));
    addCompare(*cli.add_subcommand("compare", "Print the ratios of two measurements"));
    addCharacterise(
        *cli.add_subcommand("characterise", "Profile the applications' kernels in the simulator"));
  }

  int execute() { return chosen_(); }

private:
  void addList(CLI::App &cli) {
    addSelection(cli, selection_, "only these sizes, comma-separated: tiny, small, medium, large");
    cli.add_flag("--devices", devices_, "print the OpenCL devices instead");
    addOutput(cli, output_, false);
    cli.callback([this] {
      chosen_ = [this] {
        if (devices_) {
          print(devicesText());
          return 0;
        }
        const auto cases = select(findPrograms(programFolder()), selection_);
        write(output_,
              [&](Format f) { return f == Format::kJson ? toJson(cases) : toText(cases); });
        return 0;
      };
    });
  }

  void addRun(CLI::App &cli) {
    RunOptions &options = run_;
    cli.add_option("-o,--out", options.out, "folder for the results")->required();
    addSelection(cli, options.selection,
                 "only these sizes, comma-separated: tiny, small, medium, large");
    cli.add_option("--platform", options.platform, "OpenCL platform: index or part of its name");
    cli.add_option(
        "--device", options.device,
        "device: index among the devices of --platform and --type, part of its name, or all");
    cli.add_option("--type", options.type, "cpu, gpu, accelerator or all")
        ->check(CLI::IsMember({"cpu", "gpu", "accelerator", "all"}))
        ->capture_default_str();
    cli.add_option("--samples", options.protocol.samples, "samples per case")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    cli.add_option("--min-seconds", options.protocol.minSeconds,
                   "seconds for which a sample repeats the application")
        ->capture_default_str();
    addSeed(cli, options.protocol.seed);
    cli.add_flag("--tune", options.protocol.tune, "measure with the fastest legal local size");
    cli.add_flag("--verify,!--no-verify", options.verify, "check the results (default)");
    cli.add_flag("--restart", options.restart,
                 "measure again the cases that the folder already has");
    cli.callback([this] {
      chosen_ = [this] {
        if (!std::isfinite(run_.protocol.minSeconds) || run_.protocol.minSeconds < 0)
          throw UsageError(fmt::format("--min-seconds {}: expected a number of seconds, 0 or more",
                                       run_.protocol.minSeconds));
        return runCases(run_);
      };
    });
  }

  void addSummary(CLI::App &cli) {
    cli.add_option("results", before_, "folders that eod run wrote")->required();
    cli.add_flag("--invocations", invocations_,
                 "a row for each launch instead of the sum of a run");
    addOutput(cli, output_, true);
    cli.callback([this] {
      chosen_ = [this] {
        const Times times = timesOf(readResults(before_), invocations_);
        write(output_, [&](Format format) { return summarise(times, format); });
        return 0;
      };
    });
  }

  void addCompare(CLI::App &cli) {
    cli.add_option("before", first_, "folder that eod run wrote")->required();
    cli.add_option("after", second_, "folder that eod run wrote")->required();
    cli.add_flag("--invocations", invocations_,
                 "a row for each launch instead of the sum of a run");
    addOutput(cli, output_, true);
    cli.callback([this] {
      chosen_ = [this] {
        const auto before = readResults({first_});
        const auto after = readResults({second_});
        write(output_,
              [&](Format format) { return compareResults(before, after, invocations_, format); });
        return 0;
      };
    });
  }

  void addCharacterise(CLI::App &cli) {
    CharacteriseOptions &options = characterise_;
    options.selection.sizes = {"tiny"};
    cli.add_option("-o,--out", options.out, "folder for the profiles")->required();
    addSelection(cli, options.selection,
                 "only these sizes, comma-separated: tiny, small, medium, large (default tiny)");
    addSeed(cli, options.seed);
    cli.add_option("--cpu-limit", options.cpuLimitS, "seconds of CPU time after which a case fails")
        ->check(CLI::Range(1, 1000000));
    cli.add_flag("--restart", options.restart,
                 "characterise again the cases that the folder already has");
    cli.callback([this] { chosen_ = [this] { return characteriseCases(characterise_); }; });
  }

  Selection selection_;
  RunOptions run_;
  CharacteriseOptions characterise_;
  std::vector<std::filesystem::path> before_;
  std::filesystem::path first_, second_;
  bool invocations_ = false;
  bool devices_ = false;
  Output output_;
  std::function<int()> chosen_;
};

int complain(const std::string &message, int status) {
  std::fputs(("eod: " + message + '\n').c_str(), stderr);
  return status;
}

int main(int argc, char **argv) {
  CLI::App cli("The Extended OpenDwarfs: OpenCL applications of 13 dwarfs, in four sizes", "eod");
  try {
    Commands commands(cli);
    try {
      cli.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
      if (error.get_exit_code() == 0)
        return cli.exit(error);
      std::string message = error.what();
      return complain(message.substr(0, message.find('\n')) + ": see eod --help", 2);
    }
    return commands.execute();
  } catch (const UsageError &error) {
    return complain(error.what(), 2);
  } catch (const std::exception &error) {
    return complain(error.what(), 1);
  }
}

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  return aiwc::eod::main(argc, argv);
}
