#include "text/text.h"

#include <bit>
#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace aiwc::text;

TEST_CASE("a real reads back exactly and never looks like a count") {
  CHECK(formatReal(0) == "0.0");
  CHECK(formatReal(1) == "1.0");
  CHECK(formatReal(0.1) == "0.1");
  CHECK(formatReal(1e21) == "1e+21");
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value))
      continue;
    const std::string text = formatReal(value);
    CHECK(std::strtod(text.c_str(), nullptr) == value);
    CHECK(text.find_first_of(".e") != std::string::npos);
  }
}

TEST_CASE("the application's locale does not change a number") {
  // Not every system has one with a decimal comma; the test asks what is there.
  for (const char *name : {"de_DE.UTF-8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name))
      break;
  CHECK(formatReal(1234.5) == "1234.5");
  CHECK(formatReadable(uint64_t{1234567}) == "1,234,567");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("numbers for people") {
  CHECK(formatReadable(std::monostate{}) == "-");
  CHECK(formatReadable(uint64_t{0}) == "0");
  CHECK(formatReadable(uint64_t{999}) == "999");
  CHECK(formatReadable(uint64_t{1000}) == "1,000");
  CHECK(formatReadable(uint64_t{18446744073709551615U}) == "18,446,744,073,709,551,615");
  CHECK(formatReadable(0.333333333) == "0.333333");
  CHECK(formatReadable(1147.0) == "1,147");
  CHECK(formatReadable(12345.5) == "12,345.5");
  CHECK(formatReadable(1234567.5) == "1,234,568");
  CHECK(formatReadable(1e300) == "1e+300");
}

TEST_CASE("a number of things has its noun in the singular or plural") {
  CHECK(counted(0, "launch") == "0 launches");
  CHECK(counted(1, "launch") == "1 launch");
  CHECK(counted(1234, "more kernel") == "1,234 more kernels");
}

TEST_CASE("a trimmed text has no blanks at its ends") {
  CHECK(trimmed(" \ta b \r") == "a b");
  CHECK(trimmed(" ").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("printable text stays on its line and cannot steer a terminal") {
  CHECK(printable("saxpy") == "saxpy");
  CHECK(printable("é ∑ 🙂") == "é ∑ 🙂");
  CHECK(printable("a\nb\tc") == "a\\x0ab\\x09c");
  CHECK(printable("\x1b[2J") == "\\x1b[2J");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");                   // U+009B, a control
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");          // U+202E, writes backwards
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                   // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // above U+10FFFF
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xc3") == "\\xc3"); // cut off
  CHECK(printable(std::string(300, 'x'), 10) == "xxxxxxxxxx...");
  CHECK(printable("ééé", 5) == "éé...");
}

TEST_CASE("a CSV field is quoted where it must be") {
  CHECK(csvField("Opcode") == "Opcode");
  CHECK(csvField("") == "");
  CHECK(csvField("a,b") == "\"a,b\"");
  CHECK(csvField("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csvField("a\nb") == "\"a\nb\"");
}

TEST_CASE("a table has columns as wide as their widest cell, two spaces apart") {
  CHECK(textTable({{"id", "n", "what"}, {"a", "1000", ""}, {"bcd", "", "x"}},
                  {true, false, true}) == "id      n  what\n"
                                          "a    1000\n"
                                          "bcd        x\n");
  CHECK(textTable({{"a"}, {"10"}}, {}, {.indent = "  "}) == "   a\n  10\n");
  CHECK(textTable({}, {}) == "");
}
