// The unit times of docs/prediction.md, "Terms", from kernels small enough to do in the head.
#include "train/made_up.h"

#include <catch2/catch.hpp>

using namespace aiwc::predict;
using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

double term(const MadeUpKernel &kernel, const DeviceProfile &device, TimeTerm which) {
  const auto profile = profileOf(kernel);
  return unitTimes(demandOf(profile), device, false)[static_cast<size_t>(which)];
}

} // namespace

TEST_CASE("a CPU executes a work-group on one core, item after item") {
  const DeviceProfile cpu = madeUpCpu(); // 4 cores, 2000 cycles a microsecond
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemInstructions = 100};
  // Two groups on each core: 2 x 64 x 100 instructions in turn.
  CHECK(term(kernel, cpu, TimeTerm::kInstructions) == Approx(2 * 64 * 100 / 2000.0));
  kernel.workGroups = 9; // a third round for one core
  CHECK(term(kernel, cpu, TimeTerm::kInstructions) == Approx(3 * 64 * 100 / 2000.0));
  CHECK(term(kernel, cpu, TimeTerm::kLatency) == Approx(3 * 64 * 10 / 2000.0));
  CHECK(term(kernel, cpu, TimeTerm::kDispatch) == Approx(3 / 2000.0));
  CHECK(term(kernel, cpu, TimeTerm::kSerialChain) == 0);
  kernel.workGroups = 1; // one core at work, whatever the others could do
  kernel.specialOperations = 4000;
  kernel.divisions = 6000;
  CHECK(term(kernel, cpu, TimeTerm::kSpecialFunctions) == Approx(4000 / 2000.0));
  CHECK(term(kernel, cpu, TimeTerm::kDivisions) == Approx(6000 / 2000.0));
}

TEST_CASE("the heaviest work-group keeps one core of a CPU busy") {
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemInstructions = 100};
  // Each of the 4 cores executes 2 x 6400 instructions; a group of fewer is no matter.
  kernel.groupInstructions = 12'000;
  CHECK(term(kernel, madeUpCpu(), TimeTerm::kInstructions) == Approx(12'800 / 2000.0));
  kernel.groupInstructions = 30'000;
  CHECK(term(kernel, madeUpCpu(), TimeTerm::kInstructions) == Approx(30'000 / 2000.0));
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kInstructions) ==
        Approx(8 * 64 * 100 / (512 * 1000.0)));
}

TEST_CASE("a CPU makes an access of eight neighbours at once, private ones apart") {
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemAccesses = 10};
  const auto accesses = [&](const DeviceProfile &device) {
    return term(kernel, device, TimeTerm::kLatency) / (device.type == DeviceType::kCpu
                                                           ? 2 * 64 / 2000.0 // items of a core
                                                           : 1 / 1000.0);
  };
  CHECK(accesses(madeUpCpu()) == Approx(10));
  kernel.uniformAccesses = 0.25;
  kernel.consecutiveAccesses = 0.25;
  CHECK(accesses(madeUpCpu()) == Approx(10 * (0.5 + 0.5 / 8)));
  kernel.privateAccesses = 8 * 64 * 3;
  CHECK(accesses(madeUpCpu()) == Approx(10 * (0.5 + 0.5 / 8) + 3));
  CHECK(accesses(madeUpGpu()) == Approx(10));
  kernel.uniformAccesses = kernel.consecutiveAccesses = 1; // no profile says so
  CHECK(accesses(madeUpCpu()) == Approx(10.0 / 8 + 3));
}

TEST_CASE("a GPU pays for idle lanes, and for waves of groups that are not resident") {
  const DeviceProfile gpu = madeUpGpu(); // 512 lanes, 1000 cycles a microsecond
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemInstructions = 100};
  CHECK(term(kernel, gpu, TimeTerm::kInstructions) == Approx(8 * 64 * 100 / (512 * 1000.0)));
  kernel.laneUtilization = 0.5;
  CHECK(term(kernel, gpu, TimeTerm::kInstructions) == Approx(2 * 8 * 64 * 100 / (512 * 1000.0)));
  // 64 groups of lanes on each of 4 units: 128 work-groups of two of them are resident.
  kernel.workGroups = 128;
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx(100 / 1000.0));
  kernel.workGroups = 256;
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx(2 * 100 / 1000.0));
  CHECK(term(kernel, gpu, TimeTerm::kLatency) == Approx(2 * 10 / 1000.0));
  // Of work-groups of one group of lanes, 32 are resident on a unit.
  kernel.workGroupSize = 16;
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx(2 * 100 / 1000.0));
}

