// Arguments that a kernel cannot have, and sizes that a launch cannot have: one line each.
#include "kernel/command.h"
#include "profile/json.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char *kSource = R"(
typedef struct { int a; float b; } Pair;
kernel void work(global float *values, global const int *index, float factor, int4 four,
                 local float *scratch, Pair pair) {
  const int i = get_global_id(0);
  scratch[get_local_id(0)] = factor;
  values[i] += four.x + pair.b;
}
kernel void copy(global const float *in, global float *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
)";

class Refusals {
public:
  Refusals() {
    workplace_.write("k.cl", kSource);
    workplace_.write("pair.bin", "12345678");
    workplace_.write("short.bin", "1234");
  }
  /// What is said with these arguments in place of the right ones.
  std::string of(const Words &arguments,
                 Words options = {"--global", "64", "--local", "32"}) const {
    Words words = {"k.cl", "--kernel", "work"};
    words.insert(words.end(), options.begin(), options.end());
    const Words right = {"values=zeros", "index=range",        "factor=0.5",
                         "four=1,2,3,4", "scratch=local:4*lx", "pair=pair.bin"};
    for (const std::string &argument : right) {
      const std::string name = argument.substr(0, argument.find('=') + 1);
      bool isReplaced = false;
      for (const std::string &given : arguments)
        isReplaced |= given.starts_with(name);
      if (!isReplaced)
        words.insert(words.end(), {"--arg", argument});
    }
    for (const std::string &argument : arguments)
      if (!argument.ends_with("=")) // "name=": left out
        words.insert(words.end(), {"--arg", argument});
    return workplace_.refusal(words);
  }
  Workplace workplace_;
};

} // namespace

TEST_CASE("the arguments from which the others deviate are right") {
  Refusals refusals;
  refusals.workplace_.kernel({"k.cl", "--kernel", "work", "--global", "64", "--local", "32",
                              "--arg", "values=zeros", "--arg", "index=range", "--arg",
                              "factor=0.5", "--arg", "four=1,2,3,4", "--arg", "scratch=local:4*lx",
                              "--arg", "pair=pair.bin"});
}

TEST_CASE("arguments that are missing, unknown or given twice") {
  const Refusals refusals;
  CHECK(refusals.of({"factor="}) ==
        "aiwc kernel: work takes 6 arguments, and factor (2) is not given: expected --arg "
        "factor=NUMBER, or --arg auto\n");
  CHECK_THAT(refusals.of({"values="}), Contains("expected --arg values=buffer:f32:COUNT:CONTENTS"));
  CHECK_THAT(refusals.of({"scratch="}), Contains("expected --arg scratch=local:BYTES"));
  CHECK_THAT(refusals.of({"pair="}), Contains("expected --arg pair=FILE.bin"));
  CHECK_THAT(refusals.of({"four="}), Contains("expected --arg four=NUMBER,NUMBER,NUMBER,NUMBER"));
  CHECK_THAT(refusals.of({"factr=1"}),
             Contains("work has no argument 'factr'") && Contains("did you mean factor?"));
  CHECK_THAT(refusals.of({"6=1"}), Contains("work has no argument '6'"));
  CHECK_THAT(refusals.of({"2=1"}), Contains("argument factor (2) of work is given twice"));
  CHECK_THAT(refusals.of({"factor"}), StartsWith("aiwc kernel: --arg factor: expected auto, or"));
}

