#include "eod/nw/nw_reference.h"
#include "programs.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aiwc::eod;
using alignment::Pair;
using alignment::Sequence;
using nw::Scores;

namespace {

/// The best score by trying all alignments: the last column is a match or a gap on either side.
int32_t bruteForce(const Sequence &a, size_t i, const Sequence &b, size_t j, int32_t penalty) {
  if (i == 0 || j == 0)
    return -penalty * static_cast<int32_t>(i + j);
  const int32_t match = alignment::blosum62()[a[i - 1] * alignment::kLetters.size() + b[j - 1]];
  return std::max({bruteForce(a, i - 1, b, j - 1, penalty) + match,
                   bruteForce(a, i - 1, b, j, penalty) - penalty,
                   bruteForce(a, i, b, j - 1, penalty) - penalty});
}

Scores bruteForce(const Pair &pair, uint32_t stride, int32_t penalty) {
  Scores scores{stride, std::vector<int32_t>(pair.first.size() * stride, 12345)};
  for (size_t i = 0; i < pair.first.size(); ++i)
    for (size_t j = 0; j < pair.second.size(); ++j)
      scores.values[i * stride + j] = bruteForce(pair.first, i + 1, pair.second, j + 1, penalty);
  return scores;
}

Pair pairOf(const char *first, const char *second) {
  return {alignment::encode(first), alignment::encode(second)};
}

} // namespace

TEST_CASE("sequences of unequal length score as by trying all alignments") {
  for (const Pair &pair : {pairOf("PAWHEAE", "HEAG"), pairOf("HEA", "GAWGHEE")})
    CHECK(nw::checkScores(bruteForce(pair, 7, 8), pair, 8).passed);
}

TEST_CASE("all alignments of short sequences, padded or not, whatever the penalty") {
  for (int32_t penalty : {0, 1, 10, 10000})
    for (uint32_t stride : {5, 8}) {
      const Pair pair = pairOf("WPYKC*", "YWPBK");
      CHECK(nw::checkScores(bruteForce(pair, stride, penalty), pair, penalty).passed);
      CHECK_FALSE(nw::checkScores(bruteForce(pair, stride, penalty), pair, penalty + 1).passed);
    }
}

TEST_CASE("equal sequences score their diagonal") {
  const Pair pair = pairOf("W", "W");
  CHECK(nw::checkScores({1, {11}}, pair, 10).passed);
  CHECK_THAT(nw::checkScores({1, {11}}, pair, 10).finding, Catch::Contains("score 11"));
}

TEST_CASE("one wrong score fails, wherever it is") {
  const Pair pair = pairOf("ACDEF", "AQDFE");
  const Scores right = bruteForce(pair, 6, 10);
  CHECK(nw::checkScores(right, pair, 10).passed);
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 5; ++j)
      for (int32_t error : {-1, 1}) {
        Scores wrong = right;
        wrong.values[i * 6 + j] += error;
        CHECK_FALSE(nw::checkScores(wrong, pair, 10).passed);
      }
}

TEST_CASE("generated sequences have the length, are related, and depend on the seed alone") {
  const Pair pair = nw::relatedPair(1000, 1);
  CHECK(pair.first.size() == 1000);
  CHECK(pair.second.size() == 1000);
  CHECK(pair.first == nw::relatedPair(1000, 1).first);
  CHECK(pair.second == nw::relatedPair(1000, 1).second);
  CHECK(pair.second != nw::relatedPair(1000, 2).second);
  CHECK(nw::relatedPair(1, 3).second.size() == 1);
}

TEST_CASE("--list of nw: n * n scores of 4 bytes, two sequences and 24 * 24 substitution scores") {
  const test::Outcome outcome = test::run("nw", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 48}, {"small", 176}, {"medium", 1008}, {"large", 4096}};
  for (const auto &[size, n] : sizes) {
    const double footprint = (4 * n * n + 2 * n + 24 * 24) / 1024;
    CHECK(test::listed(outcome.out, size, 2) == Approx(footprint).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(footprint).margin(0.06));
  }
  CHECK(test::listed(outcome.out, "large", 2) >= 4 * 8192);
  CHECK_THAT(outcome.out, Catch::Contains("penalty 10"));
}

TEST_CASE(
    "nw refuses lengths and penalties that it cannot compute with, and files that are no pair") {
  test::checkRefused("nw", {{"--length 0", "expected 1 to 65472"},
                            {"--length 65473", "expected 1 to 65472"},
                            {"--length -1", "--length"},
                            {"--penalty 10001", "expected 0 to 10000"},
                            {"--penalty -1", "--penalty"},
                            {"--length 48 --size tiny", "excludes"},
                            {"--input /nonexistent/a.fa", "/nonexistent/a.fa: cannot be read"},
                            {"--input .", "cannot be read"}});
  const std::string path =
      std::filesystem::temp_directory_path() / ("eod_nw." + std::to_string(getpid()));
  std::ofstream(path) << ">a\nMKV\n>b\nMOV\n";
  const std::string option = "--input '" + path + "'";
  test::checkRefused("nw", {{option.c_str(), ":4: 'O' in a sequence: expected one of ARND"}});
  std::ofstream(path) << ">a\nMKV\n>b\nMV\n";
  test::checkRefused("nw", {{option.c_str(), "no OpenCL platform"},
                            {(option + " --size small").c_str(), "excludes"},
                            {(option + " --length 3").c_str(), "excludes"}});
  std::filesystem::remove(path);
}
