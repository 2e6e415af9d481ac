#include "eod/swat/swat_reference.h"
#include "programs.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aiwc::eod;
using alignment::Pair;
using swat::Alignment;
using swat::Penalties;

namespace {

Pair pairOf(const char *query, const char *reference) {
  return {alignment::encode(query), alignment::encode(reference)};
}

int alike(uint8_t a, uint8_t b) {
  return alignment::blosum62()[a * alignment::kLetters.size() + b];
}

/// The highest score of all ways to align query[i, iEnd) with reference[j, jEnd) from end to end,
/// by trying every one of them. `before`: the step that was taken last.
int tryAll(const Pair &pair, const Penalties &cost, size_t i, size_t iEnd, size_t j, size_t jEnd,
           int before) {
  if (i == iEnd && j == jEnd)
    return 0;
  int best = -1000000;
  const auto gap = [&](int step) {
    return static_cast<int>(cost.extend + (before == step ? 0 : cost.open));
  };
  if (i < iEnd && j < jEnd)
    best = std::max(best, alike(pair.first[i], pair.second[j]) +
                              tryAll(pair, cost, i + 1, iEnd, j + 1, jEnd, swat::kMatch));
  if (j < jEnd)
    best = std::max(best, tryAll(pair, cost, i, iEnd, j + 1, jEnd, swat::kReferenceOnly) -
                              gap(swat::kReferenceOnly));
  if (i < iEnd)
    best = std::max(best, tryAll(pair, cost, i + 1, iEnd, j, jEnd, swat::kQueryOnly) -
                              gap(swat::kQueryOnly));
  return best;
}

/// Per letter of the reference: the highest score of an alignment of any parts that ends in it.
std::vector<int32_t> bruteForce(const Pair &pair, const Penalties &cost) {
  std::vector<int32_t> best(pair.second.size(), 0);
  for (size_t jEnd = 1; jEnd <= pair.second.size(); ++jEnd)
    for (size_t iEnd = 1; iEnd <= pair.first.size(); ++iEnd)
      for (size_t j = 0; j < jEnd; ++j)
        for (size_t i = 0; i < iEnd; ++i)
          best[jEnd - 1] =
              std::max(best[jEnd - 1], tryAll(pair, cost, i, iEnd, j, jEnd, swat::kMatch));
  return best;
}

/// ACDEF in the middle of other letters, without a gap: W scores below 0 with all of them.
const Pair kPlain = pairOf("WACDEF", "ACDEFWW");
const Alignment kPlainAlignment{30, 1, 6, 0, 5, {1, 1, 1, 1, 1}};

} // namespace

TEST_CASE("the serial scores are the best of all possible alignments") {
  const Penalties cheap{.open = 1, .extend = 1};
  for (const auto &[query, reference] :
       {std::pair("ACD", "AD"), std::pair("AWC", "AC"), std::pair("WWAC", "ACW"),
        std::pair("HEAG", "PAWH"), std::pair("W", "A"), std::pair("MKVL", "MVLK")}) {
    const Pair pair = pairOf(query, reference);
    for (const Penalties &cost : {cheap, Penalties{}}) {
      const std::vector<int32_t> best = bruteForce(pair, cost);
      Alignment none; // wrong but where nothing is alike: the scores are looked at first
      const Verdict verdict = swat::checkAlignment(pair, cost, best, none);
      INFO(query << ' ' << reference << ": " << verdict.finding);
      CHECK_THAT(verdict.finding, !Catch::Contains("highest score"));
      for (size_t j = 0; j < best.size(); ++j)
        for (const int32_t error : {-1, 1}) {
          std::vector<int32_t> wrong = best;
          wrong[j] += error;
          CHECK_THAT(swat::checkAlignment(pair, cost, wrong, none).finding,
                     Catch::Contains("highest score"));
        }
    }
  }
}

TEST_CASE("five equal letters score their own substitutions, by five steps") {
  // A 4, C 9, D 6, E 5, F 6
  const std::vector<int32_t> best = bruteForce(kPlain, {});
  CHECK(*std::ranges::max_element(best) == 30);
  CHECK(swat::checkAlignment(kPlain, {}, best, kPlainAlignment).passed);
}

