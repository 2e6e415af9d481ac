/// Simulates list scheduling of a task graph.
#pragma once

#include "schedule/graph.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::schedule {

enum class Policy : uint8_t {
  /// Topcuoglu, Hariri, Wu: "Performance-effective and low-complexity task scheduling for
  /// heterogeneous computing" (2002). Tasks by falling upward rank (mean time, plus the largest sum
  /// of mean transfer and rank of a successor), each on the worker where it ends first, between
  /// tasks that are there already if it fits. Knows the whole graph beforehand.
  kHeft,
  /// StarPU's dmda: a task is given, when it becomes ready, to the worker for which the sum of when
  /// that has done its queue, the transfers and the task's time is least. Its data are fetched from
  /// then on; a worker runs its queue in order.
  kDmda,
  /// A task goes, in the order in which tasks become ready, to the first worker that is free, which
  /// then fetches its data and waits for them. Knows no times.
  kEager,
};
std::string_view name(Policy policy); ///< "heft", "dmda", "eager"

/// Where and when a task runs, in seconds from the start.
struct Placement {
  size_t worker = 0;
  double taken = 0; ///< from when on the worker does nothing else; before `begin` if it waits
  double begin = 0;
  double end = 0;
};

/// One way of data over the link of a memory.
struct Transfer {
  size_t task = 0; ///< for which it is made
  size_t datum = 0;
  size_t memory = 0; ///< never that of the host, which is at the other end
  bool toHost = false;
  double begin = 0, end = 0;
  double bytes = 0;
};

struct Schedule {
  std::vector<Placement> placements; ///< by task
  std::vector<Transfer> transfers;   ///< in the order in which they were decided
  double makespan = 0;               ///< when the last task ends
  double bytesMoved = 0;
  std::vector<double> busy; ///< seconds in which each worker runs tasks
};

/// Seconds, by task, then by worker.
using Durations = std::vector<std::vector<double>>;

/// The schedule of a checked graph. `actual`: how long tasks take, if that is not what the policy
/// believes; it then decides by the graph's times, and HEFT keeps its workers and the order of
/// each of them. Ties go to the task and the worker that come first. Deterministic.
Schedule simulate(const Graph &graph, Policy policy, const Durations *actual = nullptr);

/// What becomes of the schedule `plan` where tasks take `actual` times: the same workers, each with
/// the same order.
Schedule replay(const Graph &graph, const Schedule &plan, const Durations &actual);

} // namespace aiwc::schedule
