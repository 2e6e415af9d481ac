// --aiwc-budget: a launch that would take more time than is left runs only the work-groups of its
// sample. The time is that of a clock which each look at it moves on, so decisions are the same in
// every run.

#include "plugin/characterise.h"
#include "plugin/stepping_clock.h"
#include "profile/json.h"
#include "run/folder.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::run::Launch;

namespace {

/// Launches of more than 20 000 instructions are long.
constexpr const char *kSampledEarly = "--aiwc-accuracy=standard:20000";

/// The application, whose work-groups take a hundredth of a second each, run or left out.
Words withOwnTime(const Words &application) {
  Words words = steppingClock("0.01");
  words.insert(words.end(), application.begin(), application.end());
  return words;
}

// Counts its work-items: whatever ran twice, or did not, shows. All groups are alike.
const KernelFile &counting() {
  static const KernelFile file(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0);
      int sum = 0;
      for (int j = 0; j < 20; ++j)
        sum += j ^ i;
      atomic_add(x, sum);
      atomic_inc(x + 1);
    })");
  return file;
}

/// A kernel for apps/steps.cpp that computes a `sum` of its id `i`, and then does `end`.
std::string summing(const std::string &name, const std::string &end) {
  return "kernel void " + name + R"((global int *x, int n, int t) {
      int i = get_global_id(0), sum = 0;
      for (int j = 0; j < 20; ++j)
        sum += j ^ i;
      )" +
         end + "}\n";
}

/// 1024 groups, `times` times.
Words manyGroups(const KernelFile &file, const std::string &times = "1") {
  return file.enqueue({"global=8192", "local=8", "times=" + times, "buffer=65536"});
}

struct Budgeted : Characterised {
  std::vector<Launch> launches;
};

/// The work-items that have run, by the second integer that was printed.
uint64_t countOf(const Budgeted &run) {
  return std::stoull(run.outcome.out.substr(run.outcome.out.find(' ')));
}

Budgeted budgeted(const Words &application, Words options) {
  options.insert(options.begin(), "--aiwc-quiet");
  const Folder folder;
  Budgeted run;
  run.outcome = aiwc::test::run(launch(application, options, folder));
  run.profiles = readProfiles(folder / "out");
  run.launches = aiwc::run::readRun(folder / "out/run.json").launches;
  run.succeeded();
  return run;
}

} // namespace

TEST_CASE("A budget that is not used up changes nothing") {
  const Words words = withOwnTime(manyGroups(counting(), "2"));
  const Budgeted all = budgeted(words, {kSampledEarly});
  const Budgeted run = budgeted(words, {kSampledEarly, "--aiwc-budget=1h"});
  CHECK(run.outcome.out == all.outcome.out);
  for (const char *name : {"k_0", "k_1"})
    CHECK(run.profiles.at(name).json == all.profiles.at(name).json);
  for (const Launch &launch : run.launches) {
    CHECK_FALSE(launch.othersLeftOut);
    CHECK_FALSE(launch.smallerSample);
  }
}

TEST_CASE("Launches run as asked while there is time, and then their samples only") {
  const Words words = withOwnTime(manyGroups(counting(), "3"));
  const Budgeted whole = budgeted(words, {kSampledEarly});
  // 10.3 s of 15 s, and then as much each.
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    const Budgeted run = budgeted(words, {threads, kSampledEarly, "--aiwc-budget=15s"});
    REQUIRE(run.launches.size() == 3);
    CHECK_FALSE(run.launches[0].othersLeftOut);
    CHECK(run.launches[1].othersLeftOut);
    CHECK(run.launches[2].othersLeftOut);
    // Nothing is left of what a launch did before it was found to take too long. Its sample of 6
    // groups is all that runs: not their neighbours, which may take as long each.
    CHECK(countOf(run) == 8192 + 6 * 8);
    CHECK_FALSE(run.launches[1].representative);
    // When the time is used up, none of a launch runs that is like one before.
    CHECK(run.launches[2].representative == 1);
    CHECK(run.launches[2].profile == run.launches[1].profile);
    CHECK(run.launches[2].engine == "compiled");
    // A profile is that of the whole launch or that of its sample: nothing in between.
    CHECK(run.profiles.at("k_0").json == whole.profiles.at("k_0").json);
    CHECK(run["k_1"].provenance.sampledGroups == 6);
    CHECK(run["k_1"].count("total_instruction_count"_metric) ==
          whole["k_1"].count("total_instruction_count"_metric));
    CHECK(run["k_1"].provenance.othersLeftOut);
  }
}

