#include "command.h"
#include "command_line.h"
#include "command_line/exit_status.h"
#include "command_line/output.h"

#include <array>
#include <string_view>
#include <utility>

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return aiwc::command_line::exitStatusOf("aiwc", [&] {
    aiwc::command_line::ProgramCommands program = commandLine();
    const std::vector<const char *> words = takeProgramOptions(argc, argv);
    const std::string_view command = words.size() > 1 ? words[1] : "";
    // They read their arguments themselves: most of them belong to another program.
    constexpr std::array<std::pair<std::string_view, decltype(&run)>, 3> kOthers = {
        {{"run", run}, {"attach", attach}, {"build", build}}};
    for (const auto &[name, start] : kOthers)
      if (command == name)
        for (const Command &known : program.root().subcommands())
          if (known.name() == name)
            start({words.begin() + 2, words.end()}, known.help("aiwc"));
    refuseRenamed(words);
    print(program.run(static_cast<int>(words.size()), words.data()));
  });
}
