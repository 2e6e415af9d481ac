#include "eod/alignment/protein.h"
#include "eod/formats/fasta.h"
#include "format_tests.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using Catch::Contains;
using test::File;
namespace fs = std::filesystem;

namespace {

const FastaExpectation kTwo{.alphabet = "ACGT", .records = 2, .letters = 8};

/// What the reader says about the text, without the file's name.
std::string refusal(const std::string &text, const FastaExpectation &expected = kTwo) {
  return test::refusalOf(text, [&](const std::string &path) { readFasta(path, expected); });
}

} // namespace

TEST_CASE("records: title lines, and letters over several lines") {
  const File file(">first  the one\nACG\nT\n>second\nGG\n");
  const auto records = readFasta(file.path, kTwo);
  REQUIRE(records.size() == 2);
  CHECK(records[0].name == "first");
  CHECK(records[0].letters == "ACGT");
  CHECK(records[1].name == "second");
  CHECK(records[1].letters == "GG");
}

TEST_CASE("lower case, blanks, empty lines, CR LF, no name and no last line end are accepted") {
  const File file(">\r\n\r\nac gT\r\n\r\n>b\n\n\tA\n C");
  const auto records = readFasta(file.path, kTwo);
  CHECK(records[0].name.empty());
  CHECK(records[0].letters == "ACGT");
  CHECK(records[1].letters == "AC");
}

TEST_CASE("what is wrong is named with its line and with what was expected") {
  CHECK(refusal("") == ":1: 0 records: expected 2");
  CHECK(refusal(">a\nACGT\n") == ":3: 1 records: expected 2");
  CHECK(refusal(">a\nA\n>b\nA\n>c\nA\n") == ":5: another record: expected 2 records");
  CHECK(refusal(">a\nA\n>b") == ":3: record 'b' is empty: expected letters");
  CHECK(refusal(">a\n>b\nA\n") == ":2: record 'a' is empty: expected letters");
  CHECK(refusal("ACGT\n") ==
        ":1: 'A' before the first record: expected a line that begins with '>'");
  CHECK(refusal(">a\nAC\nAXC\n>b\nA\n") == ":3: 'X' in a sequence: expected one of ACGT");
  CHECK(refusal(">a\nA>C\n>b\nA\n") == ":2: '>' in a sequence: expected one of ACGT");
  CHECK(refusal(">a\nAC-GT\n>b\nA\n") == ":2: '-' in a sequence: expected one of ACGT");
  CHECK(refusal(">a\nACGT\n\nACGTA\n>b\nA\n") ==
        ":4: sequence too long: expected at most 8 letters");
}

TEST_CASE(
    "binary garbage is refused at its first byte, a title without end before it fills memory") {
  CHECK_THAT(refusal(std::string("\0\1\2", 3)), Contains(":1: byte 0x00 before the first record"));
  CHECK_THAT(refusal(">a\nAC\xff\n"), Contains(":2: byte 0xff in a sequence"));
  CHECK_THAT(refusal(std::string(">a\nA\0C\n", 7)), Contains(":2: byte 0x00 in a sequence"));
  CHECK_THAT(refusal(">" + std::string(100000, 'x')), Contains(":1: endless title"));
  if (fs::is_character_file("/dev/zero"))
    CHECK_THROWS_AS(readFasta("/dev/zero", kTwo), UsageError);
}

TEST_CASE("a file that is missing or a folder cannot be read") {
  CHECK_THROWS_WITH(readFasta("/nonexistent/a.fa", kTwo),
                    Contains("/nonexistent/a.fa: cannot be read") && Contains("No such file"));
  CHECK_THROWS_WITH(readFasta("/", kTwo), Contains("/: cannot be read"));
}

TEST_CASE("every letter of the protein alphabet has its code") {
  const alignment::Sequence codes = alignment::encode(alignment::kLetters);
  REQUIRE(codes.size() == 24);
  for (size_t i = 0; i < codes.size(); ++i)
    CHECK(codes[i] == i);
  const File file(">p\nMKWV\n>q\nBZX*\n");
  const alignment::Pair pair = alignment::readPair(file.path, 4);
  CHECK(pair.first == alignment::encode("MKWV"));
  CHECK(pair.second == alignment::encode("BZX*"));
}

TEST_CASE("BLOSUM62 is symmetric, and has its published values") {
  const auto &scores = alignment::blosum62();
  const size_t n = alignment::kLetters.size();
  REQUIRE(scores.size() == n * n);
  const auto score = [&](char a, char b) {
    return scores[alignment::kLetters.find(a) * n + alignment::kLetters.find(b)];
  };
  for (char a : alignment::kLetters)
    for (char b : alignment::kLetters)
      CHECK(score(a, b) == score(b, a));
  const std::string diagonal = "A4 R5 N6 D6 C9 Q5 E5 G6 H8 I4 L4 K5 M5 F6 P7 S4 T5 Y7 V4 B4 Z4 *1";
  for (size_t i = 0; i < diagonal.size(); i += 3)
    CHECK(score(diagonal[i], diagonal[i]) == diagonal[i + 1] - '0');
  CHECK(score('W', 'W') == 11);
  CHECK(score('X', 'X') == -1);
  CHECK(score('I', 'V') == 3);
  CHECK(score('W', 'P') == -4);
  CHECK(score('F', 'Y') == 3);
  CHECK(score('D', 'E') == 2);
  CHECK(score('C', 'E') == -4);
  CHECK(score('X', 'S') == 0);
  CHECK(score('G', '*') == -4);
}

TEST_CASE("random proteins have leucine most often and tryptophan least, and no ambiguous letter") {
  Random random(4);
  std::vector<uint32_t> counts(alignment::kLetters.size());
  for (uint8_t code : alignment::randomProtein(100000, random))
    ++counts[code];
  CHECK(counts[10] == Approx(9019).margin(400));
  CHECK(counts[17] == Approx(1330).margin(150));
  for (size_t code = 20; code < counts.size(); ++code)
    CHECK(counts[code] == 0);
}

TEST_CASE("a mutated copy without mutations is a copy; with them most residues stay") {
  Random random(5);
  const alignment::Sequence protein = alignment::randomProtein(10000, random);
  CHECK(alignment::mutated(protein, 0, 0, random) == protein);
  const alignment::Sequence substituted = alignment::mutated(protein, 0.5f, 0, random);
  REQUIRE(substituted.size() == protein.size());
  size_t same = 0;
  for (size_t i = 0; i < protein.size(); ++i)
    same += substituted[i] == protein[i];
  // Half of them, and those that were drawn anew and came out the same: sum of squared frequencies.
  CHECK(same == Approx(5000 + 0.06 * 5000).margin(200));
  const size_t withGaps = alignment::mutated(protein, 0, 0.02f, random).size();
  CHECK(withGaps != protein.size());
  CHECK(withGaps == Approx(10000).margin(500));
}
