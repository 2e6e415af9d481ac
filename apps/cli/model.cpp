/// The program aiwc-model.
#include "command_line.h"
#include "command_line/exit_status.h"
#include "command_line/output.h"

int main(int argc, char **argv) {
  using namespace aiwc;
  return command_line::exitStatusOf(
      "aiwc-model", [&] { command_line::print(cli::modelCommandLine().run(argc, argv)); });
}
