#include "common/name_patterns.h"

#include <catch2/catch.hpp>
#include <string>

using aiwc::matchesPattern;
using aiwc::NamePatterns;

TEST_CASE("A pattern describes the whole of a name") {
  CHECK(matchesPattern("lud_diagonal", "lud_diagonal"));
  CHECK_FALSE(matchesPattern("lud_diagonal", "lud"));
  CHECK_FALSE(matchesPattern("lud", "lud_diagonal"));
  CHECK_FALSE(matchesPattern("Lud", "lud"));
  CHECK(matchesPattern("", ""));
  CHECK_FALSE(matchesPattern("a", ""));
  CHECK_FALSE(matchesPattern("", "a"));
}

TEST_CASE("In a pattern * is any characters or none, and ? is one") {
  CHECK(matchesPattern("lud_diagonal", "lud_*"));
  CHECK(matchesPattern("lud_", "lud_*"));
  CHECK(matchesPattern("lud_diagonal", "*_*"));
  CHECK(matchesPattern("aab", "*ab"));
  CHECK(matchesPattern("mississippi", "m*iss*p?"));
  CHECK_FALSE(matchesPattern("mississippi", "m*iss*p"));
  CHECK(matchesPattern("", "**"));
  CHECK(matchesPattern("k1", "k?"));
  CHECK_FALSE(matchesPattern("k", "k?"));
  CHECK_FALSE(matchesPattern("k12", "k?"));
  CHECK(matchesPattern("a.b", "a.b"));
  CHECK_FALSE(matchesPattern("axb", "a.b"));
}

TEST_CASE("A pattern with many ways to fail takes no longer than the product of the lengths") {
  // A matcher that tries all places of all stars would try more of them than there are atoms.
  const std::string name(10000, 'a');
  std::string pattern;
  for (int i = 0; i < 100; ++i)
    pattern += "a*";
  CHECK(matchesPattern(name, pattern));
  CHECK_FALSE(matchesPattern(name, pattern + "b"));
}

TEST_CASE("A list of patterns selects the names that one of them describes") {
  const NamePatterns patterns("fill,squ*");
  CHECK(patterns.selects("fill"));
  CHECK(patterns.selects("square"));
  CHECK_FALSE(patterns.selects("twice"));
  CHECK_FALSE(patterns.selectsAll());
  CHECK(NamePatterns("").selectsAll());
  CHECK(NamePatterns().selects("anything"));
}

TEST_CASE("A list tells whether it is one name, and whether a name is empty") {
  CHECK(NamePatterns("fill").singleName() == "fill");
  for (const char *list : {"", "f*", "f?ll", "fill,twice"})
    CHECK(NamePatterns(list).singleName().empty());
  for (const char *list : {",", "a,", ",a", "a,,b"})
    CHECK(NamePatterns(list).hasEmptyName());
  CHECK_FALSE(NamePatterns("a,b").hasEmptyName());
}

TEST_CASE("Commas in brackets are part of a name") {
  const NamePatterns patterns("reduce<float, 256>,app::both(int, float*),k");
  CHECK(patterns.selects("reduce<float, 256>"));
  CHECK(patterns.selects("app::both(int, float*)"));
  CHECK(patterns.selects("k"));
  CHECK_FALSE(patterns.selects("256>"));
  CHECK(NamePatterns("a>,b").selects("b")); // brackets that do not pair separate nothing
  CHECK(NamePatterns("a<,b").selects("a<,b"));
}
