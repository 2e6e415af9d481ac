#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aiwc::eod {

/// The options that all applications share.
struct Options {
  std::string platform; ///< index, or part of its name; empty: any
  std::string device;   ///< index among the matching devices, or part of its name; empty: first
  std::string type = "all";
  std::optional<size_t> localSize;
  bool tune = false;   ///< measure all legal local sizes first, keep the fastest
  std::string program; ///< file of OpenCL C or of a binary; empty: the application's own source
  uint64_t seed = 1;
  bool verify = true;
  double minSeconds = 0; ///< a sample repeats the run until this much time has passed
  uint32_t samples = 1;
  std::string csv; ///< path, "-" for stdout, empty for none
  std::string json;
  bool list = false;
  /// The named size that the application's parameter equals in the end, else "custom".
  std::string size;
};

/// Reads the command line into `options` and `application`. Returns none if the program should
/// continue, else its exit status (help, version). Throws UsageError.
std::optional<int> parseOptions(Options &options, Application &application, int argc, char **argv);

} // namespace aiwc::eod
