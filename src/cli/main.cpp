#include "command.h"
#include "common/error.h"
#include "common/version.h"
#include "output.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <exception>

namespace {

using namespace aiwc::cli;

/// Exit status for wrong usage and bad input.
constexpr int kFailure = 2;
/// Exit status if the requested item does not exist.
constexpr int kUnsatisfied = 1;

int fail(const std::string &message) {
  warn(message);
  return kFailure;
}

/// The parser's message on one line, followed by a hint to the help.
int failUsage(const CLI::App &app, const CLI::ParseError &error) {
  std::string command = "aiwc";
  for (const CLI::App *chosen = &app; !chosen->get_subcommands().empty();) {
    chosen = chosen->get_subcommands().front();
    command += " " + chosen->get_name();
  }
  std::string message = error.what();
  while (!message.empty() && (message.back() == '\n' || message.back() == '.'))
    message.pop_back();
  return fail(fmt::format("{}: {}: see {} --help", command, aiwc::profile::printable(message, 1000),
                          command));
}

int parse(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    // Checked here because the parser would also report this for a misspelt subcommand.
    if (app.get_subcommands().empty())
      throw CLI::RequiredError("A subcommand");
    return 0;
  } catch (const CLI::CallForHelp &) {
    print(app.help());
    return 0;
  } catch (const CLI::CallForVersion &) {
    print(fmt::format("aiwc {}\n", aiwc::kVersion));
    return 0;
  } catch (const CLI::ParseError &error) {
    return failUsage(app, error);
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    CLI::App app("Architecture-independent workload characterisation of OpenCL kernels", "aiwc");
    app.set_version_flag("--version", "");
    app.require_subcommand(0, 1);
    addRun(app);
    addShow(app);
    addAdvise(app);
    addReport(app);
    addDiff(app);
    addMetrics(app);
    addPredict(app);
    addDevices(app);
    addSplit(app);
    addEmbed(app);
    addLookup(app);
    addStrip(app);
    addTrain(app);
    addEvaluate(app);
    if (argc > 1 && std::string_view(argv[1]) == "run")
      run({argv + 2, argv + argc}, app.get_subcommand("run")->help("aiwc"));
    return parse(app, argc, argv);
  } catch (const Unsatisfied &error) {
    warn(error.what());
    return kUnsatisfied;
  } catch (const aiwc::Error &error) {
    return fail(error.what());
  } catch (const std::exception &error) {
    return fail(fmt::format("aiwc: {}", error.what()));
  }
}
