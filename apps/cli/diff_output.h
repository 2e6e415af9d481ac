/// What `aiwc diff` prints.
#pragma once

#include "views/compare.h"
#include "views/condition.h"

#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::cli {

/// The predicted time in seconds of all launches of a kernel, or of all kernels; no value where the
/// model cannot use one of their profiles.
struct TimeChange {
  std::string device; ///< id
  profile::Value before, after;
  std::string part = {};  ///< of the time, that changes most; empty if none does
  double partSeconds = 0; ///< by how much
  /// False: the application launches other kernels on devices of this type, and the row of these
  /// ones is not printed.
  bool isLaunchedThere = true;
};

/// A condition of --fail-on that holds.
struct Violation {
  const views::Condition *condition = nullptr;
  const views::KernelComparison *kernel = nullptr;
  views::QuantityChange change;
};

struct Diff {
  std::string before, after; ///< as the user named them
  std::vector<views::KernelComparison> kernels;
  /// Of each of `kernels`: the types of device that it is launched on, as predict::openClType;
  /// empty: on all.
  std::vector<std::vector<std::string>> types;
  std::vector<std::vector<TimeChange>> times; ///< of each of `kernels`, one per device
  std::vector<TimeChange> application;        ///< of the kernels that both have, per device
  size_t conditions = 0;                      ///< of --fail-on
  std::vector<Violation> violations;
};

/// For each kernel that differs: times, then the metrics that cost time, or all with `all`. At the
/// end a sentence. One line if no kernel differs.
std::string asText(const Diff &diff, bool all = false);
/// docs/comparing.md describes the object.
std::string asJson(const Diff &diff);
/// "blur: dram_bytes@32KiB grew by 12 %, from 1,000 to 1,120: the limit is 5 %", without an end of
/// line.
std::string inWords(const Violation &violation);

/// The text of `aiwc diff BEFORE AFTER --devices DEVICES`. Throws as that command does.
std::string differenceOfRuns(const std::string &before, const std::string &after,
                             const std::string &devices);

} // namespace aiwc::cli
