/// The subcommands of `aiwc`, one file each. A subcommand adds itself and its options to the
/// parser, and runs as the parser's callback. It reads all its input first and prints its result
/// last, so it prints nothing if an error occurs. Errors are thrown; main.cpp turns them into one
/// line on stderr and exit status 2.
#pragma once

#include "command_line/command.h"
#include "command_line/exit_status.h"
#include "command_line/output.h"

#include <string>
#include <vector>

namespace aiwc::cli {

using command_line::Command;
using command_line::Misuse;
using command_line::Option;
using command_line::print;
using command_line::Unsatisfied;
using command_line::warn;
using command_line::writeOutput;

void addShow(Command app);
void addAdvise(Command app);
void addReport(Command app);
void addDiff(Command app);
void addPredict(Command app);
void addDevices(Command app);
/// `aiwc devices measure`, a subcommand of `devices`.
void addMeasure(Command devices);
void addRun(Command app);
void addAttach(Command app);
void addBuild(Command app);
void addKernel(Command app);
void addTune(Command app);
void addSplit(Command app);
void addEmbed(Command app);
void addLookup(Command app);
void addStrip(Command app);
void addTrain(Command app);
void addEvaluate(Command app);

/// `aiwc run` with the arguments after `run`. It bypasses the parser, since most of its arguments
/// belong to Oclgrind and to the application. Ends the process like the application; throws
/// UsageError for what it cannot understand.
[[noreturn]] void run(const std::vector<std::string> &arguments, const std::string &help);

/// `aiwc attach` likewise.
[[noreturn]] void attach(const std::vector<std::string> &arguments, const std::string &help);

/// `aiwc build` with the arguments after `build`: a compiler's command line, read like that of
/// `run`. Ends the process with the compiler's status; throws Error for what cannot be built.
[[noreturn]] void build(const std::vector<std::string> &arguments, const std::string &help);

} // namespace aiwc::cli
