/// The subcommands of `aiwc`, one file each. A subcommand is added to the parser with what it
/// accepts and runs as the parser's callback: it reads all it needs, then prints its result at
/// once. Errors are thrown and become one line on stderr and exit status 2 in main.cpp; thus
/// nothing is written where something is wrong.
#pragma once

#include "common/error.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Thrown where nothing is wrong, but what was asked for is not there: exit status 1.
class Unsatisfied : public Error {
public:
  using Error::Error;
};

void addShow(CLI::App &app);
void addDiff(CLI::App &app);
void addMetrics(CLI::App &app);
void addPredict(CLI::App &app);
void addDevices(CLI::App &app);
void addRun(CLI::App &app);
void addSplit(CLI::App &app);
void addEmbed(CLI::App &app);
void addLookup(CLI::App &app);
void addStrip(CLI::App &app);
void addTrain(CLI::App &app);
void addEvaluate(CLI::App &app);

/// `aiwc run` with what stands behind `run`. It does not go through the parser, since most of its
/// arguments belong to Oclgrind and to the application. Replaces the process; returns never, but
/// throws Error where the launcher cannot be started.
[[noreturn]] void run(const std::vector<std::string> &arguments, const std::string &help);

} // namespace aiwc::cli
