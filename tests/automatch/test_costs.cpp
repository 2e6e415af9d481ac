/// Costs worked out by hand: equations 1 to 5 of AutoMatch on the devices of its table I. 1 GFLOP/s
/// is an operation per ns and 1 GB/s a byte per ns, so the arithmetic is in ns, and in us below.
#include "automatch/automatch_model.h"
#include "predict/costed_launch.h"
#include "predict/machines.h"

#include <catch2/catch.hpp>

using namespace aiwc::automatch;
using namespace aiwc::predict;
using namespace aiwc::test;

namespace {

/// us; the terms in the order of Term.
struct Expected {
  double compute, fast, slow, latency, sync;
};

void checkCosts(const Work &work, const std::vector<Expected> &expected) {
  const auto devices = automatchDevices();
  const auto kernel = kernelOf(work);
  REQUIRE(expected.size() == devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    INFO(work.name << " on " << devices[i].id);
    const Cost cost = CostedLaunch(kernel, AutomatchModel()).cost(devices[i]);
    const Expected &e = expected[i];
    const double terms[] = {e.compute, e.fast, e.slow, e.latency, e.sync};
    double sum = 0;
    for (size_t k = 0; k < kTermCount; ++k) {
      INFO(toString(static_cast<Term>(k)));
      CHECK(cost.terms[k] * 1e6 == Approx(terms[k]).epsilon(1e-12));
      sum += terms[k];
    }
    CHECK(cost.seconds * 1e6 == Approx(sum).epsilon(1e-12));
  }
}

} // namespace

TEST_CASE("triad on the five devices of AutoMatch, by hand") {
  // n = 2^20 = 1048576, D = 2, w = {n: 2}, f_v = f_im = 1, coalescing 1, S = 1.
  // Slow: the 3 n / 8 = 393216 first accesses of 64 bytes = 25165824 bytes, on every device.
  // Fast: 7/8 of the 24 n = 25165824 bytes requested = 22020096 bytes.
  checkCosts(
      triad(),
      {
          // D/pi0 + 2 n/(n_p pi0),    Q_f L/beta_f,     Q_s L/beta_s,     (a_f + a_s) D, S s0
          {(2 / 20.0 + 2097152 / 80.0) / 1e3, // 0.1 + 26214.4 ns
           22020096 / 285e3, 25165824 / 18.88e3, 0.138, 0.2},
          {(2 / 33.0 + 2097152 / 132.0) / 1e3, // 0.0606... + 15887.515... ns
           22020096 / 349e3, 25165824 / 11.5e3, 0.112, 0.44},
          {(2 / 0.9 + 2097152 / 403.2) / 1e3, // 448 cores of 0.9
           22020096 / 2117e3, 25165824 / 87.92e3, 1.476, 7.22},
          {(2 / 0.41 + 2097152 / 1023.36) / 1e3, // 2496 of 0.41
           22020096 / 2018e3, 25165824 / 129.73e3, 1.45, 6.5},
          {(2 / 0.42 + 2097152 / 1128.96) / 1e3, // 2688 of 0.42
           22020096 / 2424e3, 25165824 / 160.1e3, 1.45, 6.5},
      });
  // The same in digits, for two of them.
  checkCosts(triad(), {
                          {26.2145, 77.2634947368421, 1332.93559322034, 0.138, 0.2},
                          {15.8875757575758, 63.0948309455587, 2188.33252173913, 0.112, 0.44},
                          {5.20349206349206, 10.4015569201701, 286.235486806187, 1.476, 7.22},
                          {2.05415884928080, 10.9118414271556, 193.986155862175, 1.45, 6.5},
                          {1.86235827664399, 9.08419801980198, 157.188157401624, 1.45, 6.5},
                      });
}

