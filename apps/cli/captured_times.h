/// Tables of measured times of a run's kernels: those that the OpenCL Intercept Layer measured
/// beside its captures, and those of `aiwc attach`.
#pragma once

#include "run/run.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// A line of the layer's report (its option DevicePerformanceTiming).
struct CapturedTime {
  std::string kernel;
  uint64_t calls = 0;
  uint64_t nanos = 0; ///< of all calls together, each from the kernel's start to its end
};

/// The lines of a report's text, `file` by name. Throws Error if it has none, or those of several
/// devices.
std::vector<CapturedTime> capturedTimesOf(std::string_view text, const std::string &file);

/// The device of which a report has times, as OpenCL calls it; empty if it has none.
std::string deviceOfReport(std::string_view text);

/// The report of a capture, or of the folder that the layer wrote. Throws Error if there is none.
std::filesystem::path reportOf(const std::filesystem::path &capture);

/// The table of measured times (train/training_set.h) of a run's kernels on a device; `application`
/// names the run. A kernel of
/// which the run has other launches than the report is left out; `leftOut` gets a line that says
/// so.
std::string timesTable(const run::Run &run, const std::vector<CapturedTime> &times,
                       const std::string &application, const std::string &device,
                       std::vector<std::string> &leftOut);

/// The same of a run whose launches were measured themselves: of each kernel, the time of all
/// launches that were characterised or are represented by one that was. `dataSet` and `size` are
/// the table's; runs of one application need different sizes. Empty if there is no such launch.
std::string timesTable(const run::Run &run, const std::string &dataSet,
                       const std::string &application, const std::string &size,
                       const std::string &device);

} // namespace aiwc::cli
