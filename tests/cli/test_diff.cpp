#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"
#include "support/ndrange.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// a.json, and b.json with half the work-items and more instructions, built differently.
void writePair(const TemporaryFolder &folder) {
  write(folder / "a.json", toJson(sample("saxpy")));
  KernelProfile changed = sample("saxpy");
  changed.provenance.buildOptions = "-DN=\x1b[1m";
  setNdrange(changed, 1, {32, 1, 1}, {8, 1, 1});
  changed.setCount("total_instruction_count"_metric, 7040);
  changed.setCount("fp_add"_metric, 5);
  changed.histograms.opcodes = {{"load", 65}};
  write(folder / "b.json", toJson(changed));
}

/// A kernel that the model can predict, with more instructions than usual by `more`.
KernelProfile predictable(const std::string &name, uint64_t invocation, uint64_t more = 0) {
  KernelProfile profile = kernelOf(triad());
  profile.provenance.kernel = name;
  profile.provenance.invocation = invocation;
  profile.setCount("total_instruction_count"_metric,
                   profile.count("total_instruction_count"_metric) + more);
  return profile;
}

/// The runs `old` and `new`: in `new`, one of two launches of k executes twice the instructions and
/// misses twice as often, `gone` is missing, `fresh` is new and `same` is the same.
void writeRuns(const TemporaryFolder &folder) {
  const auto add = [&](const char *run, const KernelProfile &profile) {
    write(folder / (std::string(run) + "/aiwc_" + profile.provenance.kernel + "_" +
                    std::to_string(profile.provenance.invocation) + ".json"),
          toJson(profile));
  };
  std::filesystem::create_directory(folder / "old");
  std::filesystem::create_directory(folder / "new");
  const KernelProfile k = predictable("k", 0);
  KernelProfile worse = predictable("k", 1, k.count("total_instruction_count"_metric));
  worse.reuse.coldAccesses = 2 * k.reuse.coldAccesses;
  worse.setCount("bytes_read_global"_metric, 2 * k.count("bytes_read_global"_metric));
  for (const char *run : {"old", "new"}) {
    add(run, k);
    add(run, predictable("same", 0));
  }
  add("old", predictable("k", 1));
  add("new", worse);
  add("old", predictable("gone", 0));
  add("new", predictable("fresh", 0));
}

} // namespace

