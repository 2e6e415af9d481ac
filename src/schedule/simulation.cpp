#include "schedule/simulation.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace aiwc::schedule {

namespace {

/// When something that does one thing at a time is busy.
class Timeline {
public:
  /// The first time from `ready` on at which it is free for `seconds`.
  double earliest(double ready, double seconds) const {
    auto next = std::ranges::upper_bound(spans_, ready, {}, &Span::end);
    for (; next != spans_.end() && next->begin < ready + seconds; ++next)
      ready = std::max(ready, next->end);
    return ready;
  }
  void add(double begin, double end) {
    if (begin < end)
      spans_.insert(std::ranges::upper_bound(spans_, begin, {}, &Span::begin), {begin, end});
  }
  void remove(double begin) {
    const auto found = std::ranges::lower_bound(spans_, begin, {}, &Span::begin);
    if (found != spans_.end() && found->begin == begin)
      spans_.erase(found);
  }

private:
  struct Span {
    double begin, end;
  };
  std::vector<Span> spans_; ///< ascending, not empty, disjoint
};

/// What is where at which time, as tasks are placed one after the other.
class Machine {
public:
  Machine(const Graph &graph, const Durations *actual)
      : graph_(graph), actual_(actual), before_(predecessorsOf(graph)),
        produced_(graph.tasks.size()), copies_(graph.data.size() * graph.memories, kNever),
        up_(graph.memories), down_(graph.memories), workers_(graph.workers.size()),
        free_(graph.workers.size(), 0) {
    for (size_t datum = 0; datum < graph.data.size(); ++datum)
      if (const auto &producer = graph.data[datum].producer)
        produced_[*producer].push_back(datum);
      else
        copyOf(datum, graph.data[datum].memory) = 0;
    schedule_.placements.resize(graph.tasks.size());
    schedule_.busy.resize(graph.workers.size(), 0);
  }

  const Graph &graph() const { return graph_; }
  const std::vector<std::vector<size_t>> &before() const { return before_; }
  bool can(size_t task, size_t worker) const { return graph_.tasks[task].seconds[worker] < kNever; }
  double free(size_t worker) const { return free_[worker]; }
  double end(size_t task) const { return schedule_.placements[task].end; }
  /// When all that the task waits for has ended.
  double ready(size_t task) const {
    double time = 0;
    for (const size_t predecessor : before_[task])
      time = std::max(time, end(predecessor));
    return time;
  }

  /// Seconds of transfers for the task, as if there were no others.
  double transfers(size_t task, size_t worker) const {
    const size_t memory = graph_.workers[worker].memory;
    double seconds = 0;
    for (const Read &read : graph_.tasks[task].reads) {
      double least = kNever;
      for (size_t from = 0; from < graph_.memories; ++from)
        if (copyOf(read.datum, from) < kNever)
          least = std::min(least, graph_.movements[read.movement].seconds(from, memory));
      seconds += least;
    }
    return seconds;
  }

  enum class Where : uint8_t { kInGap, kLast };

  /// When the task would end on the worker. Its data are fetched when they exist.
  double endOn(size_t task, size_t worker) {
    const Placement placement = fit(task, worker, Where::kInGap, 0);
    undo();
    return placement.end;
  }
  void place(size_t task, size_t worker, Where where, double fetchFrom) {
    keep(task, fit(task, worker, where, fetchFrom));
  }
  /// The worker waits from `taken` on for the data.
  void placeWaiting(size_t task, size_t worker, double taken) {
    Placement placement = fit(task, worker, Where::kLast, taken);
    placement.taken = taken;
    keep(task, placement);
  }

  Schedule result() && { return std::move(schedule_); }

private:
  /// From when on there is one; kNever if there is none.
  double &copyOf(size_t datum, size_t memory) { return copies_[datum * graph_.memories + memory]; }
  double copyOf(size_t datum, size_t memory) const {
    return copies_[datum * graph_.memories + memory];
  }

  struct Booking {
    Timeline *link;
    double begin;
  };
  struct Arrival {
    size_t datum, memory;
  };

  double secondsOf(size_t task, size_t worker) const {
    return actual_ ? (*actual_)[task][worker] : graph_.tasks[task].seconds[worker];
  }

  Placement fit(size_t task, size_t worker, Where where, double fetchFrom) {
    double begin = ready(task);
    for (const Read &read : graph_.tasks[task].reads)
      begin = std::max(begin, fetch(task, read, graph_.workers[worker].memory, fetchFrom));
    const double seconds = secondsOf(task, worker);
    begin = where == Where::kInGap ? workers_[worker].earliest(begin, seconds)
                                   : std::max(begin, free_[worker]);
    return {worker, begin, begin, begin + seconds};
  }

