#include "command.h"
#include "command_line.h"
#include "common/error.h"
#include "common/version.h"
#include "output.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>

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

int failUsage(const CLI::App &app, const std::string &message) {
  return fail(fmt::format("{}: see {} --help", message, chosenCommand(app)));
}

/// The parser's message on one line, followed by a hint to the help.
int failUsage(const CLI::App &app, const CLI::ParseError &error) {
  std::string message = error.what();
  while (!message.empty() && (message.back() == '\n' || message.back() == '.'))
    message.pop_back();
  return failUsage(
      app, fmt::format("{}: {}", chosenCommand(app), aiwc::profile::printable(message, 1000)));
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
  } catch (const CLI::ExtrasError &) {
    return failUsage(app, wrongWord(app));
  } catch (const CLI::ParseError &error) {
    return failUsage(app, error);
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::unique_ptr<CLI::App> app = commandLine();
    if (argc > 1 && std::string_view(argv[1]) == "run")
      run({argv + 2, argv + argc}, app->get_subcommand("run")->help("aiwc"));
    return parse(*app, argc, argv);
  } catch (const Unsatisfied &error) {
    warn(error.what());
    return kUnsatisfied;
  } catch (const aiwc::Error &error) {
    return fail(error.what());
  } catch (const std::exception &error) {
    return fail(fmt::format("aiwc: {}", error.what()));
  }
}
