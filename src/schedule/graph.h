/// Tasks, what they read and wait for, and the workers that can run them: what list scheduling is
/// simulated on. It knows nothing of kernels; a test may state any graph with any times.
#pragma once

#include "predict/cost_model.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::schedule {

/// The memory that every transfer begins or ends in.
inline constexpr size_t kHostMemory = 0;
/// The time of a task on a worker that cannot run it.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// What it takes to move some bytes between the host's memory and each of the others.
struct Movement {
  double bytes = 0;
  /// Seconds, by memory; 0 for kHostMemory.
  std::vector<double> toHost, fromHost;

  /// From one memory to another, through that of the host; 0 within one.
  double seconds(size_t from, size_t to) const {
    return from == to ? 0 : toHost[from] + fromHost[to];
  }
};

/// A value of some memory: what one task has written, or what is there at the start. Copies of it
/// in several memories stay valid, since a task that overwrites makes another datum.
struct Datum {
  std::optional<size_t> producer; ///< task; none: it is there at time 0
  size_t memory = kHostMemory;    ///< where it then is
};

struct Read {
  size_t datum = 0;
  size_t movement = 0; ///< in Graph::movements: what moving it takes
  /// Whether moving it leaves a copy that later reads find; false where a part of it is read.
  bool whole = true;
};

struct Task {
  std::string name;
  size_t kind = 0;             ///< tasks of one kind are drawn alike
  std::vector<double> seconds; ///< by worker, kNever if that cannot run it; one at least can
  std::vector<Read> reads;     ///< data whose producers are tasks before this one
  std::vector<size_t> after;   ///< tasks before this one that end before it begins
  /// By worker: the limits of 80 % of measured over predicted times. None if they are not known,
  /// and for the host; empty for tasks of the host.
  std::vector<std::optional<predict::Interval>> factors = {};
};

struct Worker {
  std::string name;
  size_t memory = kHostMemory; ///< where its tasks read and write
  /// Whether it is the host, which runs tasks that take no device's time.
  bool host = false;
};

/// Each task comes after all that it waits for.
struct Graph {
  std::vector<Worker> workers;
  size_t memories = 1;
  /// Whether the transfers of a memory in one direction wait for each other; else any number go on
  /// at the same time.
  bool sharedLinks = true;
  std::vector<Movement> movements;
  std::vector<Datum> data;
  std::vector<Task> tasks;
};

/// Throws Error, naming the task, for a task that waits for itself or a later one, that no worker
/// can run, or that has a time below 0 or not a number; and for an index that does not exist.
void check(const Graph &graph);

/// The graph with tasks of devices on the device `worker` only.
Graph onOneDevice(const Graph &graph, size_t worker);

/// No schedule ends before either of them, whatever the policy. Transfers count as nothing.
struct Bounds {
  /// Seconds of the longest chain of tasks, each on the worker where it is fastest.
  double criticalPath = 0;
  /// Seconds of all tasks of devices, each where it is fastest, divided by the number of devices.
  double work = 0;
};
Bounds boundsOf(const Graph &graph);

/// The tasks that each task waits for, as producers of what it reads or by order, ascending.
std::vector<std::vector<size_t>> predecessorsOf(const Graph &graph);

} // namespace aiwc::schedule