  void keep(size_t task, const Placement &placement) {
    bookings_.clear();
    arrivals_.clear();
    for (Transfer &transfer : fetched_) {
      schedule_.bytesMoved += transfer.bytes;
      schedule_.transfers.push_back(transfer);
    }
    fetched_.clear();
    workers_[placement.worker].add(placement.taken, placement.end);
    free_[placement.worker] = std::max(free_[placement.worker], placement.end);
    for (const size_t datum : produced_[task])
      copyOf(datum, graph_.workers[placement.worker].memory) = placement.end;
    schedule_.placements[task] = placement;
    schedule_.busy[placement.worker] += placement.end - placement.begin;
    schedule_.makespan = std::max(schedule_.makespan, placement.end);
  }

  void undo() {
    for (const Booking &booking : bookings_)
      booking.link->remove(booking.begin);
    for (const Arrival &arrival : arrivals_)
      copyOf(arrival.datum, arrival.memory) = kNever;
    bookings_.clear();
    arrivals_.clear();
    fetched_.clear();
  }

  /// Takes the link of `memory`; returns when the transfer ends.
  double move(size_t task, const Read &read, size_t memory, bool toHost, double from) {
    const Movement &movement = graph_.movements[read.movement];
    const double seconds = toHost ? movement.toHost[memory] : movement.fromHost[memory];
    Timeline &link = toHost ? up_[memory] : down_[memory];
    const double begin = graph_.sharedLinks ? link.earliest(from, seconds) : from;
    if (graph_.sharedLinks && seconds > 0) {
      link.add(begin, begin + seconds);
      bookings_.push_back({&link, begin});
    }
    fetched_.push_back({task, read.datum, memory, toHost, begin, begin + seconds, movement.bytes});
    return begin + seconds;
  }
  void arrive(const Read &read, size_t memory, double time) {
    if (!read.whole)
      return;
    copyOf(read.datum, memory) = time;
    arrivals_.push_back({read.datum, memory});
  }

  /// When the datum is in `memory`, where transfers begin from `from` on.
  double fetch(size_t task, const Read &read, size_t memory, double from) {
    const double *copies = &copyOf(read.datum, 0);
    if (copies[memory] < kNever)
      return copies[memory];
    double onHost = copies[kHostMemory];
    if (onHost == kNever) {
      size_t source = 0;
      double least = kNever;
      for (size_t other = 0; other < graph_.memories; ++other)
        if (const double end = copies[other] + graph_.movements[read.movement].toHost[other];
            end < least) {
          least = end;
          source = other;
        }
      onHost = move(task, read, source, true, std::max(copies[source], from));
      arrive(read, kHostMemory, onHost);
    }
    if (memory == kHostMemory)
      return onHost;
    const double end = move(task, read, memory, false, std::max(onHost, from));
    arrive(read, memory, end);
    return end;
  }

  const Graph &graph_;
  const Durations *actual_;
  std::vector<std::vector<size_t>> before_;
  std::vector<std::vector<size_t>> produced_; ///< data, by task
  std::vector<double> copies_;                ///< by datum and memory: from when on one is there
  std::vector<Timeline> up_, down_;           ///< by memory: to the host, from it
  std::vector<Timeline> workers_;
  std::vector<double> free_; ///< when a worker has done all that it was given
  Schedule schedule_;
  // Of the task that is being placed
  std::vector<Booking> bookings_;
  std::vector<Arrival> arrivals_;
  std::vector<Transfer> fetched_;
};

/// Of the pairs of workers, one for each of the tasks, that differ.
double meanTransfer(const Graph &graph, const Read &read, size_t producer, size_t consumer) {
  double sum = 0;
  size_t pairs = 0;
  for (size_t from = 0; from < graph.workers.size(); ++from)
    for (size_t to = 0; to < graph.workers.size(); ++to) {
      if (from == to || graph.tasks[producer].seconds[from] == kNever ||
          graph.tasks[consumer].seconds[to] == kNever)
        continue;
      sum += graph.movements[read.movement].seconds(graph.workers[from].memory,
                                                    graph.workers[to].memory);
      ++pairs;
    }
  return pairs > 0 ? sum / static_cast<double>(pairs) : 0;
}

double meanSeconds(const Task &task) {
  double sum = 0;
  size_t able = 0;
  for (const double seconds : task.seconds)
    if (seconds < kNever) {
      sum += seconds;
      ++able;
    }
  return sum / static_cast<double>(able);
}

std::vector<double> upwardRanks(const Graph &graph,
                                const std::vector<std::vector<size_t>> &before) {
  std::vector<double> ranks(graph.tasks.size(), 0); // at first without the task's own time
  for (size_t task = graph.tasks.size(); task-- > 0;) {
    ranks[task] += meanSeconds(graph.tasks[task]);
    for (const size_t predecessor : before[task]) {
      double transfers = 0;
      for (const Read &read : graph.tasks[task].reads)
        if (graph.data[read.datum].producer == predecessor)
          transfers += meanTransfer(graph, read, predecessor, task);
      ranks[predecessor] = std::max(ranks[predecessor], transfers + ranks[task]);
    }
  }
  return ranks;
}

Schedule heft(const Graph &graph) {
  Machine machine(graph, nullptr);
  const std::vector<double> ranks = upwardRanks(graph, machine.before());
  std::vector<size_t> order(graph.tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Where ranks are equal, tasks stay behind those that they wait for.
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return ranks[a] > ranks[b]; });
  for (const size_t task : order) {
    size_t best = 0;
    double least = kNever;
    for (size_t worker = 0; worker < graph.workers.size(); ++worker)
      if (machine.can(task, worker))
        if (const double end = machine.endOn(task, worker); end < least) {
          least = end;
          best = worker;
        }
    machine.place(task, best, Machine::Where::kInGap, 0);
  }
  return std::move(machine).result();
}

