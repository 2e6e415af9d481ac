/// What the programs that read bitcode have in common.
#pragma once

#include <sys/resource.h>

#include <string>
#include <vector>

namespace aiwc::lowering {

struct Tool {
  const char *name, *help;
  const char *saidBy; ///< what lines about damaged bitcode begin with
};

/// Runs the program, whose work this is, or prints what its arguments ask for, its help or version.
/// Returns its exit status: 1 for an Error or damaged bitcode, 2 for any other failure; each is one
/// line.
int runTool(int argc, char **argv, const Tool &tool,
            void (*work)(const std::vector<std::string> &arguments));

/// A damaged module must not take the machine.
void limitResources(rlim_t seconds);

} // namespace aiwc::lowering
