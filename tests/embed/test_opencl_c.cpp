#include "embed/comment_blocks.h"
#include "embed/opencl_c.h"
#include "embed/place.h"
#include "profile/source_hash.h"
#include "support/cases.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

Annotation annotation(const std::string &kernel, std::string_view source, uint64_t items = 64) {
  return annotationOf(smallProfile(kernel, sourceHash(source), items));
}

std::string withBlock(const std::string &source, const std::string &kernel = "k") {
  const std::vector<Annotation> one = {annotation(kernel, strip(source))};
  return embed(source, one);
}

/// The line that the block of kernel k stands above: what follows its #line.
std::string lineBelow(const std::string &source) {
  const std::string annotated = withBlock(source);
  const auto blocks = findBlocks(annotated);
  REQUIRE(blocks.size() == 1);
  const size_t end = annotated.find_first_of("\r\n", blocks[0].end);
  return annotated.substr(blocks[0].end, end - blocks[0].end);
}

const std::string kEndLine = "#line 1 //@aiwc end";

/// Sources that have no complete block.
std::vector<std::string> awkwardSources() {
  const std::string kernel = "kernel void k(global float *a) { a[0] = 1; }";
  return {
      "",
      "\n",
      kernel,
      kernel + "\n",
      "\r\n" + kernel + "\r\n",
      "\r" + kernel + "\r",
      "\xef\xbb\xbf" + kernel,
      "\xef\xbb\xbf",
      std::string("\0\0", 2) + kernel,
      "// caf\xe9 \xff\n" + kernel,
      "/* not closed\n" + kernel,
      "// joined \\\n" + kernel + "\n" + kernel,
      "// joined ?\?/\n" + kernel,
      "// joined \\ \n" + kernel,
      "#if 0\n" + kernel + "\n#endif\n",
      "#if 1\n" + kernel,
      "#line 40 \"other.cl\"\n" + kernel,
      "#define K(n) kernel void n()\nK(k) {}\n",
      "constant char s[] = \"//@aiwc begin 1\";\n" + kernel,
      "constant char s[] = \"\\\n//@aiwc begin 1\\\n" + kEndLine + "\";\n" + kernel,
      "\"\\\n//@aiwc begin 1\n" + kEndLine + "\n" + kernel,
      "//@aiwc begin 1\n" + kernel,
      "//@aiwc begin 1\n//@aiwc kernel=k\n" + kernel,
      "//@aiwc kernel=k\n" + kEndLine + "\n" + kernel,
      kEndLine + "\n" + kernel + "\n//@aiwc begin 1\n",
      "//@aiwc begin 1\n//@aiwc begin 1\n//@aiwc begin 1\n" + kernel,
      "//@aiwc begin 1\nint x;\n" + kEndLine + "\n",
      "//@aiwc begin 1\n\n" + kEndLine + "\n",
      " //@aiwc begin 1\n " + kEndLine + "\n",
      "//@aiwc begin 1\n#line 12345678901 //@aiwc end\n",
      "//@aiwc begin 1\n#line 1 //@aiwc ending\n",
      "//@aiwc begin 1\n//@aiwc a\\\n" + kEndLine + "\n",
      "//@aiwc begin 1\n//@aiwc " + std::string(2000, 'x') + "\n" + kEndLine + "\n",
  };
}

} // namespace

TEST_CASE("stripping what was embedded gives back every byte") {
  for (const std::string &source : awkwardSources()) {
    INFO(source);
    CHECK(strip(source) == source);
    const std::string annotated = withBlock(source);
    CHECK(annotated.size() > source.size());
    CHECK(strip(annotated) == source);
    const Annotations read = readAnnotations(annotated);
    REQUIRE(read.found.size() == 1);
    CHECK_FALSE(read.found[0].stale);
    CHECK(read.rejected == 0);
    CHECK(read.found[0].profile().provenance.sourceHash == sourceHash(source));
    CHECK(withBlock(annotated) == annotated); // twice replaces
  }
}

