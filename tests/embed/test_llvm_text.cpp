#include "embed/llvm_text.h"
#include "embed/llvm_text_lines.h"
#include "profile/source_hash.h"
#include "support/cases.h"
#include "support/files.h"
#include "support/plausible.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const std::string kFunction = "define spir_kernel void @k(i32 addrspace(1)* %p) #0 !dbg !3 {\n"
                              "  ret void\n}\n";
const std::string kText = "; ModuleID = 'k.cl'\n"
                          "target triple = \"spir64-unknown-unknown\"\n\n"
                          "; Function Attrs: nounwind\n" +
                          kFunction +
                          "\n!llvm.ident = !{!0}\n!0 = !{!\"a compiler\"}\n!3 = distinct !{}\n";

Annotation profileOfK(uint64_t items = 64) {
  return annotationOf(smallProfile("k", sourceHash("kernel void k() {}"), items));
}

std::string withK(const std::string &text, uint64_t items = 64) {
  const std::vector<Annotation> one = {profileOfK(items)};
  return embedIntoLlvmText(text, one);
}

std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// `text` without the lines that begin with `prefix`.
std::string withoutLines(const std::string &text, const std::string &prefix) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text.compare(at, prefix.size(), prefix) != 0)
      result += text.substr(at, end - at);
    at = end;
  }
  return result;
}

/// Texts without annotations.
std::vector<std::string> awkwardTexts() {
  return {
      "",
      "\n",
      "\r\n",
      "\r",
      kText,
      kText.substr(0, kText.size() - 1),
      "; no newline",
      "; \"a quote in a comment\n" + kText,
      "@s = constant [2 x i8] c\"\\22;\"\n" + kText,
      "module asm \"two\n;@aiwc begin 1\n;@aiwc end\n!aiwc.metrics = !{}\nlines\"\n" + kText,
      "; ;@aiwc begin 1\n ;@aiwc end\n" + kText,
      "\xef\xbb\xbf" + kText,
      "; caf\xe9\r;\r\n" + kText,
      std::string("; \0\n", 4) + kText,
      "!aiwc.metrics = !{!7,\n !8}\n!7 = !{!\"aiwc.metricsx\"}\n!8 = !{}\n",
      "!5 = !{!\"aiwc.metrics 1\", !6}\n!6 = !{}\n!7 = !{!6, !\"aiwc.metrics 1\"}\n",
      "!5 = !{!\"aiwc.metrics 1\"}\n!mine = !{!5}\n",
      "!aiwc.metrics.other = !{!5}\n!5 = !{!\"aiwc.metric\"}\n",
      "define void @k",
      "define void @\"k",
      kFunction + kFunction,
  };
}

} // namespace

TEST_CASE("an annotation is a comment above the definition and a node of metadata at the end") {
  const std::vector<Annotation> two = {profileOfK(64), profileOfK(128)};
  const std::string hash = "carrier=" + sourceHash(kText);
  const auto block = [&](const Annotation &annotation) {
    std::string lines = ";@aiwc begin 1 " + hash + "\n;@aiwc " + annotation.text + "\n;@aiwc end\n";
    for (size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; ++at)
      if (at + 1 < lines.size() && lines[at + 1] != ';')
        lines.insert(at + 1, ";@aiwc ");
    return lines;
  };
  const auto node = [](const Annotation &annotation) {
    std::string string = "aiwc.metrics 1 " + annotation.text;
    std::ranges::replace(string, '\n', ' ');
    return "!{!\"" + string + "\"}\n";
  };
  const size_t definition = kText.find("define");
  CHECK(embedIntoLlvmText(kText, two) ==
        kText.substr(0, definition) + block(two[0]) + block(two[1]) + kText.substr(definition) +
            "!aiwc.metrics = !{!4, !5}\n!4 = " + node(two[0]) + "!5 = " + node(two[1]));
}

