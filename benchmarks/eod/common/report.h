#pragma once

#include "eod/common/application.h"
#include "eod/common/device.h"
#include "eod/common/measurements.h"
#include "eod/common/options.h"
#include "eod/common/tuning.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::eod {

/// The results of one execution of an application's program.
struct Report {
  const Application *application = nullptr;
  Options options;
  Device device{};
  size_t localSize = 0;
  std::string buildOptions;
  std::string sourceHash;        ///< of the program, without annotations where it is source
  double setUpUs = 0;            ///< wall time of build, allocation and input generation
  std::vector<TunedSize> tuning; ///< empty without --tune
  std::vector<Sample> samples;
  std::optional<Verdict> verdict; ///< none where --no-verify said so
};

/// A row per sample and launch; the columns are documented in README.md of the suite.
std::string toCsv(const Report &report);
std::string toJson(const Report &report);
/// For a reader: device, time per kernel and run (median over the samples), transfers, verdict.
std::string toText(const Report &report);
/// The output of --list: the parameter, footprint and device memory of the four sizes.
std::string sizeTable(Application &application, const Options &options);
/// The same as JSON, with a description of the application.
std::string sizesToJson(Application &application, const Options &options);

} // namespace aiwc::eod
