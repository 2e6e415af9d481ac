#include "common/error.h"
#include "graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::test;
using aiwc::schedule::Bounds;
using aiwc::schedule::boundsOf;
using aiwc::schedule::Durations;
using aiwc::schedule::Graph;
using aiwc::schedule::kNever;
using aiwc::schedule::Movement;
using aiwc::schedule::onOneDevice;
using aiwc::schedule::Policy;
using aiwc::schedule::Schedule;
using aiwc::schedule::simulate;

namespace {

/// The ten tasks on three processors of Topcuoglu, Hariri and Wu (2002), figures 1 and 3.
Graph topcuoglu() {
  return graphOf({{14, 16, 9},
                  {13, 19, 18},
                  {11, 13, 19},
                  {13, 8, 17},
                  {12, 13, 10},
                  {13, 16, 9},
                  {7, 15, 11},
                  {5, 11, 14},
                  {18, 12, 20},
                  {21, 7, 16}},
                 {{0, 1, 18},
                  {0, 2, 12},
                  {0, 3, 9},
                  {0, 4, 11},
                  {0, 5, 14},
                  {1, 7, 19},
                  {1, 8, 16},
                  {2, 6, 23},
                  {3, 7, 27},
                  {3, 8, 23},
                  {4, 8, 13},
                  {5, 7, 15},
                  {6, 9, 17},
                  {7, 9, 11},
                  {8, 9, 13}});
}

/// The shortest makespan of a graph without shared links, by trying each task that is ready next on
/// each worker. A worker begins a task as soon as the task's data are there.
class ShortestByAll {
public:
  explicit ShortestByAll(const Graph &graph)
      : graph_(graph), ends_(graph.tasks.size(), -1), where_(graph.tasks.size(), 0),
        free_(graph.workers.size(), 0) {
    go(0, 0);
  }
  double best() const { return best_; }

private:
  void go(size_t placed, double makespan) {
    if (makespan >= best_)
      return;
    if (placed == graph_.tasks.size()) {
      best_ = makespan;
      return;
    }
    const auto before = predecessorsOf(graph_);
    for (size_t task = 0; task < graph_.tasks.size(); ++task) {
      if (ends_[task] >= 0 ||
          !std::ranges::all_of(before[task], [&](size_t other) { return ends_[other] >= 0; }))
        continue;
      for (size_t worker = 0; worker < graph_.workers.size(); ++worker) {
        const double seconds = graph_.tasks[task].seconds[worker];
        if (seconds == kNever)
          continue;
        double begin = free_[worker];
        for (const auto &read : graph_.tasks[task].reads) {
          const size_t producer = *graph_.data[read.datum].producer;
          begin = std::max(begin, ends_[producer] +
                                      (where_[producer] == worker
                                           ? 0
                                           : graph_.movements[read.movement].fromHost[worker + 1]));
        }
        const double freed = free_[worker];
        free_[worker] = ends_[task] = begin + seconds;
        where_[task] = worker;
        go(placed + 1, std::max(makespan, ends_[task]));
        ends_[task] = -1;
        free_[worker] = freed;
      }
    }
  }

  const Graph &graph_;
  std::vector<double> ends_;
  std::vector<size_t> where_;
  std::vector<double> free_;
  double best_ = kNever;
};

} // namespace

TEST_CASE("HEFT schedules the example of its paper in 80") {
  const Graph graph = topcuoglu();
  const Schedule schedule = simulate(graph, Policy::kHeft);
  CHECK(wrongIn(graph, schedule).empty());
  CHECK(schedule.makespan == Approx(80));
  // The workers that the paper's figure 4a shows, counted from 0
  const std::vector<size_t> workers = {2, 0, 2, 1, 2, 1, 2, 0, 1, 1};
  for (size_t task = 0; task < workers.size(); ++task) {
    INFO(task);
    CHECK(schedule.placements[task].worker == workers[task]);
  }
}

TEST_CASE("A chain gains nothing from a second equal device") {
  std::vector<std::vector<double>> times(5, {3, 3});
  std::vector<Edge> edges;
  for (size_t i = 1; i < times.size(); ++i)
    edges.push_back({i - 1, i, 1});
  const Graph graph = graphOf(times, edges);
  for (const Policy policy : {Policy::kHeft, Policy::kDmda}) {
    CHECK(simulate(graph, policy).makespan == Approx(15));
    CHECK(simulate(onOneDevice(graph, 1), policy).makespan == Approx(15));
  }
  CHECK(boundsOf(graph).criticalPath == Approx(15));
  CHECK(boundsOf(graph).work == Approx(7.5));
}

