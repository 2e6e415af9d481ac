#include "schedule/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

namespace aiwc::schedule {

namespace {

/// Of the standard normal distribution: 80 % lie within.
constexpr double kNinetyPercent = 1.2815515655446004;

/// The same numbers with every standard library, which the distributions of <random> are not.
class Normal {
public:
  explicit Normal(uint64_t seed) : random_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  double uniform() { return (static_cast<double>(random_() >> 11U) + 0.5) * 0x1p-53; }
  std::mt19937_64 random_;
};

double factorOf(const predict::Interval &interval, double normal) {
  const double low = std::log(interval.low), high = std::log(interval.high);
  return std::exp((low + high) / 2 + normal * (high - low) / (2 * kNinetyPercent));
}

Durations durationsOf(const Graph &graph, const Errors &errors, Normal &normal) {
  std::map<std::pair<size_t, size_t>, double> drawn; // by kind of task and of device
  Durations durations;
  durations.reserve(graph.tasks.size());
  for (const Task &task : graph.tasks) {
    durations.push_back(task.seconds);
    for (size_t worker = 0; worker < graph.workers.size(); ++worker) {
      if (graph.workers[worker].host || task.seconds[worker] == kNever)
        continue;
      const std::pair key(task.kind, errors.deviceKinds[worker]);
      auto known = drawn.find(key);
      if (known == drawn.end())
        known = drawn.emplace(key, normal()).first;
      durations.back()[worker] *= factorOf(*task.factors[worker], known->second);
    }
  }
  return durations;
}

/// The value below which `share` of the sorted values lie, between neighbours in proportion.
double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Comparison compare(const Graph &graph, const Errors &errors) {
  Comparison comparison;
  comparison.bounds = boundsOf(graph);
  std::vector<const Graph *> graphs; // by entry
  for (const Policy policy : {Policy::kHeft, Policy::kDmda, Policy::kEager}) {
    comparison.entries.push_back({policy, {}, simulate(graph, policy), {}, 0});
    graphs.push_back(&graph);
  }
  std::map<size_t, Graph> single; // by kind of device
  for (size_t worker = 0; worker < graph.workers.size(); ++worker) {
    if (graph.workers[worker].host)
      continue;
    const auto [one, isNew] = single.try_emplace(errors.deviceKinds[worker]);
    if (!isNew)
      continue;
    one->second = onOneDevice(graph, worker);
    comparison.entries.push_back(
        {Policy::kDmda, worker, simulate(one->second, Policy::kDmda), {}, 0});
    graphs.push_back(&one->second);
  }

  for (const Task &task : graph.tasks)
    for (size_t worker = 0; worker < graph.workers.size(); ++worker)
      if (!graph.workers[worker].host && task.seconds[worker] < kNever &&
          (worker >= task.factors.size() || !task.factors[worker]))
        return comparison;
  comparison.samples = errors.samples;
  Normal normal(errors.seed);
  std::vector<std::vector<double>> makespans(comparison.entries.size());
  for (size_t sample = 0; sample < errors.samples; ++sample) {
    const Durations durations = durationsOf(graph, errors, normal);
    double least = kNever;
    for (size_t entry = 0; entry < comparison.entries.size(); ++entry) {
      makespans[entry].push_back(
          comparison.entries[entry].policy == Policy::kHeft
              ? replay(graph, comparison.entries[entry].schedule, durations).makespan
              : simulate(*graphs[entry], comparison.entries[entry].policy, &durations).makespan);
      least = std::min(least, makespans[entry].back());
    }
    for (size_t entry = 0; entry < comparison.entries.size(); ++entry)
      if (makespans[entry].back() <= least)
        comparison.entries[entry].firstIn += 1.0 / static_cast<double>(errors.samples);
  }
  for (size_t entry = 0; entry < comparison.entries.size() && errors.samples > 0; ++entry) {
    std::ranges::sort(makespans[entry]);
    comparison.entries[entry].interval =
        predict::Interval{quantile(makespans[entry], 0.1), quantile(makespans[entry], 0.9)};
  }
  return comparison;
}

} // namespace aiwc::schedule
