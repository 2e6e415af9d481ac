// Which launch represents one that was not characterised.

#include "run/nearest_launches.h"
#include "runs.h"

#include <catch2/catch.hpp>

using namespace aiwc::run;
using aiwc::test::launchOf;

namespace {

/// The launch `number` of a kernel `k` that was characterised, with `items` work-items, an argument
/// and as many instructions.
Launch known(uint64_t number, uint64_t items, int argument, uint64_t instructions) {
  Launch launch = launchOf("k", instructions);
  launch.number = launch.invocation = number;
  launch.globalSize = {items, 1, 1};
  launch.arguments = {{Argument::Kind::kValue, "n", "int", std::to_string(argument), 4, {}}};
  launch.profile = "aiwc_k_" + std::to_string(number) + ".json";
  return launch;
}

/// The same without a profile: nothing but its sizes and arguments is known.
Launch unknown(uint64_t number, uint64_t items, int argument) {
  Launch launch = known(number, items, argument, 0);
  launch.profile.clear();
  launch.sourceHash.clear();
  return launch;
}

std::vector<std::optional<uint64_t>> nearest(const Run &run) {
  std::vector<std::optional<uint64_t>> numbers;
  for (const Launch &launch : run.launches)
    numbers.push_back(launch.nearestTo);
  return numbers;
}

constexpr auto kNone = std::nullopt;

} // namespace

TEST_CASE("Of launches of one size and argument, the nearest in order counts") {
  Run run;
  run.launches = {known(0, 64, 1, 100), unknown(1, 64, 1),    unknown(2, 64, 1),
                  unknown(3, 64, 1),    known(4, 64, 1, 300), unknown(9, 64, 1)};
  const auto kernels = estimateFromNearest(run);
  using Numbers = std::vector<std::optional<uint64_t>>;
  CHECK(nearest(run) == Numbers{kNone, 0, 0, 4, kNone, 4});
  CHECK(run.launches[3].profile == "aiwc_k_4.json");
  CHECK(run.launches[3].instructions == 300);
  CHECK(run.launches[3].hasProfile());
  CHECK(!run.launches[3].characterised());
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].launches == 6);
  CHECK(kernels[0].characterised == 2);
  CHECK(kernels[0].estimated == 4);
  CHECK(kernels[0].sameWork);
  // Each of the two from the other: |100 - 300| twice, of 400.
  CHECK(kernels[0].error == Approx(1));
}

TEST_CASE("A local size that is not known is the nearest one's, as far as it divides") {
  Run run;
  run.launches = {known(0, 64, 1, 64), unknown(1, 4096, 1), unknown(2, 72, 1)};
  run.launches[0].localSize = {16, 1, 1};
  run.launches[1].localSize = run.launches[2].localSize = {0, 1, 1};
  estimateFromNearest(run);
  CHECK(run.launches[1].localSize == aiwc::profile::Size3{16, 1, 1});
  CHECK(run.launches[2].localSize == aiwc::profile::Size3{8, 1, 1});
}

TEST_CASE("A similar size is nearer than a similar argument, and that than the order") {
  Run run;
  run.launches = {known(0, 64, 1, 64),  known(1, 1024, 1, 1024), known(2, 1024, 100, 1024),
                  unknown(3, 1000, 90), unknown(4, 60, 100),     unknown(5, 2048, 1)};
  const auto kernels = estimateFromNearest(run);
  CHECK(run.launches[3].nearestTo == 2);
  CHECK(run.launches[4].nearestTo == 0);
  CHECK(run.launches[5].nearestTo == 1);
  CHECK(run.launches[5].instructions == 2048); // in proportion to the work-items
  CHECK(!kernels[0].sameWork);
  CHECK(kernels[0].error == Approx(0)); // the work-items alone decide
}

TEST_CASE("Numbers of dimensions and local sizes decide before global sizes") {
  Run run;
  Launch flat = known(0, 64, 1, 10);
  Launch square = known(1, 8, 1, 10);
  square.workDim = 2;
  square.globalSize = {8, 8, 1};
  Launch groups = known(2, 4096, 1, 10);
  groups.localSize = {32, 1, 1};
  Launch wanted = unknown(3, 64, 1);
  wanted.localSize = groups.localSize;
  Launch wantedSquare = unknown(4, 64, 1);
  wantedSquare.workDim = 2;
  run.launches = {flat, square, groups, wanted, wantedSquare};
  estimateFromNearest(run);
  CHECK(run.launches[3].nearestTo == 2);
  CHECK(run.launches[4].nearestTo == 1);
}

