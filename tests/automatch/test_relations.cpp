/// What has to hold between costs of any kernel and any device.
#include "automatch/automatch_model.h"
#include "predict/costed_launch.h"
#include "predict/machines.h"
#include "support/random.h"

#include <catch2/catch.hpp>
#include <map>

using namespace aiwc::automatch;
using namespace aiwc::predict;
using namespace aiwc::test;
using aiwc::profile::Histogram;

namespace {

double uniform(Random &random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
}

double logUniform(Random &random, double low, double high) {
  return low * std::pow(high / low, uniform(random, 0, 1));
}

/// Fast memory is faster than slow memory, by more than what a lane group wastes of a segment:
/// else a line in it could cost more than one that is fetched.
Machine randomMachine(Random &random) {
  Machine machine;
  machine.id = "random";
  machine.cores = static_cast<double>(random.between(1, random.oneOf<uint64_t>({4, 64, 5000})));
  machine.fp32 = logUniform(random, 0.1, 100);
  machine.fp64 = *machine.fp32 * uniform(random, 0.03, 1);
  machine.cacheMebibytes = logUniform(random, 0.01, 64);
  machine.dramBandwidth = logUniform(random, 1, 3000);
  machine.cacheBandwidth = machine.dramBandwidth * uniform(random, 8, 40);
  machine.cacheLatency = logUniform(random, 0.001, 0.1);
  machine.dramLatency = machine.cacheLatency * uniform(random, 1, 30);
  machine.sync = logUniform(random, 0.01, 20);
  machine.lanes = static_cast<double>(random.oneOf<uint64_t>({1, 4, 8, 16, 32, 64}));
  return machine;
}

Histogram randomHistogram(Random &random, uint64_t entries, uint64_t step) {
  Histogram histogram;
  uint64_t value = 0;
  for (uint64_t i = random.between(1, entries); i > 0; --i) {
    value += random.between(1, step);
    histogram.emplace_back(value, random.between(1, 1000));
  }
  return histogram;
}

Work randomWork(Random &random) {
  Work work;
  if (!random.oneIn(5)) // else it is integer work
    work.levels = randomHistogram(random, 50, random.oneOf<uint64_t>({3, 100, 5000}));
  work.doublePrecision = random.oneIn(2);
  work.instructionMix = uniform(random, 0.5, 1);
  double lanes = 1;
  for (double &utilization : work.lanes)
    utilization = lanes *= uniform(random, 0.5, 1);
  for (double &coalescing : work.coalescing)
    coalescing = uniform(random, 0.2, 1);
  Histogram distances = randomHistogram(random, 60, 10);
  for (auto &[distance, accesses] : distances)
    distance = uint64_t{1} << (distance % 24);
  std::map<uint64_t, uint64_t> sorted;
  uint64_t accesses = 0;
  for (const auto &[distance, count] : distances) {
    sorted[distance] += count;
    accesses += count;
  }
  work.reuse = {sorted.begin(), sorted.end()};
  work.cold = random.between(1, 5000);
  accesses += work.cold;
  work.bytesRead = accesses * random.between(1, 32); // no access is larger than half a line
  work.bytesWritten = accesses * random.between(0, 32);
  work.localBytes = random.below(100000);
  work.syncPoints = random.between(1, 10);
  work.depth = random.between(1, 500);
  work.nodes = work.depth + random.below(100000);
  work.accesses = random.below(work.nodes);
  return work;
}

/// GFLOP/s of a core, for floating-point work.
double rateOf(const Machine &machine, const Work &work) {
  return work.doublePrecision ? *machine.fp64 : *machine.fp32;
}

constexpr uint64_t kCases = 500;

} // namespace

TEST_CASE("a device that gets slower in any parameter never costs less") {
  const AutomatchModel model;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    Random random(seed);
    const auto kernel = kernelOf(randomWork(random));
    const Machine machine = randomMachine(random);
    const double before = CostedLaunch(kernel, model).cost(deviceOf(machine)).seconds;
    const double factor = uniform(random, 1, 8);
    const auto slower = [&](const char *what, auto change) {
      Machine changed = machine;
      change(changed);
      INFO("seed " << seed << ", slower " << what);
      CHECK(CostedLaunch(kernel, model).cost(deviceOf(changed)).seconds >= before * (1 - 1e-12));
    };
    slower("n_p", [&](Machine &m) { m.cores = std::ceil(m.cores / factor); });
    slower("pi0_fp32", [&](Machine &m) { *m.fp32 /= factor; });
    slower("pi0_fp64", [&](Machine &m) { *m.fp64 /= factor; });
    slower("Z", [&](Machine &m) { m.cacheMebibytes /= factor; });
    slower("beta_s", [&](Machine &m) { m.dramBandwidth /= factor; });
    slower("alpha_f", [&](Machine &m) { m.cacheLatency *= factor; });
    slower("alpha_s", [&](Machine &m) { m.dramLatency *= factor; });
    slower("s0", [&](Machine &m) { m.sync *= factor; });
    slower("beta_f", [&](Machine &m) { m.cacheBandwidth /= factor; });
  }
}

