// --invocations distinct: which launches are characterised, and what is said of the others.

#include "plugin/characterise.h"
#include "run/folder.h"
#include "run/nearest_launches.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::run::Launch;
using aiwc::run::Run;

namespace {

/// What an application leaves.
struct Ran {
  explicit Ran(const Words &words, Words options = {}) {
    const Folder folder;
    outcome = aiwc::test::run(launch(words, options, folder));
    INFO(outcome.err);
    REQUIRE(outcome.signal == 0);
    run = aiwc::run::readRun(folder / "out/run.json");
    profiles = aiwc::run::contentOf(folder / "out").profiles.size();
  }
  Words sums() const {
    Words lines;
    std::istringstream text(outcome.out);
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
    return lines;
  }

  Outcome outcome;
  Run run;
  size_t profiles = 0; ///< files
};

const Words kDistinct = {"--aiwc-invocations", "distinct"};

/// The application apps/steps.cpp with a kernel `k`.
Words steps(const KernelFile &file, const Words &numbers) {
  Words words = {application("steps"), file.path(), "k"};
  words.insert(words.end(), numbers.begin(), numbers.end());
  return words;
}

/// The launch of the same process with this number.
const Launch &launchOf(const Run &run, uint64_t number) {
  const auto found = std::ranges::find(run.launches, number, &Launch::number);
  REQUIRE(found != run.launches.end());
  return *found;
}

/// Whatever was not characterised says truly what it executed, and how near its profile is.
void checkAgainst(const Ran &all, const Ran &distinct) {
  CHECK(distinct.outcome.out == all.outcome.out);
  REQUIRE(distinct.run.launches.size() == all.run.launches.size());
  for (const Launch &launch : distinct.run.launches) {
    INFO(launch.number);
    // Threads take turns as they like.
    const auto same = [&](const Launch &other) { return aiwc::run::sameKind(launch, other); };
    const Launch &exact = same(launchOf(all.run, launch.number))
                              ? launchOf(all.run, launch.number)
                              : *std::ranges::find_if(all.run.launches, same);
    CHECK(launch.hasProfile());
    CHECK(launch.instructions == exact.instructions);
    CHECK(launch.counted() == launch.nearestTo.has_value());
    if (launch.counted()) {
      const Launch &nearest = launchOf(distinct.run, *launch.nearestTo);
      CHECK(nearest.characterised());
      CHECK(nearest.profile == launch.profile);
      CHECK(aiwc::run::isNear(nearest, launch));
    }
  }
}

size_t characterisedOf(const Run &run) {
  return static_cast<size_t>(std::ranges::count_if(run.launches, &Launch::characterised));
}

} // namespace

TEST_CASE("With distinct, launches that differ in a bound and an offset are characterised here and "
          "there") {
  const KernelFile file(R"(
    kernel void k(global int *x, int n, int t) {
      int i = get_global_id(0);
      if (i < n - 1 - t)
        x[i + t] += t;
    })");
  const Words numbers =
      GENERATE(Words{"512", "0", "511"}, Words{"512", "511", "0"}, Words{"256", "0", "100", "3"});
  const Ran all(steps(file, numbers)), distinct(steps(file, numbers), kDistinct);
  checkAgainst(all, distinct);
  const size_t launches = distinct.run.launches.size(), known = characterisedOf(distinct.run);
  INFO(known << " of " << launches);
  CHECK(known >= 5); // the instructions fall to less than half, the steps rise from 0
  CHECK(known <= 40);
  CHECK(distinct.profiles <= known);
  for (const Launch &launch : distinct.run.launches)
    if (launch.counted())
      CHECK((launch.differsIn == std::vector<uint64_t>{2}));
  CHECK_THAT(distinct.outcome.err,
             Catch::Contains(" that differ in t: their instructions are off by "));
}

TEST_CASE("With distinct, launches that differ in the bound of a loop are") {
  const KernelFile file(R"(
    kernel void k(global int *x, int n, int t) {
      int i = get_global_id(0);
      for (int j = 0; j < t; j++)
        x[i] += x[i + 8 * (j & 3)];
    })");
  const Words numbers = {"8", "1", "300"};
  const Ran all(steps(file, numbers)), distinct(steps(file, numbers), kDistinct);
  checkAgainst(all, distinct);
  // A step of at least a twentieth and at most a tenth: log(300) / log(1.05) is 117.
  CHECK(characterisedOf(distinct.run) < 120);
  CHECK(characterisedOf(distinct.run) > 40);
}

TEST_CASE("With distinct, strides and modes are characterised each") {
  const KernelFile file(GENERATE(R"(
    kernel void k(global int *x, int n, int t) { x[(get_global_id(0) * t) % 4096] += 1; })",
                                 R"(
    kernel void k(global int *x, int n, int t) {
      int i = get_global_id(0);
      if (t & 1) x[i] += 1; else x[8 * i] += 1;
    })"));
  const Ran all(steps(file, {"64", "1", "20"})),
      distinct(steps(file, {"64", "1", "20"}), kDistinct);
  checkAgainst(all, distinct);
  CHECK(characterisedOf(distinct.run) == 20);
}

TEST_CASE("With distinct, what the interpreter runs is characterised, as it counts nothing else") {
  const KernelFile file(
      "kernel void k(global int *x, int n, int t) { x[get_global_id(0) + t] += 1; }");
  Words options = kDistinct;
  options.insert(options.end(), {"--aiwc-engine", "interpreter"});
  const Ran ran(steps(file, {"8", "1", "20"}), options);
  CHECK(characterisedOf(ran.run) == 20);
  CHECK(ran.profiles < 20); // some begin at the same place of a cache line
}

TEST_CASE(
    "With distinct, launches that the interpreter takes over in the middle are characterised") {
  // From step 4033 on, work-items write behind the buffer.
  const KernelFile file(
      "kernel void k(global int *x, int n, int t) { x[get_global_id(0) + t] += 1; }");
  const std::string threads = GENERATE("1", "3");
  const Words words = steps(file, {"64", "4020", "4040", threads});
  const Ran all(words), distinct(words, kDistinct);
  REQUIRE(distinct.run.launches.size() == all.run.launches.size());
  size_t interpreted = 0;
  for (const Launch &launch : distinct.run.launches) {
    INFO(launch.number);
    CHECK(launch.hasProfile());
    if (launch.engine == "interpreter") {
      ++interpreted;
      CHECK((launch.characterised() || launch.representative));
    }
    if (launch.simulatorErrors > 0)
      CHECK(launch.characterised());
  }
  CHECK(interpreted >= 8);
}

TEST_CASE(
    "With distinct, launches with the same arguments whose work depends on buffers are told") {
  const KernelFile file(R"(
    kernel void k(global int *x) {
      int i = get_global_id(0);
      x[i] += 1;
      for (int j = 0; j < x[i] * 100; j++)
        x[i + 8] += j;
    })");
  const Words words = file.enqueue({"global=8", "times=40", "buffer=64"});
  const Ran all(words), distinct(words, kDistinct);
  checkAgainst(all, distinct);
  CHECK(characterisedOf(distinct.run) > 1);
  CHECK(characterisedOf(distinct.run) < 40);
  for (const Launch &launch : distinct.run.launches)
    if (launch.counted())
      CHECK(launch.differsIn->empty());
  CHECK_THAT(distinct.outcome.err, Catch::Contains(" that differ in the contents of buffers"));
}
