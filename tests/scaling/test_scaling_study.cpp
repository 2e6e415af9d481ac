// aiwc-scaling on profiles whose growth is known.

#include "automatch/automatch_model.h"
#include "cases.h"
#include "observed.h"
#include "predicted.h"
#include "profile/json.h"
#include "report.h"
#include "support/files.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::scaling_study;
using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

/// Instructions grow with the power 3/2 of the work-items, reads with the first, the entropy by
/// half a bit for each doubling.
KernelProfile grown(uint64_t items) {
  KernelProfile profile = smallProfile("k", "xxh3-128:0", items);
  const auto n = static_cast<double>(items);
  profile.setCount("work_items"_metric, items);
  profile.setCount("total_instruction_count"_metric, static_cast<uint64_t>(std::pow(n, 1.5)));
  profile.setCount("total_reads"_metric, 3 * items);
  profile.setReal("global_memory_address_entropy"_metric, std::log2(n) / 2);
  profile.setReal("lane_utilization_32"_metric, 0.5 + n / 16384);
  return profile;
}

/// Sizes of 64, 256 and 4096 work-items, in folders as eod characterise leaves them.
std::vector<KernelCases> cases(const TemporaryFolder &folder) {
  for (const uint64_t items : {4096, 64, 256}) {
    const auto size = folder / ("app-" + std::to_string(items));
    std::filesystem::create_directory(size);
    write(size / "aiwc_k_0.json", toJson(grown(items)));
    write(size / "aiwc_k_1.json", toJson(grown(items / 2))); // a smaller launch of the same run
  }
  const std::vector<std::filesystem::path> folders = {folder.path()};
  return readCases(folders);
}

} // namespace

TEST_CASE("sizes are read in the order of their work, with all their launches") {
  const TemporaryFolder folder;
  const auto kernels = cases(folder);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].application == "app");
  REQUIRE(kernels[0].sizes.size() == 3);
  CHECK(kernels[0].sizes[0].size == "64");
  CHECK(kernels[0].sizes[2].launches.size() == 2);
  CHECK(workItems(kernels[0].sizes[2].largest()) == 4096);

  const TemporaryFolder empty;
  const std::vector<std::filesystem::path> none = {empty.path()};
  CHECK(errorOf([&] { readCases(none); }) ==
        empty.path().string() + ": no kernel at two sizes: expected folders APPLICATION-SIZE of "
                                "profiles");
}

TEST_CASE("exponents, bits for each doubling and differences are those of the growth") {
  const TemporaryFolder folder;
  const Observed observed = observe(cases(folder));
  const auto changes = [&](Metric metric) { return observed.metrics[index(metric)].changes; };
  CHECK(changes("total_instruction_count"_metric) == std::vector{1.5, 1.5});
  CHECK(changes("total_reads"_metric) == std::vector{1.0, 1.0});
  CHECK(changes("global_memory_address_entropy"_metric) == std::vector{0.5, 0.5});
  CHECK(changes("lane_utilization_32"_metric)[0] == Approx(192.0 / 16384));
  CHECK(changes("unique_reads"_metric).empty());
  REQUIRE(observed.steps.size() == 2);
  CHECK(observed.steps[1].workItemRatio == 16);
  CHECK(observed.steps[1].instructionRatio == 64);
}

TEST_CASE("errors are those of the classes and of the power law") {
  const TemporaryFolder folder;
  const auto trials = tryAll(cases(folder), {}, aiwc::automatch::AutomatchModel());
  size_t single = 0;
  size_t sameRun = 0;
  for (const Trial &trial : trials) {
    INFO(trial.from << " " << trial.to);
    sameRun += trial.known == Known::kSameRun ? 1 : 0;
    const double far = std::max(trial.workItemRatio, 1 / trial.workItemRatio);
    CHECK(trial.errors.at("total_reads"_metric) == 1);
    if (trial.launches == 1) { // instructions taken to grow as the work-items do
      ++single;
      CHECK(trial.errors.at("total_instruction_count"_metric) ==
            Approx(std::sqrt(far)).epsilon(0.01));
      CHECK(trial.errors.at("global_memory_address_entropy"_metric) == Approx(std::log2(far) / 2));
    } else { // from powers that are rounded where the work-items are no square
      CHECK(trial.errors.at("total_instruction_count"_metric) == Approx(1).epsilon(0.01));
      CHECK(trial.errors.at("global_memory_address_entropy"_metric) == Approx(0).margin(1e-9));
    }
  }
  CHECK(sameRun == 3);        // each size from its half
  CHECK(single == 9);         // and from each other size
  CHECK(trials.size() == 12); // and from the pair of the others
}

TEST_CASE("the JSON report has every metric, step and trial") {
  const TemporaryFolder folder;
  const auto kernels = cases(folder);
  const auto json = nlohmann::json::parse(
      asJson(observe(kernels), tryAll(kernels, {}, aiwc::automatch::AutomatchModel())));
  CHECK(json["metrics"].size() == kMetricCount);
  CHECK(json["metrics"][1]["change_quartiles"][1] == 1.5);
  CHECK(json["steps"][0]["instruction_exponent"] == 1.5);
  CHECK(json["trials"].size() == 12);
}
