#include "command_line/exit_status.h"
#include "command_line/output.h"
#include "commands.h"
#include "common/version.h"

#include <string>

namespace aiwc::cli {
namespace {

command_line::ProgramCommands sparseCommandLine() {
  command_line::ProgramCommands program(
      "aiwc-sparse", "Profiles of kernels on sparse matrices, from samples of the matrices",
      std::string(kVersion));
  Command root = program.root();
  addSample(root);
  addExtrapolate(root);
  program.addHelp();
  root.examples(
      {{"aiwc-sparse sample web.mtx -o part.mtx", "a twentieth of a matrix"},
       {"aiwc run --output part -- ./spmv part.mtx", "characterise the kernel on it"},
       {"aiwc-sparse extrapolate part --to web.mtx -o whole", "what it does on the whole"},
       {"aiwc predict whole", "how long that takes on which device"}});
  return program;
}

} // namespace
} // namespace aiwc::cli

int main(int argc, char **argv) {
  using namespace aiwc::cli;
  return aiwc::command_line::exitStatusOf("aiwc-sparse",
                                          [&] { print(sparseCommandLine().run(argc, argv)); });
}