TEST_CASE("factorisation on the five devices of AutoMatch, by hand") {
  // w = {1: 100, 64: 50, 5000: 10}: D = 160, W = 53300. f_im = 0.75, S = 7.
  // Steps, the sum of w / min(w, n_p): on 4 cores 100 + 50 * 16 + 10 * 1250 = 13400; on 448
  // 100 + 50 + 50000/448; on 2496 150 + 50000/2496; on 2688 150 + 50000/2688.
  // Lanes: 4 is measured at 8 (f_v 0.8, coalescing of 16: 0.5), 32 at 32 (f_v 0.5, 0.25).
  // Lines: Z = 6 MB holds all but the 1000 first accesses of 10000; 2.3 MB not the 2000 beyond 5
  // MiB either, 1.6 MB nor the 3000 beyond 1.75 MiB. Slow bytes 64 times that: 64000, 192000,
  // 384000. Fast: 80000 bytes requested times the share of hits (9, 7, 4 of 10), with 12000 of
  // local memory, over the coalescing: 84000/0.5 = 168000, 68000/0.25 = 272000, 44000/0.25 =
  // 176000.
  const double cpu = 0.8 * 0.75;
  const double gpu = 0.5 * 0.75;
  checkCosts(factorisation(),
             {
                 {(160 / 20.0 + 13400 / (20 * cpu)) / 1e3, 168 / 285.0, 64 / 18.88, 11.04, 1.4},
                 {(160 / 33.0 + 13400 / (33 * cpu)) / 1e3, 168 / 349.0, 64 / 11.5, 8.96, 3.08},
                 {(160 / 0.9 + (150 + 50000 / 448.0) / (0.9 * gpu)) / 1e3, 176 / 2117.0,
                  384 / 87.92, 118.08, 50.54},
                 {(160 / 0.41 + (150 + 50000 / 2496.0) / (0.41 * gpu)) / 1e3, 272 / 2018.0,
                  192 / 129.73, 116, 45.5},
                 {(160 / 0.42 + (150 + 50000 / 2688.0) / (0.42 * gpu)) / 1e3, 272 / 2424.0,
                  192 / 160.1, 116, 45.5},
             });
}

TEST_CASE("a blocked product on the five devices of AutoMatch, by hand") {
  // n = 1024: levels n of n^2 additions, and one of n^3 multiplications: all wider than any device,
  // so the steps are W / n_p = 2^31 / n_p; D = 1025.
  // Requested: 2 * 8 n^3 / 64 = 2^28 and 8 n^2 = 2^23 bytes in accesses of 8, so 34603008 accesses.
  // CPUs miss the 3 n^2 / 8 = 393216 first ones, GPUs the n^2 = 1048576 beyond 2.5 MiB, too:
  // 1441792. Fast: 276824064 * (1 - 393216/34603008) = 273678336, and 2^31 of local memory =
  // 2421161984; on the GPUs 276824064 * (1 - 1441792/34603008) = 265289728: 2412773376.
  checkCosts(blockedProduct(), {
                                   {(1025 / 20.0 + 2147483648 / 80.0) / 1e3, 2421161.984 / 285,
                                    25165.824 / 18.88, 70.725, 0.2},
                                   {(1025 / 33.0 + 2147483648 / 132.0) / 1e3, 2421161.984 / 349,
                                    25165.824 / 11.5, 57.4, 0.44},
                                   {(1025 / 0.9 + 2147483648 / 403.2) / 1e3, 2412773.376 / 2117,
                                    92274.688 / 87.92, 756.45, 7.22},
                                   {(1025 / 0.41 + 2147483648 / 1023.36) / 1e3, 2412773.376 / 2018,
                                    92274.688 / 129.73, 743.125, 6.5},
                                   {(1025 / 0.42 + 2147483648 / 1128.96) / 1e3, 2412773.376 / 2424,
                                    92274.688 / 160.1, 743.125, 6.5},
                               });
}

TEST_CASE("what a kernel is bound by is the largest term, and the devices rank as in AutoMatch") {
  const auto devices = automatchDevices();
  const AutomatchModel model;
  for (const DeviceProfile &device : devices) {
    INFO(device.id);
    CHECK(CostedLaunch(kernelOf(triad()), model).cost(device).boundBy ==
          static_cast<size_t>(Term::kDram));
    CHECK(CostedLaunch(kernelOf(factorisation()), model).cost(device).boundBy ==
          static_cast<size_t>(Term::kLatency));
    CHECK(CostedLaunch(kernelOf(blockedProduct()), model).cost(device).boundBy ==
          static_cast<size_t>(Term::kCompute));
  }
  for (const Work &work : {triad(), blockedProduct()})
    for (size_t gpu = 2; gpu < 4; ++gpu) // C2075 behind K20C behind K20X
      CHECK(CostedLaunch(kernelOf(work), model).cost(devices[gpu]).seconds >
            CostedLaunch(kernelOf(work), model).cost(devices[gpu + 1]).seconds);
}