TEST_CASE("an alignment with a gap costs its opening once and every letter") {
  // ACDEF against ACDWWEF: 30 - open - 2 extend.
  const Pair pair = pairOf("ACDEF", "ACDWWEF");
  const Penalties cost{.open = 3, .extend = 1};
  const std::vector<int32_t> best = bruteForce(pair, cost);
  const Alignment gapped{25, 0, 5, 0, 7, {1, 1, 2, 2, 1, 1, 1}};
  CHECK(swat::checkAlignment(pair, cost, best, gapped).passed);
}

TEST_CASE("an alignment that ends elsewhere, leads elsewhere or scores less fails") {
  const std::vector<int32_t> best = bruteForce(kPlain, {});
  const auto passes = [&](const Alignment &alignment) {
    return swat::checkAlignment(kPlain, {}, best, alignment).passed;
  };
  Alignment wrong = kPlainAlignment;
  wrong.score = 29;
  CHECK_FALSE(passes(wrong));
  wrong = kPlainAlignment;
  wrong.queryEnd = 5;
  CHECK_FALSE(passes(wrong));
  wrong = kPlainAlignment;
  wrong.queryBegin = 0;
  CHECK_FALSE(passes(wrong));
  for (const std::vector<uint8_t> &steps : {std::vector<uint8_t>{},
                                            {1, 1, 1, 1},
                                            {1, 1, 1, 1, 2, 3},
                                            {1, 1, 1, 1, 7},
                                            {1, 1, 1, 1, 1, 1}}) {
    wrong = kPlainAlignment;
    wrong.steps = steps;
    CHECK_FALSE(passes(wrong));
  }
}

TEST_CASE("where nothing is alike the alignment is empty") {
  const Pair pair = pairOf("W", "A");
  CHECK(swat::checkAlignment(pair, {}, {0}, {}).passed);
  CHECK_FALSE(swat::checkAlignment(pair, {}, {0}, {1, 0, 1, 0, 1, {1}}).passed);
}

TEST_CASE("generated sequences have their lengths, are related, and depend on the seed alone") {
  const Pair pair = swat::plantedPair(300, 500, 1);
  CHECK(pair.first.size() == 300);
  CHECK(pair.second.size() == 500);
  CHECK(pair.first == swat::plantedPair(300, 500, 1).first);
  CHECK(pair.first != swat::plantedPair(300, 500, 2).first);
  CHECK(swat::plantedPair(1, 1, 3).first.size() == 1);
  CHECK(swat::plantedPair(9, 2, 3).second.size() == 2);
}

TEST_CASE("--list of swat: a byte per element, and a few rows and columns") {
  const test::Outcome outcome = test::run("swat", "--list");
  REQUIRE(outcome.status == 0);
  const struct {
    const char *size;
    double query, reference;
  } sizes[] = {
      {"tiny", 128, 192}, {"small", 384, 576}, {"medium", 2048, 3584}, {"large", 4096, 10240}};
  for (const auto &[size, q, r] : sizes) {
    // Scores, gaps and best of the columns and rows; the corners; the steps; the summary.
    const double bytes = q * r + q + r + 24 * 24 + 16 * r + 8 * q + q / 32 * 4 + (q + r) + 24;
    CHECK(test::listed(outcome.out, size, 2) == Approx(bytes / 1024).margin(0.06));
  }
  CHECK(test::listed(outcome.out, "large", 2) >= 4 * 8192);
}

TEST_CASE("swat refuses lengths and penalties that it cannot compute with, and files that are no "
          "pair") {
  test::checkRefused("swat", {{"--query 0", "expected 1 to"},
                              {"--reference -1", "--reference"},
                              {"--query 16777217", "expected 1 to 16777216"},
                              {"--query 16777216 --reference 16777216", "expected at most"},
                              {"--gap-open 10001", "expected 0 to 10000"},
                              {"--gap-extend 0", "expected 1 to 10000"},
                              {"--query 5 --size tiny", "excludes"},
                              {"--input /nonexistent/a.fa", "/nonexistent/a.fa: cannot be read"}});
  const std::string path =
      std::filesystem::temp_directory_path() / ("eod_swat." + std::to_string(getpid()));
  std::ofstream(path) << ">a\nMKV\n";
  const std::string option = "--input '" + path + "'";
  test::checkRefused("swat", {{option.c_str(), "1 records: expected 2"}});
  std::filesystem::remove(path);
}
