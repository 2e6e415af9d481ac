/// aiwc-describe: a program that generates files from the table of options when the project is
/// built.
#include "common/error.h"
#include "completions.h"
#include "manual.h"
#include "session/option_table.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace aiwc;
using namespace aiwc::describe;

constexpr const char *kUsage =
    "expected aiwc-describe FILE bash|zsh|fish oclgrind|aiwc, or aiwc-describe FILE manual SOURCE";

OptionWords wordsOf(const Option &option, const std::string &flag) {
  OptionWords words{
      flag, std::string(option.help), std::string(option.argument), option.offered == kFolders, {}};
  std::istringstream offered{std::string(words.folders ? "" : option.offered)};
  words.offered.assign(std::istream_iterator<std::string>(offered), {});
  return words;
}

CommandWords launcher() {
  CommandWords words{"oclgrind", "", {}, {}};
  words.options.push_back(
      {std::string(kCharacteriseFlag), std::string(kCharacteriseHelp), "", false, {}});
  for (const Option &option : kOptions)
    words.options.push_back(wordsOf(option, std::string(option.flag)));
  return words;
}

/// The table has only the options of `aiwc run`: the words of other commands are completed as
/// files.
CommandWords command() {
  CommandWords run{"run", "Run an application and characterise its kernels", {}, {}};
  for (const Option &option : kOptions)
    run.options.push_back(wordsOf(option, option.runFlag()));
  CommandWords words{"aiwc", "", {}, {run}};
  for (const auto &[name, help] : std::initializer_list<std::pair<const char *, const char *>>{
           {"show", "Print profiles"},
           {"advise", "Say what costs kernels time, where, and what to do about it"},
           {"report", "Write a run as one HTML page"},
           {"diff", "Compare two profiles"},
           {"metrics", "List the metrics"},
           {"predict", "Predict what kernels cost on devices"},
           {"train", "Fit a prediction model to measured times"},
           {"evaluate", "Show how well a prediction model does on times that it was not fitted to"},
           {"devices", "List the devices, measure or draw one"},
           {"split", "Split kernels over devices"},
           {"embed", "Put profiles into a program"},
           {"lookup", "Print the profiles inside a program"},
           {"strip", "Take the profiles out of a program"}})
    words.commands.push_back({name, help, {}, {}});
  return words;
}

std::string described(const std::vector<std::string> &arguments) {
  if (arguments.size() != 2)
    throw Error(kUsage);
  if (arguments[0] == "manual") {
    std::ifstream file(arguments[1], std::ios::binary);
    if (!file)
      throw Error(arguments[1] + ": cannot be read");
    return manualPage({std::istreambuf_iterator<char>(file), {}});
  }
  if (arguments[1] != "oclgrind" && arguments[1] != "aiwc")
    throw Error(kUsage);
  const CommandWords program = arguments[1] == "aiwc" ? command() : launcher();
  if (arguments[0] == "bash")
    return bashCompletion(program);
  if (arguments[0] == "zsh")
    return zshCompletion(program);
  if (arguments[0] == "fish")
    return fishCompletion(program);
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
