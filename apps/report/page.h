/// A run as one HTML page: what its kernels do, how long devices take for them, and why.
#pragma once

#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/what_if.h"
#include "profile/kernel_profile.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {
class SourceCode;
}

namespace aiwc::report {

/// Launches of one kernel from one source.
struct ReportedKernel {
  std::string title; ///< the kernel and its launches, for people
  /// At least one. None may be null; all live as long as the kernel.
  std::vector<const profile::KernelProfile *> launches;
  /// The launch that the page looks at in detail, one of `launches`.
  const profile::KernelProfile *main = nullptr;
  /// By what factor the time of each launch may be off because its profile is that of another one
  /// (advice::LaunchKind); if empty, all are 1.
  std::vector<double> errorFactors = {};
  std::string_view source = {};             ///< OpenCL C; may be empty, and any bytes
  const advice::SourceCode *code = nullptr; ///< of the source, for what advice changes in it
  std::string sourceName = {};              ///< of its file, for people
  /// The type of device that the application saw, as predict::openClType, and what it asked of it
  /// that decides what it launches; empty if not known.
  std::string seenType = {};
  std::vector<std::string> asked = {};
  /// The types of device that these launches represent; empty: all.
  std::vector<std::string> onTypes = {};
  /// What the launches took together, from their starts to their ends, on devices on which all of
  /// them were measured: seconds, by the device's id.
  std::map<std::string, double> measured = {};
  /// The seconds of each of `launches` by the devices on which some were measured, 0 for others.
  /// What the page shows of other devices follows from them.
  std::map<std::string, std::vector<double>> measuredLaunches = {};

  bool isLaunchedOn(predict::DeviceType type) const;
};

struct Run {
  std::string name; ///< for people: the folder
  std::vector<ReportedKernel> kernels;
  bool whole = false; ///< whether these are all launches of an application
  /// Sentences without an end: what is missing, and what is estimated.
  std::vector<std::string> notes = {};
};

/// Changes to the parameters of devices.
struct WhatIf {
  std::string text; ///< as `--what-if` takes them
  std::vector<predict::Change> changes;
};

struct Page {
  Run run;
  std::vector<predict::DeviceProfile> devices; ///< that the reader can choose among
  /// The ids of those that are chosen at first, and for which findings, splits and what-ifs are
  /// known; at least one.
  std::vector<std::string> chosen;
  std::vector<WhatIf> whatIfs = {}; ///< besides half and twice of the usual parameters
  const predict::FittedCostModel *model = nullptr;
};

/// What the page shows, as one JSON object. Launches that the
/// model cannot use are counted and left out. Throws Error if it can use none of `run`, and
/// whenever advice::findingsOf does.
std::string dataJson(const Page &page);

/// The page: HTML with its style, its program and its data, for any browser of the last years. It
/// loads nothing and sends nothing. Names and sources appear as text, whatever they contain.
std::string html(const Page &page);

/// Fewer kernels span no map and form no clusters.
inline constexpr size_t kFewestKernels = 3;

/// Many programs on one page: which of their kernels are alike, into which clusters they fall, and
/// which of them a new program is like.
struct SuitePage {
  std::string name;                            ///< for people
  std::vector<Run> programs;                   ///< each with its kernels
  std::vector<Run> newPrograms;                ///< to be found among `programs`; may be empty
  std::vector<predict::DeviceProfile> devices; ///< that the reader can choose among
  std::vector<std::string> chosen;             ///< the ids of those chosen at first; at least one
  const predict::FittedCostModel *model = nullptr;
};

/// What the page shows, as one JSON object. Programs and their
/// kernels are sorted by name, so that the order in which they were given changes nothing. Launches
/// that the model cannot use are counted and left out; of the others, the one that executes most
/// instructions represents its kernel. Throws Error if that leaves fewer than kFewestKernels
/// kernels of `programs`, or none of `newPrograms` where there are some.
std::string dataJson(const SuitePage &page);

/// The page: HTML with its style, its program and its data, for any browser of the last years. It
/// loads nothing and sends nothing. Names appear as text, whatever they contain.
std::string html(const SuitePage &page);

} // namespace aiwc::report