TEST_CASE("All work-groups of a launch are characterised while there is time, if that is asked") {
  const Words words = withOwnTime(manyGroups(counting(), "2"));
  const Budgeted run = budgeted(words, {"--aiwc-accuracy=exact:20000", "--aiwc-budget=15s"});
  CHECK_FALSE(run["k_0"].provenance.sampled());
  CHECK(run["k_1"].provenance.sampled());
  CHECK(run.launches[1].othersLeftOut);
}

TEST_CASE("A launch of few instructions that would take more than is left runs its sample, too") {
  // Each takes 0.7 s.
  const auto launchesOf = [](const std::string &times) {
    return withOwnTime(
        counting().enqueue({"global=512", "local=8", "times=" + times, "buffer=65536"}));
  };
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    const Budgeted run = budgeted(launchesOf("2"), {threads, "--aiwc-budget=1s"});
    CHECK_FALSE(run["k_0"].provenance.sampled());
    CHECK(run["k_1"].provenance.sampled());
    CHECK_FALSE(run.launches[0].othersLeftOut);
    CHECK(run.launches[1].othersLeftOut);
    CHECK(countOf(run) < 700);
    CHECK(countOf(run) > 512);
  }
  // Not if that would save little: less than a tenth of the budget.
  const Budgeted run = budgeted(launchesOf("11"), {"--aiwc-budget=7.5s"});
  CHECK(countOf(run) == 11 * 512);
  CHECK(std::ranges::none_of(run.launches, &Launch::othersLeftOut));
}

TEST_CASE("A launch of few instructions runs its sample only when the time is used up") {
  // Launches of 0.7 s each, of two kernels: the second one's are not known when the time is over.
  const KernelFile file(R"(
    kernel void first(global int *x, int n, int t) { x[get_global_id(0)] += t; }
    kernel void second(global int *x, int n, int t) { x[get_global_id(0)] += t; })");
  const Budgeted run =
      budgeted(withOwnTime({application("steps"), file.path(), "first,second", "512", "1", "2"}),
               {"--aiwc-threads=3", "--aiwc-budget=0.7s"});
  CHECK_FALSE(run.launches[0].othersLeftOut);
  CHECK(run.launches[1].othersLeftOut);
  CHECK(run["second_0"].provenance.sampled());
}

TEST_CASE("A launch that has run is kept if there is no time for a better sample") {
  const KernelFile uneven(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0), g = get_group_id(0);
      int sum = 0;
      for (int j = 0; j < g % 32 * (g % 32); ++j)
        sum ^= x[(j + i) & 1023] + j * i;
      x[8192 + i] = sum;
    })");
  const Words words = withOwnTime(manyGroups(uneven));
  const Budgeted whole = budgeted(words, {kSampledEarly});
  REQUIRE(whole["k_0"].provenance.sampledGroups > 6); // after a first sample of 6
  const Budgeted run = budgeted(words, {kSampledEarly, "--aiwc-budget=15s"});
  CHECK(run.outcome.out == whole.outcome.out);
  CHECK(run["k_0"].complete);
  CHECK(run["k_0"].provenance.sampledGroups == 6);
  CHECK(run.launches[0].smallerSample);
  CHECK_FALSE(run.launches[0].othersLeftOut);
}

