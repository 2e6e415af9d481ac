// `aiwc advise --try`: the changes that advice makes, what becomes of the results, and what it
// refuses.
#include "common/file.h"
#include "kernel/command.h"
#include "profile/json.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

// Constants without an f, which float calculates as well.
constexpr const char *kDoubles = R"(kernel void scale(global float *x) {
  const size_t i = get_global_id(0);
  float sum = x[i];
  for (int k = 0; k < 64; ++k)
    sum = sum * 0.5 + 0.25;
  x[i] = sum;
}
)";
// Constants without an f, without which digits are lost.
constexpr const char *kNeededDoubles = R"(kernel void round_off(global float *x) {
  const size_t i = get_global_id(0);
  float sum = x[i];
  for (int k = 0; k < 64; ++k)
    sum = (sum + 1e9) - 1e9;
  x[i] = sum;
}
)";
// Neighbours are a row apart.
constexpr const char *kRows = R"(kernel void twice(global float *y, global const float *x) {
  const size_t row = get_global_id(0), column = get_global_id(1);
  y[row * 512 + column] = 2 * x[row * 512 + column];
}
)";
const Words kSquare = {"k.cl",          "--global", "512x512",
                       "--local",       "32x32",    "--arg",
                       "x=random(0,1)", "--arg",    "y=buffer:f32:262144:zeros"};
const Words kLine = {"k.cl", "--global", "256", "--local", "64", "--arg", "x=random(0,1)"};

/// What `aiwc advise --try` prints of the run that was made last.
std::string tried(const Workplace &workplace) {
  const Outcome outcome =
      workplace.aiwc({"advise", workplace.output(), "--try", "--devices", "gtx1080,i9-13900k"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const size_t begin = outcome.out.find("Tried: ");
  REQUIRE(begin != std::string::npos);
  return outcome.out.substr(begin);
}

profile::KernelProfile profileIn(const Workplace &workplace, const std::string &change,
                                 const std::string &kernel) {
  return profile::readProfile(workplace / workplace.output() / "try" / change / "run" /
                              ("aiwc_" + kernel + "_0.json"));
}

} // namespace

TEST_CASE("constants get an f: the results stay, and no operation has 64 bits") {
  Workplace workplace;
  workplace.write("k.cl", kDoubles);
  workplace.kernel(kLine);
  REQUIRE(workplace.profile().count("fp_ops_f64"_metric) > 0);
  const std::string text = tried(workplace);
  CHECK_THAT(text, Contains("Tried: Accidental double precision\n  results as before\n"));
  CHECK_THAT(text, Contains("of them 64-bit"));
  CHECK(profileIn(workplace, "accidental-double", "scale").count("fp_ops_f64"_metric) == 0);
  CHECK_THAT(readFile(workplace / workplace.output() / "try/accidental-double/k.cl", "the copy"),
             Contains("sum = sum * 0.5f + 0.25f;"));
  CHECK(readFile(workplace / "k.cl", "the source") == kDoubles);
}

TEST_CASE("indices are exchanged: the results stay, and neighbours access neighbouring memory") {
  Workplace workplace;
  workplace.write("k.cl", kRows);
  workplace.kernel(kSquare);
  REQUIRE(workplace.profile().real("coalescing_32"_metric) < 0.5);
  CHECK_THAT(tried(workplace), Contains("Tried: Uncoalesced access\n  results as before\n"));
  CHECK(profileIn(workplace, "uncoalesced-access", "twice").real("coalescing_32"_metric) > 0.9);
}

TEST_CASE("a change of the results is said, and nothing is compared") {
  Workplace workplace;
  workplace.write("k.cl", kNeededDoubles);
  workplace.kernel(kLine);
  const std::string text = tried(workplace);
  CHECK_THAT(
      text,
      Contains(
          "Tried: Accidental double precision\n  other results: argument x (0) after launch 0"));
  CHECK_THAT(text, !Contains("predicted time"));
}

TEST_CASE("what cannot be tried is refused in one line") {
  Workplace workplace;
  workplace.write("k.cl", kDoubles);
  workplace.kernel(kLine);
  const auto refusal = [&] {
    const Outcome outcome = workplace.aiwc({"advise", workplace.output(), "--try"});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    return outcome.err;
  };
  SECTION("a run of an application, with the command that makes another one") {
    const fs::path file = workplace / workplace.output() / "run.json";
    std::string run = readFile(file, "the run");
    const std::string host = "aiwc-kernel-host";
    for (size_t at = run.find(host); at != std::string::npos; at = run.find(host, at))
      run.replace(at, host.size(), "app");
    replaceFile(file, run);
    CHECK_THAT(refusal(), Contains("--try expects a run of aiwc kernel") &&
                              Contains("--kernel scale --global SIZE"));
  }
  SECTION("a source that has changed since") {
    workplace.write("k.cl", "// new\n" + std::string(kDoubles));
    CHECK_THAT(refusal(), Contains("k.cl:5: is not the line that ran"));
  }
}

namespace {

// Each iteration reads in[i] again, in a source that does its best to mislead an edit of text.
constexpr const char *kRepeated = R"(#define TIMES(a, b) ((a) * (b))
#define N 32
/* for (int k = 0; k < N; ++k) out[k] = in[i]; */
kernel void again(global float *out, global const float *in, global const float *others) {
  const int i = get_global_id(0);
  float in_i = others[i]; // taken
  for (int k = 0; k < 2; ++k) { int i = k; in_i += others[i] * 0; }
  #pragma unroll 1
  for (int k = 0; k < N; ++k)
    out[(k & 1) * get_global_size(0) + i] = TIMES(in[i /* mine; } */], (float)k) + in_i;
}
)";
// Every fourth work-item has work.
constexpr const char *kFewBusy =
    R"(kernel void few(global float *out, global const float *in, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  float sum = in[i];
  for (int k = 0; k < 64; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}
)";

} // namespace

