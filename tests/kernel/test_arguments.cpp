#include "kernel_launch/command.h"
#include "kernel_launch/signature.h"
#include "support/files.h"

#include <catch2/catch.hpp>

using namespace aiwc::kernel_launch;
using aiwc::test::errorOf;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using Space = Parameter::Space;

const Signature kSignature{"k",
                           {{"x", "float", Space::kBuffer, 0},
                            {"n", "int", Space::kValue, 4},
                            {"tile", "float4", Space::kLocal, 0},
                            {"image", "image2d_t", Space::kImage, 0},
                            {"sampler", "sampler_t", Space::kSampler, 0},
                            {"", "void", Space::kPointer, 8}}};

std::vector<ArgumentText> given(const std::vector<std::string> &texts) {
  std::vector<ArgumentText> arguments;
  for (const std::string &text : texts)
    arguments.push_back(argumentOf(text));
  return arguments;
}

} // namespace

TEST_CASE("arguments by name and by position, in any order") {
  const Sizes sizes = sizesOf("8x4", "2x2", "");
  const auto arguments = argumentsOf(
      kSignature,
      given({"5=buffer:u8:3:range", "sampler=sampler:linear:repeat",
             "image=image:rg:f32:3,gy:zeros", "tile=local:1K", "1=gx*gy", "x=random(0,1)"}),
      false, sizes);
  REQUIRE(arguments.size() == 6);
  CHECK(arguments[0].bytes.size() == 4 * 32);
  CHECK(arguments[0].contents == "random(0,1)");
  CHECK(arguments[1].bytes == std::string("\x20\0\0\0", 4));
  CHECK(arguments[2].localBytes == 1024);
  CHECK(arguments[3].bytes.size() == 3 * 4 * 8);
  CHECK(arguments[3].imageSize == Size3{3, 4, 1});
  CHECK((arguments[4].sampler.isLinear && !arguments[4].sampler.isNormalised));
  CHECK(arguments[4].sampler.addressing == SamplerText::Addressing::kRepeat);
  CHECK(arguments[5].bytes == std::string("\0\1\2", 3));
}

TEST_CASE("what is proposed makes an argument, in each dimension") {
  for (const char *global : {"64", "16x8", "8x4x2"}) {
    const std::string local = std::string(global) == "64"       ? "8"
                              : std::string(global, 3) == "8x4" ? "4x2x1"
                                                                : "4x2";
    const Sizes sizes = sizesOf(global, local, "");
    const auto arguments = argumentsOf(kSignature, given({"5=null"}), true, sizes);
    CHECK(arguments[0].bytes.size() == 4 * sizes.items());
    CHECK((arguments[0].assumed && arguments[0].contents == "random(0,1)"));
    CHECK(arguments[2].localBytes == 16 * sizes.local[0] * sizes.local[1] * sizes.local[2]);
    CHECK(arguments[3].bytes.size() == 16 * sizes.global[0] * sizes.global[1]);
    CHECK(!arguments[5].assumed);
  }
  CHECK_THAT(errorOf([] { argumentsOf(kSignature, {}, true, sizesOf("64", "8", "")); }),
             Contains("argument 5 of k: it points to void") && Contains("expected --arg 5=buffer"));
}

TEST_CASE("integers are taken for the size that their names mean") {
  const Signature signature{"k",
                            {{"width", "int", Space::kValue, 4},
                             {"height", "uint", Space::kValue, 4},
                             {"numRows", "ulong", Space::kValue, 8},
                             {"depth", "int", Space::kValue, 4},
                             {"both", "int2", Space::kValue, 8},
                             {"inOffset", "int", Space::kValue, 4},
                             {"offA", "uint", Space::kValue, 4}}};
  const Sizes sizes = sizesOf("8x4x2", "", "");
  const std::vector<std::string> proposals = {"gx", "gy", "gy", "gz", "gx,gx", "0", "0"};
  for (size_t i = 0; i < proposals.size(); ++i)
    CHECK(proposalFor(signature, i, sizes) == proposals[i]);
  CHECK(proposalFor(signature, 1, sizesOf("8", "", "")) == "gx");
}

TEST_CASE("values with a type of their own, for parameters whose type has a name of the user's") {
  const Signature signature{"k",
                            {{"a", "real", Space::kValue, 0}, {"x", "real", Space::kBuffer, 0}}};
  const Sizes sizes = sizesOf("4", "", "");
  const auto arguments =
      argumentsOf(signature, given({"a=f64:0.5", "x=buffer:f64:items:zeros"}), false, sizes);
  CHECK(arguments[0].bytes == floatBytes(ValueType{ValueType::Kind::kFloat, 8}, 0.5));
  CHECK(arguments[1].bytes.size() == 32);
  CHECK_THAT(errorOf([&] {
               argumentsOf(signature, given({"a=0.5", "x=null"}), false, sizes);
             }),
             Contains("does not suit its type real"));
  CHECK_THAT(errorOf([&] {
               argumentsOf(signature, given({"a=f64:1", "x=zeros"}), false, sizes);
             }),
             Contains("has no type, and 'real' is none of OpenCL's"));
}

TEST_CASE("texts that are no arguments") {
  for (const char *text :
       {"", "=", "=1", "x", "x=", "x=buffer", "x=buffer:f32", "x=buffer:f32:", "x=buffer:f32:4:",
        "x=image", "x=image:rgb:f32:4x4", "x=image:rgba:f64:4x4", "x=image:rgba:f32:1,1,1,1",
        "x=image:rgba:f32:4x4:nothing", "x=sampler:cubic", "x=zero", "x=f33:1", "x=random"}) {
    const std::string error = errorOf([&] {
      const ArgumentText argument = argumentOf(text);
      argumentsOf(Signature{"k", {{"x", "float", Space::kValue, 4}}}, {argument}, false,
                  sizesOf("4", "", ""));
    });
    CAPTURE(text);
    CHECK(!error.empty());
    CHECK(error.find('\n') == std::string::npos);
  }
  CHECK_THAT(errorOf([] { argumentOf("x=bufer:f32:4"); }), Contains("did you mean buffer?"));
  // Of an image, the part that is wrong.
  CHECK_THAT(errorOf([] { argumentOf("x=image:rgba:uint8:4x4"); }),
             Contains("'uint8' is no type of an image: expected one of unorm8, ") &&
                 Contains(", u8, "));
  CHECK_THAT(errorOf([] { argumentOf("x=image:rgbx:u8:4x4"); }),
             Contains("'rgbx' are no channels of an image: expected image:r|rg|rgba:"));
  CHECK_THAT(errorOf([] { argumentOf("x=image:rgba:u8:1,1,1,1"); }),
             Contains("'1,1,1,1' is no size of an image: "));
}

TEST_CASE("the host's words say the same as the command") {
  Command command;
  command.files = {"a b.cl"};
  command.kernel = "k";
  command.global = {"64", "128"};
  command.local = "8";
  command.arguments = {"x=zeros", "n=-1", "auto"};
  command.buildOptions = "-D A=1 -w";
  const Command read = commandOf(wordsOf(command));
  CHECK(wordsOf(read) == wordsOf(command));
  CHECK(read.arguments == command.arguments);
  CHECK(read.buildOptions == command.buildOptions);
  CHECK_THAT(errorOf([] { commandOf({"k.cl", "--globl", "4"}); }), Contains("unknown option"));
  CHECK_THAT(errorOf([] { commandOf({"k.cl", "--global"}); }), Contains("has no value"));
}
