#pragma once

#include <initializer_list>
#include <string>

namespace aiwc::eod::test {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

/// Runs eod-<application>, `options` as a shell reads them, in an empty folder and without any
/// OpenCL driver: what is refused here is refused before a device is looked for.
Outcome run(const std::string &application, const std::string &options);

struct Refusal {
  const char *options;
  const char *says; ///< part of the line on stderr
};

/// Checks that each of them is refused: status 2, one line on stderr, nothing on stdout.
void checkRefused(const std::string &application, std::initializer_list<Refusal> refusals);

/// The number in column `column` (from 0) of the line of --list that begins with `size`; columns
/// are the size, its parameter, the footprint in KiB and the device memory in KiB. -1: no such
/// line.
double listed(const std::string &list, const std::string &size, int column);

} // namespace aiwc::eod::test