TEST_CASE("A late fault in a launch that runs its sample only is that of the whole launch") {
  // A late work-item goes beyond the buffer: then the interpreter runs the launch from its
  // beginning, and completely. The last group is in the sample, that of work-item 3001 is not.
  const auto faulty = [](const std::string &late) {
    return KernelFile(R"(
      kernel void k(global int *x) {
        const int i = get_global_id(0);
        int sum = 0;
        for (int j = 0; j < 20; ++j)
          sum += j ^ i;
        atomic_add(x, sum);
        atomic_inc(x + 1);
        if (i == )" + late +
                      R"()
          atomic_inc(x + 16384);
      })");
  };
  const KernelFile last = faulty("8191");
  const Budgeted interpreted = budgeted(manyGroups(last), {"--aiwc-engine=interpreter"});
  REQUIRE(interpreted["k_0"].simulatorErrors > 0);
  for (const char *budget : {"--aiwc-budget=0", "--aiwc-budget=5s", "--aiwc-budget=1h"}) {
    INFO(budget);
    const Budgeted run =
        budgeted(withOwnTime(manyGroups(last)), {"--aiwc-threads=3", kSampledEarly, budget});
    CHECK(run.outcome.out == interpreted.outcome.out);
    CHECK(run.outcome.err == interpreted.outcome.err);
    const auto &profile = run["k_0"];
    CHECK(profile.provenance.engine == "interpreter");
    CHECK_FALSE(profile.provenance.sampled());
    CHECK_FALSE(run.launches[0].othersLeftOut);
    CHECK(profile.simulatorErrors == interpreted["k_0"].simulatorErrors);
    CHECK(profile.count("total_instruction_count"_metric) ==
          interpreted["k_0"].count("total_instruction_count"_metric));
  }
  const KernelFile unsampled = faulty("3001");
  const Budgeted run = budgeted(withOwnTime(manyGroups(unsampled)),
                                {"--aiwc-threads=3", kSampledEarly, "--aiwc-budget=0"});
  CHECK(run["k_0"].provenance.othersLeftOut);
  CHECK(run["k_0"].simulatorErrors == 0);
}

TEST_CASE("A launch with a work-group that takes longer than the budget has no profile") {
  // A million iterations of the only work-item; each look at the clock takes five seconds.
  const KernelFile slow(R"(
    kernel void k(global int *x) {
      for (int j = 0; j < 1000000; ++j)
        x[get_global_id(0)] += x[j & 7] ^ j;
    })");
  const auto words = [&](const std::string &groups, const std::string &step) {
    Words all = steppingClock(step);
    const Words app = slow.enqueue({"global=" + groups, "local=1", "times=2", "buffer=64"});
    all.insert(all.end(), app.begin(), app.end());
    return all;
  };
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    // All groups of a launch of few run, for its results.
    const Characterised all = characterise(words("1", "0.01"), {threads}).succeeded();
    const Characterised few = characterise(words("1", "5"), {threads, "--aiwc-budget=4s"}, false);
    CHECK(few.names().empty());
    CHECK_THAT(all.outcome.out, !Catch::StartsWith("0 "));
    CHECK(few.outcome.out == all.outcome.out);
    CHECK(aiwc::test::countOf(few.outcome.err,
                              "aiwc: kernel 'k': a work-group takes longer than --aiwc-budget: "
                              "launches of this size have no profile\n") == 1);
    const Folder folder;
    run(launch(words("16", "5"), {threads, "--aiwc-quiet", "--aiwc-budget=4s"}, folder));
    const auto launches = aiwc::run::readRun(folder / "out/run.json").launches;
    REQUIRE(launches.size() == 2);
    for (const Launch &one : launches) {
      CHECK(one.othersLeftOut);
      CHECK_FALSE(one.hasProfile());
    }
  }
}

