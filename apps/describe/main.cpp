/// aiwc-describe: a program that generates files from the table of options and from the command
/// line of aiwc when the project is built.
#include "cli/command_line.h"
#include "common/error.h"
#include "completions.h"
#include "manual.h"
#include "metric_tables.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace aiwc;
using namespace aiwc::describe;

constexpr const char *kUsage = "expected aiwc-describe FILE bash "
                               "oclgrind|aiwc|aiwc-model, FILE manual SOURCE, or FILE metrics";

std::string described(const std::vector<std::string> &arguments) {
  if (arguments == std::vector<std::string>{"metrics"})
    return metricTables();
  if (arguments.size() != 2)
    throw Error(kUsage);
  if (arguments[0] == "manual") {
    std::ifstream file(arguments[1], std::ios::binary);
    if (!file)
      throw Error(arguments[1] + ": cannot be read");
    return manualPage({std::istreambuf_iterator<char>(file), {}});
  }
  if (arguments[1] != "oclgrind" && arguments[1] != "aiwc" && arguments[1] != "aiwc-model")
    throw Error(kUsage);
  const CommandWords program = arguments[1] == "aiwc" ? wordsOf(cli::commandLine().root())
                               : arguments[1] == "oclgrind"
                                   ? launcherWords()
                                   : wordsOf(cli::modelCommandLine().root());
  if (arguments[0] == "bash")
    return bashCompletion(program);
  throw Error(kUsage);
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (arguments.empty())
      throw Error(kUsage);
    const std::string text = described({arguments.begin() + 1, arguments.end()});
    std::ofstream file(arguments[0], std::ios::binary);
    file << text << std::flush;
    if (!file)
      throw Error(arguments[0] + ": cannot be written");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc-describe: %s\n", error.what());
    return 1;
  }
}
