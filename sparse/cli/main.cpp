#include "cli/exit_status.h"
#include "cli/output.h"
#include "commands.h"

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return exitStatusOf("aiwc-sparse", [&] { print(sparseCommandLine().run(argc, argv)); });
}