TEST_CASE("Without time, the other work-groups do not run") {
  const Words words = manyGroups(counting());
  const Characterised all = characterise(words, {"--aiwc-sample-groups=6"}).succeeded();
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    const Characterised run =
        characterise(words, {threads, "--aiwc-sample-groups=6", "--aiwc-budget=0"}, false)
            .succeeded();
    // The second integer counts the work-items: those of 6 groups, and of the clusters of
    // neighbours.
    CHECK_THAT(all.outcome.out, Catch::Contains(" 8192 "));
    CHECK_THAT(run.outcome.out, Catch::Contains(" 176 "));
    CHECK_THAT(
        run.outcome.err,
        Catch::Contains("aiwc: --aiwc-budget left work-groups out of 1 of 1 launch, first of "
                        "launch 1 (k): the results are wrong, what later launches read of "
                        "them is unfinished, and loops of the application on them may end "
                        "early or never\n"));
    auto profile = run["k_0"];
    CHECK(profile.complete);
    CHECK(profile.provenance.othersLeftOut);
    profile.provenance.othersLeftOut = false;
    CHECK(aiwc::profile::toJson(profile) == all.profiles.at("k_0").json);
    // The sample that the accuracy needs is left alone in the same way.
    const Characterised chosen =
        characterise(withOwnTime(words), {threads, kSampledEarly, "--aiwc-budget=0"}).succeeded();
    CHECK(chosen["k_0"].provenance.sampledGroups == 6);
    CHECK(chosen["k_0"].provenance.othersLeftOut);
  }
  // A launch that is not sampled, or interpreted, is complete.
  for (const Words &options :
       {Words{"--aiwc-budget=0"},
        Words{"--aiwc-budget=0", "--aiwc-sample-groups=6", "--aiwc-engine=interpreter"}}) {
    const Characterised run = characterise(words, options, false).succeeded();
    CHECK(run.outcome.out == all.outcome.out);
    CHECK_FALSE(run["k_0"].provenance.othersLeftOut);
  }
}

TEST_CASE("Without time, a launch has another's profile only if the same steers both") {
  const KernelFile file("kernel void k(global int *x, global const int *y) {\n"
                        "  int sum = 0;\n"
                        "  for (int j = 0; j < 20; ++j)\n"
                        "    sum += x[y[get_global_id(0)]] ^ j;\n"
                        "  x[get_global_id(0)] = sum;\n"
                        "}\n");
  const Words words =
      withOwnTime({application("contents"), file.path(), "k", "8192", "1", "1", "32"});
  const Budgeted run = budgeted(words, {kSampledEarly, "--aiwc-budget=0.02s"});
  REQUIRE(run.launches.size() == 3);
  CHECK(run.launches[1].representative == 0U);
  CHECK_FALSE(run.launches[2].representative);
  CHECK(run["k_0"].real("coalescing_32"_metric) > 2 * run["k_1"].real("coalescing_32"_metric));
}

TEST_CASE("Without time, groups at the edges of an NDRange count once") {
  // Of all groups, nothing but their size is known.
  const KernelFile file("kernel void k(global int *x) {\n"
                        "  x[get_global_id(1) * get_global_size(0) + get_global_id(0)] += 1;\n"
                        "}\n");
  const Words size =
      GENERATE(Words{"global=32,32", "local=4,4"}, Words{"global=8,8,16", "local=4,2,2"});
  Words words = {"times=2"};
  words.insert(words.end(), size.begin(), size.end());
  words.push_back("buffer=65536");
  const Budgeted run =
      budgeted(withOwnTime(file.enqueue(words)), {kSampledEarly, "--aiwc-budget=0.7s"});
  const auto &whole = run["k_0"], &sampled = run["k_1"];
  REQUIRE(!whole.provenance.sampled());
  REQUIRE(sampled.provenance.sampled());
  for (const auto metric : {"total_instruction_count"_metric, "bytes_written_global"_metric,
                            "work_items"_metric, "total_reads"_metric})
    CHECK(sampled.count(metric) == whole.count(metric));
  // Nothing tells that the groups that did not run are like those that did: of n that are alike,
  // the rule of three. The corners always run.
  const double corners = size[0] == "global=32,32" ? 4 : 8;
  const double n = static_cast<double>(sampled.provenance.sampledGroups) - corners;
  CHECK(sampled.standardError("total_instruction_count"_metric) ==
        Approx(whole.real("total_instruction_count"_metric) * (1 - n / (64 - corners)) *
               std::min(1.0, 3 / n) / 2));
}