TEST_CASE("aiwc diff lists what changed, the largest relative change first") {
  const TemporaryFolder folder;
  writePair(folder);
  const Outcome outcome = runAiwc({"diff", "a.json", "b.json", "--all"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, StartsWith("a.json -> b.json\n\nsaxpy: 1 launch of 64 in groups of 8\n"
                                     "  global_size: [64, 1, 1] -> [32, 1, 1]\n"
                                     "  build_options:  -> -DN=\\x1b[1m\n"));
  const size_t fpAdd = outcome.out.find("fp_add ");
  const size_t workItems = outcome.out.find("work_items ");
  const size_t instructions = outcome.out.find("total_instruction_count ");
  CHECK(fpAdd < workItems); // from no value: not to be put in percent
  CHECK(workItems < instructions);
  CHECK(instructions != std::string::npos);
  CHECK_THAT(outcome.out, Contains("-50 %\n") && Contains("+10 %\n") && Contains("7,040"));
  CHECK_THAT(outcome.out, !Contains("granularity") && !Contains("launches"));
  CHECK_THAT(outcome.out, Contains("histograms that differ: opcodes\n"));
}

TEST_CASE("aiwc diff calls what was 0 new, and hides what sampling explains") {
  const TemporaryFolder folder;
  KernelProfile before = predictable("k", 0);
  setNdrange(before, 1, {4096, 1, 1}, {64, 1, 1});
  before.provenance.sampledGroups = 4;
  before.provenance.totalGroups = 64;
  before.setCount("fp_ops_f64"_metric, 0);
  KernelProfile after = before;
  after.setCount("fp_ops_f64"_metric, 100);
  const uint64_t instructions = before.count("total_instruction_count"_metric);
  after.setCount("total_instruction_count"_metric, instructions + 20);
  const auto out = [&](double error) {
    for (KernelProfile *profile : {&before, &after})
      profile->setStandardError("total_instruction_count"_metric, error);
    write(folder / "a.json", toJson(before));
    write(folder / "b.json", toJson(after));
    const Outcome outcome = runAiwc({"diff", "a.json", "b.json"}, {.folder = folder.path()});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  // The difference has an error of 10, and then of 11: of two, times the root of 2.
  INFO(out(7) << out(7.2));
  CHECK_THAT(out(7), Contains("\n  instructions ") && !Contains("within the error"));
  CHECK_THAT(out(7.2), !Contains("\n  instructions ") &&
                           Contains("1 change within the error of sampling (--all)\n"));
  CHECK_THAT(out(7), Contains("new  worse\n"));
}

TEST_CASE("aiwc diff writes large changes with three digits, and without an exponent") {
  const TemporaryFolder folder;
  KernelProfile before = predictable("k", 0);
  KernelProfile after = before;
  before.setCount("fp_ops_f64"_metric, 8);
  after.setCount("fp_ops_f64"_metric, 256);
  write(folder / "a.json", toJson(before));
  write(folder / "b.json", toJson(after));
  const Outcome outcome = runAiwc({"diff", "a.json", "b.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("+3,100 %  worse\n"));
}

TEST_CASE("aiwc diff --json says the same to programs") {
  const TemporaryFolder folder;
  writePair(folder);
  const Outcome outcome =
      runAiwc({"diff", "--json", "a.json", "b.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["before"] == "a.json");
  CHECK(json["after"] == "b.json");
  CHECK(json["same"] == false);
  REQUIRE(json["kernels"].size() == 1);
  const auto &kernel = json["kernels"][0];
  CHECK(kernel["kernel"] == "saxpy");
  CHECK(kernel["launches_matched"] == 1);
  REQUIRE(kernel["fields"].size() == 2);
  CHECK(kernel["fields"][0]["key"] == "global_size");
  CHECK(kernel["fields"][1]["key"] == "build_options");
  CHECK(kernel["fields"][1]["after"] == "-DN=\x1b[1m");
  const auto &metrics = kernel["metrics"];
  REQUIRE(metrics.size() == 3);
  CHECK(metrics[0]["key"] == "fp_add");
  CHECK(metrics[0]["before"].is_null());
  CHECK(metrics[0]["relative_change"].is_null());
  CHECK(metrics[1]["key"] == "work_items");
  CHECK(metrics[1]["before"] == 64);
  CHECK(metrics[1]["after"] == 32);
  CHECK(metrics[1]["relative_change"] == -0.5);
  CHECK(metrics[2]["relative_change"] == 0.1);
  CHECK(kernel["histograms"] == std::vector<std::string>{"opcodes"});
  CHECK(kernel["times"][0]["device"] == "rtx5090");
  CHECK(kernel["times"][0]["before_s"].is_null()); // too little is known of these
  CHECK(json["failures"].empty());
}

TEST_CASE("aiwc diff of equal runs says that nothing differs, in a line") {
  const TemporaryFolder folder;
  writePair(folder);
  writeRuns(folder);
  const Setting here{.folder = folder.path()};
  Outcome outcome = runAiwc({"diff", "a.json", "a.json"}, here);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "a.json -> a.json\n  no difference: 1 kernel, 1 launch\n");
  outcome = runAiwc({"diff", "old", "old", "--fail-on", "time!=,launches!="}, here);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "old -> old\n  no difference: 3 kernels, 4 launches\n"
                       "  none of 2 conditions of --fail-on holds\n");
}

TEST_CASE("aiwc diff compares runs kernel by kernel, with the predicted times") {
  const TemporaryFolder folder;
  writeRuns(folder);
  const Setting here{.folder = folder.path()};
  const Outcome outcome = runAiwc({"diff", "old", "new"}, here);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("old -> new\n  only in old: gone (1 launch)\n"
                                     "  only in new: fresh (1 launch)\n  no difference: same\n"
                                     "  predicted time of all 2 kernels that both have "));
  CHECK_THAT(outcome.out, Contains("\nk: 2 launches of ") && Contains("sum; 1 changed\n") &&
                              Contains("misses of 32 KiB of cache ") &&
                              Contains("\n  predicted time ") && Contains("rtx5090 ") &&
                              !Contains("\ngone"));
  // Times come before what costs them, with a verdict; at the end a sentence names the kernel.
  const size_t time = outcome.out.find("\n  predicted time ");
  const size_t instructions = outcome.out.find("\n  instructions ");
  CHECK(time < instructions);
  CHECK_THAT(outcome.out, Contains(" +50 %  worse ") && !Contains("histograms that differ"));
  std::string last = outcome.out.substr(outcome.out.rfind("\n\n") + 2);
  std::ranges::replace(last, '\n', ' '); // a line may end anywhere
  CHECK_THAT(last, StartsWith("Predicted time of new against old: ") &&
                       Contains("1.3 times slower") && Contains("(k takes "));

  const auto json = nlohmann::json::parse(runAiwc({"diff", "old", "new", "--json"}, here).out);
  const auto &k = json["kernels"][1];
  REQUIRE(k["kernel"] == "k");
  CHECK(k["launches_matched"] == 2);
  CHECK(k["launches_changed"] == 1);
  for (const auto &metric : k["metrics"]) {
    // One of two equal launches doubled: 2 became 3.
    INFO(metric);
    if (metric["key"] == "total_instruction_count" || metric["key"] == "bytes_read_global")
      CHECK(metric["relative_change"] == 0.5);
  }
  // The times are sums over launches: those of a launch add up.
  const auto once = nlohmann::json::parse(
      runAiwc({"diff", "old/aiwc_k_0.json", "new/aiwc_k_1.json", "--json"}, here).out);
  for (size_t device = 0; device < 2; ++device) {
    const auto &single = once["kernels"][0]["times"][device];
    const auto &both = k["times"][device];
    CHECK(both["before_s"].get<double>() == Approx(2 * single["before_s"].get<double>()));
    CHECK(both["after_s"].get<double>() ==
          Approx(single["before_s"].get<double>() + single["after_s"].get<double>()));
    CHECK(both["factor"].get<double>() > 1);
  }
  // Of the runs the kernels that both have are compared: k, and `same`.
  for (size_t device = 0; device < json["times"].size(); ++device)
    for (const char *when : {"before_s", "after_s"}) {
      double sum = 0;
      for (const auto &kernel : json["kernels"])
        if (kernel["kernel"] == "k" || kernel["kernel"] == "same")
          sum += kernel["times"][device][when].get<double>();
      CHECK(json["times"][device][when].get<double>() == Approx(sum));
    }
  CHECK_THAT(runAiwc({"diff", "old/aiwc_gone_0.json", "new", "--kernel", "gone,fresh"}, here).out,
             Contains("  the runs have no kernel in common, so no time is compared\n"));
}

TEST_CASE("aiwc diff --fail-on exits with 1 where a condition holds, and says of what") {
  const TemporaryFolder folder;
  writeRuns(folder);
  const Setting here{.folder = folder.path()};
  const auto failing = [&](const std::string &condition, const std::string &kernels = "k") {
    return runAiwc({"diff", "old", "new", "--kernel", kernels, "--fail-on", condition}, here);
  };
  // Of 2 launches, one doubled: half more in total.
  Outcome outcome = failing("total_instruction_count>49%");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, StartsWith("old -> new\n"));
  CHECK_THAT(outcome.err, StartsWith("aiwc diff: k: total_instruction_count grew by 50 %, from ") &&
                              Contains(": the limit is 49 %\naiwc diff: one change is beyond"));
  CHECK(failing("total_instruction_count>50%").status == 0);
  CHECK(failing("total_instruction_count<1%").status == 0);
  CHECK(failing("total_instruction_count!=").status == 1);
  CHECK(failing("fp_ops!=").status == 0);
  CHECK(failing("dram_bytes>49%").status == 1);
  CHECK(failing("dram_bytes>51%").status == 0);
  CHECK(failing("fp_ops!=,dram_bytes@4KiB>10%").status == 1); // any of several
  CHECK(failing("dram_bytes>10%", "same").status == 0);       // of other kernels
  outcome = failing("time>1%");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err,
             Contains("k: time@ryzen9-9950x grew by ") && Contains("time@rtx5090 grew"));
  outcome = failing("time@k20m>1%"); // not one of --devices
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err, !Contains("gtx1080") && Contains("time@k20m grew by "));
  CHECK_THAT(outcome.out, !Contains("k20m"));
  CHECK(failing("time>1s").status == 0);
  // What is new grew from nothing, what is gone fell to nothing.
  outcome = failing("launches>0", "");
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.err, StartsWith("aiwc diff: fresh, which is new: launches grew, from 0 to 1"));
  CHECK_THAT(failing("fp_ops<50%", "").err, StartsWith("aiwc diff: gone, which is gone: "));

  const auto json =
      nlohmann::json::parse(runAiwc({"diff", "old", "new", "--json", "--fail-on", "dram_bytes>49%",
                                     "--fail-on", "time@gtx1080>1%"},
                                    here)
                                .out);
  REQUIRE(json["failures"].size() == 4); // of k and fresh
  CHECK(json["failures"][0]["condition"] == "dram_bytes>49%");
  CHECK(json["failures"][0]["kernel"] == "k");
  CHECK(json["failures"][0]["key"] == "dram_bytes@32KiB");
  CHECK(json["failures"][0]["relative_change"] == 0.5);
}

