/// Compares ShadowLevels with a plain map from bytes to levels.
#include "metrics/asap/shadow_levels.h"
#include "support/random.h"

#include <catch2/catch.hpp>
#include <map>
#include <utility>

using namespace aiwc;
using namespace aiwc::test;
using metrics::Level;
using metrics::ShadowLevels;

namespace {

class PlainLevels {
public:
  Level read(uint32_t owner, uint64_t address, uint32_t size) const {
    Level level;
    for (uint64_t byte = address; byte < address + size; ++byte)
      if (const auto written = bytes_.find({owner, byte}); written != bytes_.end()) {
        level.fp = std::max(level.fp, written->second.fp);
        level.instruction = std::max(level.instruction, written->second.instruction);
      }
    return level;
  }
  void write(uint32_t owner, uint64_t address, uint32_t size, Level level) {
    for (uint64_t byte = address; byte < address + size; ++byte)
      bytes_[{owner, byte}] = level;
  }
  void reset() { bytes_.clear(); }

private:
  std::map<std::pair<uint32_t, uint64_t>, Level> bytes_;
};

trace::Access accessOf(trace::AddressSpace space) {
  trace::Access access;
  access.space = static_cast<uint32_t>(space) & 3;
  return access;
}

} // namespace

TEST_CASE("the shadow of memory remembers the last write to every byte", "[asap]") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool wordsAlone = random.oneIn(3);
    const auto bytes = random.oneOf<uint64_t>({64, 1000, 100000, uint64_t{1} << 44});
    ShadowLevels shadow;
    PlainLevels plain;
    for (int step = 0; step < 3000; ++step) {
      if (random.oneIn(700)) {
        shadow.reset();
        plain.reset();
      }
      const auto owner = static_cast<uint32_t>(random.below(3));
      uint64_t address = random.below(4) << 48 | random.below(bytes);
      uint32_t size = random.oneIn(40) ? static_cast<uint32_t>(random.between(1, 700))
                                       : random.oneOf<uint32_t>({1, 2, 4, 4, 4, 8, 16});
      if (wordsAlone) {
        address &= ~uint64_t{3};
        size = (size + 3) & ~3U;
      }
      if (random.oneIn(2)) {
        const Level level{static_cast<uint32_t>(random.below(1000)),
                          static_cast<uint32_t>(random.between(1, 1000))};
        shadow.write(owner, address, size, level);
        plain.write(owner, address, size, level);
      } else {
        REQUIRE(shadow.read(owner, address, size) == plain.read(owner, address, size));
      }
    }
  }
}

TEST_CASE("a shadow that has been reset many times is as good as new", "[asap]") {
  ShadowLevels shadow;
  for (uint32_t group = 1; group <= 5000; ++group) {
    for (uint64_t line = 0; line < 20; ++line) {
      REQUIRE(shadow.read(0, line << 40, 4) == Level{});
      shadow.write(0, line << 40, 4, {group, group});
      shadow.write(0, (line << 40) + 5, 1, {group + 1, group});
      REQUIRE(shadow.read(0, line << 40, 8) == Level{group + 1, group});
    }
    shadow.reset();
  }
}

TEST_CASE("memories are told apart: each work-item's own, the group's, the device's", "[asap]") {
  using trace::AddressSpace;
  const auto owner = [](AddressSpace space, uint32_t item) {
    return ShadowLevels::ownerOf(accessOf(space), item);
  };
  CHECK(owner(AddressSpace::kPrivate, 0) != owner(AddressSpace::kPrivate, 1));
  CHECK(owner(AddressSpace::kLocal, 0) == owner(AddressSpace::kLocal, 1));
  CHECK(owner(AddressSpace::kGlobal, 0) == owner(AddressSpace::kGlobal, 7));
  CHECK(owner(AddressSpace::kGlobal, 0) == owner(AddressSpace::kConstant, 1));
  CHECK(owner(AddressSpace::kGlobal, 0) != owner(AddressSpace::kLocal, 0));
  for (const uint32_t item : {0U, 1U, 4095U, trace::Run::kWorkGroup}) {
    CHECK(owner(AddressSpace::kPrivate, item) != owner(AddressSpace::kLocal, item));
    CHECK(owner(AddressSpace::kPrivate, item) != owner(AddressSpace::kGlobal, item));
  }
}

TEST_CASE("a hint that nothing was written holds until something is", "[asap]") {
  constexpr uint64_t kAddress = uint64_t{3} << 48 | 64;
  const uint32_t owner = ShadowLevels::ownerOf(accessOf(trace::AddressSpace::kGlobal), 0);
  for (const bool revocably : {false, true}) {
    ShadowLevels shadow;
    ShadowLevels::Hint reading, writing;
    std::vector<ShadowLevels::Overwritten> overwritten;
    CHECK(shadow.read(owner, kAddress, 4, reading) == Level{});
    if (revocably)
      CHECK(shadow.writeRevocably(owner, kAddress, 4, {1, 2}, overwritten, writing));
    else
      shadow.write(owner, kAddress, 4, {1, 2});
    CHECK(shadow.read(owner, kAddress, 4, reading) == Level{1, 2});
    shadow.reset();
    ShadowLevels::Hint fresh;
    CHECK(shadow.read(owner, kAddress, 4, fresh) == Level{});
  }
}