TEST_CASE("Without time, a kernel that adds by compare-and-swap runs its sample only") {
  const std::string loop = R"(
    kernel void k(global int *x) {
      global int *sum = x + 1;
      const int i = get_global_id(0);
      int old = *sum, expected;
      do {
        expected = old;
        old = atomic_cmpxchg(sum, expected, as_int(as_float(expected) + i));
      } while (old != expected);)";
  const auto leavesOut = [&](const std::string &kernel) {
    const KernelFile file(kernel);
    const Characterised run =
        characterise(manyGroups(file), {"--aiwc-sample-groups=6", "--aiwc-budget=0"}).succeeded();
    return run["k_0"].provenance.othersLeftOut;
  };
  CHECK(leavesOut(loop + "}"));
  CHECK_FALSE(leavesOut(loop + "x[2 + i] = old; }")); // also reads it
  // Loops that wait until an earlier group lets them go on: each differs in one thing.
  for (const char *const wait :
       {"old = atomic_cmpxchg(x + 1, expected, expected); } while (old == expected && old < 1)",
        "old = atomic_cmpxchg(x + 1, 1, 1); } while (old <= expected)",
        "old = atomic_add(x + 1, 0); } while (old <= expected)",
        "old = atomic_cmpxchg(x + 1, expected, 2); } while (old < 1)"}) {
    CAPTURE(wait);
    CHECK_FALSE(leavesOut(std::string(R"(
      kernel void k(global int *x) {
        if (get_group_id(0) == 3)
          x[1] = 1;
        int old = 0, expected;
        if (get_group_id(0) > 3)
          do { expected = old; )") +
                          wait + "; }"));
  }
}

TEST_CASE("Without time, groups run that others depend on by atomics") {
  const KernelFile queue(R"(
    kernel void k(global int *x) {
      const int i = atomic_inc(x + 1);
      int sum = 0;
      for (int j = 0; j < 20 + i % 2; ++j)
        sum += j ^ i;
      atomic_add(x, sum & 1);
    })");
  const Words words = manyGroups(queue);
  const Characterised all = characterise(words, {"--aiwc-sample-groups=6"}).succeeded();
  const Characterised run =
      characterise(words, {"--aiwc-sample-groups=6", "--aiwc-budget=0"}).succeeded();
  CHECK(run.outcome.out == all.outcome.out);
  CHECK(run["k_0"].provenance.sampledGroups == 6);
  CHECK_FALSE(run["k_0"].provenance.othersLeftOut);
}

TEST_CASE("When the time is used up, few launches of a kernel with one NDRange are enough") {
  const KernelFile file(summing("k", "x[i] += t + sum % 2;"));
  const auto stepsOf = [&](const std::string &items) {
    return withOwnTime({application("steps"), file.path(), "k", items, "1", "10"});
  };
  const auto profilesOf = [](const Budgeted &run) {
    return std::ranges::count_if(run.launches, &Launch::hasProfile);
  };
  // Short launches, which have no sample, run nevertheless: one takes a tenth of a second.
  const Budgeted all = budgeted(stepsOf("64"), {kSampledEarly});
  const Budgeted some = budgeted(stepsOf("64"), {kSampledEarly, "--aiwc-budget=0.6s"});
  CHECK(profilesOf(all) == 10);
  CHECK(profilesOf(some) == 6);
  CHECK(some.outcome.out == all.outcome.out);
  CHECK(std::ranges::none_of(some.launches, &Launch::othersLeftOut));
  // Not so when twice the time is used up.
  const Budgeted few = budgeted(stepsOf("64"), {kSampledEarly, "--aiwc-budget=0.1s"});
  CHECK(profilesOf(few) == 2); // the second one took more than a tenth of it
  CHECK_FALSE(few.launches[1].othersLeftOut);
  CHECK(few.launches[2].othersLeftOut);
  CHECK(few.launches[9].othersLeftOut);
  CHECK(few.outcome.out != all.outcome.out);
  // Of long ones, which would run their samples only, nothing does.
  const Budgeted samples =
      budgeted(stepsOf("4096"), {"--aiwc-threads=3", kSampledEarly, "--aiwc-budget=0.02s"});
  CHECK(profilesOf(samples) == 2);
  CHECK(std::ranges::all_of(samples.launches, &Launch::othersLeftOut));
}

TEST_CASE("A late fault when the time is used up is told, and leaves later launches out") {
  const KernelFile file(R"(
    kernel void k(global int *x, int n, int t) {
      int i = get_global_id(0);
      if (t == 3 && i == 61)
        atomic_add(x + 8192, t);
      else
        x[i] += t;
    })");
  const Words words = {application("steps"), file.path(), "k", "64", "1", "5"};
  const Budgeted whole = budgeted(words, {"--aiwc-threads=3"});
  REQUIRE(whole.launches[2].engine == "interpreter");
  REQUIRE(whole.launches[2].simulatorErrors > 0);
  const Budgeted run = budgeted(withOwnTime(words), {"--aiwc-threads=3", "--aiwc-budget=0.15s"});
  CHECK(run.outcome.out == "381\n"); // of three launches, without the work-item that faults
  CHECK(run.launches[2].engine == "interpreter");
  CHECK(run.launches[2].simulatorErrors == whole.launches[2].simulatorErrors);
  const auto checkLeftOut = [](const Launch &launch) {
    CHECK_FALSE(launch.hasProfile());
    CHECK(launch.othersLeftOut);
    CHECK(launch.engine == "compiled");
    CHECK(launch.simulatorErrors == 0);
  };
  for (const size_t i : {3, 4}) // the kernel would be interpreted from now on
    checkLeftOut(run.launches[i]);
  // So do those of a kernel that is interpreted from its first launch on.
  const KernelFile bad(
      "kernel void k(global int *x, int n, int t) {\n"
      "  *(global int *)((global char *)x + (get_global_id(0) == 61 ? 2 : 0)) += t;\n"
      "}\n");
  const Budgeted errors =
      budgeted(withOwnTime({application("steps"), bad.path(), "k", "64", "1", "5"}),
               {"--aiwc-threads=3", "--aiwc-budget=0.02s"});
  CHECK(errors.launches[0].simulatorErrors > 0);
  for (size_t i = 1; i < 5; ++i)
    checkLeftOut(errors.launches[i]);
}

TEST_CASE("A late fault when the time is used up leaves a launch out, if its data are unfinished") {
  const KernelFile file(summing("first", "x[i] = 1 + (sum & 0);") + R"(
    kernel void second(global int *x, int n, int t) { // only what did not run leads it astray
      *(global int *)((global char *)x + (x[(get_global_id(0) + 1000) % n] == 0 ? 2 : 0)) = t;
    })");
  const Words words =
      withOwnTime({application("steps"), file.path(), "first,second", "4096", "1", "2"});
  CHECK(budgeted(words, {"--aiwc-threads=3", kSampledEarly})["second_0"].simulatorErrors == 0);
  const Budgeted run = budgeted(words, {"--aiwc-threads=3", kSampledEarly, "--aiwc-budget=0.02s"});
  REQUIRE(run.launches[0].othersLeftOut);
  CHECK(run.launches[1].othersLeftOut);
  CHECK(run.launches[1].engine == "compiled");
  CHECK_FALSE(run.launches[1].hasProfile());
}
