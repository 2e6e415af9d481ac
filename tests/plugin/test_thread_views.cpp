// Threads that run work-groups at once: which of their accesses have a round rolled back, and what
// is restored then.

#include "plugin/engine/thread_view.h"
#include "simulator/compat.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

using namespace aiwc::engine;

namespace {

constexpr unsigned kThreads = 3;
constexpr uint64_t kGranule = uint64_t{1} << kGranuleBits, kBytes = 4 * kGranule;

enum class Kind { kRead, kWrite };
enum class Told { kGranules, kBytes }; ///< by a group that is exact or not

struct Access {
  unsigned thread;
  Kind kind;
  Told told;
  uint64_t offset, size;
};

/// A buffer of four granules of zeros that all threads access.
class Launch {
public:
  ThreadViews &views() { return views_; }

  /// Makes the accesses in a round, one after another; a write changes the bytes to the number of
  /// its thread, from 1. Returns whether the round succeeds.
  bool round(const std::vector<Access> &accesses) {
    views_.beginRound(0);
    for (const Access &access : accesses) {
      ThreadView &view = views_.at(access.thread);
      view.setExact(access.told == Told::kBytes);
      const uint64_t address = address_ + access.offset;
      const bool writes = access.kind == Kind::kWrite;
      if (!(writes ? view.claimGranules(address, access.size)
                   : view.readGranules(address, access.size)))
        views_.fail();
      else if (writes)
        std::fill_n(global_.find(address, access.size), access.size,
                    static_cast<uint8_t>(access.thread + 1));
    }
    return views_.endRound();
  }

  /// How many bytes a thread has changed.
  long changedBy(unsigned thread) const {
    const uint8_t *begin = global_.find(address_, kBytes);
    return std::count(begin, begin + kBytes, static_cast<uint8_t>(thread + 1));
  }

private:
  size_t accessibleBuffer() {
    const size_t address = context_.getGlobalMemory()->allocateBuffer(kBytes);
    global_.begin({});
    global_.add(*context_.getGlobalMemory(), address);
    return address;
  }

  oclgrind::Context context_;
  GlobalView global_;
  const size_t address_ = accessibleBuffer(); // before the views of it
  ThreadViews views_{global_, kThreads};
};

bool succeeds(const std::vector<Access> &accesses) {
  return Launch().round(accesses);
}

} // namespace

TEST_CASE("A round fails if a thread reads what another one writes, whichever comes first") {
  for (const Told told : {Told::kGranules, Told::kBytes})
    for (const Told toldByOther : {Told::kGranules, Told::kBytes}) {
      const Access write{0, Kind::kWrite, told, 60, 4}, read{2, Kind::kRead, toldByOther, 60, 4};
      CHECK(!succeeds({write, read}));
      CHECK(!succeeds({read, write}));
      const Access own{0, Kind::kRead, toldByOther, 60, 4};
      CHECK(succeeds({write, own}));
      CHECK(succeeds({own, write}));
      const Access readByOther{1, Kind::kRead, told, 60, 4};
      CHECK(succeeds({read, own, readByOther}));
    }
}

TEST_CASE("A round fails if two threads write the same") {
  for (const Told told : {Told::kGranules, Told::kBytes})
    for (const Told toldByOther : {Told::kGranules, Told::kBytes}) {
      const Access write{1, Kind::kWrite, told, 8, 8}, other{2, Kind::kWrite, toldByOther, 8, 8};
      CHECK(!succeeds({write, other}));
      CHECK(succeeds({write, {1, Kind::kWrite, toldByOther, 8, 8}}));
    }
}

