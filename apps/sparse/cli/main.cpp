#include "command_line/exit_status.h"
#include "command_line/output.h"
#include "commands.h"

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return aiwc::command_line::exitStatusOf("aiwc-sparse",
                                          [&] { print(sparseCommandLine().run(argc, argv)); });
}