TEST_CASE("of the waves of a GPU, one has the longest work-item") {
  const DeviceProfile gpu = madeUpGpu(); // 128 work-groups of 64 are resident
  MadeUpKernel kernel{.workGroups = 640, .workGroupSize = 64, .itemInstructions = 100};
  kernel.longestItem = 30'000;
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx((4 * 100 + 30'000) / 1000.0));
  // Lanes wait for their group's longest item: what a group executes is what one lane would.
  kernel.laneUtilization = 0.25;
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx((4 * 400 + 30'000) / 1000.0));
  kernel.longestItem = 300; // no group takes longer than that
  CHECK(term(kernel, gpu, TimeTerm::kSerialChain) == Approx(5 * 300 / 1000.0));
}

TEST_CASE("conversions keep the units of double precision busy, on the units that have work") {
  DeviceProfile gpu = madeUpGpu(); // 512 cores, 4 units
  gpu.set(Parameter::kFp64Rate, 0.5, "test");
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64};
  kernel.doubleOperations = 256'000; // a microsecond
  CHECK(term(kernel, gpu, TimeTerm::kDoublePrecision) == Approx(1));
  kernel.conversions = 256'000;
  CHECK(term(kernel, gpu, TimeTerm::kDoublePrecision) == Approx(3));
  kernel.workGroups = 1; // three of four units have nothing to do
  CHECK(term(kernel, gpu, TimeTerm::kDoublePrecision) == Approx(12));
  kernel.doubleOperations = 0; // they convert numbers of 16 bits
  CHECK(term(kernel, gpu, TimeTerm::kDoublePrecision) == 0);
}

TEST_CASE("memory moves missed lines, and the segments that lanes touch") {
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemAccesses = 10};
  kernel.coldLines = 1'000'000;
  // OpenCL kernels reach half of what the data sheet of a CPU says, and all that was measured.
  CHECK(term(kernel, madeUpCpu(), TimeTerm::kDram) == Approx(2 * 64e6 / 10e3));
  DeviceProfile measured = madeUpCpu();
  measured.set(Parameter::kDramBandwidth, 10, "measured: a stream");
  CHECK(term(kernel, measured, TimeTerm::kDram) == Approx(64e6 / 10e3));
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kDram) == Approx(64e6 / 100e3));
  kernel.coalescing = 0.25;
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kCache) == Approx(4 * 8 * 64 * 10 * 4 / 100e3));
  kernel.localBytes = 5'000'000;
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kLocalMemory) == Approx(5));
}

TEST_CASE("work-groups that run together fetch the lines that they share once") {
  // Each of 512 groups reads the same 20,000 lines and 100 of its own, one group after the other:
  // 20,099 other lines lie between two accesses of a shared line. The cache holds 16,384.
  constexpr uint64_t kGroups = 512, kShared = 20'000, kOwn = 100;
  MadeUpKernel kernel{.workGroups = kGroups, .workGroupSize = 64};
  kernel.coldLines = kShared + kGroups * kOwn;
  kernel.reuseDistances = {{aiwc::profile::reuseBin(kShared + kOwn - 1), (kGroups - 1) * kShared}};
  const auto linesOf = [&](const DeviceProfile &device, double bandwidth) {
    return term(kernel, device, TimeTerm::kDram) * bandwidth / 64;
  };
  CHECK(linesOf(madeUpCpu(), 10e3 / 2) == Approx(kGroups * (kShared + kOwn)));
  // 128 are resident on the GPU: the others find the lines, too, since they are never far away.
  CHECK(linesOf(madeUpGpu(), 100e3) == Approx(kShared + kGroups * kOwn));
  // What one group reads twice with as many lines between, it misses twice.
  kernel.workGroups = 1;
  CHECK(linesOf(madeUpGpu(), 100e3) == Approx(kGroups * (kShared + kOwn)));
}

