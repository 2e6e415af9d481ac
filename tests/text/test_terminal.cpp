#include "text/terminal.h"
#include "text/text.h"

#include <catch2/catch.hpp>

using namespace aiwc::text;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("text is emphasised only for a terminal with colour") {
  const Terminal plain;
  const Terminal colour{.columns = 80, .colour = true};
  for (const Emphasis emphasis : {Emphasis::kHeading, Emphasis::kGood, Emphasis::kWarning}) {
    CHECK(emphasised("text", emphasis, plain) == "text");
    const std::string text = emphasised("text", emphasis, colour);
    CHECK_THAT(text, StartsWith("\x1b[1m") && Contains("text\x1b[0m"));
  }
  CHECK(emphasised("", Emphasis::kGood, colour).empty());
}

TEST_CASE("a name is cut in the middle, between characters") {
  CHECK(cutInMiddle("abcdefghij", 10) == "abcdefghij");
  CHECK(cutInMiddle("abcdefghij", 9) == "abc...hij");
  CHECK(cutInMiddle("abcdefghij", 8) == "abc...ij");
  CHECK(cutInMiddle("äöüäöüäöü", 9) == "äöüäöüäöü");
  CHECK(cutInMiddle("äöüäöüäöü", 7) == "äö...öü");
  CHECK(characters("äöü") == 3);
}

TEST_CASE("a table that is too wide for the terminal has shorter names, and all of its numbers") {
  const std::vector<std::vector<std::string>> rows = {
      {"device", "time", "note"},
      {"a-device-with-a-very-long-name", "123,456,789 us", "a note that is long, too"},
      {"short", "1 us", "-"}};
  const std::string whole = textTable(rows, {true, false, true}, {.indent = "  "});
  CHECK_THAT(whole, Contains("a-device-with-a-very-long-name  123,456,789 us"));
  const TableLayout layout{.indent = "  ", .names = {0}, .terminal = {.columns = 65}};
  const std::string cut = textTable(rows, {true, false, true}, layout);
  CHECK_THAT(cut, Contains("  a-device-w...ong-name  123,456,789 us  a note that is long, too\n") ||
                      Contains("..."));
  CHECK_THAT(cut, Contains("123,456,789 us  a note that is long, too\n"));
  CHECK(cut.find('\n', cut.find('\n') + 1) - cut.find('\n') - 1 <= 65);
  // No name becomes shorter than twelve characters.
  const std::string least =
      textTable(rows, {true, false, true}, {.names = {0}, .terminal = {.columns = 5}});
  CHECK_THAT(least, Contains("a-dev...name  123,456,789 us"));
}

TEST_CASE("colours do not move the columns of a table") {
  const std::vector<std::vector<std::string>> rows = {{"id", "time"}, {"a", "1"}, {"bcd", "22"}};
  const TableLayout layout{.terminal = {.columns = 80, .colour = true}, .heading = true, .best = 1};
  std::string coloured = textTable(rows, {true}, layout);
  CHECK_THAT(coloured, Contains("\x1b[1m"));
  for (size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b'))
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  CHECK(coloured == textTable(rows, {true}));
}