TEST_CASE("arguments of the wrong type or size") {
  const Refusals refusals;
  CHECK_THAT(refusals.of({"factor=buffer:f32:4:zeros"}),
             Contains("'buffer:f32:4:zeros' does not suit its type float: expected NUMBER"));
  CHECK_THAT(refusals.of({"values=1"}), Contains("does not suit its type float*"));
  CHECK_THAT(refusals.of({"values=buffer:i32:64:range"}),
             Contains("does not suit its type float*"));
  CHECK_THAT(refusals.of({"index=buffer:f32:64:range"}), Contains("does not suit its type int*"));
  CHECK_THAT(refusals.of({"scratch=zeros"}), Contains("expected local:BYTES"));
  CHECK_THAT(refusals.of({"values=local:64"}), Contains("does not suit its type float*"));
  CHECK_THAT(refusals.of({"four=1,2,3"}), Contains("does not suit its type int4"));
  CHECK_THAT(refusals.of({"four=1,2,3,5000000000"}), Contains("5000000000 does not fit"));
  CHECK_THAT(refusals.of({"four=1,2,3,0.5"}), Contains("'0.5' is no whole number"));
  CHECK_THAT(
      refusals.of({"factor=1e999"}),
      Contains("'1e999' is no floating-point number: expected one such as 0.5, -1e3, 4K or"));
  CHECK_THAT(refusals.of({"pair=short.bin"}), Contains("pair (5) of work"));
  CHECK_THAT(refusals.of({"pair=7"}), Contains("does not suit its type Pair: expected FILE.bin"));
  CHECK_THAT(refusals.of({"values=none.npy"}), Contains("none.npy: "));
  CHECK_THAT(refusals.of({"values=buffer:f32:1000:short.bin"}),
             Contains("short.bin: holds 4 bytes: expected 4000"));
  CHECK_THAT(refusals.of({"values=buffer:f32:100G:zeros"}), Contains("expected at most 64 GiB"));
  CHECK_THAT(refusals.of({"values=buffer:f33:4:zeros"}), Contains("'f33' is no type"));
  CHECK_THAT(refusals.of({"values=buffer:f32:4:zeroes"}), Contains("'zeroes' are no contents"));
}

TEST_CASE("auto makes no contents up that addresses may be computed from, and no structures") {
  const Refusals refusals;
  CHECK_THAT(refusals.of({"index=", "auto"}),
             Contains("argument index (1) of work: addresses or loop bounds may be computed from "
                      "its integers") &&
                 Contains("expected --arg index=buffer:i32:COUNT:CONTENTS"));
  CHECK_THAT(refusals.of({"pair=", "auto"}), Contains("auto knows no value of its type Pair"));
}

TEST_CASE("sizes") {
  const Refusals refusals;
  const auto sizes = [&](const Words &options) { return refusals.of({}, options); };
  CHECK_THAT(sizes({}), Contains("no global size: expected --global"));
  CHECK_THAT(sizes({"--global", "0"}), Contains("--global is '0': expected"));
  CHECK_THAT(sizes({"--global", "64x"}), Contains("--global is '64x': expected"));
  CHECK_THAT(sizes({"--global", "1x1x1x1"}), Contains("expected one to three sizes"));
  CHECK_THAT(sizes({"--global", "64", "--local", "48"}),
             Contains("--local 48 does not divide --global 64"));
  CHECK_THAT(sizes({"--global", "64", "--local", "8x8"}), Contains("expected as many dimensions"));
  CHECK_THAT(sizes({"--global", "4096", "--local", "4096"}),
             Contains("refuses the launch of work: expected a local size that the device and the "
                      "kernel allow, of at most 1024 work-items"));
  CHECK_THAT(sizes({"--global", "64"}), Contains("needs the local size"));
  CHECK_THAT(refusals.of({"scratch=local:1M"}), Contains("expected less local memory"));
}

TEST_CASE("files and kernels") {
  const Refusals refusals;
  const Workplace &workplace = refusals.workplace_;
  CHECK_THAT(workplace.refusal({"none.cl", "--global", "64"}), Contains("none.cl: does not exist"));
  CHECK_THAT(workplace.refusal({"pair.txt", "--global", "64"}),
             Contains("pair.txt: does not exist"));
  CHECK_THAT(workplace.refusal({"k.cl", "--global", "64"}),
             Contains("k.cl: has several kernels: expected --kernel work, copy"));
  CHECK_THAT(workplace.refusal({"k.cl", "--kernel", "wrok", "--global", "64"}),
             Contains("has no kernel 'wrok': expected --kernel work, copy; did you mean work?"));
  CHECK_THAT(workplace.refusal({"k.cl", "k.cl", "--global", "64"}),
             Contains("expected one program"));
  CHECK_THAT(workplace.refusal({"k.cl", "--global", "64", "--shared-memory", "64"}),
             Contains("--shared-memory is given with k.cl"));
  CHECK_THAT(workplace.refusal({"k.cl", "--global", "64", "--accuracy", "best"}),
             Contains("--accuracy is 'best': expected exact, standard or fast"));
}