TEST_CASE("Independent equal tasks on k equal devices take ceil(n / k) times one") {
  for (const size_t tasks : {1, 4, 7, 12})
    for (const size_t devices : {1, 2, 3, 5}) {
      const Graph graph =
          graphOf(std::vector<std::vector<double>>(tasks, std::vector<double>(devices, 2)), {});
      for (const Policy policy : kPolicies) {
        INFO(tasks << " on " << devices << ", " << name(policy));
        CHECK(simulate(graph, policy).makespan ==
              Approx(2.0 * std::ceil(static_cast<double>(tasks) / static_cast<double>(devices))));
      }
      CHECK(boundsOf(graph).work ==
            Approx(2.0 * static_cast<double>(tasks) / static_cast<double>(devices)));
    }
}

TEST_CASE("A fork and join over two devices moves one branch, and what it needs") {
  // 1, then 4 here and 0.5 + 4 there. The join begins there at 5.5 if the result of the first
  // branch moves as soon as it exists, and at 6 if only when the join is ready.
  const Graph graph = graphOf({{1, 1}, {4, 4}, {4, 4}, {1, 1}},
                              {{0, 1, 0.5}, {0, 2, 0.5}, {1, 3, 0.5}, {2, 3, 0.5}});
  CHECK(simulate(graph, Policy::kHeft).makespan == Approx(6.5));
  CHECK(simulate(graph, Policy::kDmda).makespan == Approx(7));
  CHECK(simulate(graph, Policy::kEager).makespan == Approx(7));
}

TEST_CASE("Eager knows no times: it gives the first task to the first worker, however slow") {
  const Graph graph = graphOf({{100, 1}}, {});
  CHECK(simulate(graph, Policy::kEager).makespan == Approx(100));
  CHECK(simulate(graph, Policy::kDmda).makespan == Approx(1));
  CHECK(simulate(graph, Policy::kHeft).makespan == Approx(1));
}

TEST_CASE("dmda adds the transfers to the time of a task") {
  Graph graph = graphOf({{10, 7}}, {});
  graph.movements.push_back(Movement{5, {0, 0, 0}, {0, 0, 4}});
  graph.data.push_back({{}, 0});
  graph.tasks[0].reads.push_back({0, 0, true});
  CHECK(simulate(graph, Policy::kDmda).placements[0].worker == 0); // 10 < 7 + 4
  graph.movements[0].fromHost[2] = 2;
  const Schedule moved = simulate(graph, Policy::kDmda);
  CHECK(moved.placements[0].worker == 1); // 7 + 2 < 10
  CHECK(moved.makespan == Approx(9));
  CHECK(moved.bytesMoved == 5);
}

TEST_CASE("A copy stays where it was moved") {
  Graph graph = graphOf({{1}, {1}}, {});
  graph.movements.push_back(Movement{5, {0, 0}, {0, 4}});
  graph.data.push_back({{}, 0});
  for (auto &task : graph.tasks)
    task.reads.push_back({0, 0, true});
  CHECK(simulate(graph, Policy::kDmda).bytesMoved == 5);
  graph.tasks[0].reads[0].whole = graph.tasks[1].reads[0].whole = false;
  CHECK(simulate(graph, Policy::kDmda).bytesMoved == 10);
}

TEST_CASE("Transfers over one link wait for each other") {
  Graph graph = graphOf({{1}}, {});
  graph.movements.push_back(Movement{5, {0, 0}, {0, 4}});
  for (size_t datum = 0; datum < 3; ++datum) {
    graph.data.push_back({{}, 0});
    graph.tasks[0].reads.push_back({datum, 0, true});
  }
  for (const Policy policy : kPolicies) {
    graph.sharedLinks = false;
    CHECK(simulate(graph, policy).makespan == Approx(4 + 1));
    graph.sharedLinks = true;
    CHECK(simulate(graph, policy).makespan == Approx(3 * 4 + 1));
  }
}

TEST_CASE("Schedules of random graphs are possible, not below the bounds, and deterministic") {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Graph graph = randomGraph(seed, 12, 4);
    const Bounds bounds = boundsOf(graph);
    for (const Policy policy : kPolicies) {
      INFO("seed " << seed << ", " << name(policy));
      const Schedule schedule = simulate(graph, policy);
      REQUIRE(wrongIn(graph, schedule) == "");
      REQUIRE(schedule.makespan >= bounds.criticalPath * (1 - 1e-12));
      REQUIRE(schedule.makespan >= bounds.work * (1 - 1e-12));
      REQUIRE(simulate(graph, policy).makespan == schedule.makespan);
    }
  }
}