TEST_CASE("aiwc diff tells when only the source changed") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "old");
  std::filesystem::create_directory(folder / "new");
  write(folder / "old/aiwc_k_0.json", toJson(predictable("k", 0)));
  KernelProfile edited = predictable("k", 0);
  edited.provenance.sourceHash = "xxh3-128:00000000000000000000000000000000";
  write(folder / "new/aiwc_k_0.json", toJson(edited));
  const Outcome outcome = runAiwc({"diff", "old", "new"}, {.folder = folder.path()});
  CHECK(outcome.out == "old -> new\n  only the source changed: k\n");
}

TEST_CASE("aiwc diff refuses what it cannot compare") {
  const TemporaryFolder folder;
  writePair(folder);
  writeRuns(folder);
  write(folder / "bad.json", "[");
  std::filesystem::create_directory(folder / "empty");
  const Setting here{.folder = folder.path()};
  CHECK_THAT(refusal({"diff", "a.json", "bad.json"}, here), StartsWith("bad.json:1:2: "));
  CHECK_THAT(refusal({"diff", "empty", "a.json"}, here), StartsWith("empty: has no profiles"));
  CHECK(refusal({"diff", "a.json"}, here) == "aiwc diff: B is required: see aiwc diff --help");
  CHECK_THAT(refusal({"diff", "a.json", "b.json", "c.json"}, here), Contains("c.json"));
  const auto refused = [&](const std::string &option, const std::string &value) {
    return refusal({"diff", "old", "new", option, value}, here);
  };
  CHECK_THAT(refused("--fail-on", "fp_ops"),
             StartsWith("aiwc diff: --fail-on \"fp_ops\": expected conditions such as "));
  CHECK_THAT(refused("--fail-on", "fp_opss>1"), Contains("fp_opss is not a metric: expected"));
  CHECK_THAT(refused("--fail-on", "time@nosuch>1"), Contains("nosuch"));
  CHECK_THAT(refused("--fail-on", "fp_ops>1ms"), Contains("is an amount in s: expected one in"));
  CHECK_THAT(refused("--kernel", "nosuch"), Contains("no kernel of either run"));
  CHECK_THAT(refused("--devices", "nosuch"), Contains("nosuch"));
  // A number that is missing does not pass for one that did not change.
  CHECK_THAT(refusal({"diff", "a.json", "a.json", "--fail-on", "time>1%"}, here),
             StartsWith("a.json: has no time@rtx5090: expected one for --fail-on time>1%"));
  CHECK_THAT(refusal({"diff", "a.json", "a.json", "--fail-on", "dram_bytes>1%"}, here),
             StartsWith("a.json: has no dram_bytes@32KiB"));
  KernelProfile broken = sample("saxpy");
  broken.complete = false;
  broken.reason = "the process ended";
  write(folder / "broken.json", toJson(broken));
  CHECK_THAT(refusal({"diff", "broken.json", "broken.json", "--fail-on", "work_items!="}, here),
             StartsWith("broken.json: complete is false: expected complete profiles"));
}
