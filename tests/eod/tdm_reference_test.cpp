#include "eod/common/random.h"
#include "eod/tdm/tdm_reference.h"
#include "programs.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::eod;
using tdm::Counted;
using tdm::Episode;
using tdm::Events;

namespace {

uint8_t event(char type, uint32_t delay) {
  return static_cast<uint8_t>((type - 'A') | delay << tdm::kTypeBits);
}

Episode episode(const std::string &types) {
  Episode result;
  for (char type : types)
    result.push_back(static_cast<uint8_t>(type - 'A'));
  return result;
}

/// "A0 B3": an event A, and 3 units later an event B.
Events events(const std::string &text) {
  Events result;
  for (size_t i = 0; i + 1 < text.size(); i += 3)
    result.push_back(event(text[i], text[i + 1] - '0'));
  return result;
}

/// All occurrences, from the definition, and the most that do not overlap, by trying all choices.
class BruteForce {
public:
  BruteForce(const Events &stream, const Episode &wanted, uint32_t interval)
      : stream_(stream), wanted_(wanted), interval_(interval) {
    uint64_t now = 0;
    for (uint8_t one : stream)
      times_.push_back(now += one >> tdm::kTypeBits);
  }

  /// From event `first` on.
  uint32_t most(size_t first = 0) {
    uint32_t best = 0;
    for (size_t begin = first; begin < stream_.size(); ++begin)
      for (size_t end : ends(begin, 0))
        best = std::max(best, 1 + most(end + 1));
    return best;
  }

private:
  /// The last events of the occurrences whose event `k` is event `at` of the stream.
  std::vector<size_t> ends(size_t at, size_t k) const {
    if (stream_[at] % tdm::kMostTypes != wanted_[k])
      return {};
    if (k + 1 == wanted_.size())
      return {at};
    std::vector<size_t> all;
    for (size_t next = at + 1; next < stream_.size(); ++next)
      if (times_[next] - times_[at] <= interval_)
        for (size_t end : ends(next, k + 1))
          all.push_back(end);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  Events stream_;
  Episode wanted_;
  uint32_t interval_;
  std::vector<uint64_t> times_;
};

const tdm::Query kQuery{.types = 8, .length = 3, .interval = 10, .threshold = 100};

} // namespace

TEST_CASE("occurrences by hand") {
  const Events stream = events("A0 B2 A1 A1 C1 B1 B1");
  CHECK(tdm::occurrences(stream, episode("A"), 5) == 3);
  CHECK(tdm::occurrences(stream, episode("AB"), 5) == 2);
  CHECK(tdm::occurrences(stream, episode("AB"), 2) == 2);
  CHECK(tdm::occurrences(stream, episode("AB"), 1) == 0);
  CHECK(tdm::occurrences(stream, episode("AA"), 3) == 1);
  CHECK(tdm::occurrences(stream, episode("ACB"), 5) == 1);
  CHECK(tdm::occurrences(stream, episode("BB"), 1) == 1);
  CHECK(tdm::occurrences(stream, episode("CA"), 5) == 0);
}

TEST_CASE("the bound holds from one event to the next, not from the first to the last") {
  CHECK(tdm::occurrences(events("A0 B5 C5"), episode("ABC"), 5) == 1);
  CHECK(tdm::occurrences(events("A0 B5 C6"), episode("ABC"), 5) == 0);
}

TEST_CASE("events at the same time follow each other in the stream's order") {
  CHECK(tdm::occurrences(events("A0 B0"), episode("AB"), 0) == 1);
  CHECK(tdm::occurrences(events("B0 A0"), episode("AB"), 0) == 0);
}

TEST_CASE("an event has one place in an occurrence") {
  CHECK(tdm::occurrences(events("A1 A1 A1 A1 A1"), episode("AA"), 3) == 2);
  CHECK(tdm::occurrences(events("A1 A1 A1 A1 A1"), episode("AAA"), 3) == 1);
  CHECK(tdm::occurrences(events("A1 B1 A1 B1 A1"), episode("ABA"), 3) == 1);
}

TEST_CASE("the count is the largest number of occurrences that do not overlap") {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    Events stream;
    for (int i = 0; i < 12; ++i)
      stream.push_back(event(static_cast<char>('A' + random.below(3)), random.below(4)));
    Episode wanted;
    for (uint32_t length = 1 + random.below(4); length > 0; --length)
      wanted.push_back(static_cast<uint8_t>(random.below(3)));
    const uint32_t interval = random.below(8);
    INFO(round << ": " << tdm::name(wanted) << " within " << interval);
    CHECK(tdm::occurrences(stream, wanted, interval) ==
          BruteForce(stream, wanted, interval).most());
  }
}

TEST_CASE("what is part of an episode without a gap occurs at least as often") {
  const Events stream = tdm::eventStream(3000, 5, 1);
  for (uint8_t a = 0; a < 5; ++a)
    for (uint8_t b = 0; b < 5; ++b)
      for (uint8_t c = 0; c < 5; ++c) {
        const uint32_t whole = tdm::occurrences(stream, {a, b, c}, 4);
        CHECK(whole <= tdm::occurrences(stream, {a, b}, 4));
        CHECK(whole <= tdm::occurrences(stream, {b, c}, 4));
      }
}

