/// The commands of aiwc-sparse, one file each. They are declared and run as those of aiwc are
/// (apps/cli/command.h).
#pragma once

#include "command_line/command.h"
#include "command_line/exit_status.h"
#include "command_line/output.h"

namespace aiwc::cli {

using command_line::Command;
using command_line::print;
using command_line::Unsatisfied;
using command_line::warn;
using command_line::writeOutput;

void addSample(Command app);
void addExtrapolate(Command app);

} // namespace aiwc::cli