TEST_CASE("an access outside of a buffer: one line, status 1, and a profile that tells") {
  Refusals refusals;
  Workplace &workplace = refusals.workplace_;
  const std::string said =
      workplace.wrongKernel({"k.cl", "--kernel", "copy", "--global", "64", "--arg", "out=zeros",
                             "--arg", "in=buffer:f32:62:zeros"});
  CHECK_THAT(said, StartsWith("aiwc kernel: k.cl:10: copy reads index 62 of in, which has 62 of "
                              "type float, in work-item (62,0,0), and 1 more such access: expected "
                              "--arg 'in=buffer:f32:64:zeros', or a larger one\n"));
  CHECK(said.find("Invalid read") == std::string::npos);
  CHECK(workplace.run().launches.at(0).simulatorErrors == 2);
  CHECK(workplace.profile().simulatorErrors == 2);
  // With what the line asks for, there is no error.
  workplace.kernel({"k.cl", "--kernel", "copy", "--global", "64", "--arg", "out=zeros", "--arg",
                    "in=buffer:f32:64:zeros"});
  CHECK(workplace.profile().simulatorErrors == 0);
}

TEST_CASE("buffers that --arg auto made too small become larger, and that is said") {
  Workplace workplace;
  workplace.write("square.cl", "kernel void square(global float *x, int n) {\n"
                               "  const int i = get_global_id(0);\n"
                               "  for (int j = 0; j < n; ++j)\n"
                               "    x[i * n + j] = j;\n"
                               "}\n");
  CHECK(workplace.kernel({"square.cl", "--quiet", "--global", "8", "--arg", "auto"}).empty());
  // 56 accesses beyond 8 values: the need is known. With 64 work-items the simulator is ended
  // early.
  for (const char *size : {"8", "64"}) {
    const std::string said = workplace.kernel({"square.cl", "--global", size, "--arg", "auto"});
    CHECK_THAT(said, StartsWith("aiwc kernel: assumed --arg 'x=buffer:f32:items:random(0,1)' --arg "
                                "'n=gx'\n") &&
                         Contains("aiwc kernel: square accesses x (0) beyond its " +
                                  std::string(size) + " values: assumed --arg 'x=buffer:f32:") &&
                         Contains("assumed --arg 'x=buffer:f32:gx*gx:random(0,1)'\n"));
    const run::Run run = workplace.run();
    REQUIRE(run.launches.size() == 1); // the others left nothing
    CHECK(run.launches[0].number == 0);
    CHECK(run.launches[0].engine == "compiled");
    const uint64_t n = std::stoul(size);
    CHECK(run.launches[0].arguments.at(0).bytes == 4 * n * n);
    CHECK(run.launches[0].arguments[0].assumed);
    const std::string grown = profile::toJson(workplace.profile());
    CHECK(workplace.profile().simulatorErrors == 0);
    workplace.kernel({"square.cl", "--global", size, "--arg", "x=buffer:f32:gx*gx:random(0,1)",
                      "--arg", "n=gx"});
    CHECK(profile::toJson(workplace.profile()) == grown);
  }
  // A size that the user gives is kept.
  CHECK_THAT(workplace.wrongKernel(
                 {"square.cl", "--global", "8", "--arg", "auto", "--arg", "x=buffer:f32:63:zeros"}),
             Contains("square.cl:4: square writes index 63 of x, which has 63 of type float") &&
                 Contains("expected --arg 'x=buffer:f32:64:zeros', or a larger one"));
  CHECK_THAT(
      workplace.wrongKernel({"square.cl", "--global", "8", "--arg", "n=8", "--arg", "x=zeros"}),
      Contains("square writes index 8 of x, which has 8 of type float"));
}

