/// The subcommands of `aiwc`, one file each. A subcommand adds itself and its options to the
/// parser, and runs as the parser's callback. It reads all its input first and prints its result
/// last, so it prints nothing if an error occurs. Errors are thrown; main.cpp turns them into one
/// line on stderr and exit status 2.
#pragma once

#include "common/error.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Thrown if there is no error, but what the user asked for does not exist: exit status 1.
class Unsatisfied : public Error {
public:
  using Error::Error;
};

void addShow(CLI::App &app);
void addAdvise(CLI::App &app);
void addReport(CLI::App &app);
void addDiff(CLI::App &app);
void addMetrics(CLI::App &app);
void addPredict(CLI::App &app);
void addDevices(CLI::App &app);
/// `aiwc devices measure` and `aiwc devices plot`, subcommands of `devices`. `folders` are those of
/// --device-dir, which must live as long as the parser.
CLI::App *addMeasure(CLI::App &devices, const std::vector<std::string> &folders);
CLI::App *addPlot(CLI::App &devices, const std::vector<std::string> &folders);
void addRun(CLI::App &app);
void addSplit(CLI::App &app);
void addSchedule(CLI::App &app);
void addGenerate(CLI::App &app);
void addSample(CLI::App &app);
void addData(CLI::App &app);
void addExtrapolate(CLI::App &app);
void addEmbed(CLI::App &app);
void addLookup(CLI::App &app);
void addStrip(CLI::App &app);
void addTrain(CLI::App &app);
void addEvaluate(CLI::App &app);

void addHelp(CLI::App &app);

struct Example {
  std::string command; ///< a line for a shell
  std::string about;   ///< what it does, where the command does not say
};
/// Ends the help of `command` with `before` and the examples.
void addExamples(CLI::App &command, const std::vector<Example> &examples,
                 const std::string &before = "");

/// `aiwc run` with the arguments after `run`. It bypasses the parser, since most of its arguments
/// belong to Oclgrind and to the application. Replaces the process, so it never returns; throws
/// Error if the launcher cannot be started.
[[noreturn]] void run(const std::vector<std::string> &arguments, const std::string &help);

} // namespace aiwc::cli
