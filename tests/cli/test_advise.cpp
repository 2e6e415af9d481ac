#include "../predict/machines.h"
#include "embed/opencl_c.h"
#include "process.h"
#include "profile/json.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using Words = std::vector<std::string>;

namespace {

constexpr const char *kSource = "kernel void k(global float *a) {\n  a[get_global_id(0)] = 1;\n}\n";

/// An uncoalesced kernel, whose line 2 writes at a stride of 4 KiB.
KernelProfile uncoalesced(uint64_t invocation = 0) {
  KernelProfile profile = kernelOf(triad());
  profile.provenance.kernel = "k";
  profile.provenance.sourceHash = aiwc::embed::bareHash(kSource);
  profile.provenance.invocation = invocation;
  for (const Metric metric :
       {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    profile.setReal(metric, 1.0 / 32);
  AccessRow row;
  row.function = "k";
  row.line = 2;
  row.array = "a";
  row.kind = AccessKind::kWrite;
  row.accesses = 64;
  row.bytes = 256;
  row.laneStride = 4096;
  profile.accesses = std::vector{row};
  return profile;
}

json findingOf(const json &kernel, const std::string &rule) {
  for (const json &finding : kernel["findings"])
    if (finding["rule"] == rule)
      return finding;
  return nullptr;
}

} // namespace

TEST_CASE("aiwc advise names the place, the remedy and the gain") {
  const TemporaryFolder folder;
  write(folder / "aiwc_k_0.json", toJson(uncoalesced()));
  write(folder / "k.cl", kSource);
  const auto here = Setting{.folder = folder.path()};
  const Outcome outcome = runAiwc({"advise", "aiwc_k_0.json", "--source", "k.cl"}, here);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("k: 1 launch of "));
  CHECK_THAT(outcome.out, Contains("Uncoalesced access: saves up to "));
  CHECK_THAT(outcome.out, Contains("k.cl:2: write of a: 100 % of the bytes; neighbours are 4,096 "
                                   "bytes apart"));
  CHECK_THAT(outcome.out, Contains("\n         a[get_global_id(0)] = 1;\n"));

  const json data = json::parse(runAiwc({"advise", "--json", "."}, here).out);
  const json finding = findingOf(data[0], "uncoalesced-access");
  REQUIRE(finding.is_object());
  CHECK(finding["evidence"][0]["line"] == 2);
  CHECK(finding["gains"][0]["device"] == "rtx5090");
  CHECK(finding["gains"][1]["device"] == "h200-sxm");
  CHECK(finding["gains"][1]["at_most"].get<double>() >= 1.05);

  const json sarif = json::parse(runAiwc({"advise", "--sarif", ".", "--source", "k.cl"}, here).out);
  CHECK(sarif["version"] == "2.1.0");
  const json &run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["name"] == "aiwc");
  bool seen = false;
  for (const json &result : run["results"]) {
    CHECK(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"] ==
          result["ruleId"]);
    if (result["ruleId"] != "uncoalesced-access")
      continue;
    seen = true;
    const json &place = result["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == "k.cl");
    CHECK(place["region"]["startLine"] == 2);
  }
  CHECK(seen);
}

TEST_CASE("aiwc advise says what a line becomes, and --sarif has it as a fix") {
  const std::string source = "kernel void k(global float *a) {\n  a[get_global_id(0)] *= 0.5;\n}\n";
  const TemporaryFolder folder;
  KernelProfile profile = uncoalesced();
  profile.provenance.sourceHash = aiwc::embed::bareHash(source);
  const uint64_t instructions = profile.count("total_instruction_count"_metric);
  LineRow row{.line = 2, .instructions = instructions};
  row.accidentalDoubles = row.accidentalConversions = instructions / 8;
  profile.histograms.lines = {row};
  write(folder / "aiwc_k_0.json", toJson(profile));
  write(folder / "k.cl", source);
  const auto here = Setting{.folder = folder.path()};
  CHECK_THAT(runAiwc({"advise", ".", "--source", "k.cl"}, here).out,
             Contains("     k.cl:2 becomes\n         a[get_global_id(0)] *= 0.5f;\n"));
  const json sarif = json::parse(runAiwc({"advise", "--sarif", ".", "--source", "k.cl"}, here).out);
  size_t fixes = 0;
  for (const json &result : sarif["runs"][0]["results"]) {
    if (!result.contains("fixes"))
      continue;
    ++fixes;
    CHECK(result["ruleId"] == "accidental-double");
    const json &change = result["fixes"][0]["artifactChanges"][0];
    CHECK(change["artifactLocation"]["uri"] == "k.cl");
    CHECK(change["replacements"][0]["deletedRegion"] ==
          json({{"startLine", 2}, {"startColumn", 1}, {"endLine", 2}, {"endColumn", 30}}));
    CHECK(change["replacements"][0]["insertedContent"]["text"] == "  a[get_global_id(0)] *= 0.5f;");
  }
  CHECK(fixes == 1);
}

TEST_CASE(
    "aiwc advise shows lines by the numbers that #line gives them, and SARIF by their place") {
  const std::string source =
      "#line 1 \"app.cl\"\nkernel void k(global float *a) {\n  a[get_global_id(0)] *= 0.5;\n}\n";
  const TemporaryFolder folder;
  KernelProfile profile = uncoalesced();
  profile.provenance.sourceHash = aiwc::embed::bareHash(source);
  LineRow row{.line = 2, .instructions = profile.count("total_instruction_count"_metric)};
  row.accidentalDoubles = row.accidentalConversions = row.instructions / 8;
  profile.histograms.lines = {row};
  write(folder / "aiwc_k_0.json", toJson(profile));
  write(folder / "k.cl", source);
  const auto here = Setting{.folder = folder.path()};
  const std::string text = runAiwc({"advise", ".", "--source", "k.cl"}, here).out;
  CHECK_THAT(text,
             Contains("     k.cl:2: ") && Contains("\n         a[get_global_id(0)] *= 0.5;\n"));
  CHECK_THAT(text, Contains("     k.cl:2 becomes\n         a[get_global_id(0)] *= 0.5f;\n"));
  const json sarif = json::parse(runAiwc({"advise", "--sarif", ".", "--source", "k.cl"}, here).out);
  int found = 0;
  for (const json &result : sarif["runs"][0]["results"])
    if (result["ruleId"] == "accidental-double") {
      ++found;
      CHECK(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3);
      CHECK(result["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"] ==
            json({{"startLine", 3}, {"startColumn", 1}, {"endLine", 3}, {"endColumn", 30}}));
    }
  CHECK(found == 1);
}

TEST_CASE("where there is no clang, aiwc advise says once that it has no changes of sources") {
  const std::string source = "kernel void k(global float *a) {\n  a[get_global_id(0)] *= 0.5;\n}\n"
                             "kernel void l(global float *a) {\n  a[get_global_id(0)] *= 0.5;\n}\n";
  const TemporaryFolder folder;
  for (const std::string name : {"k", "l"}) {
    KernelProfile profile = uncoalesced();
    profile.provenance.kernel = name;
    profile.provenance.sourceHash = aiwc::embed::bareHash(source);
    LineRow row{.line = name == "k" ? 2U : 5U,
                .instructions = profile.count("total_instruction_count"_metric)};
    row.accidentalDoubles = row.accidentalConversions = row.instructions / 8;
    profile.histograms.lines = {row};
    write(folder / ("aiwc_" + name + "_0.json"), toJson(profile));
  }
  write(folder / "both.cl", source);
  const std::string path = std::getenv("PATH");
  const auto advised = [&](const char *where) {
    ::setenv("PATH", where, 1);
    const Outcome outcome =
        runAiwc({"advise", ".", "--source", "both.cl"}, {.folder = folder.path()});
    ::setenv("PATH", path.c_str(), 1);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains("Accidental double precision in k") &&
                                Contains("Accidental double precision in l"));
    return outcome;
  };
  const Outcome with = advised(path.c_str());
  CHECK(with.err.empty());
  CHECK_THAT(with.out, Contains("0.5f;"));
  const Outcome without = advised("/nowhere");
  CHECK(without.err == "aiwc: changes of the source are left out: clang-14 cannot be run: expected "
                       "it, of the Debian package clang-14: No such file or directory\n");
  CHECK_THAT(without.out, !Contains("0.5f;") && Contains("0.5;"));
}

