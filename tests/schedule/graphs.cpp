#include "graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace aiwc::test {

using schedule::Durations;
using schedule::Graph;
using schedule::kHostMemory;
using schedule::kNever;
using schedule::Movement;
using schedule::Placement;
using schedule::Read;
using schedule::Schedule;
using schedule::Transfer;

namespace {

constexpr double kRounding = 1e-9;

bool less(double a, double b) {
  return a < b - kRounding * std::max(1.0, std::abs(b));
}

using Span = std::pair<double, double>;

bool overlap(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span &span) { return span.first == span.second; });
  std::ranges::sort(spans);
  for (size_t i = 1; i < spans.size(); ++i)
    if (less(spans[i].first, spans[i - 1].second))
      return true;
  return false;
}

/// When the datum of a task's read is in `memory`, by the transfers that were made for it or for an
/// earlier reader of all of it.
double arrivalOf(const Graph &graph, const Schedule &schedule, size_t task, const Read &read,
                 size_t memory) {
  const schedule::Datum &datum = graph.data[read.datum];
  const size_t home = datum.producer
                          ? graph.workers[schedule.placements[*datum.producer].worker].memory
                          : datum.memory;
  const double made = datum.producer ? schedule.placements[*datum.producer].end : 0;
  if (home == memory)
    return made;
  const auto arrives = [&](size_t link, bool toHost, double from) {
    double time = kNever;
    for (const Transfer &transfer : schedule.transfers) {
      bool whole = false;
      for (const Read &other : graph.tasks[transfer.task].reads)
        whole |= other.datum == transfer.datum && other.whole;
      if (transfer.datum == read.datum && transfer.memory == link && transfer.toHost == toHost &&
          (transfer.task == task || whole) && !less(transfer.begin, from))
        time = std::min(time, transfer.end);
    }
    return time;
  };
  const double onHost = home == kHostMemory ? made : arrives(home, true, made);
  return memory == kHostMemory ? onHost : arrives(memory, false, onHost);
}

} // namespace

Graph graphOf(const std::vector<std::vector<double>> &times, const std::vector<Edge> &edges) {
  Graph graph;
  const size_t workers = times.front().size();
  graph.memories = workers + 1; // nobody works in that of the host
  graph.sharedLinks = false;
  for (size_t i = 0; i < workers; ++i)
    graph.workers.push_back({fmt::format("P{}", i + 1), i + 1, false});
  for (size_t i = 0; i < times.size(); ++i)
    graph.tasks.push_back({fmt::format("T{}", i + 1), i, times[i], {}, {}});
  for (const Edge &edge : edges) {
    Movement movement{0, std::vector<double>(graph.memories, 0),
                      std::vector<double>(graph.memories, edge.seconds)};
    movement.fromHost[kHostMemory] = 0;
    graph.tasks[edge.to].reads.push_back({graph.data.size(), graph.movements.size(), true});
    graph.movements.push_back(movement);
    graph.data.push_back({edge.from, kHostMemory});
  }
  check(graph);
  return graph;
}

Graph randomGraph(uint64_t seed, size_t tasks, size_t workers) {
  std::mt19937_64 random(seed);
  const auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  Graph graph;
  const size_t devices = 1 + below(workers);
  graph.memories = 1 + below(devices + 1);
  for (size_t i = 0; i < devices; ++i)
    graph.workers.push_back({fmt::format("d{}", i), below(graph.memories), false});
  graph.workers.push_back({"host", kHostMemory, true});
  graph.sharedLinks = below(2) == 0;
  for (size_t i = 0; i < 3; ++i) {
    Movement movement{static_cast<double>(below(100)), {0}, {0}};
    for (size_t memory = 1; memory < graph.memories; ++memory) {
      movement.toHost.push_back(static_cast<double>(below(8)));
      movement.fromHost.push_back(static_cast<double>(below(8)));
    }
    graph.movements.push_back(movement);
  }
  graph.data = {{{}, kHostMemory}, {{}, below(graph.memories)}};
  const size_t count = 1 + below(tasks);
  for (size_t i = 0; i < count; ++i) {
    schedule::Task task{fmt::format("t{}", i), 0, {}, {}, {}};
    const bool onHost = below(6) == 0;
    for (size_t worker = 0; worker < devices; ++worker)
      task.seconds.push_back(
          onHost || (worker > 0 && below(6) == 0) ? kNever : static_cast<double>(below(10)));
    task.seconds.push_back(onHost ? 0 : kNever);
    for (size_t reads = below(3); reads > 0; --reads) {
      const Read read{below(graph.data.size()), below(graph.movements.size()), below(4) > 0};
      if (std::ranges::find(task.reads, read.datum, &Read::datum) == task.reads.end())
        task.reads.push_back(read);
    }
    if (i > 0 && below(3) == 0)
      task.after.push_back(below(i));
    graph.tasks.push_back(task);
    graph.data.push_back({i, kHostMemory});
  }
  check(graph);
  return graph;
}

std::string wrongIn(const Graph &graph, const Schedule &schedule) {
  Durations seconds;
  for (const schedule::Task &task : graph.tasks)
    seconds.push_back(task.seconds);
  return wrongIn(graph, schedule, seconds);
}

std::string wrongIn(const Graph &graph, const Schedule &schedule, const Durations &seconds) {
  std::vector<std::vector<Span>> byWorker(graph.workers.size());
  std::vector<std::vector<Span>> byLink(2 * graph.memories);
  std::vector<double> busy(graph.workers.size(), 0);
  double last = 0, bytes = 0;
  for (size_t index = 0; index < graph.tasks.size(); ++index) {
    const Placement &at = schedule.placements[index];
    const double wanted = seconds[index][at.worker];
    if (wanted == kNever || std::abs(at.end - at.begin - wanted) > kRounding * (1 + at.end))
      return fmt::format("task {} takes {}: expected {}", index, at.end - at.begin, wanted);
    if (at.taken > at.begin || at.taken < 0)
      return fmt::format("task {} takes its worker at {}", index, at.taken);
    byWorker[at.worker].emplace_back(at.taken, at.end);
    busy[at.worker] += wanted;
    last = std::max(last, at.end);
    for (const size_t before : graph.tasks[index].after)
      if (less(at.begin, schedule.placements[before].end))
        return fmt::format("task {} begins before task {} ends", index, before);
    for (const Read &read : graph.tasks[index].reads)
      if (less(at.begin, arrivalOf(graph, schedule, index, read, graph.workers[at.worker].memory)))
        return fmt::format("task {} begins before datum {} is there", index, read.datum);
  }
  for (const Transfer &transfer : schedule.transfers) {
    byLink[2 * transfer.memory + (transfer.toHost ? 1 : 0)].emplace_back(transfer.begin,
                                                                         transfer.end);
    bytes += transfer.bytes;
  }
  for (const auto &spans : byWorker)
    if (overlap(spans))
      return "tasks overlap on a worker";
  for (const auto &spans : byLink)
    if (graph.sharedLinks && overlap(spans))
      return "transfers overlap on a link";
  for (size_t worker = 0; worker < busy.size(); ++worker)
    if (std::abs(busy[worker] - schedule.busy[worker]) > kRounding * (1 + last))
      return fmt::format("worker {} is busy for {}: expected {}", worker, schedule.busy[worker],
                         busy[worker]);
  if (last != schedule.makespan || bytes != schedule.bytesMoved)
    return "the makespan or the bytes moved are not those of the tasks and transfers";
  return "";
}

} // namespace aiwc::test
