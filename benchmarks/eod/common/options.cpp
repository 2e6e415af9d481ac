#include "eod/common/options.h"

#include "eod/common/parameters.h"
#include "eod/common/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::eod {
namespace {

/// CLI11 wraps a negative number around where the type is 64 bits wide.
std::string unsignedNumber(std::string &text) {
  return text.starts_with('-') ? text + ": expected 0 or more" : "";
}

void addShared(CLI::App &cli, Options &options, Application &application) {
  const Description &about = application.description();
  cli.add_option("--platform", options.platform, "OpenCL platform: index or part of its name");
  cli.add_option("--device", options.device,
                 "device: index among the devices of --platform and --type, or part of its name");
  cli.add_option("--type", options.type, "cpu, gpu, accelerator or all")
      ->check(CLI::IsMember({"cpu", "gpu", "accelerator", "all"}))
      ->capture_default_str();
  cli.add_option("--local-size", options.localSize,
                 fmt::format("{}: {} (default {})", about.localSizeMeaning,
                             fmt::join(about.localSizes, ", "), about.defaultLocalSize));
  cli.add_flag("--tune", options.tune, "measure the legal local sizes and use the fastest")
      ->excludes("--local-size");
  cli.add_option("--program", options.program,
                 "build the kernels from this file, OpenCL C or a binary, instead of from the "
                 "program's own source");
  cli.add_option("--seed", options.seed, "seed of the generated input")
      ->check(CLI::Validator(unsignedNumber, "", "seed"))
      ->capture_default_str();
  cli.add_flag("--verify,!--no-verify", options.verify, "check the result (default)");
  cli.add_option("--min-seconds", options.minSeconds, "seconds for which a sample repeats the run")
      ->capture_default_str();
  cli.add_option("--samples", options.samples, "number of samples")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  cli.add_option("--csv", options.csv, "write the samples as CSV to this file (-: stdout)");
  cli.add_option("--json", options.json, "write the samples as JSON to this file (-: stdout)");
  cli.add_flag("--list", options.list,
               "print the problem and the memory of every size, and run nothing\n(with --json "
               "FILE, as JSON)");
}

void checkShared(const Options &options, const Description &about) {
  if (!std::isfinite(options.minSeconds) || options.minSeconds < 0)
    throw UsageError(fmt::format("--min-seconds {}: expected a number of seconds, 0 or more",
                                 options.minSeconds));
  if (options.localSize &&
      std::ranges::find(about.localSizes, *options.localSize) == about.localSizes.end())
    throw UsageError(fmt::format("--local-size {}: expected one of {}", *options.localSize,
                                 fmt::join(about.localSizes, ", ")));
  if (options.csv == "-" && options.json == "-")
    throw UsageError("--csv - and --json -: only one of them can be written to stdout");
}

} // namespace

std::optional<int> parseOptions(Options &options, Application &application, int argc, char **argv) {
  const Description &about = application.description();
  CLI::App cli(fmt::format("{} ({})", about.summary, about.dwarf), "eod-" + about.name);
  cli.set_version_flag("--version", fmt::format("eod-{} {}", about.name, kVersion));

  // Callbacks run in the order in which options were added, whatever the order on the command
  // line: a size comes first, the application's own options then change what it set.
  std::map<std::string, Size> sizes;
  std::map<std::string, std::string> sizeOfParameter;
  for (Size size : kSizes) {
    application.selectSize(size);
    sizes.emplace(name(size), size);
    sizeOfParameter.emplace(application.parameter(), name(size));
  }
  application.selectSize(Size::kTiny);
  cli.add_option_function<std::string>(
         "--size", [&](const std::string &text) { application.selectSize(sizes.at(text)); },
         "tiny, small, medium or large (default tiny)")
      ->check(CLI::IsMember({"tiny", "small", "medium", "large"}));
  Parameters parameters(cli);
  application.addOptions(parameters);
  addShared(cli, options, application);

  try {
    cli.parse(argc, argv);
  } catch (const CLI::ConversionError &error) {
    throw UsageError(fmt::format("{}: expected a number that fits", error.what()));
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return cli.exit(error);
    throw UsageError(error.what());
  }
  checkShared(options, about);
  application.checkParameters();
  const auto named = sizeOfParameter.find(application.parameter());
  options.size = named == sizeOfParameter.end() ? "custom" : named->second;
  return std::nullopt;
}

} // namespace aiwc::eod
