// The reuse distances of the whole, with numbers on paper.
#include "extrapolate/reuse_law.h"

#include <catch2/catch.hpp>

using namespace aiwc::extrapolate;

namespace {

/// The sample has 100 accesses of the model in each of two bins, and 300 of streams in the first.
const LineReuse kSample{{{0, 400}, {64, 100}}, 50};
const GatheredLines kSampleModel{{{0, 100}, {64, 100}}, 10};
const GatheredLines kWholeModel{{{0, 1000}, {64, 500}, {128, 700}}, 80};

} // namespace

TEST_CASE("The whole has the accesses of the model, and those of the streams for the rest") {
  // 40 first accesses of streams become 400; of 5000 accesses, 2200 are hits of the model.
  const LineReuse whole = reuseOfWhole(kSample, kSampleModel, kWholeModel, 5000, 10);
  CHECK(whole.cold == 480);
  CHECK(whole.distances ==
        aiwc::profile::Histogram{{0, 1000 + 5000 - 480 - 2200}, {64, 500}, {128, 700}});
}

TEST_CASE("Where the sample has a part of the model's accesses, so has the whole") {
  // Half of the bin 64, nothing of the bin 0: a quarter of all hits, which a bin without a sample
  // has.
  const LineReuse sample{{{64, 50}}, 5};
  const LineReuse whole = reuseOfWhole(sample, kSampleModel, kWholeModel, 0, 10);
  CHECK(whole.cold == 40);
  CHECK(whole.distances == aiwc::profile::Histogram{{64, 250}, {128, 175}});
}

TEST_CASE("The model differs from the profile by what the profile lacks, and by far accesses that "
          "the model lacks") {
  // The bin 0 has streams, whose distances are short.
  CHECK(mismatch(kSampleModel, kSample) == 0);
  CHECK(mismatch({{{0, 100}, {64, 120}}, 60}, kSample) == 20 + 10);
  CHECK(mismatch({{{0, 500}, {64, 90}}, 0}, kSample) == 100 + 10);
}
