// `aiwc tune`: which variants there are, in which order they come, and the file for Kernel Tuner.
#include "kernel/command.h"
#include "kernel_launch/variants.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::kernel_launch;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

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
      {"tune",           "k.cl",        "--parameter",  "WORK=16,1,4",   "--parameter",
       "LOST=0,1",       "--parameter", "SIZE=64,4096", "--restriction", "SIZE < 4096 * (2 - LOST)",
       "--global",       "256*64",      "--local",      "SIZE",          "--arg",
       "n=WORK",         "--arg",       "auto",         "--devices",     "rtx4090,i9-13900k",
       "--kernel-tuner", "--quiet",     "--output",     "variants"});
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
    const auto cache = nlohmann::json::parse(
        contents(workplace / ("variants/kernel_tuner_" + std::string(device) + ".json")));
    CHECK(cache.at("tune_params_keys") == nlohmann::json::array({"WORK", "LOST", "SIZE"}));
    CHECK(cache.at("tune_params").at("WORK") == nlohmann::json::array({16, 1, 4}));
    CHECK(cache.at("problem_size") == nlohmann::json::array({16384}));
    const auto &entries = cache.at("cache");
    CHECK(entries.size() == 9); // three of LOST = 0 in two sizes, three of LOST = 1 in one
    CHECK(entries.at("1,0,64").at("time") < entries.at("4,0,64").at("time"));
    CHECK(entries.at("1,0,64").at("WORK") == 1);
    CHECK(entries.at("1,0,4096").at("time") == "RuntimeFailedConfig");
    CHECK(entries.at("1,1,64").at("time") == "CompilationFailedConfig");
  }
  CHECK_THAT(outcome.out, Contains("left out: 6 variants that cannot be run; WORK=16 LOST=0 "
                                   "SIZE=4096: the simulated device refuses the launch"));
}

TEST_CASE("variants with errors are left out, and parameters without effect are noticed") {
  Workplace workplace;
  workplace.write("k.cl", "kernel void k(global int *x) { x[get_global_id(0) * STEP] = 1; }");
  const auto tuned = [&](const char *parameter) {
    return workplace.aiwc({"tune", "k.cl", "--parameter", parameter, "--build-options", "-DSTEP=1",
                           "--global", "64", "--local", "16", "--arg", "x=buffer:i32:64:zeros",
                           "--devices", "rtx4090", "--quiet"});
  };
  const std::string same = "All variants have the same code and local size";
  CHECK_THAT(tuned("TYPO=1,2").out, Contains("the fastest 2 of 2 variants") && Contains(same));
  const Outcome outcome = tuned("STEP=1,2");
  CHECK_THAT(outcome.out, Contains("the fastest 1 of 1 variants") && !Contains(same) &&
                              Contains("left out: 1 variant that cannot be run; STEP=2: k.cl:1: k "
                                       "writes index 64 of x, which has 64 of type int"));
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
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=1", "--global", "WRK"}),
             Contains("--global is 'WRK': expected"));
  CHECK_THAT(refused(workplace, {"--parameter", "WORK=1", "--global", "64", "--quiet"}),
             Contains("no variant can be run: WORK=1: work takes 2 arguments"));
}
