// What the commands say of a kernel with several launches, and of launches that were not
// characterised.

#include "plugin/characterise.h"
#include "support/text.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// Runs of a kernel in one folder.
class Runs {
public:
  explicit Runs(const std::string &source) : file_(source) {}
  void add(const Words &words, const Words &options = {}) {
    Words all = {"--aiwc-quiet", "--aiwc-append"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run(launch(file_.enqueue(words), all, folder_));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
  }
  std::string aiwc(Words words) const {
    Command command = launch({"/bin/true"}, {}, folder_);
    command.words = {AIWC_TEST_COMMAND, "--device-dir", AIWC_TEST_DEVICES, words[0],
                     folder_ / "out"};
    command.words.insert(command.words.end(), words.begin() + 1, words.end());
    const Outcome outcome = run(command);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome.out;
  }
  json predicted(Words words = {}) const {
    words.insert(words.begin(), {"predict", "--json", "--devices", "gtx1080"});
    return json::parse(aiwc(words));
  }

private:
  KernelFile file_;
  Folder folder_;
};

double micros(const json &prediction, const char *which = "time_us") {
  return prediction["application"]["devices"][0][which].get<double>();
}

/// All pairs of bodies: the bound of the loop is an argument.
constexpr const char *kBodies = R"(
  kernel void k(global const float *x, global float *a, int n) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += x[j] - x[get_global_id(0)];
    a[get_global_id(0)] = sum;
  })";

Words bodies(int n) {
  const std::string bytes = std::to_string(4 * n);
  return {"global=" + std::to_string(n), "local=32", "buffer=" + bytes, "buffer=" + bytes,
          "int=" + std::to_string(n)};
}

/// As in Gaussian elimination: in later steps, nearly all work-items return at once.
constexpr const char *kElimination = R"(
  kernel void k(global float *a, int rows) {
    if (get_global_id(0) >= rows)
      return;
    float sum = 0;
    for (int j = 0; j < 100; ++j)
      sum = sum * 0.5f + a[j];
    a[100 + get_global_id(0)] = sum;
  })";

Words elimination(int rows) {
  return {"global=256", "local=32", "buffer=4096", "int=" + std::to_string(rows)};
}

} // namespace

TEST_CASE("Every fourth launch represents all, whose time is the same") {
  Runs all(kBodies);
  Runs some(kBodies);
  Words words = bodies(64);
  words.push_back("times=16");
  all.add(words);
  some.add(words, {"--aiwc-invocations", "/4"});
  const json prediction = some.predicted();
  CHECK(prediction["application"]["invocations"] == 16);
  CHECK(prediction["application"]["characterised_invocations"] == 4);
  CHECK(micros(prediction) == Approx(micros(all.predicted())));
}

TEST_CASE("From one size, a kernel whose work follows its size is not scaled in silence") {
  Runs large(kBodies);
  large.add(bodies(4096));
  const double truth = micros(large.predicted());

  Runs runs(kBodies);
  runs.add(bodies(64));
  const json one = runs.predicted({"--global", "4096"});
  CHECK(micros(one, "low_us") < truth);
  CHECK(micros(one, "high_us") > truth);
  const std::string said = one["caveats"].dump();
  CHECK_THAT(said,
             Contains("k was characterised with one global size, 64, and its argument n is 64") &&
                 Contains("Characterise a second size: aiwc run --append --output "));
  CHECK_THAT(runs.aiwc({"predict", "--global", "4096"}), Contains("Characterise a second size"));

  // From two, the work of a work-item is known to follow, and the interval is narrower.
  runs.add(bodies(256));
  const json two = runs.predicted({"--global", "4096"});
  CHECK(micros(two) > micros(one));
  CHECK_THAT(two["caveats"].dump(), !Contains("second size"));
  const auto width = [](const json &prediction) {
    return micros(prediction, "high_us") / micros(prediction, "low_us");
  };
  CHECK(width(two) < width(one));
  CHECK(micros(two, "high_us") > truth);
}

TEST_CASE("A kernel is described by all its launches and by how they differ") {
  Runs runs(kElimination);
  for (const int rows : {256, 64, 1})
    runs.add(elimination(rows));
  const std::string text = onOneLine(runs.aiwc({"show"}));
  INFO(text);
  CHECK_THAT(text, Contains("k: 3 launches of 256 work-items"));
  // 321 of 768 work-items do the work, and others as good as none.
  CHECK_THAT(text, Contains("of the lanes are in use where 32 work-items execute in lockstep"));
  CHECK_THAT(text, Contains("for each work-item on average"));
  // The sum of what is read: 100 numbers by each of these.
  CHECK_THAT(text, Contains("Reads 125.4 KiB and writes 1.254 KiB in all launches together"));
  CHECK_THAT(text, !Contains("what follows is of"));
}

TEST_CASE("What a change can gain is of the time of all launches") {
  // 31 of 32 lanes wait in the second launch, none in the first.
  Runs first(kElimination), second(kElimination), both(kElimination);
  Words large = elimination(1);
  large[0] = "global=65536";
  for (Runs *runs : {&second, &both})
    runs->add(large);
  for (Runs *runs : {&first, &both})
    runs->add(elimination(256));
  const auto gainOf = [](const Runs &runs) {
    for (const json &kernel : json::parse(runs.aiwc({"advise", "--json"})))
      if (kernel["kernel"].is_null()) // of the application
        for (const json &finding : kernel["findings"])
          if (finding["rule"] == "launch-bound")
            return finding["gains"][0]["at_most"].get<double>();
    return 1.0;
  };
  const double mean = gainOf(both);
  CHECK(mean <= std::max(gainOf(first), gainOf(second)));
  CHECK(mean >= std::min(gainOf(first), gainOf(second)));
}
