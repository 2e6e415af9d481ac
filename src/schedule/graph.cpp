#include "schedule/graph.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::schedule {

namespace {

bool runsOnDevices(const Graph &graph, const Task &task) {
  for (size_t worker = 0; worker < graph.workers.size(); ++worker)
    if (!graph.workers[worker].host && task.seconds[worker] < kNever)
      return true;
  return false;
}

std::string problemOf(const Graph &graph, size_t index) {
  const Task &task = graph.tasks[index];
  if (task.seconds.size() != graph.workers.size())
    return fmt::format("{} times: expected one for each of {} workers", task.seconds.size(),
                       graph.workers.size());
  if (!std::ranges::all_of(task.seconds, [](double seconds) { return seconds >= 0; }))
    return "has a time that is not a number from 0";
  if (std::ranges::min(task.seconds) == kNever)
    return "no worker can run it: expected a time on one";
  for (const size_t before : task.after)
    if (before >= index)
      return fmt::format("waits for task {}: expected one before it", before);
  for (const Read &read : task.reads) {
    if (read.datum >= graph.data.size() || read.movement >= graph.movements.size())
      return "reads what does not exist: expected a datum and a movement of the graph";
    if (const auto &producer = graph.data[read.datum].producer; producer && *producer >= index)
      return fmt::format("reads what task {} writes: expected one before it", *producer);
  }
  return "";
}

} // namespace

void check(const Graph &graph) {
  if (graph.workers.empty())
    throw Error("a task graph without workers: expected one at least");
  for (const Worker &worker : graph.workers)
    if (worker.memory >= graph.memories)
      throw Error(fmt::format("worker {}: memory {}: expected less than {}", worker.name,
                              worker.memory, graph.memories));
  for (const Movement &movement : graph.movements)
    if (movement.toHost.size() != graph.memories || movement.fromHost.size() != graph.memories)
      throw Error(
          fmt::format("a movement of {} bytes: expected a time for each memory", movement.bytes));
  for (size_t index = 0; index < graph.tasks.size(); ++index)
    if (const std::string problem = problemOf(graph, index); !problem.empty())
      throw Error(fmt::format("task {}, {}: {}", index, graph.tasks[index].name, problem));
}

Graph onOneDevice(const Graph &graph, size_t worker) {
  Graph one = graph;
  for (Task &task : one.tasks)
    for (size_t other = 0; other < one.workers.size(); ++other)
      if (other != worker && !one.workers[other].host)
        task.seconds[other] = kNever;
  return one;
}

std::vector<std::vector<size_t>> predecessorsOf(const Graph &graph) {
  std::vector<std::vector<size_t>> all;
  all.reserve(graph.tasks.size());
  for (const Task &task : graph.tasks) {
    std::vector<size_t> before = task.after;
    for (const Read &read : task.reads)
      if (const auto &producer = graph.data[read.datum].producer)
        before.push_back(*producer);
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
    all.push_back(std::move(before));
  }
  return all;
}

Bounds boundsOf(const Graph &graph) {
  const auto devices = std::ranges::count(graph.workers, false, &Worker::host);
  const std::vector<std::vector<size_t>> before = predecessorsOf(graph);
  std::vector<double> ends;
  Bounds bounds;
  for (size_t index = 0; index < graph.tasks.size(); ++index) {
    const Task &task = graph.tasks[index];
    double begin = 0;
    for (const size_t predecessor : before[index])
      begin = std::max(begin, ends[predecessor]);
    const double least = std::ranges::min(task.seconds);
    ends.push_back(begin + least);
    bounds.criticalPath = std::max(bounds.criticalPath, ends.back());
    if (runsOnDevices(graph, task))
      bounds.work += least / static_cast<double>(devices);
  }
  return bounds;
}

} // namespace aiwc::schedule
