// Arguments that a kernel cannot have, and sizes that a launch cannot have: one line each.
#include "kernel/command.h"

#include <catch2/catch.hpp>

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
             Contains("refuses the launch of work: expected a local size"));
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

TEST_CASE("what --arg auto proposes may be too small: the line says what to give") {
  Workplace workplace;
  workplace.write("square.cl", "kernel void square(global float *x, int n) {\n"
                               "  const int i = get_global_id(0);\n"
                               "  for (int j = 0; j < n; ++j)\n"
                               "    x[i * n + j] = j;\n"
                               "}\n");
  const Words words = {"square.cl", "--global", "8", "--arg", "auto"};
  CHECK_THAT(workplace.wrongKernel(words),
             Contains("square.cl:4: square writes index 8 of x, which has 8 of type float") &&
                 Contains("expected --arg 'x=buffer:f32:64:random(0,1)', or a larger one"));
  workplace.kernel(
      {"square.cl", "--global", "8", "--arg", "x=buffer:f32:64:random(0,1)", "--arg", "auto"});
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