TEST_CASE("stripping IR that was annotated gives back every byte") {
  for (const std::string &text : awkwardTexts()) {
    INFO(text);
    if (!errorOf([&] { withK(text); }).empty())
      continue; // ends in a string
    CHECK(stripLlvmText(text) == text);
    const std::string annotated = withK(text);
    CHECK(stripLlvmText(annotated) == text);
    const Annotations read = readLlvmText(annotated);
    REQUIRE(read.found.size() == 1);
    CHECK(read.found[0].text == profileOfK().text);
    CHECK(read.found[0].containerHash == sourceHash(text));
    CHECK_FALSE(read.found[0].stale);
    CHECK(read.sourceHash == sourceHash(text));
    CHECK(withK(annotated) == annotated); // twice replaces
    CHECK(stripLlvmText(withK(annotated, 128)) == text);
  }
}

TEST_CASE("IR keeps its line ends") {
  std::string text = kText;
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  const std::string annotated = withK(text);
  for (size_t at = 0; (at = annotated.find('\n', at)) != std::string::npos; ++at)
    CHECK(annotated[at - 1] == '\r');
  CHECK(stripLlvmText(annotated) == text);
  CHECK(readLlvmText(annotated).found.size() == 1);
}

TEST_CASE("the comment and the metadata are read alone, and as one together") {
  const std::string annotated = withK(kText);
  const std::string comments = withoutLines(annotated, "!aiwc");
  const std::string metadata = withoutLines(annotated, ";@aiwc");
  for (const std::string &text : {annotated, comments, metadata}) {
    const Annotations read = readLlvmText(text);
    CHECK(read.rejected == 0);
    REQUIRE(read.found.size() == 1);
    CHECK(oneLine(read.found[0].text) == oneLine(profileOfK().text));
    CHECK(read.found[0].profile().count("fp_ops"_metric) == 128);
  }
  // Comments know what they were put into, metadata does not.
  const std::string changed = "; changed\n";
  CHECK(readLlvmText(changed + annotated).found[0].stale);
  CHECK(readLlvmText(changed + comments).found[0].stale);
  CHECK_FALSE(readLlvmText(changed + metadata).found[0].stale);
  CHECK(readLlvmText(metadata).found[0].containerHash.empty());
}

TEST_CASE("metadata as LLVM writes it again is read: other numbers, other places, twice listed") {
  std::string text = withoutLines(withK(kText), ";@aiwc");
  text.replace(text.find("!{!4}"), 5, "!{!4, !4}");
  text = "!aiwc.metrics = !{!4}\n" + text;
  const Annotations read = readLlvmText(text);
  CHECK(read.found.size() == 1);
  CHECK(read.rejected == 0);
  CHECK(stripLlvmText(text) == kText);
}

TEST_CASE("what was read from metadata is put into comments in lines") {
  const std::string metadata = withoutLines(withK(kText), ";@aiwc");
  const std::string again = embedIntoLlvmText(metadata, readLlvmText(metadata).found);
  CHECK(stripLlvmText(again) == kText);
  CHECK(readLlvmText(again).found.size() == 1);
  CHECK(oneLine(readLlvmText(again).found[0].text) == oneLine(profileOfK().text));
  for (size_t at = 0; (at = again.find("\n;@aiwc ", at)) != std::string::npos; ++at)
    CHECK(again.find('\n', at + 1) - at <= 110);
}

TEST_CASE("what others refer to stays when annotations go") {
  const std::string text = withK(kText) + "!other = !{!4}\n";
  const std::string bare = stripLlvmText(text);
  CHECK_THAT(bare, Contains("!4 = !{!\"aiwc.metrics 1 "));
  CHECK(readLlvmText(bare).found.empty());
  CHECK(stripLlvmText(bare) == bare);
  CHECK(readLlvmText(withK(bare)).found.size() == 1);
}