TEST_CASE("Bytes of one granule are told apart where a group has claimed bytes") {
  for (const auto &[offset, size, isApart] :
       {std::tuple(16, 4, true), std::tuple(28, 4, true), std::tuple(20, 1, false),
        std::tuple(27, 1, false), std::tuple(19, 2, false), std::tuple(27, 2, false),
        std::tuple(0, 64, false)}) {
    INFO(offset << ", " << size);
    const Access write{0, Kind::kWrite, Told::kBytes, 20, 8};
    Access other{1, Kind::kWrite, Told::kBytes, static_cast<uint64_t>(offset),
                 static_cast<uint64_t>(size)};
    CHECK(succeeds({write, other}) == isApart);
    CHECK(succeeds({other, write}) == isApart);
    other.told = Told::kGranules;
    CHECK(succeeds({write, other}) == isApart);
    CHECK(!succeeds({other, write})); // it has claimed the granule as a whole
    other.kind = Kind::kRead;
    CHECK(!succeeds({write, other}));
    CHECK(!succeeds({other, write}));
    other.told = Told::kBytes;
    CHECK(succeeds({write, other}) == isApart);
    CHECK(succeeds({other, write}) == isApart);
  }
}

TEST_CASE("What lies between the accesses of a thread is not accessed") {
  for (const Kind kind : {Kind::kRead, Kind::kWrite}) {
    const Access first{0, kind, Told::kBytes, 0, 4}, second{0, kind, Told::kBytes, 40, 4};
    const Access between{1, Kind::kWrite, Told::kBytes, 4, 36};
    CHECK(succeeds({first, second, between}));
    CHECK(succeeds({second, first, between}));
    CHECK(!succeeds({second, first, {1, Kind::kWrite, Told::kBytes, 4, 37}}));
    CHECK(!succeeds({first, {0, kind, Told::kBytes, 4, 4}, second, between}));
  }
}

TEST_CASE("An access of two granules is one of both") {
  const Access write{0, Kind::kWrite, Told::kGranules, kGranule - 4, 8};
  for (const uint64_t offset : {uint64_t{0}, 2 * kGranule - 1}) {
    CHECK(!succeeds({write, {1, Kind::kRead, Told::kGranules, offset, 1}}));
    CHECK(!succeeds({{1, Kind::kRead, Told::kGranules, offset, 1}, write}));
  }
  CHECK(succeeds({write, {1, Kind::kWrite, Told::kGranules, 2 * kGranule, 1}}));
}

TEST_CASE("A round that fails leaves what was there before it, with what earlier rounds wrote") {
  Launch launch;
  CHECK(launch.round({{0, Kind::kWrite, Told::kGranules, 0, 10},
                      {1, Kind::kWrite, Told::kBytes, kGranule, 20},
                      {2, Kind::kWrite, Told::kBytes, kGranule + 20, 30}}));
  CHECK(!launch.round({{2, Kind::kWrite, Told::kGranules, 0, 64},
                       {0, Kind::kWrite, Told::kBytes, kGranule, 50},
                       {0, Kind::kWrite, Told::kGranules, 2 * kGranule, 64},
                       {1, Kind::kRead, Told::kGranules, 0, 1}}));
  CHECK(launch.changedBy(0) == 10);
  CHECK(launch.changedBy(1) == 20);
  CHECK(launch.changedBy(2) == 30);
  CHECK(launch.round({{1, Kind::kRead, Told::kGranules, 0, 1}})); // nothing of it is left
  CHECK(launch.round({{1, Kind::kWrite, Told::kGranules, 0, 10}}));
  CHECK(launch.changedBy(0) == 0);
  CHECK(launch.changedBy(1) == 30);
}

TEST_CASE("A group may go on up to the work of a round, as long as the round has not failed") {
  Launch launch;
  ThreadViews &views = launch.views();
  views.beginRound(1000);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    CHECK(views.at(thread).mayGoOn(1000));
    CHECK(!views.at(thread).mayGoOn(1001));
  }
  views.fail();
  CHECK(!views.at(2).mayGoOn(0));
  CHECK(!views.endRound());
  views.beginRound(2000);
  CHECK(views.at(2).mayGoOn(2000));
  CHECK(views.endRound());
}