TEST_CASE("no cost beats the peak rate or the bandwidth, and every term is finite") {
  const AutomatchModel model;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    Random random(seed);
    const Work work = randomWork(random);
    const auto kernel = kernelOf(work);
    const Machine machine = randomMachine(random);
    const Cost cost = CostedLaunch(kernel, model).cost(deviceOf(machine));
    INFO("seed " << seed);
    double sum = 0;
    for (const double term : cost.terms) {
      CHECK((std::isfinite(term) && term >= 0));
      CHECK(term <= cost.terms[static_cast<size_t>(cost.boundBy)]);
      sum += term;
    }
    CHECK(cost.seconds == Approx(sum));
    double operations = 0; // floating-point ones
    for (const auto &[width, levels] : work.levels)
      operations += static_cast<double>(width * levels);
    CHECK(cost.seconds >= operations / (machine.cores * rateOf(machine, work) * 1e9));
    // The first access of a line misses every cache.
    CHECK(cost.seconds >= 64.0 * static_cast<double>(work.cold) / (machine.dramBandwidth * 1e9));
  }
}

TEST_CASE("the steps are those of the definition, level by level") {
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    Random random(seed);
    Work work = randomWork(random);
    if (work.levels.empty())
      continue;
    Machine machine = randomMachine(random);
    machine.lanes = 1;
    const double share = random.oneIn(2) ? 1 : uniform(random, 0.001, 1);
    const Cost cost = CostedLaunch(kernelOf(work), AutomatchModel()).cost(deviceOf(machine), share);
    double levels = 0;
    double steps = 0;
    for (const auto &[width, count] : work.levels)
      for (uint64_t i = 0; i < count; ++i) {
        const double w = static_cast<double>(width) * share;
        steps += w / std::min(w, machine.cores);
        levels += 1;
      }
    INFO("seed " << seed);
    const double rate = rateOf(machine, work) * 1e9;
    CHECK(cost.terms[0] == Approx(levels / rate + steps / (rate * work.instructionMix)));
  }
}

TEST_CASE("levels of one width add up, and wide ones cost their operations alone") {
  // {w: a + b} is {w: a} and {w: b}: the multiset says nothing of the order, nor does the cost; and
  // where every level is wider than the cores, one of 2 w costs as two of w but for its depth.
  Machine machine{"m", 8, 1.0, 1.0, 1, 64, 1e6, 0, 1e6, 0, 0, 1};
  const auto computeNs = [&](Histogram levels) {
    Work work;
    work.levels = std::move(levels);
    return CostedLaunch(kernelOf(work), AutomatchModel()).cost(deviceOf(machine)).terms[0] * 1e9;
  };
  CHECK(computeNs({{4, 3}, {100, 2}}) ==
        Approx(computeNs({{4, 1}, {100, 2}}) + computeNs({{4, 2}})));
  CHECK(computeNs({{100, 2}}) == Approx(computeNs({{200, 1}}) + 1));
  CHECK(computeNs({{8, 2}}) == Approx(computeNs({{16, 1}}) + 1));
  CHECK(computeNs({{4, 2}}) == Approx(2 * computeNs({{8, 1}}))); // narrow ones do not pack
}

TEST_CASE("a larger share never costs less, and shares of a kernel never less than the whole") {
  const AutomatchModel model;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    Random random(seed);
    const auto kernel = kernelOf(randomWork(random));
    const DeviceProfile device = deviceOf(randomMachine(random));
    const double share = uniform(random, 0.001, 0.999);
    const Cost whole = CostedLaunch(kernel, model).cost(device);
    const Cost part = CostedLaunch(kernel, model).cost(device, share);
    const Cost rest = CostedLaunch(kernel, model).cost(device, 1 - share);
    INFO("seed " << seed << ", share " << share);
    CHECK(part.seconds <= whole.seconds * (1 + 1e-12));
    CHECK(part.seconds + rest.seconds >= whole.seconds * (1 - 1e-12));
    CHECK(CostedLaunch(kernel, model).cost(device, 1).seconds == whole.seconds);
  }
}