TEST_CASE("the same for random texts made of what blocks are made of") {
  const std::string pieces[] = {"//@aiwc begin 1",
                                "//@aiwc ",
                                "//@aiwc end",
                                "#line 7 //@aiwc end",
                                "#line ",
                                "3",
                                "\n",
                                "\n",
                                "\r\n",
                                "\r",
                                "\\",
                                "?\?/",
                                "/*",
                                "*/",
                                "//",
                                "\"",
                                "kernel void k(",
                                "{",
                                ") {}",
                                "#if 0",
                                "#endif",
                                "\xef\xbb\xbf",
                                std::string(1, '\0'),
                                " "};
  Random random(5);
  for (uint64_t round = 0; round < cases(20'000); ++round) {
    std::string source;
    for (size_t i = random.below(16); i > 0; --i)
      source += pieces[random.below(std::size(pieces))];
    const std::string bare = strip(source);
    INFO(source);
    REQUIRE(strip(bare) == bare);
    REQUIRE(strip(withBlock(source)) == bare);
    REQUIRE(readAnnotations(withBlock(source)).found.size() == 1);
  }
}

TEST_CASE("a block stands above its kernel's declaration and keeps the numbers of lines") {
  const std::string source = "// first\nfloat f(float x) {\n  return x;\n}\n\n"
                             "// about k\n__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                             "__kernel\nvoid k(global float *a) {\n  a[0] = f(__LINE__);\n}\n";
  const std::string annotated = withBlock(source);
  CHECK_THAT(annotated, Contains("// about k\n//@aiwc begin 1\n"));
  CHECK_THAT(annotated, Contains("\n#line 7 //@aiwc end\n__attribute__"));
  CHECK(strip(annotated) == source);
}

TEST_CASE("the kernel is found, or the nearest safe place above it, or the top") {
  CHECK(lineBelow("int a;\nkernel void k() {}\n") == "kernel void k() {}");
  CHECK(lineBelow("int a;\r\n__kernel void k() {}\r\n") == "__kernel void k() {}");
  CHECK(lineBelow("int a;\rkernel void k() {}\r") == "kernel void k() {}");
  CHECK(lineBelow("// kernel void k()\nkernel void k2() {}\nkernel void k() {}") ==
        "kernel void k() {}");
  CHECK(lineBelow("/* kernel void k() {}\n */\nkernel void k() {}") == "kernel void k() {}");
  CHECK(lineBelow("int a; /**/\nkernel void k() {}\n/* */") == "kernel void k() {}");
  CHECK(lineBelow("int a;\nkernel __attribute__((vec_type_hint(float4))) void k() {}") ==
        "kernel __attribute__((vec_type_hint(float4))) void k() {}");
  CHECK(lineBelow("int a;\nvoid f() { int k(); }\nkernel\nvoid\nk\n(int x) {}") == "kernel");
  CHECK(lineBelow("int a; // \\\nkernel void k() {}\nkernel void k() {}") == "kernel void k() {}");
  CHECK(lineBelow("int a;\n#define A(x) \\\nkernel void x() {}\nA(k)\nint b;") == "int a;"); // top
  CHECK(lineBelow("int a;\n#ifdef B\nkernel void k() {}\n#endif") == "#ifdef B");
  CHECK(lineBelow("int a;\nF(\nkernel void k() {}\n)\n") == "int a;");
  CHECK(lineBelow("int a;\n#line 100\nkernel void k() {}\n") == "int a;");
  CHECK(lineBelow("int a;\nkernel void k() {}\n#line 100\n") == "kernel void k() {}");
  CHECK(lineBelow("int a;\nconstant char *s = \"kernel void k() {\";\nkernel void k() {}\n") ==
        "kernel void k() {}");
  CHECK(lineBelow("int a;\nkernel void other() {}\n") == "int a;");
}

TEST_CASE("a changed source makes its annotations stale; other bytes of a block do not count") {
  const std::string source = "kernel void k() {}\nkernel void l() {}\n";
  const std::vector<Annotation> both = {annotation("k", source), annotation("l", source)};
  std::string annotated = embed(source, both);
  Annotations read = readAnnotations(annotated);
  REQUIRE(read.found.size() == 2);
  CHECK(read.sourceHash == sourceHash(source));
  CHECK_FALSE((read.found[0].stale || read.found[1].stale));
  annotated += "\n";
  read = readAnnotations(annotated);
  REQUIRE(read.found.size() == 2);
  CHECK((read.found[0].stale && read.found[1].stale));
}

TEST_CASE("several NDRanges of a kernel, and replacing one of them") {
  const std::string source = "kernel void k() {}\n";
  const std::vector<Annotation> both = {annotation("k", source, 64), annotation("k", source, 128)};
  const std::string annotated = embed(source, both);
  const Annotations read = readAnnotations(annotated);
  REQUIRE(read.found.size() == 2);
  CHECK(read.found[1].launch.globalSize == Size3{128, 1, 1});
  Annotation fresh = annotation("k", source, 128);
  const auto merged = replaced(read.found, {fresh});
  REQUIRE(merged.size() == 2);
  CHECK(merged[1].place.empty()); // the new one
  CHECK(embed(annotated, merged) == annotated);

  std::vector<Annotation> damaged = read.found;
  damaged[0].text.replace(damaged[0].text.rfind("check="), 7, "check=z");
  CHECK_FALSE(damaged[0].intact());
  CHECK(replaced(damaged, {fresh}).size() == 1); // a damaged one is not written again
}

TEST_CASE("a hostile or foreign block is passed over with a reason, and is stripped all the same") {
  const std::string end = "#line 1 //@aiwc end\n";
  const auto reason = [&](const std::string &source) {
    const Annotations read = readAnnotations(source);
    CHECK(read.found.empty());
    REQUIRE(read.rejected == 1);
    CHECK(strip(source) == "int a;\n");
    return read.reasons.at(0);
  };
  CHECK(reason("//@aiwc begin 2\n" + end + "int a;\n") ==
        "line 1: version 2 of the annotation: expected 1");
  CHECK_THAT(reason("//@aiwc begin 1\n" + end + "int a;\n"),
             Contains("does not begin with kernel"));
  CHECK_THAT(reason("int a;\n//@aiwc begin 1\n//@aiwc begin 1\n" + end + end),
             Contains("line 2: an annotation encloses another"));
  std::string large = "//@aiwc begin 1\n";
  for (int i = 0; i < 1000; ++i)
    large += "//@aiwc kernel=k global=1 local=1 source=x\n";
  CHECK_THAT(reason(large + end + "int a;\n"), Contains("expected at most"));
  // Twice the bytes of an annotation are looked at: lines and their marks take some.
  const auto blockOf = [&](size_t bytes) {
    std::string block = "//@aiwc begin 1\n";
    while (bytes - block.size() - end.size() >= 100)
      block += "//@aiwc " + std::string(41, 'a') + "\n";
    return block + "//@aiwc " + std::string(bytes - block.size() - end.size() - 9, 'a') + "\n" +
           end;
  };
  CHECK_THAT(reason(blockOf(7936) + "int a;\n"), !Contains("an annotation of"));
  CHECK_THAT(reason(blockOf(7937) + "int a;\n"),
             Contains("an annotation of 7937 bytes: expected at most 3968"));
  // Deep nesting: linear, and one block.
  std::string deep;
  for (int i = 0; i < 20'000; ++i)
    deep += "//@aiwc begin 1\n";
  for (int i = 0; i < 20'000; ++i)
    deep += end;
  CHECK_THAT(reason(deep + "int a;\n"), Contains("encloses"));
}

TEST_CASE("a damaged block is found out when it is read, not before") {
  const std::string source = "kernel void k() {}\n";
  std::string annotated = withBlock(source);
  annotated.replace(annotated.find("fp_ops=128"), 10, "fp_ops=129");
  const Annotations read = readAnnotations(annotated);
  REQUIRE(read.found.size() == 1);
  CHECK_THROWS_WITH(read.found[0].profile(), Contains("line 1: check is") && Contains("damaged"));
  CHECK(strip(annotated) == source);
}
