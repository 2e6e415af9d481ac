// `aiwc tune`: which variants there are, and in which order they come.
#include "kernel/command.h"
#include "kernel_launch/variants.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::kernel_launch;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

// More WORK takes longer on every device; with LOST, the kernel has an error.
constexpr const char *kSource = R"(
#ifdef LOST
#if LOST == 1
#error lost
#endif
#endif
kernel void work(global float *x, int n) {
  float sum = x[get_global_id(0)];
  for (int i = 0; i < 100 * WORK; ++i)
    sum = sum * 0.5f + i;
  x[get_global_id(0)] = sum;
}
)";

// The sum of a row, by each of its work-items: a row has 64 numbers.
constexpr const char *kRows = R"(
kernel void sums(global const float *in, global float *out, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[row * n + i];
  out[row] = sum;
}
)";
// From the other end, which rounds otherwise, and four rows for each work-item.
constexpr const char *kFourRows = R"(
kernel void sums(global const float *in, global float *out, int n) {
  for (int row = 4 * get_global_id(0); row < 4 * get_global_id(0) + 4; ++row) {
    float sum = 0;
    for (int i = n - 1; i >= 0; --i)
      sum += in[row * n + i];
    out[row] = sum;
  }
}
)";
constexpr const char *kCuda = R"(
extern "C" __global__ void sums(const float *in, float *out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[row * n + i];
  out[row] = sum;
}
)";
// Leaves 0 in the row 5.
constexpr const char *kWrong = R"(
kernel void sums(global const float *in, global float *out, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[row * n + i];
  out[row] = row == 5 ? 0 : sum;
}
)";

