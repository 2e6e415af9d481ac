#include "common/close_words.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace aiwc;

namespace {

/// The definition: the shortest of the three ways to end.
size_t distanceByRecursion(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty())
    return a.size() + b.size();
  const std::string_view a1 = a.substr(1);
  const std::string_view b1 = b.substr(1);
  if (a[0] == b[0])
    return distanceByRecursion(a1, b1);
  return 1 + std::min({distanceByRecursion(a1, b), distanceByRecursion(a, b1),
                       distanceByRecursion(a1, b1)});
}

} // namespace

TEST_CASE("the edit distance is that of its definition") {
  CHECK(editDistance("kitten", "sitting") == 3);
  std::mt19937 random(7);
  const auto word = [&] {
    std::string text(random() % 6, ' ');
    for (char &c : text)
      c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int i = 0; i < 500; ++i) {
    const std::string a = word();
    const std::string b = word();
    INFO(a << " " << b);
    CHECK(editDistance(a, b) == distanceByRecursion(a, b));
  }
}

TEST_CASE("the closest word is suggested if it is close") {
  const std::vector<std::string> words = {"show", "split", "strip", "metrics"};
  CHECK(closestWord("shwo", words) == "show");
  CHECK(closestWord("stripe", words) == "strip");
  CHECK(closestWord("metrik", words) == "metrics");
  CHECK(closestWord("frobnicate", words).empty());
  CHECK(closestWord("", words).empty());
  CHECK(closestWord("show", {}).empty());
}
