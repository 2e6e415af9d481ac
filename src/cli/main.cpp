#include "command.h"
#include "command_line.h"
#include "exit_status.h"
#include "output.h"

#include <string_view>

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return exitStatusOf("aiwc", [&] {
    aiwc::command_line::Program program = commandLine();
    if (argc > 1 && std::string_view(argv[1]) == "run")
      run({argv + 2, argv + argc}, program.root().subcommands().front().help("aiwc"));
    print(program.run(argc, argv));
  });
}
