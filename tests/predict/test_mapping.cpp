#include "../support/random.h"
#include "common/error.h"
#include "predict/mapping.h"
#include "speed_model.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::predict;
using namespace aiwc::test;

namespace {

/// Every mapping of `steps` steps to `states` states, as the digits of a number.
double cheapestOfAll(size_t steps, size_t states, const auto &stay, const auto &move) {
  double best = std::numeric_limits<double>::infinity();
  std::vector<size_t> path(steps, 0);
  for (;;) {
    double total = 0;
    for (size_t step = 0; step < steps; ++step)
      total += stay(step, path[step]) +
               (step && path[step - 1] != path[step] ? move(step, path[step - 1], path[step]) : 0);
    best = std::min(best, total);
    size_t digit = 0;
    while (digit < steps && ++path[digit] == states)
      path[digit++] = 0;
    if (digit == steps)
      return best;
  }
}

std::vector<size_t> devicesOf(const Mapping &mapping) {
  std::vector<size_t> devices;
  for (const Mapping::Step &step : mapping.steps)
    devices.push_back(step.device);
  return devices;
}

} // namespace

TEST_CASE("no path through kernels and devices is cheaper") {
  Random random(3);
  for (int round = 0; round < 400; ++round) {
    const size_t steps = random.between(1, 7);
    const size_t states = random.between(1, 4);
    // Integers, so that sums are exact in any order.
    std::vector<double> stays(steps * states);
    std::vector<double> moves(steps * states * states);
    for (double &value : stays)
      value = static_cast<double>(random.below(30));
    for (double &value : moves)
      value = static_cast<double>(random.below(20));
    const auto stay = [&](size_t step, size_t state) { return stays[step * states + state]; };
    const auto move = [&](size_t step, size_t from, size_t to) {
      return moves[(step * states + from) * states + to];
    };
    const std::vector<size_t> path = cheapestPath(steps, states, stay, move);
    REQUIRE(path.size() == steps);
    double total = 0;
    for (size_t step = 0; step < steps; ++step) {
      REQUIRE(path[step] < states);
      total += stay(step, path[step]) +
               (step && path[step - 1] != path[step] ? move(step, path[step - 1], path[step]) : 0);
    }
    REQUIRE(total == cheapestOfAll(steps, states, stay, move));
  }
}

TEST_CASE("the mapping of random applications is the cheapest of all") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const size_t count = random.between(1, 6);
    const size_t machines = random.between(2, 3);
    std::vector<CostedLaunch> kernels;
    for (size_t i = 0; i < count; ++i)
      kernels.push_back(
          launch({random.between(1, 500), 1, 1}, {1, 1, 1}, random.below(300), random.below(300)));
    std::vector<DeviceProfile> devices;
    for (size_t i = 0; i < machines; ++i)
      devices.push_back(machine(std::to_string(i),
                                {.speed = static_cast<double>(random.between(1, 9)),
                                 .launchSeconds = static_cast<double>(random.below(50)),
                                 .linkSeconds = static_cast<double>(random.below(5)),
                                 .bytesPerSecond = static_cast<double>(random.between(5, 500))}));
    const Transfers transfers{.exposed = static_cast<double>(random.below(5)) / 4};
    const Mappings mappings = mapKernels(kernels, devices, transfers);

    const auto stay = [&](size_t step, size_t state) {
      return finishSeconds(kernels[step], devices[state], transfers, 1);
    };
    // What the kernel touches, over both links.
    const auto move = [&](size_t step, size_t from, size_t to) {
      const auto bytes = static_cast<double>(*kernels[step].footprintBytes);
      double seconds = 0;
      for (size_t device : {from, to})
        if (bytes > 0)
          seconds += devices[device][Parameter::kHostLinkLatency] * 1e-6 +
                     bytes / (devices[device][Parameter::kHostLinkBandwidth] * 1e9);
      return seconds;
    };
    CAPTURE(round);
    CHECK(mappings.best.seconds == Approx(cheapestOfAll(count, machines, stay, move)));
    CHECK(mappings.best.seconds <= mappings.bestSingle.seconds * (1 + 1e-12));
    CHECK(mappings.best.seconds <= mappings.eachFastest.seconds * (1 + 1e-12));
  }
}