TEST_CASE("planted episodes are the frequent ones of three events") {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Events stream = tdm::eventStream(20000, 16, seed);
    auto planted = tdm::plantedEpisodes(16, seed);
    std::ranges::sort(planted);
    std::vector<Episode> longest;
    const tdm::Query query{.types = 16, .length = 3, .interval = 10, .threshold = 1000};
    for (const Counted &found : tdm::frequentEpisodes(stream, query))
      if (found.episode.size() == 3)
        longest.push_back(found.episode);
    REQUIRE(longest.size() == 2);
    CHECK(longest[0] == planted[0]);
    CHECK(longest[1] == planted[1]);
  }
}

TEST_CASE("streams have all types, and depend on the seed alone") {
  for (uint32_t types : {1, 5, 32}) {
    const Events stream = tdm::eventStream(5000, types, 1);
    REQUIRE(stream.size() == 5000);
    std::vector<uint32_t> seen(types);
    for (uint8_t one : stream) {
      REQUIRE(one % tdm::kMostTypes < types);
      ++seen[one % tdm::kMostTypes];
    }
    CHECK(std::ranges::count(seen, 0u) == 0);
  }
  CHECK(tdm::eventStream(100, 16, 1) == tdm::eventStream(100, 16, 1));
  CHECK(tdm::eventStream(100, 16, 1) != tdm::eventStream(100, 16, 2));
}

TEST_CASE(
    "frequent episodes pass; a wrong count, one too few, one too many and another order fail") {
  const Events stream = tdm::eventStream(2000, 8, 3);
  const std::vector<Counted> right = tdm::frequentEpisodes(stream, kQuery);
  REQUIRE(right.size() > 10);
  CHECK(tdm::checkFrequent(stream, kQuery, right).passed);
  for (size_t i = 0; i < right.size(); ++i) {
    std::vector<Counted> wrong = right;
    ++wrong[i].count;
    CHECK_FALSE(tdm::checkFrequent(stream, kQuery, wrong).passed);
    wrong = right;
    wrong.erase(wrong.begin() + static_cast<ptrdiff_t>(i));
    CHECK_FALSE(tdm::checkFrequent(stream, kQuery, wrong).passed);
  }
  std::vector<Counted> wrong = right;
  wrong.push_back({episode("ABC"), 100});
  CHECK_FALSE(tdm::checkFrequent(stream, kQuery, wrong).passed);
  wrong = right;
  std::swap(wrong[0], wrong[1]);
  CHECK_FALSE(tdm::checkFrequent(stream, kQuery, wrong).passed);
  CHECK_FALSE(tdm::checkFrequent(stream, kQuery, {}).passed);
}

TEST_CASE("every frequent episode reaches the threshold, and no other one does") {
  const Events stream = tdm::eventStream(1000, 4, 3);
  const tdm::Query query{.types = 4, .length = 2, .interval = 3, .threshold = 60};
  size_t expected = 0;
  for (uint8_t a = 0; a < 4; ++a) {
    expected += tdm::occurrences(stream, {a}, 3) >= 60;
    for (uint8_t b = 0; b < 4; ++b)
      expected += tdm::occurrences(stream, {a, b}, 3) >= 60;
  }
  CHECK(tdm::frequentEpisodes(stream, query).size() == expected);
}

TEST_CASE("names of episodes") {
  CHECK(tdm::name({0, 2, 25, 26}) == "A-C-Z-#26");
}

TEST_CASE("--list of tdm: a byte per event, and what the candidates need in every segment") {
  const test::Outcome outcome = test::run("tdm", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 20000}, {"small", 50000}, {"medium", 200000}, {"large", 1000000}};
  for (const auto &[size, count] : sizes) {
    const double footprint = count + 256 * 4 * (4 + 2 * count / 5000) + 4;
    CHECK(test::listed(outcome.out, size, 2) == Approx(footprint / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(footprint / 1024).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("16 types, episodes of 1 to 3 events"));
}

TEST_CASE("tdm refuses what it cannot count") {
  test::checkRefused("tdm",
                     {{"--events 0", "expected 1 to 1073741824"},
                      {"--events 2000000000", "expected 1 to 1073741824"},
                      {"--types 33", "expected 1 to 32"},
                      {"--length 5", "expected 1 to 4"},
                      {"--length 0", "expected 1 to 4"},
                      {"--interval 255", "expected 0 to 254"},
                      {"--threshold 0", "expected 1 to 1000"},
                      {"--segment 0", "expected 1 to"},
                      {"--candidates 8", "expected 16 to 1048576"},
                      {"--events 1000000000 --segment 1", "--segment 1: expected at least 60"},
                      {"--events 80 --size tiny", "excludes"}});
}