TEST_CASE("an integer division by an unknown value takes forty instructions") {
  MadeUpKernel kernel{.workGroups = 8, .workGroupSize = 64, .itemInstructions = 100};
  kernel.integerDivisions = 8 * 64 * 10; // ten of the hundred instructions of each work-item
  const double instructions = 90 + 10 * 40;
  CHECK(term(kernel, madeUpCpu(), TimeTerm::kInstructions) ==
        Approx(2 * 64 * instructions / 2000.0));
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kInstructions) ==
        Approx(8 * 64 * instructions / (512 * 1000.0)));
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kSerialChain) == Approx(instructions / 1000.0));
}

TEST_CASE("contended atomics are executed one after the other") {
  const MadeUpKernel kernel{.contendedAtomics = 5000};
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kAtomics) == Approx(5));
  CHECK(term(kernel, madeUpCpu(), TimeTerm::kAtomics) == Approx(60 * 2.5)); // from core to core
}

TEST_CASE("double precision has the rate of the data sheet") {
  const MadeUpKernel kernel{.doubleOperations = 3'200'000};
  CHECK(term(kernel, madeUpGpu(), TimeTerm::kDoublePrecision) == Approx(3.2e6 / (512 * 62.5)));
}

TEST_CASE("transfers take part where they are asked for") {
  const auto profile = profileOf({});
  LaunchDemand demand = demandOf(profile);
  demand.hostBytes = 16000;
  demand.hostTransfers = 3;
  const auto without = unitTimes(demand, madeUpGpu(), false);
  const auto with = unitTimes(demand, madeUpGpu(), true);
  CHECK(without[static_cast<size_t>(TimeTerm::kTransferBytes)] == 0);
  CHECK(with[static_cast<size_t>(TimeTerm::kTransferBytes)] == Approx(2));
  CHECK(with[static_cast<size_t>(TimeTerm::kTransferCalls)] == Approx(30));
}

TEST_CASE("no term falls where a kernel asks for more") {
  const std::array devices = {madeUpCpu(), madeUpGpu(), madeUpGpu("amd", "AMD")};
  const MadeUpKernel least{.workGroups = 3, .workGroupSize = 48};
  for (const auto &device : devices)
    for (uint64_t MadeUpKernel::*more :
         {&MadeUpKernel::workGroups, &MadeUpKernel::itemInstructions, &MadeUpKernel::itemAccesses,
          &MadeUpKernel::privateAccesses, &MadeUpKernel::groupInstructions,
          &MadeUpKernel::coldLines, &MadeUpKernel::divisions, &MadeUpKernel::integerDivisions,
          &MadeUpKernel::specialOperations, &MadeUpKernel::doubleOperations,
          &MadeUpKernel::barriersHit, &MadeUpKernel::localBytes, &MadeUpKernel::contendedAtomics}) {
      MadeUpKernel kernel = least;
      kernel.*more += 1000;
      for (size_t k = 0; k < kTimeTermCount; ++k)
        CHECK(term(kernel, device, static_cast<TimeTerm>(k)) >=
              term(least, device, static_cast<TimeTerm>(k)));
    }
}

TEST_CASE("devices are of the class that their coefficients come from") {
  CHECK(classOf(madeUpCpu()) == DeviceClass::kCpu);
  CHECK(classOf(madeUpGpu()) == DeviceClass::kNvidiaGpu);
  CHECK(classOf(madeUpGpu("a", "AMD")) == DeviceClass::kAmdGpu);
  CHECK(classOf(madeUpGpu("a", "Intel")) == DeviceClass::kOther);
  DeviceProfile manyCore = madeUpCpu();
  manyCore.set(Parameter::kCores, 64, "test");
  manyCore.set(Parameter::kClock, 1.3, "test");
  CHECK(classOf(manyCore) == DeviceClass::kManyCore);
}

TEST_CASE("a profile without a metric that the terms need is refused by name") {
  auto profile = profileOf({});
  CHECK(whyNoDemand(profile).empty());
  profile.setNone("ipt_max"_metric);
  CHECK(whyNoDemand(profile) == "metrics.ipt_max has no value: expected a number");
  CHECK_THROWS_WITH(demandOf(profile),
                    "kernel made_up: metrics.ipt_max has no value: expected a number");
}