TEST_CASE("Nothing represents a kernel without a profile, and no launch that was cut short") {
  Run run;
  Launch cut = known(0, 64, 1, 5);
  cut.complete = false;
  Launch other = unknown(2, 64, 1);
  other.kernel = "other";
  run.launches = {cut, unknown(1, 64, 1), other};
  const auto kernels = estimateFromNearest(run);
  CHECK(nearest(run) == std::vector<std::optional<uint64_t>>(3));
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].estimated == 0);
  CHECK(kernels[1].label == "other");
  CHECK(kernels[1].characterised == 0);
}

TEST_CASE("One characterised launch does not tell how far off the others are") {
  Run run;
  run.launches = {known(0, 64, 1, 5), unknown(1, 64, 2)};
  const auto kernels = estimateFromNearest(run);
  CHECK(kernels[0].estimated == 1);
  CHECK(!kernels[0].error);
}

TEST_CASE("Launches of one kind keep their representative") {
  Run run;
  Launch represented = known(1, 64, 1, 5);
  represented.representative = 0;
  run.launches = {known(0, 64, 1, 5), represented};
  const auto kernels = estimateFromNearest(run);
  CHECK(run.launches[1].representative == 0);
  CHECK(!run.launches[1].nearestTo);
  CHECK(kernels[0].represented == 1);
  CHECK(kernels[0].characterised == 1);
}

TEST_CASE("No launch is represented by the kernel of another program") {
  Run run;
  // Three programs with a kernel k: by code and source; by source alone, as in runs of aiwc attach.
  const auto of = [](Launch launch, const std::string &source, const std::string &code) {
    launch.sourceHash = source;
    launch.codeHash = code;
    return launch;
  };
  run.launches = {of(known(0, 64, 1, 5), "xxh3-128:0123456789", "c1"),
                  of(unknown(1, 64, 1), "xxh3-128:9876543210", "c2"),
                  of(unknown(2, 32, 1), "other text", "c1"), // with the same code
                  of(unknown(3, 64, 1), "xxh3-128:9876543210", "c2"),
                  of(unknown(4, 64, 1), "xxh3-128:0123456789", ""),
                  of(unknown(5, 64, 1), "xxh3-128:abc", ""),
                  unknown(6, 64, 1)};
  run.launches[4].buildOptions = run.launches[0].buildOptions = "-DN=1";
  Launch withOptions = run.launches[4];
  withOptions.buildOptions = "-DN=2";
  run.launches.push_back(withOptions);
  const auto kernels = estimateFromNearest(run);
  using Numbers = std::vector<std::optional<uint64_t>>;
  CHECK(nearest(run) == Numbers{kNone, kNone, 0, kNone, 0, kNone, 0, kNone});
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].label == "k of source 01234567 with -DN=1");
  CHECK(kernels[0].launches == 4);
  CHECK(kernels[0].estimated == 3);
  CHECK(kernels[1].label == "k of source 98765432");
  CHECK(kernels[1].launches == 2);
  CHECK(kernels[1].estimated == 0);
  CHECK(kernels[2].label == "k of source abc");
  CHECK(kernels[3].label == "k of source 01234567 with -DN=2");
  CHECK(kernels[3].launches == 1);
  for (const Launch &launch : run.launches)
    if (launch.nearestTo)
      CHECK(kernelOf(launch) == kernelOf(run.launches[0]));
}

TEST_CASE("How far off launches of a program are is not measured on another's") {
  Run run;
  run.launches = {known(0, 64, 1, 100), known(1, 64, 1, 100), unknown(2, 64, 1),
                  known(3, 64, 1, 9000)};
  for (size_t i = 0; i < 4; ++i)
    run.launches[i].codeHash = i < 3 ? "one" : "two";
  const auto kernels = estimateFromNearest(run);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].error == Approx(0));
}