TEST_CASE("Schedules are possible where tasks take other times than the policy believes") {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = randomGraph(seed, 12, 4);
    Durations actual;
    for (const auto &task : graph.tasks) {
      actual.push_back(task.seconds);
      for (size_t worker = 0; worker < actual.back().size(); ++worker)
        actual.back()[worker] *= 0.25 + static_cast<double>((seed + 3 * worker) % 7);
    }
    for (const Policy policy : kPolicies) {
      INFO("seed " << seed << ", " << name(policy));
      REQUIRE(wrongIn(graph, simulate(graph, policy, &actual), actual) == "");
    }
    // Equal times are no other times.
    Durations same;
    for (const auto &task : graph.tasks)
      same.push_back(task.seconds);
    for (const Policy policy : {Policy::kDmda, Policy::kEager})
      REQUIRE(simulate(graph, policy, &same).makespan == simulate(graph, policy).makespan);
  }
}

TEST_CASE("HEFT keeps its workers where tasks take other times") {
  const Graph graph = topcuoglu();
  Durations actual;
  for (const auto &task : graph.tasks) {
    actual.push_back(task.seconds);
    for (double &seconds : actual.back())
      seconds *= 2;
  }
  const Schedule plan = simulate(graph, Policy::kHeft);
  const Schedule real = simulate(graph, Policy::kHeft, &actual);
  for (size_t task = 0; task < graph.tasks.size(); ++task)
    CHECK(real.placements[task].worker == plan.placements[task].worker);
  CHECK(real.makespan > plan.makespan);
}

TEST_CASE("One more device never raises the bounds") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Graph graph = randomGraph(seed, 12, 3);
    const Bounds before = boundsOf(graph);
    graph.workers.push_back({"one more", 0, false});
    for (auto &task : graph.tasks) {
      const bool onHost = task.seconds[graph.workers.size() - 2] == 0;
      task.seconds.push_back(onHost ? kNever : static_cast<double>((seed * 7 + 5) % 11));
    }
    const Bounds after = boundsOf(graph);
    CHECK(after.criticalPath <= before.criticalPath);
    CHECK(after.work <= before.work * (1 + 1e-12));
  }
}

TEST_CASE("Names of workers and tasks change nothing") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Graph graph = randomGraph(seed, 12, 4);
    for (const Policy policy : kPolicies) {
      const double before = simulate(graph, policy).makespan;
      Graph renamed = graph;
      for (auto &worker : renamed.workers)
        worker.name = "same";
      for (auto &task : renamed.tasks)
        task.name = "same";
      CHECK(simulate(renamed, policy).makespan == before);
    }
  }
}

TEST_CASE("No policy beats the best of all schedules") {
  size_t optimal = 0, graphs = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    std::vector<std::vector<double>> times;
    std::vector<Edge> edges;
    uint64_t state = seed * 2654435761U + 1;
    const auto below = [&](uint64_t end) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return (state >> 33U) % end;
    };
    for (size_t task = 0; task < 5; ++task) {
      times.push_back({1.0 + static_cast<double>(below(9)), 1.0 + static_cast<double>(below(9))});
      for (size_t from = 0; from < task; ++from)
        if (below(3) == 0)
          edges.push_back({from, task, static_cast<double>(below(6))});
    }
    const Graph graph = graphOf(times, edges);
    const double best = ShortestByAll(graph).best();
    for (const Policy policy : kPolicies) {
      INFO("seed " << seed << ", " << name(policy));
      CHECK(simulate(graph, policy).makespan >= best - 1e-9);
    }
    CHECK(std::max(boundsOf(graph).criticalPath, boundsOf(graph).work) <= best + 1e-9);
    ++graphs;
    optimal += simulate(graph, Policy::kHeft).makespan <= best + 1e-9;
  }
  CHECK(2 * optimal > graphs); // so small, HEFT finds the best of most
}

TEST_CASE("A graph that cannot be scheduled is refused with the task's name") {
  using Catch::Matchers::Contains;
  Graph graph = graphOf({{1, 1}, {1, 1}}, {});
  SECTION("a task that waits for a later one") {
    graph.tasks[0].after = {1};
    CHECK_THROWS_WITH(check(graph), Contains("T1") && Contains("expected one before it"));
  }
  SECTION("a task for nobody") {
    graph.tasks[1].seconds = {kNever, kNever};
    CHECK_THROWS_WITH(check(graph), Contains("T2") && Contains("no worker can run it"));
  }
  SECTION("a time that is none") {
    graph.tasks[1].seconds = {1, std::nan("")};
    CHECK_THROWS_WITH(check(graph), Contains("T2"));
  }
  SECTION("no workers") {
    graph.workers.clear();
    CHECK_THROWS_AS(check(graph), aiwc::Error);
  }
}
