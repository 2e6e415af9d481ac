#include "eod/common/error.h"
#include "eod/common/measurements.h"

#include <catch2/catch.hpp>

using namespace aiwc::eod;

namespace {

/// A run that launches a, b, a and takes 1, 10 and 100 ns longer than `base`.
void runOf(Recorder &recorder, uint64_t base) {
  recorder.beginRun();
  recorder.addTime(recorder.launch("a", {{64}, {16}}), base + 1);
  recorder.addTime(recorder.launch("b", {{8, 4}, {2, 2}}), base + 10);
  recorder.addTime(recorder.launch("a", {{32}, {16}}), base + 100);
  recorder.addTransfer(true, 1000, 5);
  recorder.addTransfer(false, 30, 7);
  recorder.endRun();
}

} // namespace

TEST_CASE("launches of one run are rows, numbered per kernel") {
  Recorder recorder;
  recorder.beginSample();
  runOf(recorder, 0);
  const auto &launches = recorder.sample().launches;
  REQUIRE(launches.size() == 3);
  CHECK(launches[0].kernel == "a");
  CHECK(launches[0].invocation == 0);
  CHECK(launches[1].kernel == "b");
  CHECK(launches[1].invocation == 0);
  CHECK(launches[2].kernel == "a");
  CHECK(launches[2].invocation == 1);
  CHECK(shape(launches[1].range.global, launches[1].range.dimensions) == "8x4");
  CHECK(launches[2].meanUs() == Approx(0.1));
}

TEST_CASE("repeated runs add to the same rows; the time of a launch is their mean") {
  Recorder recorder;
  recorder.beginSample();
  runOf(recorder, 1000);
  runOf(recorder, 3000);
  const Sample &sample = recorder.sample();
  REQUIRE(sample.launches.size() == 3);
  CHECK(sample.runs == 2);
  CHECK(sample.launches[1].runs == 2);
  CHECK(sample.launches[1].meanUs() == Approx(2.010));
  CHECK(sample.toDevice.count == 2);
  CHECK(sample.toDevice.bytes == 2000);
  CHECK(sample.toHost.nanoseconds == 14);
}

TEST_CASE("a new sample starts from nothing") {
  Recorder recorder;
  recorder.beginSample();
  runOf(recorder, 0);
  recorder.beginSample();
  runOf(recorder, 0);
  CHECK(recorder.sample().runs == 1);
  CHECK(recorder.sample().launches.size() == 3);
}

TEST_CASE("runs that differ are an error, not a mean of different things") {
  Recorder recorder;
  recorder.beginSample();
  runOf(recorder, 0);
  recorder.beginRun();
  CHECK_THROWS_AS(recorder.launch("b", {{64}, {16}}), Error);
  CHECK_THROWS_AS(recorder.launch("b", {{8, 4}, {4, 1}}), Error);
  CHECK_THROWS_AS(recorder.launch("a", {{32}, {16}}) + recorder.launch("c", {{1}, {1}}), Error);
}

TEST_CASE("a run with fewer launches than the first is an error") {
  Recorder recorder;
  recorder.beginSample();
  runOf(recorder, 0);
  recorder.beginRun();
  recorder.addTime(recorder.launch("a", {{64}, {16}}), 1);
  CHECK_THROWS_AS(recorder.endRun(), Error);
}

TEST_CASE("an NDRange has as many local as global sizes, one to three") {
  CHECK_THROWS_AS((NdRange{{1, 2}, {1}}), Error);
  CHECK_THROWS_AS((NdRange{{1, 1, 1, 1}, {1, 1, 1, 1}}), Error);
  CHECK(NdRange{{4, 2, 6}, {1, 1, 3}}.dimensions == 3);
}
