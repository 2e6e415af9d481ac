#include "command.h"
#include "command_line.h"
#include "common/error.h"
#include "output.h"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>

namespace {

using namespace aiwc;
using namespace aiwc::cli;

/// Exit status for wrong usage and bad input.
constexpr int kFailure = 2;
/// Exit status if the requested item does not exist.
constexpr int kUnsatisfied = 1;

int fail(const std::string &message) {
  warn(message);
  return kFailure;
}

} // namespace

int main(int argc, char **argv) {
  try {
    command_line::Program program = commandLine();
    if (argc > 1 && std::string_view(argv[1]) == "run")
      run({argv + 2, argv + argc}, program.root().subcommands().front().help("aiwc"));
    print(program.run(argc, argv));
    return 0;
  } catch (const Unsatisfied &error) {
    warn(error.what());
    return kUnsatisfied;
  } catch (const aiwc::Error &error) {
    return fail(error.what());
  } catch (const std::exception &error) {
    return fail(fmt::format("aiwc: {}", error.what()));
  }
}