TEST_CASE("a load that each iteration repeats moves before the loop: the results stay") {
  Workplace workplace;
  workplace.write("k.cl", kRepeated);
  workplace.kernel({"k.cl", "--global", "65536", "--local", "64", "--arg",
                    "out=buffer:f32:131072:zeros", "--arg", "in=random(0,1)", "--arg",
                    "others=random(0,1)"});
  const uint64_t before = workplace.profile().count("bytes_read_global"_metric);
  const std::string text = tried(workplace);
  CHECK_THAT(text, Contains("Tried: Loads that each iteration repeats\n  results as before\n"));
  const auto after = profileIn(workplace, "repeated-loads", "again");
  // Of 32 reads of in[i], a work-item keeps one.
  CHECK(after.count("bytes_read_global"_metric) == before - 65536 * 31 * sizeof(float));
  CHECK_THAT(readFile(workplace / workplace.output() / "try/repeated-loads/k.cl", "the copy"),
             Contains("  const float in_i2 = in[i];\n  #pragma unroll 1\n") &&
                 Contains("TIMES(in_i2, (float)k)"));
}

TEST_CASE("work-items loop over the work: fewer of them leave the same results") {
  Workplace workplace;
  workplace.write("k.cl", kFewBusy);
  workplace.kernel({"k.cl", "--global", "262144", "--local", "64", "--arg",
                    "out=buffer:f32:8192:zeros", "--arg", "in=buffer:f32:8192:random(0,1)", "--arg",
                    "n=2000"});
  REQUIRE(workplace.profile().count("work_items"_metric) == 262144);
  CHECK_THAT(tried(workplace), Contains("Tried: More work-items than work\n  results as before\n"));
  const auto after = profileIn(workplace, "idle-work-items", "few");
  CHECK(after.count("work_items"_metric) == 2048);
}

TEST_CASE("a load that is out of bounds where the loop does not run is refused") {
  Workplace workplace;
  workplace.write("k.cl", R"(kernel void edge(global float *out, global const float *in) {
  const int i = get_global_id(0);
  const int trips = i < 65000 ? 32 : 0;
  const int j = i < 65000 ? i : 1 << 24;
  for (int k = 0; k < trips; ++k)
    out[(k & 1) * get_global_size(0) + i] = in[j] * k;
}
)");
  workplace.kernel({"k.cl", "--global", "65536", "--local", "64", "--arg",
                    "out=buffer:f32:131072:zeros", "--arg", "in=buffer:f32:65536:random(0,1)"});
  const std::string text = tried(workplace);
  CHECK_THAT(text, Contains("Tried: Loads that each iteration repeats\n") &&
                       !Contains("results as before"));
  CHECK_THAT(text, Contains("reads index 16777216"));
}