/// Calls `start(machine, task, time)` for each task when it becomes ready; it places the task.
template <typename Start>
Schedule asTheyBecomeReady(const Graph &graph, const Durations *actual, Start start) {
  Machine machine(graph, actual);
  std::vector<std::vector<size_t>> successors(graph.tasks.size());
  std::vector<size_t> waiting(graph.tasks.size());
  std::set<std::pair<double, size_t>> ready;
  for (size_t task = 0; task < graph.tasks.size(); ++task) {
    waiting[task] = machine.before()[task].size();
    for (const size_t predecessor : machine.before()[task])
      successors[predecessor].push_back(task);
    if (waiting[task] == 0)
      ready.emplace(0, task);
  }
  while (!ready.empty()) {
    const auto [time, task] = *ready.begin();
    ready.erase(ready.begin());
    start(machine, task, time);
    for (const size_t successor : successors[task])
      if (--waiting[successor] == 0)
        ready.emplace(machine.ready(successor), successor);
  }
  return std::move(machine).result();
}

/// The worker that can run the task and for which `time(worker)` is least.
template <typename Time> size_t leastWorker(const Machine &machine, size_t task, Time time) {
  size_t best = 0;
  double least = kNever;
  for (size_t worker = 0; worker < machine.graph().workers.size(); ++worker)
    if (machine.can(task, worker))
      if (const double value = time(worker); value < least) {
        least = value;
        best = worker;
      }
  return best;
}

Schedule dmda(const Graph &graph, const Durations *actual) {
  return asTheyBecomeReady(graph, actual, [](Machine &machine, size_t task, double time) {
    const size_t worker = leastWorker(machine, task, [&](size_t candidate) {
      return std::max(time, machine.free(candidate)) + machine.transfers(task, candidate) +
             machine.graph().tasks[task].seconds[candidate];
    });
    machine.place(task, worker, Machine::Where::kLast, time);
  });
}

Schedule eager(const Graph &graph, const Durations *actual) {
  return asTheyBecomeReady(graph, actual, [](Machine &machine, size_t task, double time) {
    const auto taken = [&](size_t worker) { return std::max(time, machine.free(worker)); };
    const size_t worker = leastWorker(machine, task, taken);
    machine.placeWaiting(task, worker, taken(worker));
  });
}

} // namespace

Schedule replay(const Graph &graph, const Schedule &plan, const Durations &actual) {
  Machine machine(graph, &actual);
  std::vector<size_t> order(graph.tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return plan.placements[a].begin < plan.placements[b].begin;
  });
  for (const size_t task : order)
    machine.place(task, plan.placements[task].worker, Machine::Where::kLast, 0);
  return std::move(machine).result();
}

std::string_view name(Policy policy) {
  switch (policy) {
  case Policy::kHeft:
    return "heft";
  case Policy::kDmda:
    return "dmda";
  case Policy::kEager:
    return "eager";
  }
  return "";
}

Schedule simulate(const Graph &graph, Policy policy, const Durations *actual) {
  switch (policy) {
  case Policy::kHeft: {
    Schedule plan = heft(graph);
    return actual ? replay(graph, plan, *actual) : plan;
  }
  case Policy::kDmda:
    return dmda(graph, actual);
  case Policy::kEager:
    return eager(graph, actual);
  }
  return {};
}

} // namespace aiwc::schedule