TEST_CASE("aiwc show and advise take the launches of a kernel together") {
  const TemporaryFolder folder;
  KernelProfile longest = uncoalesced(1);
  longest.setCount("total_instruction_count"_metric,
                   longest.count("total_instruction_count"_metric) + 64);
  longest.simulatorErrors = 3;
  longest.provenance.exchangesWithoutBarrier = true;
  KernelProfile other = uncoalesced(2);
  other.provenance.sourceHash = "xxh3-128:00000000000000000000000000000000";
  write(folder / "aiwc_k_0.json", toJson(uncoalesced()));
  write(folder / "aiwc_k_1.json", toJson(longest));
  write(folder / "aiwc_k_2.json", toJson(other));
  for (const char *command : {"show", "advise"}) {
    const Outcome outcome = runAiwc({command, "."}, {.folder = folder.path()});
    INFO(outcome.out << outcome.err);
    CHECK(outcome.status == 0);
    const std::string own = "k of source " + aiwc::embed::bareHash(kSource).substr(9, 8);
    CHECK_THAT(outcome.out, StartsWith(own + ": 2 launches of "));
    if (command == std::string_view("advise"))
      CHECK_THAT(outcome.out, Contains("Uncoalesced access in " + own + ": saves ") &&
                                  Contains("Uncoalesced access in k of source 00000000: saves "));
    CHECK_THAT(outcome.out,
               Contains(command == std::string_view("show") ? "2 launches execute "
                                                            : "all of 2 launches have this.)"));
    CHECK_THAT(outcome.out, Contains("The simulator reported errors in 1 of 2 launches"));
    CHECK_THAT(outcome.out, Contains("Warning: work-items that a device may run in step exchange"));
    CHECK_THAT(outcome.out, Contains("\nk of source 00000000: 1 launch of "));
  }
  const Outcome sarif = runAiwc({"advise", ".", "--sarif"}, {.folder = folder.path()});
  CHECK_THAT(sarif.out, Contains("\"Kernel k of source 00000000: ") && Contains("\"name\": \"k\""));
  const Outcome lines = runAiwc({"show", "--lines", "."}, {.folder = folder.path()});
  CHECK_THAT(lines.out, Contains(", k of source 00000000, invocation 2\n"));
}

