// The stock Oclgrind without a characterisation: as it is, and its help and version.

#include "common/version.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "launcher/task.h"

#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace aiwc::launcher {
namespace {

// One option in the columns of the stock help; a long argument moves the first line of its help.
std::string helpOf(std::string_view flag, std::string_view argument, std::string_view help) {
  constexpr std::size_t kArgument = 23, kHelp = 31, kWidth = 80;
  std::string line = "  " + std::string(flag);
  line.resize(kArgument, ' ');
  line += argument;
  line.append(line.size() < kHelp ? kHelp - line.size() : 1, ' ');
  std::string text;
  std::istringstream words{std::string(help)};
  for (std::string word; words >> word;) {
    if (line.size() > kHelp && line.size() + 1 + word.size() > kWidth) {
      text += line + "\n";
      line.assign(kHelp, ' ');
    }
    line += (line.size() > kHelp ? " " : "") + word;
  }
  return text + line + "\n";
}

// The description of our options, in the layout of the stock `oclgrind --help`.
std::string helpText() {
  std::string text = "Options of aiwc:\n" + helpOf(kCharacteriseFlag, "", kCharacteriseHelp);
  for (const Option &option : kOptions)
    text += helpOf(option.flag, option.argument, option.help);
  return text + "\nEach of them implies --aiwc. All options must come before COMMAND.\n"
                "See oclgrind-aiwc(7).\n";
}

} // namespace

int perform(const RunStock &task) {
  const Stock stock = findStock();
  std::vector<std::string> command = {stock.program.string()};
  command.insert(command.end(), task.words.begin(), task.words.end());
  markScript(stock);
  replaceBy(command);
}

int perform(const Describe &task) {
  const Stock stock = findStock();
  std::vector<std::string> command = {stock.program.string()};
  command.insert(command.end(), task.stockOptions.begin(), task.stockOptions.end());
  int ended = 0;
  {
    Children children;
    ended = children.run(command, Children::Role::kApplication, [&] { markScript(stock); });
  }
  if (ended == 0) {
    if (task.isVersion)
      std::printf("aiwc %s (for Oclgrind %s)\n", kVersion, AIWC_OCLGRIND_VERSION);
    else
      std::fputs(helpText().c_str(), stdout);
  }
  return ended;
}

} // namespace aiwc::launcher