/// What `aiwc tune --json` says of 128 rows, with these words.
json tunedRows(const Workplace &workplace, const Words &words) {
  Words all = {"tune", "--json", "--global", "128", "--local", "32", "--devices", "rtx4090"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = workplace.aiwc(all);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

/// The names of the variants that are ranked, in the order of their names.
std::vector<std::string> namesOf(const json &tuned) {
  std::vector<std::string> names;
  for (const json &row : tuned["devices"][0]["ranking"])
    names.push_back(row["variant"]);
  std::ranges::sort(names);
  return names;
}

std::string refused(const Workplace &workplace, const Words &words) {
  Words all = {"tune", "k.cl"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = workplace.aiwc(all);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  return outcome.err;
}

} // namespace

TEST_CASE("combinations of values, the last parameter fastest, those that restrictions leave") {
  const std::vector<TuneParameter> parameters = {tuneParameterOf("A=1,2,3"),
                                                 tuneParameterOf("B=4,6")};
  CHECK(configurationsOf(parameters, {}) ==
        std::vector<Configuration>{
            {"1", "4"}, {"1", "6"}, {"2", "4"}, {"2", "6"}, {"3", "4"}, {"3", "6"}});
  CHECK(configurationsOf(parameters, {"B % A == 0", "A > 1"}) ==
        std::vector<Configuration>{{"2", "4"}, {"2", "6"}, {"3", "6"}});
  CHECK(nameOf(parameters, {"2", "6"}) == "A=2,B=6");
}

TEST_CASE("names stand for values in sizes and arguments, as whole words, and become macros") {
  aiwc::kernel_launch::Command command;
  command.files = {"A.cl"};
  command.global = {"64*A,BA"};
  command.local = "A,1";
  command.arguments = {"A=A", "x=buffer:f32:A*B:zeros", "auto"};
  command.buildOptions = "-w";
  const aiwc::kernel_launch::Command made = commandFor(
      command, {tuneParameterOf("A=1,-2"), tuneParameterOf("B=float4")}, {"-2", "float4"});
  CHECK(made.files == command.files);
  CHECK(made.global == std::vector<std::string>{"64*(-2),BA"});
  CHECK(made.local == "(-2),1");
  CHECK(made.arguments ==
        std::vector<std::string>{"A=(-2)", "x=buffer:f32:(-2)*float4:zeros", "auto"});
  CHECK(made.buildOptions == "-w -D A=-2 -D B=float4");
}

TEST_CASE("sizes may have x between names of parameters and numbers") {
  aiwc::kernel_launch::Command command;
  command.global = {"1024x1024", "64x4*X", "XxBX"};
  command.local = "TILExTILE";
  command.offset = "TILExNONE";
  const std::vector<TuneParameter> parameters = {tuneParameterOf("TILE=8"), tuneParameterOf("X=2"),
                                                 tuneParameterOf("BX=4")};
  const auto made = commandFor(command, parameters, {"8", "2", "4"});
  CHECK(made.global == std::vector<std::string>{"1024,1024", "64x4*(2)", "(2),(4)"});
  CHECK(made.local == "(8),(8)");
  CHECK(made.offset == "TILExNONE");
}

TEST_CASE("variants are ranked, those that cannot be built or launched left out") {
  Workplace workplace;
  workplace.write("k.cl", kSource);
  const Outcome outcome = workplace.aiwc(
      {"tune",     "k.cl",        "--parameter",  "WORK=16,1,4",   "--parameter",
       "LOST=0,1", "--parameter", "SIZE=64,4096", "--restriction", "SIZE < 4096 * (2 - LOST)",
       "--global", "256*64",      "--local",      "SIZE",          "--arg",
       "n=WORK",   "--arg",       "auto",         "--devices",     "rtx4090,i9-13900k",
       "--output", "variants"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
  for (const char *device : {"rtx4090", "i9-13900k"}) {
    const size_t table = outcome.out.find(std::string(device) + ", the fastest 3 of 3 variants\n");
    REQUIRE(table != std::string::npos);
    const size_t one = outcome.out.find("WORK=1 LOST=0 SIZE=64 ", table);
    const size_t four = outcome.out.find("WORK=4 LOST=0 SIZE=64 ", table);
    const size_t sixteen = outcome.out.find("WORK=16 LOST=0 SIZE=64 ", table);
    CHECK((one < four && four < sixteen && sixteen != std::string::npos));
  }
  CHECK_THAT(outcome.out, Contains("left out: 6 variants that cannot be run; WORK=16 LOST=0 "
                                   "SIZE=4096: the simulated device refuses the launch"));
}

TEST_CASE("devices that lack a rate which a variant needs are left out of types") {
  Workplace workplace;
  workplace.write("k.cl", "kernel void work(global NUMBER *x) { x[get_global_id(0)] *= 3; }\n");
  const Outcome outcome =
      workplace.aiwc({"tune", "k.cl", "--parameter", "NUMBER=float,double", "--global", "64",
                      "--local", "64", "--arg", "auto", "--devices", "gpu", "--json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "left out: arc-a770, whose file has no fp64_rate_gflops\n");
  for (const json &device : json::parse(outcome.out)["devices"]) {
    CHECK(device["device"] != "arc-a770");
    CHECK(device["ranking"].size() == 2);
  }
}

TEST_CASE("variants with errors are left out, and parameters without effect are noticed") {
  Workplace workplace;
  workplace.write("k.cl", "kernel void k(global int *x) { x[get_global_id(0) * STEP] = 1; }");
  const auto tuned = [&](const char *parameter) {
    return workplace.aiwc({"tune", "k.cl", "--parameter", parameter, "--build-options", "-DSTEP=1",
                           "--global", "64", "--local", "16", "--arg", "x=buffer:i32:64:zeros",
                           "--devices", "rtx4090"});
  };
  const std::string same = "All variants have the same code and sizes";
  CHECK_THAT(tuned("TYPO=1,2").out, Contains("the fastest 2 of 2 variants") && Contains(same));
  const Outcome outcome = tuned("STEP=1,2");
  CHECK_THAT(outcome.out, Contains("the fastest 1 of 1 variants") && !Contains(same) &&
                              Contains("left out: 1 variant that cannot be run; STEP=2: k.cl:1: k "
                                       "writes index 64 of x, which has 64 of type int"));
}

TEST_CASE("a variant has options of its own, which replace the common ones") {
  aiwc::kernel_launch::Command common;
  common.files = {"a.cl"};
  common.global = {"64", "128"};
  common.local = "8";
  common.arguments = {"n=gx", "x=zeros", "auto"};
  const auto own = variantOf(
      common, "b.cl --global 16x4 --arg n=64  --build-options '-D A=1 -w' --kernel \"k\"");
  CHECK(own.files == std::vector<std::string>{"b.cl"});
  CHECK(own.global == std::vector<std::string>{"16x4"});
  CHECK(own.local == "8");
  CHECK(own.kernel == "k");
  CHECK(own.buildOptions == "-D A=1 -w");
  CHECK(own.arguments == std::vector<std::string>{"x=zeros", "auto", "n=64"});
  CHECK(variantOf(common, "'my file.cl'").files == std::vector<std::string>{"my file.cl"});
  CHECK_THROWS_WITH(
      variantOf(common, "a.cl b.cl"),
      "--variant a.cl b.cl: has 2 programs: expected one, then options of its launch");
  CHECK_THROWS_WITH(variantOf(common, "a.cl --arg 'n=1"),
                    "--variant a.cl --arg 'n=1: has no second ': expected one");
  CHECK_THROWS_WITH(variantOf(common, "a.cl --expected-results x"),
                    Contains("of the host program"));
  CHECK_THROWS_WITH(variantOf(common, "a.cl --colour red"), Contains("unknown option --colour"));
}

TEST_CASE("files are variants of a kernel; one with other results is called wrong") {
  Workplace workplace;
  workplace.write("rows.cl", kRows);
  workplace.write("four.cl", kFourRows);
  workplace.write("wrong.cl", kWrong);
  workplace.write("rows.cu", kCuda);
  workplace.write("lost.cl", "kernel void sums(global float *in) { lost }");
  const std::string four = "four.cl --global 32 --local 32";
  const json tuned = tunedRows(workplace, {"rows.cl", "wrong.cl", "rows.cu", "lost.cl", "--variant",
                                           four, "--arg", "n=64", "--arg", "auto"});
  INFO(tuned.dump(1));
  CHECK(tuned["results_of"] == "rows.cl");
  CHECK(namesOf(tuned) == std::vector<std::string>{four, "rows.cl", "rows.cu"});
  REQUIRE(tuned["wrong"].size() == 1);
  CHECK(tuned["wrong"][0]["variant"] == "wrong.cl");
  CHECK_THAT(
      tuned["wrong"][0]["reason"].get<std::string>(),
      StartsWith("its results are not those of rows.cl: argument out (1) after launch 0: 1 of "
                 "128 numbers of type f32 differ, most at index 5: 0 here, ") &&
          EndsWith(" expected"));
  REQUIRE(tuned["left_out"].size() == 1);
  CHECK(tuned["left_out"][0]["variant"] == "lost.cl");
  const json &ranking = tuned["devices"][0]["ranking"];
  CHECK(tuned["devices"][0]["device"] == "rtx4090");
  CHECK(ranking[0]["of_best"] == 1);
  CHECK(ranking[0]["faster_than_first"] == 0.5);
  double near = 0; // one at least is the fastest
  for (size_t i = 0; i < ranking.size(); ++i) {
    CHECK(ranking[i]["seconds"].get<double>() ==
          Approx(ranking[i]["of_best"].get<double>() * ranking[0]["seconds"].get<double>()));
    CHECK(ranking[i]["tie"] == (ranking[i]["faster_than_first"] >= 0.2));
    near += ranking[i]["within_10_percent"].get<double>();
  }
  CHECK(near >= 1);
  // A row for each work-item lies 256 bytes from the next one.
  CHECK(ranking[0]["finding"].contains("remedy"));
}

TEST_CASE("the text of variants: the wrong one, those that cannot be told apart, and the finding") {
  Workplace workplace;
  workplace.write("a.cl", kRows);
  workplace.write("b.cl", kRows);
  workplace.write("wrong.cl", kWrong);
  const Outcome outcome =
      workplace.aiwc({"tune", "a.cl", "b.cl", "wrong.cl", "--global", "4096", "--local", "32",
                      "--devices", "rtx4090", "--arg", "n=64", "--arg", "auto"});
  CHECK(outcome.status == 0);
  CHECK_THAT(
      outcome.out,
      Contains("rtx4090, the fastest 2 of 2 variants\n") && Contains("within 10 %") &&
          Contains("100 %  Too few work-items\n") &&
          Contains("  Cannot be told apart from the first: b.cl.\n") &&
          Contains("\nwrong: wrong.cl: its results are not those of a.cl: argument out (1)"));
  const std::string alike = "All variants have the same code and sizes";
  CHECK_THAT(outcome.out, Contains(alike));
  CHECK_FALSE(fs::exists(workplace / "aiwc-tune-a/results"));
  // The same code in a launch of other work-items is another variant.
  CHECK_THAT(workplace
                 .aiwc({"tune", "a.cl", "--variant", "a.cl --local 64", "--global", "128",
                        "--local", "32", "--devices", "rtx4090", "--arg", "n=64", "--arg", "auto"})
                 .out,
             Contains("the fastest 2 of 2 variants") && !Contains(alike));
}

TEST_CASE("variants whose launches have other input are left out, with what to give") {
  Workplace workplace;
  workplace.write("rows.cl", kRows);
  workplace.write("other.cl", "kernel void sums(int n, global const float *in, global float *out) {"
                              "  out[get_global_id(0)] = in[n]; }");
  const json tuned = tunedRows(workplace, {"rows.cl", "other.cl", "--variant",
                                           "rows.cl --global 64 --local 32", "--arg", "auto"});
  REQUIRE(tuned["left_out"].size() == 2);
  CHECK(tuned["left_out"][0]["reason"] ==
        "in is its argument 1, and argument 0 of rows.cl: expected memory at the same places, to "
        "give both the same input");
  CHECK(tuned["left_out"][1]["reason"] ==
        "n is assumed to be 64, and 128 for rows.cl: expected --arg n=VALUE");
}

TEST_CASE("combinations of macros are compared with --check, and the first that runs is right") {
  Workplace workplace;
  workplace.write("k.cl", kSource);
  const Words words = {"k.cl",  "--parameter", "LOST=1,0", "--parameter", "WORK=1,2",
                       "--arg", "n=4",         "--arg",    "auto"};
  CHECK(namesOf(tunedRows(workplace, words)).size() == 2);
  Words checked = words;
  checked.emplace_back("--check");
  const json tuned = tunedRows(workplace, checked);
  CHECK(tuned["results_of"] == "LOST=0,WORK=1");
  CHECK(namesOf(tuned) == std::vector<std::string>{"LOST=0,WORK=1"});
  REQUIRE(tuned["wrong"].size() == 1);
  CHECK(tuned["wrong"][0]["variant"] == "LOST=0,WORK=2");
}

TEST_CASE("what cannot be tuned: one line") {
  Workplace workplace;
  workplace.write("k.cl", kSource);
  const Outcome missing = workplace.aiwc({"tune", "none.cl", "--parameter", "A=1"});
  CHECK(missing.err == "aiwc tune: none.cl: does not exist: expected a program, .cl or .cu\n");
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=", "--global", "64"}),
             StartsWith("aiwc tune: --parameter WORK=: expected the name of a macro"));
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=1,1", "--global", "64"}),
             Contains("has 1 twice"));
  CHECK_THAT(
      refused(workplace, {"--parameter", "WORK=1", "--parameter", "WORK=2", "--global", "64"}),
      Contains("WORK is given twice"));
  CHECK_THAT(
      refused(workplace, {"--parameter", "WORK=1", "--restriction", "WORK", "--global", "64"}),
      Contains("--restriction WORK: '(1)' compares nothing"));
  CHECK_THAT(
      refused(workplace, {"--parameter", "WORK=1", "--restriction", "WORK > 1", "--global", "64"}),
      Contains("the restrictions leave no combination"));
  CHECK_THAT(
      refused(workplace, {"--global", "64"}),
      Contains("k.cl is the only variant: expected several files, --variant or --parameter"));
  CHECK_THAT(refused(workplace, {"k.cl", "--global", "64"}), Contains("k.cl is given twice"));
  CHECK_THAT(refused(workplace, {".", "--global", "64"}),
             Contains(".: is a folder: expected a program"));
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=1", "--global", "WRK"}),
             Contains("--global is 'WRK': expected"));
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=1", "--global", "64"}),
             Contains("no variant can be run: WORK=1: work takes 2 arguments"));
}
