#include "../predict/machines.h"
#include "automatch/automatch_model.h"
#include "common/error.h"
#include "schedule/run_graph.h"
#include "schedule/simulation.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::automatch::AutomatchModel;
using aiwc::predict::DeviceProfile;
using aiwc::predict::DeviceType;
using aiwc::predict::Parameter;
using aiwc::profile::AccessKind;
using aiwc::profile::AccessRow;
using aiwc::profile::MemorySpace;
using aiwc::run::Argument;
using aiwc::run::Launch;
using aiwc::schedule::Graph;
using aiwc::schedule::LaunchTask;
using aiwc::schedule::Policy;
using aiwc::schedule::simulate;
using aiwc::schedule::Use;
using aiwc::schedule::usesOf;

namespace {

Launch launchWith(const std::vector<Argument> &arguments) {
  Launch launch;
  launch.kernel = "k";
  launch.arguments = arguments;
  return launch;
}
using Table = std::vector<AccessRow>;
Argument buffer(const std::string &name, uint64_t bytes, uint64_t allocation) {
  return {Argument::Kind::kBuffer, name, "float*", "", bytes, allocation};
}
AccessRow row(const std::string &array, AccessKind kind, uint64_t footprint,
              const std::string &function = "k") {
  AccessRow access;
  access.function = function;
  access.array = array;
  access.kind = kind;
  access.footprint = footprint;
  return access;
}

/// 1 GB/s each way, no latency.
DeviceProfile card(const std::string &id) {
  DeviceProfile device = namedDevice(id);
  device.type = DeviceType::kGpu;
  device.set(Parameter::kHostLinkBandwidth, 1, "made up");
  device.set(Parameter::kHostLinkLatency, 0, "made up");
  return device;
}
DeviceProfile processor(const std::string &id) {
  DeviceProfile device = namedDevice(id);
  device.type = DeviceType::kCpu;
  return device;
}

constexpr uint64_t kGigabyte = 1'000'000'000; // a second over the card's link

LaunchTask task(std::vector<Use> uses, size_t devices = 1) {
  LaunchTask task;
  task.kernel = "k";
  task.seconds.assign(devices, 1);
  task.uses = std::move(uses);
  return task;
}

double makespan(const std::vector<LaunchTask> &launches, const std::vector<DeviceProfile> &devices,
                Policy policy = Policy::kHeft) {
  const Graph graph = aiwc::schedule::graphOf(launches, devices, AutomatchModel());
  check(graph);
  return simulate(graph, policy).makespan;
}

} // namespace

TEST_CASE("What a launch uses follows from the accesses of its kernel") {
  const Launch launch = launchWith({buffer("a", 64, 3), buffer("b", 64, 5), buffer("c", 64, 9)});
  SECTION("reads, writes of all, writes of a part; what is not touched is not used") {
    CHECK(
        usesOf(launch, Table({row("a", AccessKind::kRead, 4), row("b", AccessKind::kWrite, 64)})) ==
        std::vector<Use>{{3, 64, true, false}, {5, 64, false, true}});
    CHECK(usesOf(launch, Table({row("b", AccessKind::kWrite, 60)})) ==
          std::vector<Use>{{5, 64, true, true}});
    CHECK(usesOf(launch, Table({row("c", AccessKind::kAtomic, 64)})) ==
          std::vector<Use>{{9, 64, true, true}});
  }
  SECTION("an access that may go anywhere counts for what has none of its own") {
    CHECK(usesOf(launch,
                 Table({row("a", AccessKind::kRead, 4), row("p", AccessKind::kWrite, 64, "helper"),
                        row("a", AccessKind::kWrite, 64, "helper")})) ==
          std::vector<Use>{{3, 64, true, false}, {5, 64, true, true}, {9, 64, true, true}});
    CHECK(usesOf(launch, Table({row("", AccessKind::kRead, 4)})) ==
          std::vector<Use>{{3, 64, true, false}, {5, 64, true, false}, {9, 64, true, false}});
  }
  SECTION("local memory is nobody else's") {
    AccessRow local = row("", AccessKind::kWrite, 4);
    local.space = MemorySpace::kLocal;
    CHECK(usesOf(launch, std::vector{local}).empty());
  }
  SECTION("a profile without the table") {
    CHECK(usesOf(launch, std::nullopt) ==
          std::vector<Use>{{3, 64, true, true}, {5, 64, true, true}, {9, 64, true, true}});
  }
  SECTION("one allocation under two names") {
    const Launch twice = launchWith({buffer("in", 64, 3), buffer("out", 64, 3)});
    CHECK(usesOf(twice,
                 Table({row("in", AccessKind::kRead, 64), row("out", AccessKind::kWrite, 64)})) ==
          std::vector<Use>{{3, 64, true, true}});
  }
}

