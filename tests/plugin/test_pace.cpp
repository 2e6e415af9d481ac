// How long a launch still takes, by the work-groups that have run, and the line that says so.

#include "plugin/pace.h"
#include "plugin/progress.h"

#include <catch2/catch.hpp>

using aiwc::plugin::Pace;
using aiwc::plugin::ProgramTime;
using aiwc::plugin::progressLine;

namespace {

/// Runs `count` groups that are not recorded, which take `each` seconds.
double run(Pace &pace, double now, uint64_t count, double each) {
  for (uint64_t i = 0; i < count; ++i)
    pace.groupDone(false, now += each);
  return now;
}

} // namespace

TEST_CASE("Nothing is said of the time left before a per cent is done or ten seconds are steady") {
  Pace pace(100'000, 0, 0);
  CHECK_FALSE(pace.secondsLeft());
  double now = run(pace, 0, 99, 0.1); // less than ten seconds
  CHECK_FALSE(pace.secondsLeft());
  now = run(pace, now, 20, 0.1);
  REQUIRE(pace.secondsLeft());
  CHECK(*pace.secondsLeft() == Approx(0.1 * (100'000 - 119)));
  // A hundredth, in a second.
  Pace fast(100'000, 0, 0);
  now = run(fast, 0, 999, 0.001);
  CHECK_FALSE(fast.secondsLeft());
  run(fast, now, 1, 0.001);
  REQUIRE(fast.secondsLeft());
  CHECK(*fast.secondsLeft() == Approx(99));
}

TEST_CASE("Ten seconds in which the speed changes are not steady") {
  Pace pace(1'000'000, 0, 0);
  double now = run(pace, 0, 6, 1); // slow code
  now = run(pace, now, 500, 0.01); // better code
  CHECK(now == Approx(11));
  CHECK_FALSE(pace.secondsLeft());
  run(pace, now, 600, 0.01);
  REQUIRE(pace.secondsLeft());
  CHECK(*pace.secondsLeft() == Approx(0.01 * (1'000'000 - 1106)));
}

TEST_CASE("The time left is that of the present speed, not of the mean") {
  Pace pace(20'000, 0, 0);
  double now = run(pace, 0, 250, 1); // 250 s of slow code
  CHECK(*pace.secondsLeft() == Approx(19'750));
  now = run(pace, now, 1200, 0.01); // 12 s of better code
  CHECK(*pace.secondsLeft() == Approx(185.5));
  run(pace, now, 4, 5); // slower again
  CHECK(*pace.secondsLeft() == Approx(5 * 18'546));
}

TEST_CASE("Work-groups that end in bursts count as if they were spread") {
  Pace pace(100'000, 0, 0);
  for (int round = 1; round <= 40; ++round)
    for (int i = 0; i < 100; ++i)
      pace.groupDone(false, round * 0.5);
  CHECK(*pace.secondsLeft() == Approx(0.005 * 96'000));
}

TEST_CASE("Recorded work-groups take longer, and do not tell how long the others take") {
  Pace pace(10'000, 20, 0);
  double now = 0;
  for (int i = 0; i < 10; ++i)
    pace.groupDone(true, now += 3);
  CHECK_FALSE(pace.secondsLeft());
  run(pace, now, 90, 0.1);
  REQUIRE(pace.secondsLeft());
  CHECK(*pace.secondsLeft() == Approx(10 * 3 + 9890 * 0.1));
  // Where all are recorded, none of the others is waited for.
  Pace all(10, 10, 0);
  all.groupDone(true, 2);
  CHECK(*all.secondsLeft() == Approx(18));
  // An engine may count only, and record none.
  all.groupDone(false, 4);
  CHECK(all.done() == 2);
}

TEST_CASE("The line has the launch, and the launches of the program before it") {
  Pace pace(1000, 0, 100);
  run(pace, 100, 5, 1);
  CHECK(progressLine("k", pace, {0, 0, 100}) == "aiwc: k: 5 of 1000 work-groups (0 %)");
  Pace later(1000, 0, 100);
  run(later, 100, 250, 0.12);
  CHECK(progressLine("k", later, {0, 0, 100}) ==
        "aiwc: k: 250 of 1000 work-groups (25 %), 1 min 30 s left");
  // It began before the pace, which started again.
  CHECK(progressLine("k", later, {12, 18, 96}) ==
        "aiwc: k: 250 of 1000 work-groups (25 %), 1 min 30 s left; launch 13 has 65 % of 52 s, 1.5 "
        "s each before");
}
