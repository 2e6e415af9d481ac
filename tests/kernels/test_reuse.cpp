// Reuse distances of real kernels, against the accesses that their sources make in canonical order.

#include "kernels/reference.h"
#include "profile/reuse.h"
#include "support/simulate.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <list>
#include <map>

using namespace aiwc::test;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;

namespace {

enum BufferId { kA, kB, kC };

/// The distances of accesses to buffers of floats, told in canonical order.
class Distances {
public:
  explicit Distances(uint64_t lineBytes = 64) : lineBytes_(lineBytes) {}

  void access(BufferId buffer, uint64_t element) {
    const std::pair line{buffer, 4 * element / lineBytes_};
    const auto found = std::find(stack_.begin(), stack_.end(), line);
    if (found == stack_.end()) {
      ++cold_;
    } else {
      ++distances_[static_cast<uint64_t>(std::distance(stack_.begin(), found))];
      stack_.erase(found);
    }
    stack_.push_front(line);
  }

  void check(const KernelProfile &profile) const {
    REQUIRE(!distances_.empty());
    REQUIRE(distances_.rbegin()->first < aiwc::profile::kExactReuseDistances);
    CHECK(profile.reuse.lineBytes == lineBytes_);
    CHECK(profile.reuse.coldAccesses == cold_);
    CHECK(profile.histograms.reuseDistances == Histogram(distances_.begin(), distances_.end()));
  }

private:
  uint64_t lineBytes_;
  std::list<std::pair<BufferId, uint64_t>> stack_;
  std::map<uint64_t, uint64_t> distances_;
  uint64_t cold_ = 0;
};

/// Calls `visit` with (x, y) of an n x n NDRange of t x t groups, in canonical order.
void forEachItem(uint64_t n, uint64_t t, const std::function<void(uint64_t, uint64_t)> &visit) {
  for (uint64_t groupY = 0; groupY < n; groupY += t)
    for (uint64_t groupX = 0; groupX < n; groupX += t)
      for (uint64_t y = groupY; y < groupY + t; ++y)
        for (uint64_t x = groupX; x < groupX + t; ++x)
          visit(x, y);
}

Distances matmul(uint64_t lineBytes) {
  Distances distances(lineBytes);
  forEachItem(8, 4, [&](uint64_t x, uint64_t y) {
    for (uint64_t k = 0; k < 8; ++k) {
      distances.access(kA, y * 8 + k);
      distances.access(kB, k * 8 + x);
    }
    distances.access(kC, y * 8 + x);
  });
  return distances;
}

} // namespace

TEST_CASE("reuse distances of the naive matrix product", "[reuse]") {
  matmul(64).check(referenceProfile("matmul_naive"));
}

TEST_CASE("reuse distances of a gather", "[reuse]") {
  Distances distances;
  for (uint64_t i = 0; i < 32; ++i) {
    distances.access(kA, i);         // index[i]
    distances.access(kB, i % 4 * 8); // in[index[i]]
    distances.access(kC, i);
  }
  distances.check(referenceProfile("gather"));
}

TEST_CASE("lines of another size, with several threads", "[reuse]") {
  for (const uint64_t lineBytes : {32, 128, 256})
    for (const unsigned threads : {1u, 2u, 4u}) {
      SimulationOptions options;
      options.threads = threads;
      options.environment = {{"AIWC_LINE_SIZE", std::to_string(lineBytes)}};
      matmul(lineBytes).check(simulate(simulationFile("matmul_naive"), options).at(0));
    }
}
