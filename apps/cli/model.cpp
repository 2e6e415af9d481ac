/// The program aiwc-model.
#include "command_line.h"
#include "command_line/exit_status.h"
#include "command_line/output.h"

int main(int argc, char **argv) {
  using namespace aiwc;
  return command_line::exitStatusOf("aiwc-model", [&] {
    const std::vector<const char *> words = cli::takeProgramOptions(argc, argv);
    command_line::print(cli::modelCommandLine().run(static_cast<int>(words.size()), words.data()));
  });
}
