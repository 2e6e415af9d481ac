/// Orderings that AutoMatch (2017, section IV) reports, on kernels in the simulator and the devices
/// of its table I. That table is in double precision; float kernels are costed at its rates.
#include "automatch/automatch_model.h"
#include "eod/process/child.h"
#include "eod/process/temporary_folder.h"
#include "predict/device_library.h"
#include "predict/machines.h"
#include "predict/prediction.h"
#include "profile/json.h"
#include "run/folder.h"
#include "support/simulate.h"

#include <array>
#include <catch2/catch.hpp>

namespace fs = std::filesystem;
using namespace aiwc;
using namespace aiwc::automatch;
using namespace aiwc::predict;
using namespace aiwc::test;

namespace {

/// ARC1 to ARC5: two CPUs, three GPUs.
std::vector<DeviceProfile> tableOne() {
  const DeviceLibrary library({AIWC_TEST_DEVICES "/automatch"});
  std::vector<DeviceProfile> devices;
  for (const char *id : {"automatch-arc1-i5-2400", "automatch-arc2-i7-4700", "automatch-arc3-c2075",
                         "automatch-arc4-k20c", "automatch-arc5-k20x"})
    devices.push_back(library[id]);
  return devices;
}

/// What all invocations together cost on each device of table I.
std::vector<Entry> costsOf(const std::vector<profile::KernelProfile> &profiles) {
  const AutomatchModel model;
  std::vector<Invocation> invocations;
  for (const profile::KernelProfile &kernel : profiles)
    invocations.push_back({"simulated", kernel, model});
  std::vector<Candidate> candidates;
  for (const DeviceProfile &device : tableOne())
    candidates.push_back({device, "", false});
  std::vector<Entry> entries;
  for (const DevicePrediction &device : predict::predict(invocations, candidates).devices)
    entries.push_back(device.application);
  return entries;
}

double share(const Entry &entry, Term term) {
  return entry.cost.terms[static_cast<size_t>(term)] / entry.seconds;
}

void checkThatGpusRankAsInTheTable(const std::vector<Entry> &entries) {
  CHECK(entries[4].seconds < entries[3].seconds);
  CHECK(entries[3].seconds < entries[2].seconds);
}

std::vector<profile::KernelProfile> simulated(const char *name) {
  return simulate(fs::path(AIWC_TEST_SIMULATIONS) / name);
}

/// kernels/product_blocked.cl for matrices of n x n, n a multiple of 64.
Work product(uint64_t n) {
  Work work;
  work.levels = {{n * n, n}, {n * n * n, 1}};
  // Each of (n / 64)^2 groups reads 64 rows of a, by the element, and 64 columns of b, by the line.
  work.bytesRead = 2 * 8 * n * n * n / 64;
  work.bytesWritten = 8 * n * n;
  // Per 64 multiplications, 8 elements of a and a vector of 8 of b; both tiles are written once.
  work.localBytes = 2 * n * n * n + n * n * n / 4;
  // Three matrices of eight elements a line. Of a line of a the other seven elements follow at
  // once; the next group to the right needs it again, and the next row of groups all of b.
  work.cold = 3 * n * n / 8;
  const uint64_t again = (n / 64 - 1) * n * n / 8;
  work.reuse = {{8, 7 * n * n * n / 512}};
  if (again > 0) {
    work.reuse.emplace_back(18 * n, again);
    work.reuse.emplace_back(n * n / 8 + 16 * n, again);
  }
  // Segments of 128 bytes. Per 8 columns of a, 64 lanes read 8 x 64 elements, whose 4 KiB are half
  // of each segment, then 64 vectors of b, 4 KiB without a gap; 32 KiB of c are written at the end:
  // (32 n / 8 + 32 n / 8 + 256) / (64 n / 8 + 32 n / 8 + 256), whatever the width of a lane group.
  const double coalescing = static_cast<double>(2 * n + 64) / static_cast<double>(3 * n + 64);
  work.coalescing = {coalescing, coalescing, coalescing};
  return work;
}

} // namespace

TEST_CASE("a stencil is bound by slow memory on every device, and the GPUs rank as in the table") {
  const auto entries = costsOf(simulated("stencil_384.sim"));
  for (const Entry &entry : entries)
    CHECK(entry.boundBy() == static_cast<size_t>(Term::kDram));
  checkThatGpusRankAsInTheTable(entries);
  // Bandwidth decides: the CPU with less of it is the slower one.
  CHECK(entries[0].seconds < entries[1].seconds);
  CHECK(entries[2].seconds < entries[0].seconds);
}

TEST_CASE("an LU decomposition waits on GPUs: many launches, short levels") {
  const process::TemporaryFolder folder("aiwc-orderings-");
  process::run({.command = {AIWC_TEST_LAUNCHER, "--aiwc", "--aiwc-quiet", "--aiwc-output",
                            folder.path().string(), AIWC_TEST_LUD, "--size", "tiny"},
                .environment = process::currentEnvironment(),
                .errors = folder.path() / "stderr"});
  std::vector<profile::KernelProfile> profiles;
  for (const run::Launch &launch : run::readRun(folder.path() / "run.json").launches)
    profiles.push_back(profile::readProfile(folder.path() / launch.profile));
  REQUIRE(profiles.size() == 13); // 80 = 5 blocks of 16: 5 + 4 + 4

  const auto entries = costsOf(profiles);
  const auto waiting = [&](size_t device) {
    return share(entries[device], Term::kLatency) + share(entries[device], Term::kLaunch);
  };
  for (size_t gpu = 2; gpu < 5; ++gpu) {
    CHECK(waiting(gpu) > 0.9);
    for (size_t cpu = 0; cpu < 2; ++cpu) {
      CHECK(waiting(cpu) < waiting(gpu));
      CHECK(entries[cpu].seconds < entries[gpu].seconds);
    }
  }
  checkThatGpusRankAsInTheTable(entries);
}

TEST_CASE("a dense product from registers is bound by compute, where it is large enough") {
  const auto profiles = simulated("product_blocked.sim");
  REQUIRE(profiles.size() == 1);
  // What the simulator sees at n = 128 is the closed form, on every device in every term. Sizes at
  // which GPUs are busy would take it hours.
  const auto at = [](uint64_t n) { return costsOf({kernelOf(product(n))}); };
  const auto entries = costsOf(profiles);
  const auto closed = at(128);
  for (size_t device = 0; device < entries.size(); ++device)
    for (size_t term = 0; term < kTermCount; ++term)
      CHECK(entries[device].cost.terms[term] ==
            Approx(closed[device].cost.terms[term]).epsilon(1e-9));

  // A level's work grows with n^2, their number with n: the more cores, the later.
  CHECK(entries[0].boundBy() == static_cast<size_t>(Term::kCompute));
  CHECK(entries[2].boundBy() == static_cast<size_t>(Term::kLatency));
  const std::array<uint64_t, 5> from = {64, 192, 448, 640, 640};
  for (size_t device = 0; device < from.size(); ++device) {
    if (device > 0)
      CHECK(at(from[device] - 64)[device].boundBy() != static_cast<size_t>(Term::kCompute));
    for (const uint64_t n : {from[device], uint64_t{1024}, uint64_t{2048}})
      CHECK(at(n)[device].boundBy() == static_cast<size_t>(Term::kCompute));
  }
  const auto large = at(1024);
  checkThatGpusRankAsInTheTable(large);
  CHECK(large[2].seconds < large[1].seconds);
  CHECK(large[1].seconds < large[0].seconds);
}
