/// aiwc-overhead: what characterisation costs on top of bare simulation, in CPU time and memory.
#include "common/error.h"
#include "common/version.h"
#include "engines_report.h"
#include "eod/runner/suite.h"
#include "experiment.h"
#include "plan.h"
#include "report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <fstream>

namespace aiwc::overhead {
namespace {

struct Options {
  Settings settings;
  std::vector<std::string> variants, workloads, plugins;
  std::string json;
  std::string size = "small";
  unsigned launchCount = 10000;
  bool engines = false;
  bool launches = false;
  bool images = false;
  bool quick = false;
  bool list = false;
};

void addOptions(CLI::App &cli, Options &options) {
  cli.set_version_flag("--version", std::string("aiwc-overhead ") + kVersion);
  cli.add_option("--rounds", options.settings.rounds, "how often each variant runs each workload")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  cli.add_option("--workloads", options.workloads, "only these, comma-separated")->delimiter(',');
  cli.add_option("--variants", options.variants, "only these besides the first, comma-separated")
      ->delimiter(',');
  cli.add_option("--plugin", options.plugins,
                 "NAME=FILE: one more variant, another build of the plugin (repeatable)");
  cli.add_option("--oclgrind", options.settings.oclgrind, "the simulator's command")
      ->capture_default_str();
  cli.add_option("--cpu-limit", options.settings.cpuLimitS,
                 "seconds of CPU time a run may take; with --engines, a variant that takes more is "
                 "left out")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  cli.add_option("--json", options.json, "write every measurement to this file (-: stdout)");
  auto *const engines =
      cli.add_flag("--engines", options.engines,
                   "instead: the suite under bare Oclgrind, both engines and PoCL, in Markdown");
  auto *const launches =
      cli.add_flag("--launches", options.launches,
                   "instead: what a launch of one work-group costs, in Markdown");
  auto *const images =
      cli.add_flag("--images", options.images,
                   "instead: what a launch costs that filters an image or a buffer, in Markdown");
  launches->excludes(engines);
  images->excludes(engines)->excludes(launches);
  for (auto *const other : {engines, launches, images})
    other->excludes("--plugin");
  cli.add_option("--size", options.size, "of the suite's applications")
      ->check(CLI::IsMember({"tiny", "small", "medium", "large"}))
      ->capture_default_str()
      ->needs(engines);
  cli.add_option("--launch-count", options.launchCount, "how often the kernel is launched")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str()
      ->needs(launches);
  cli.add_flag("--quick", options.quick, "tiny workloads, to try the benchmark itself")
      ->excludes(engines)
      ->excludes(launches)
      ->excludes(images);
  cli.add_flag("--list", options.list, "print the variants and workloads, run nothing");
}

/// Those that are about the engines.
Plan enginesPlanFor(const Options &options) {
  const std::filesystem::path build = buildFolder();
  if (options.launches)
    return makeLaunchesPlan(build, options.launchCount);
  if (options.images)
    return makeImagesPlan(build);
  std::vector<std::string> applications;
  for (const eod::Program &program : eod::findPrograms(build / "bin"))
    applications.push_back(program.application);
  return makeEnginesPlan(build, applications, options.size);
}

Plan planFor(const Options &options) {
  if (options.engines || options.launches || options.images) {
    Plan plan = enginesPlanFor(options);
    select(plan, options.variants, options.workloads, false);
    return plan;
  }
  Plan plan = makePlan(buildFolder(), options.quick ? 64 : 1);
  for (const std::string &plugin : options.plugins) {
    const size_t equals = plugin.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(fmt::format("--plugin {}: expected NAME=FILE", plugin));
    plan.variants.push_back(pluginVariant(plugin.substr(0, equals), plugin.substr(equals + 1)));
  }
  select(plan, options.variants, options.workloads, true);
  return plan;
}

void print(const std::string &text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw Error(withReason("standard output: cannot be written", errno));
}

void list(const Plan &plan) {
  std::string text = "variants\n";
  for (const Variant &variant : plan.variants)
    text += fmt::format("  {:<25} {}\n", variant.name, variant.what);
  text += "workloads\n";
  for (const Workload &workload : plan.workloads)
    text += fmt::format("  {:<25} {}\n", workload.name, workload.what);
  print(text);
}

/// One line on a terminal, each in the place of the one before.
void showProgress(const std::string &text) {
  if (isatty(STDERR_FILENO))
    fmt::print(stderr, "\r\033[K{}", text);
}

/// Opened before the measurement, which nobody wants to repeat for a mistyped path.
std::ofstream openJson(const std::string &path) {
  std::ofstream file;
  if (path.empty() || path == "-")
    return file;
  file.open(path);
  if (!file)
    throw Error(withReason(path + ": cannot be written", errno));
  return file;
}

/// The table of the simulation grows while it is measured; all else is written at the end.
void compare(const Options &options, const Plan &plan) {
  std::ofstream file = openJson(options.json);
  const bool table = options.json != "-";
  const bool grows = table && !options.engines && !options.launches && !options.images;
  if (grows)
    print(textHead());
  std::vector<Usages> usages;
  for (const Workload &workload : plan.workloads) {
    usages.push_back(measure(workload, plan.variants, options.settings, showProgress));
    showProgress("");
    if (grows)
      print(textRows(workload, plan.variants, usages.back()));
  }
  if (table && options.engines)
    print(enginesTables(plan, options.settings, usages));
  if (table && (options.launches || options.images))
    print(launchesTable(plan, options.settings, usages));
  if (!table)
    print(toJson(plan, options.settings, usages));
  if (!file.is_open())
    return;
  file << toJson(plan, options.settings, usages);
  file.close();
  if (!file)
    throw Error(withReason(options.json + ": cannot be written", errno));
}

int main(int argc, char **argv) {
  Options options;
  CLI::App cli("Compares the CPU time and the memory of simulation with and without "
               "characterisation",
               "aiwc-overhead");
  addOptions(cli, options);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return cli.exit(error) == 0 ? 0 : 2;
  }
  options.settings.leavesOutWhatIsOverLimit = options.engines;
  try {
    const Plan plan = planFor(options);
    if (options.list)
      list(plan);
    else
      compare(options, plan);
    return 0;
  } catch (const std::exception &error) {
    fmt::print(stderr, "aiwc-overhead: {}\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace aiwc::overhead

int main(int argc, char **argv) {
  return aiwc::overhead::main(argc, argv);
}