TEST_CASE("what is damaged or foreign is said, by line, and the rest is read") {
  const std::string good = withoutLines(withK(kText), "!aiwc");
  const auto reasonsOf = [](const std::string &text) {
    const Annotations read = readLlvmText(text);
    REQUIRE(read.reasons.size() == 1);
    return read.reasons[0];
  };
  CHECK(reasonsOf(";@aiwc kernel=k\n" + good) ==
        "line 1: a line of an annotation has no first line: expected its begin");
  CHECK(reasonsOf(";@aiwc begin 1\n;@aiwc kernel=k\n" + good) ==
        "line 1: an annotation is not complete: expected its end");
  CHECK(reasonsOf(";@aiwc begin 2\n;@aiwc end\n" + good) ==
        "line 1: version 2 of the annotation: expected 1");
  CHECK_THAT(reasonsOf(";@aiwc begin 1\n;@aiwc nothing\n;@aiwc end\n"),
             Contains("does not begin with kernel"));
  CHECK(reasonsOf("\n!aiwc.metrics = !{!0}\n!0 = !{i32 1}\n") ==
        "line 2: !0 is not an annotation: expected a string that begins with 'aiwc.metrics '");
  CHECK(readLlvmText("!aiwc.metrics = !{!0}\n!0 = !{!\"aiwc.metrics 2\"}\n").rejected == 1);
  // Put into metadata, a quote would end the string.
  CHECK(reasonsOf(";@aiwc begin 1\n;@aiwc kernel=k global=1 local=1 source=a \"\n;@aiwc end\n" +
                  good) ==
        "line 1: an annotation with invalid characters: expected the compact form");
  std::string cut = good;
  cut.replace(cut.find("fp_ops=128"), 10, "fp_ops=129");
  REQUIRE(readLlvmText(cut).found.size() == 1);
  CHECK_THAT(errorOf([&] { readLlvmText(cut).found[0].profile(); }), Contains("check"));
}

TEST_CASE("IR that ends in a string, or has no number left, is refused") {
  CHECK_THAT(errorOf([] { withK("\n@s = constant c\"open\n;"); }),
             Contains("line 2: the text ends inside a string"));
  CHECK_THAT(errorOf([] { withK("!4294967295 = !{}\n"); }), Contains("leaves numbers for 1 more"));
}

TEST_CASE("functions are found by name, quoted or not") {
  CHECK(definedInLlvmText("define void @b.1(i8 %0) {\n}\ndeclare void @c()\n"
                          "define spir_kernel void @\"a \\22b\"() {\n}\n"
                          "  define void @no() {\n; define void @no() {\n") ==
        std::vector<std::string>{"a \"b", "b.1"});
}

TEST_CASE("the same holds for random texts made of what matters") {
  const std::string pieces[] = {";@aiwc begin 1",
                                ";@aiwc ",
                                ";@aiwc end",
                                ";",
                                "!aiwc.metrics = !{!1}",
                                "!aiwc.metrics = !{!1, !2}",
                                "!1 = !{!\"aiwc.metrics 1 kernel=k\"}",
                                "!2 = !{!\"aiwc.metrics 1\"}",
                                "!mine = !{!1}",
                                "\n",
                                "\n",
                                "\r\n",
                                "\r",
                                "\"",
                                "define void @k(",
                                "!7",
                                " "};
  size_t refused = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    Random random(seed);
    std::string text;
    for (size_t i = random.below(12); i > 0; --i)
      text += pieces[random.below(std::size(pieces))];
    INFO(seed << ": " << text);
    const std::string bare = stripLlvmText(text);
    REQUIRE(stripLlvmText(bare) == bare);
    REQUIRE(readLlvmText(bare).found.empty());
    try {
      const std::string annotated = withK(text);
      REQUIRE(stripLlvmText(annotated) == bare);
      REQUIRE(readLlvmText(annotated).found.size() == 1);
      REQUIRE_FALSE(readLlvmText(annotated).found[0].stale);
    } catch (const aiwc::Error &) {
      ++refused;
    }
  }
  CHECK(refused < cases(10'000));
}
