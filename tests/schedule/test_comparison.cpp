#include "graphs.h"
#include "schedule/comparison.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::predict::Interval;
using aiwc::schedule::Comparison;
using aiwc::schedule::Entry;
using aiwc::schedule::Errors;
using aiwc::schedule::Graph;
using aiwc::schedule::Task;

namespace {

/// For devices that are all of one kind, or all of different kinds. Sets the factors of all tasks.
Errors errorsFor(Graph &graph, Interval factors, bool oneKind) {
  Errors errors;
  errors.samples = 20000;
  for (size_t worker = 0; worker < graph.workers.size(); ++worker)
    errors.deviceKinds.push_back(oneKind ? 0 : worker);
  for (Task &task : graph.tasks)
    task.factors.assign(graph.workers.size(), factors);
  return errors;
}

} // namespace

TEST_CASE("The interval of one task is that of the model") {
  Graph graph = graphOf({{10}}, {});
  const Comparison comparison = compare(graph, errorsFor(graph, {0.5, 3}, true));
  REQUIRE(comparison.samples == 20000);
  for (const Entry &entry : comparison.entries) {
    CHECK(entry.schedule.makespan == Approx(10)); // what is predicted
    CHECK(entry.interval->low == Approx(5).epsilon(0.05));
    CHECK(entry.interval->high == Approx(30).epsilon(0.05));
    CHECK(entry.firstIn == Approx(1)); // all the same
  }
}

TEST_CASE("Tasks of one kind are off by one factor, of several kinds by several") {
  Graph graph = graphOf({{5}, {5}}, {{0, 1, 0}});
  const auto width = [&] {
    const auto interval = compare(graph, errorsFor(graph, {0.5, 3}, true)).entries[0].interval;
    return interval->high / interval->low;
  };
  const double apart = width();
  graph.tasks[1].kind = graph.tasks[0].kind;
  CHECK(width() == Approx(6).epsilon(0.05));
  CHECK(apart < 0.9 * 6); // errors partly cancel
}

TEST_CASE("Devices of one kind are off by one factor") {
  // The same task twice: on two devices of one kind both end at once.
  Graph graph = graphOf({{10, 10}, {10, 10}}, {});
  graph.tasks[1].kind = graph.tasks[0].kind;
  const Comparison one = compare(graph, errorsFor(graph, {0.5, 3}, true));
  CHECK(one.entries.size() == 4); // three policies, one kind
  CHECK(one.entries[0].interval->low == Approx(5).epsilon(0.05));
  const Comparison two = compare(graph, errorsFor(graph, {0.5, 3}, false));
  CHECK(two.entries.size() == 5);
  CHECK(two.entries[0].interval->low > 1.2 * 5); // the later of two
}

TEST_CASE("Each task is off as far as its own interval says") {
  // One after the other on one device: nearly all of the time is that of the second.
  Graph graph = graphOf({{0.01}, {10}}, {{0, 1, 0}});
  const Errors errors = errorsFor(graph, {0.5, 3}, true);
  graph.tasks[1].factors[0] = Interval{0.9, 1.2};
  const auto interval = compare(graph, errors).entries[0].interval;
  CHECK(interval->low == Approx(9).epsilon(0.03));
  CHECK(interval->high == Approx(12).epsilon(0.03));
}

TEST_CASE("Without errors there are no samples") {
  Graph graph = graphOf({{10, 5}}, {});
  const Errors errors = errorsFor(graph, {0.5, 3}, false);
  graph.tasks[0].factors[1].reset();
  const Comparison comparison = compare(graph, errors);
  CHECK(comparison.samples == 0);
  CHECK_FALSE(comparison.entries[0].interval);
  CHECK(comparison.entries[0].schedule.makespan == Approx(5));
}
