#include "profile/local_memory.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;

TEST_CASE("local memory of a profile: its arrays, and the banks that accesses take turns for") {
  KernelProfile profile;
  profile.setCount("work_items"_metric, 640);
  profile.setCount("work_groups"_metric, 10);
  CHECK_FALSE(localMemoryOf(profile));
  profile.localMemory = {100, 1.5}; // of a profile without accesses
  CHECK(localMemoryOf(profile) == LocalMemory{100, 1.5});
  const auto row = [](const char *array, uint64_t footprint, int64_t stride,
                      MemorySpace space = MemorySpace::kLocal) {
    AccessRow row;
    row.array = array;
    row.space = space;
    row.accesses = 100;
    row.bytes = 400;
    row.footprint = footprint;
    row.laneStride = stride;
    return row;
  };
  const AccessRow in = row("in", 1 << 20, 128, MemorySpace::kGlobal);
  profile.accesses = {{in}};
  CHECK_FALSE(localMemoryOf(profile));
  profile.accesses = {{row("tile", 1024, 4), row("tile", 4096, 128), row("sums", 256, 8), in}};
  CHECK(localMemoryOf(profile)->groupBytes == 4096 + 256);
  CHECK(localMemoryOf(profile)->bankTurns == Approx((1 + 32 + 2) / 3.0));
  CHECK(localArrays(profile).at("tile")->footprint == 4096);
  profile.setCount("work_groups"_metric, 80); // of eight work-items
  CHECK(localMemoryOf(profile)->bankTurns == Approx((1 + 8 + 1) / 3.0));
}
