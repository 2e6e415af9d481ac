#include "command.h"
#include "command_line.h"
#include "exit_status.h"
#include "output.h"

#include <string_view>

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return exitStatusOf("aiwc", [&] {
    aiwc::command_line::Program program = commandLine();
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "run" || command == "build") {
      const auto commands = program.root().subcommands();
      const std::string help = commands[command == "run" ? 0 : 1].help("aiwc");
      (command == "run" ? run : build)({argv + 2, argv + argc}, help);
    }
    print(program.run(argc, argv));
  });
}