TEST_CASE("a kernel moves to a faster device once that pays for the data") {
  // The CPU does 1 work-item a second, the GPU 10 after 20 s. 1000 work-items: 1000 s against 120;
  // 10: 10 s against 21. 100 bytes over the CPU's link take no time, over the GPU's 1 s each way.
  const auto cpu = machine("cpu", {.speed = 1, .bytesPerSecond = 1e15});
  const auto gpu = machine("gpu", {.speed = 10, .launchSeconds = 20, .bytesPerSecond = 100});
  auto big = launch({1000, 1, 1}, {1, 1, 1});
  big.footprintBytes = 100;
  auto small = launch({10, 1, 1}, {1, 1, 1});
  small.footprintBytes = 100;
  const std::vector kernels{small, big, small, big};
  const Mappings cheap = mapKernels(kernels, std::vector{cpu, gpu});
  CHECK(devicesOf(cheap.best) == std::vector<size_t>{0, 1, 0, 1});
  CHECK(cheap.best.seconds == Approx(10 + 1 + 120 + 1 + 10 + 1 + 120));
  CHECK(cheap.best.steps[1].migrationSeconds == Approx(1));
  CHECK(cheap.bestSingle.seconds == Approx(2 * 21 + 2 * 120));

  // With 10 s each way there and back is not worth the 11 s between.
  for (auto &kernel : {&small, &big})
    kernel->footprintBytes = 1000;
  const Mappings dear = mapKernels(std::vector{small, big, small, big}, std::vector{cpu, gpu});
  CHECK(devicesOf(dear.best) == std::vector<size_t>{0, 1, 1, 1});
  CHECK(dear.best.seconds == Approx(10 + 10 + 120 + 21 + 120));
  CHECK(devicesOf(dear.eachFastest) == std::vector<size_t>{0, 1, 0, 1});
  CHECK(dear.eachFastest.seconds == Approx(10 + 10 + 120 + 10 + 10 + 10 + 120));
}

TEST_CASE("data leaves the old device and enters the new one, each by its curve") {
  const auto withCurves = [](std::string id, double speed, double launch, double in, double out) {
    auto device = machine(id, {.speed = speed, .launchSeconds = launch});
    const auto level = [](double seconds) {
      TransferCurve curve;
      curve.points = {{1, seconds * 1e6, 0}};
      curve.pieces = {{0, seconds * 1e6, 1e9}};
      return curve;
    };
    device.measurements.emplace();
    device.measurements->toDevice = level(in);
    device.measurements->toHost = level(out);
    return device;
  };
  auto big = launch({1000, 1, 1}, {1, 1, 1});
  auto small = launch({10, 1, 1}, {1, 1, 1});
  big.footprintBytes = small.footprintBytes = 100;
  const std::vector devices{withCurves("cpu", 1, 0, 1, 2), withCurves("gpu", 10, 20, 4, 3)};
  const Mappings mappings = mapKernels(std::vector{small, big, small}, devices);
  REQUIRE(devicesOf(mappings.eachFastest) == std::vector<size_t>{0, 1, 0});
  CHECK(mappings.eachFastest.steps[1].migrationSeconds == Approx(2 + 4));
  CHECK(mappings.eachFastest.steps[2].migrationSeconds == Approx(3 + 1));
}

TEST_CASE("no kernels and no devices are refused") {
  const std::vector devices{machine("a", {})};
  CHECK_THROWS_AS(mapKernels({}, devices), aiwc::Error);
  CHECK_THROWS_AS(mapKernels(std::vector{launch({1, 1, 1}, {1, 1, 1})}, {}), aiwc::Error);
}