TEST_CASE("aiwc show describes a profile that the model cannot use") {
  const TemporaryFolder folder;
  KernelProfile broken = uncoalesced();
  broken.complete = false;
  broken.reason = "the process ended";
  write(folder / "p.json", toJson(broken));
  const auto here = Setting{.folder = folder.path()};
  const Outcome outcome = runAiwc({"show", "p.json"}, here);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("Incomplete: the process ended."));
  CHECK_THAT(outcome.out, !Contains("Limited by"));
  CHECK_THAT(refusal({"advise", "p.json"}, here),
             StartsWith("p.json: complete is false (the process ended): expected "));
}

TEST_CASE("aiwc advise leaves the incomplete profiles of a folder out, and says so in one line") {
  const TemporaryFolder folder;
  const auto here = Setting{.folder = folder.path()};
  write(folder / "aiwc_k_0.json", toJson(uncoalesced()));
  const Outcome complete = runAiwc({"advise", "."}, here);
  REQUIRE(complete.status == 0);
  KernelProfile broken = uncoalesced(1);
  broken.complete = false;
  broken.reason = "the process ended";
  // The longest launch of its kernel, which a finding would otherwise be said of.
  broken.setCount("total_instruction_count"_metric,
                  broken.count("total_instruction_count"_metric) * 2);
  write(folder / "aiwc_k_1.json", toJson(broken));
  const Outcome outcome = runAiwc({"advise", "."}, here);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == complete.out);
  CHECK(outcome.err == "aiwc advise: 1 of 2 profiles left out, because it is incomplete: "
                       "./aiwc_k_1.json\n");
  CHECK_THAT(refusal({"advise", "aiwc_k_1.json"}, here), StartsWith("aiwc_k_1.json: complete is "));
}

TEST_CASE("aiwc advise and diff leave out devices that lack a rate, and refuse one that is named") {
  const TemporaryFolder folder;
  const auto here = Setting{.folder = folder.path()};
  KernelProfile doubles = uncoalesced();
  doubles.setCount("fp_ops_f64"_metric, 64);
  write(folder / "p.json", toJson(doubles));
  for (const Words &command : {Words{"advise", "p.json"}, Words{"diff", "p.json", "p.json"}}) {
    const auto on = [&](const std::string &devices) {
      Words words = command;
      words.insert(words.end(), {"--devices", devices});
      return words;
    };
    const Outcome outcome = runAiwc(on("gpu"), here);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "left out: arc-a770, whose file has no fp64_rate_gflops\n");
    CHECK_THAT(refusal(on("rtx4090,arc-a770"), here),
               StartsWith("device arc-a770: no fp64_rate_gflops, which"));
  }
}

TEST_CASE("aiwc advise refuses sources of other kernels and unknown devices") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(uncoalesced()));
  write(folder / "other.cl", "kernel void other() {}\n");
  const auto here = Setting{.folder = folder.path()};
  CHECK_THAT(refusal({"advise", "p.json", "--source", "other.cl"}, here),
             StartsWith("other.cl: is not the source of any of these kernels: expected "));
  CHECK_THAT(refusal({"advise", "p.json", "--devices", "nosuch"}, here), Contains("nosuch"));
  CHECK(runAiwc({"advise", "p.json", "--json", "--sarif"}, here).status == 2);
}
