/// Policies compared on one task graph.
#pragma once

#include "predict/cost_model.h"
#include "schedule/simulation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::schedule {

/// A policy's schedule over all devices, or the schedule over one of them.
struct Entry {
  Policy policy = Policy::kHeft;
  std::optional<size_t> only; ///< worker; none: all devices
  Schedule schedule;
  /// 80 % of the sampled makespans lie in it; none if the errors of the model are not known.
  std::optional<predict::Interval> interval;
  /// In which part of the samples no entry ends earlier; 0 without samples.
  double firstIn = 0;
};

struct Comparison {
  Bounds bounds;
  /// HEFT, dmda, eager, then one for each kind of device (dmda's rule, which leaves it no choice).
  std::vector<Entry> entries;
  size_t samples = 0; ///< 0 if the errors of the model are not known
};

/// What is known of the errors of predicted times.
struct Errors {
  /// By worker: workers of one number are devices of one kind.
  std::vector<size_t> deviceKinds;
  size_t samples = 200;
  uint64_t seed = 1;
};

/// Simulates all entries for a checked graph. A sample draws, for each kind of task on each kind of
/// device, how far off the times are within the intervals of the tasks' log-normal distributions,
/// independently of the others, and simulates all entries with the times times these factors:
/// policies decide by what is predicted. Equal seeds give equal results. No samples are drawn
/// unless the factors of all tasks on all devices are known.
Comparison compare(const Graph &graph, const Errors &errors);

} // namespace aiwc::schedule