TEST_CASE("Launches are ordered by what they read and write, and by nothing else") {
  const std::vector<DeviceProfile> two = {processor("a"), processor("b")};
  const Use reads{0, 8, true, false}, writes{0, 8, false, true}, other{1, 8, true, true};
  CHECK(makespan({task({reads}, 2), task({reads}, 2)}, two) == Approx(1));
  CHECK(makespan({task({writes}, 2), task({other}, 2)}, two) == Approx(1));
  CHECK(makespan({task({writes}, 2), task({reads}, 2)}, two) == Approx(2));  // read after write
  CHECK(makespan({task({reads}, 2), task({writes}, 2)}, two) == Approx(2));  // write after read
  CHECK(makespan({task({writes}, 2), task({writes}, 2)}, two) == Approx(2)); // write after write
}

TEST_CASE("Data move to a card once, and stay there") {
  LaunchTask first = task({{0, kGigabyte, true, false}});
  CHECK(makespan({first}, {card("g")}) == Approx(1)); // nobody wrote it
  first.hostToDevice = {kGigabyte, 1};
  CHECK(makespan({first}, {card("g")}) == Approx(2));
  CHECK(makespan({first}, {processor("c")}) == Approx(1)); // it works in the host's memory
  CHECK(makespan({first, task({{0, kGigabyte, true, false}})}, {card("g")}) == Approx(3));
}

TEST_CASE("What the host wrote early belongs to the launches that read it first") {
  LaunchTask first = task({{0, kGigabyte, true, false}});
  first.hostToDevice = {2 * kGigabyte, 2};
  // The second transfer goes on while the first kernel runs.
  const LaunchTask second = task({{1, kGigabyte, true, false}});
  CHECK(makespan({first, second}, {card("g")}) == Approx(3));
  // Bytes that nobody else reads first go to the launch.
  CHECK(makespan({first}, {card("g")}) == Approx(3));
}

TEST_CASE("Bytes that the host writes again delay the launch behind them") {
  LaunchTask first = task({{0, kGigabyte, true, false}});
  LaunchTask again = first;
  again.hostToDevice = {5 * kGigabyte, 1};
  CHECK(makespan({first, again}, {card("g")}) == Approx(6));
}

TEST_CASE("The host's reads wait for all before them, and all behind them wait") {
  const std::vector<DeviceProfile> two = {processor("c"), card("g")};
  LaunchTask first = task({{0, kGigabyte, false, true}}, 2);
  first.deviceToHost = {kGigabyte, 1};
  LaunchTask second = task({{1, kGigabyte, false, true}}, 2);
  CHECK(makespan({first, second}, two) == Approx(2)); // on the processor, where nothing moves
  // On the card, what the host reads is moved.
  first.seconds.pop_back();
  CHECK(makespan({first}, {card("g")}) == Approx(2));
  CHECK(makespan({first, task({{1, kGigabyte, false, true}})}, {card("g")}) == Approx(3));
  first.seconds.push_back(1);
  const Graph graph = aiwc::schedule::graphOf(std::vector{first, second}, two, AutomatchModel());
  REQUIRE(graph.tasks.size() == 3);
  CHECK(graph.tasks[1].name == "host reads");
  CHECK(graph.tasks[1].after == std::vector<size_t>{0});
  CHECK(graph.tasks[2].after == std::vector<size_t>{1});
}

TEST_CASE("Two cards of one kind have a memory each") {
  // One writes and the other reads: 1 s there, 2 s over both links.
  Graph graph = aiwc::schedule::graphOf(
      std::vector{task({{0, kGigabyte, false, true}}, 2), task({{0, kGigabyte, true, false}}, 2)},
      std::vector{card("g"), card("g")}, AutomatchModel());
  graph.tasks[0].seconds[1] = graph.tasks[1].seconds[0] = aiwc::schedule::kNever;
  const auto schedule = simulate(graph, Policy::kDmda);
  CHECK(schedule.makespan == Approx(4));
  CHECK(schedule.bytesMoved == 2.0 * kGigabyte);
}

TEST_CASE("A card without a link is refused where data move") {
  DeviceProfile bare = namedDevice("bare");
  bare.type = DeviceType::kGpu;
  LaunchTask first = task({{0, kGigabyte, true, false}});
  first.hostToDevice = {kGigabyte, 1};
  CHECK_THROWS_WITH(makespan({first}, {bare}), Catch::Matchers::Contains("bare"));
  CHECK_THROWS_AS(makespan({first}, std::vector<DeviceProfile>{}), aiwc::Error);
}
