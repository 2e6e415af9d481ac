/// The commands of aiwc-sparse, one file each. They are declared and run as those of aiwc are
/// (cli/command.h).
#pragma once

#include "cli/command.h"

namespace aiwc::cli {

void addDescribe(Command app);
void addGenerate(Command app);
void addSample(Command app);
void addExtrapolate(Command app);

/// The program with all of its commands.
command_line::Program sparseCommandLine();

} // namespace aiwc::cli