TEST_CASE("every size of a launch has its own buffers, and contents that are given stay") {
  Workplace workplace;
  workplace.write("blur.cl", "kernel void blur(global const float *in, global const int *index,\n"
                             "                 global float *out, int width) {\n"
                             "  const int x = get_global_id(0), y = get_global_id(1);\n"
                             "  const int at = (y + 2) * (width + 2) + x + 2;\n"
                             "  out[y * width + x] = in[at] + index[2 * (y * width + x) + 1];\n"
                             "}\n");
  const std::string said =
      workplace.kernel({"blur.cl", "--global", "16x4", "--global", "32x16", "--local", "4x4",
                        "--arg", "index=range", "--arg", "auto"});
  CHECK_THAT(said, Contains("blur accesses in (0) beyond its 64 values: assumed --arg "
                            "'in=buffer:f32:(gx+2)*(gy+2):random(0,1)'") &&
                       Contains("--arg 'index=buffer:i32:2*items:range'"));
  const run::Run run = workplace.run();
  REQUIRE(run.launches.size() == 2);
  for (const auto &[launch, bytes] : {std::pair{0, 18 * 6}, {1, 34 * 18}}) {
    CHECK(run.launches[launch].arguments.at(0).bytes == 4U * bytes);
    CHECK(run.launches[launch].simulatorErrors == 0);
    CHECK(run.launches[launch].invocation == static_cast<uint64_t>(launch));
  }
  CHECK(run.launches[1].arguments.at(1).bytes == 4 * 2 * 512);
  CHECK(!run.launches[1].arguments.at(1).assumed);
}

TEST_CASE("an index that no buffer has is an error, and no larger buffer") {
  Workplace workplace;
  workplace.write("far.cl", "kernel void far(global float *x, global float *y) {\n"
                            "  x[get_global_id(0) + 2000000000] = 1;\n"
                            "  y[(int)get_global_id(0) - 1] = 1;\n"
                            "}\n");
  const std::string said = workplace.wrongKernel({"far.cl", "--global", "8", "--arg", "auto"});
  CHECK_THAT(said, Contains("far.cl:2: far writes index 2000000000 of x, which has 8") &&
                       Contains("far.cl:3: far writes index -1 of y"));
}

TEST_CASE("buffers for which there is no memory are refused before they are made") {
  Workplace workplace;
  workplace.write("two.cl", "kernel void two(global float *x, global float *y) {\n"
                            "  y[get_global_id(0)] = x[get_global_id(0)];\n"
                            "}\n");
  const auto within = [&](const std::string &x) {
    return workplace.aiwcWithin(uint64_t{4} << 30,
                                {"kernel", "two.cl", "--global", "64", "--arg", "x=" + x, "--arg",
                                 "y=buffer:f32:64M:zeros", "--quiet", "--output", "run"});
  };
  workplace.write("three.bin", "");
  fs::resize_file(workplace / "three.bin", uint64_t{3} << 30);
  for (const char *x : {"buffer:f32:768M:zeros", "three.bin"}) { // of 3 GiB
    const Outcome outcome = within(x);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, StartsWith("aiwc kernel: the buffers of two need 6.50 GiB of memory, "
                                       "here and in the simulator, and ") &&
                                Contains(" GiB are available: expected smaller buffers\n"));
    CHECK(!fs::exists(workplace / "run"));
  }
  const Outcome less = within("zeros");
  INFO(less.err);
  CHECK(less.status == 0);
}

TEST_CASE("null is no memory: an access names the parameter") {
  Refusals refusals;
  CHECK_THAT(refusals.workplace_.wrongKernel({"k.cl", "--kernel", "copy", "--global", "4", "--arg",
                                              "in=null", "--arg", "out=zeros"}),
             Contains("k.cl:10: copy reads index 0 of in, which is null"));
}

TEST_CASE("a file of values holds whole ones") {
  Refusals refusals;
  refusals.workplace_.write("six.bin", "123456");
  CHECK_THAT(refusals.of({"index=six.bin"}),
             Contains("argument index (1) of work: six.bin: holds 6 bytes: expected a multiple of "
                      "4, as int has"));
}

TEST_CASE("a run that is in the way is named as it was typed, and so are options") {
  Workplace workplace;
  workplace.write("k.cl", "kernel void k(global float *x) { x[get_global_id(0)] = 1; }\n");
  const Words words = {"kernel", "k.cl", "--global", "4", "--arg", "auto", "--output", "run"};
  REQUIRE(workplace.aiwc(words).status == 0);
  const Outcome again = workplace.aiwc(words);
  CHECK(again.status == 2);
  CHECK_THAT(again.err, Contains("holds a run of 'aiwc kernel k.cl --global 4 --arg auto' of ") &&
                            Contains("or --append to add to it"));
}
