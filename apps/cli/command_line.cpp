#include "command_line.h"

#include "command.h"
#include "common/version.h"

#include <string>

namespace aiwc::cli {

command_line::ProgramCommands commandLine() {
  command_line::ProgramCommands program(
      "aiwc", "Architecture-independent workload characterisation of OpenCL kernels",
      std::string(kVersion));
  Command root = program.root();
  // What one needs first, in the order in which one needs it.
  addRun(root);
  addKernel(root);
  addBuild(root);
  addShow(root);
  addAdvise(root);
  addPredict(root);
  addDiff(root);
  addReport(root);
  root.heading("More");
  addAttach(root);
  addTune(root);
  addDevices(root);
  addSplit(root);
  Command annotate =
      root.subcommand("annotate", "Embed profiles in files of kernels, and read them");
  addEmbed(annotate);
  addLookup(annotate);
  addStrip(annotate);
  root.renamed("model", "the program aiwc-model");
  root.renamed("train", "aiwc-model train");
  root.renamed("evaluate", "aiwc-model evaluate");
  program.addHelp();
  root.examples({{"aiwc run --output profiles -- ./blur", "characterise the kernels of blur"},
                 {"aiwc show profiles", "what they do"},
                 {"aiwc advise profiles", "what costs them time, and what to do about it"},
                 {"aiwc predict profiles", "how long they take on which device"}});
  return program;
}

command_line::ProgramCommands modelCommandLine() {
  command_line::ProgramCommands program(
      "aiwc-model", "Fit a model of aiwc predict to measured times, and judge it",
      std::string(kVersion));
  addTrain(program.root());
  addEvaluate(program.root());
  program.addHelp();
  return program;
}

} // namespace aiwc::cli
