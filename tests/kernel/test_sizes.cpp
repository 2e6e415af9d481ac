#include "kernel_launch/sizes.h"
#include "support/files.h"

#include <catch2/catch.hpp>

using namespace aiwc::kernel_launch;
using aiwc::test::errorOf;
using Catch::Matchers::Contains;

TEST_CASE("sizes of an NDRange") {
  const Sizes sizes = sizesOf("1024x16", "32x4", "8x0");
  CHECK(sizes.dimensions == 2);
  CHECK(sizes.global == Size3{1024, 16, 1});
  CHECK(sizes.local == Size3{32, 4, 1});
  CHECK(sizes.offset == Size3{8, 0, 0});
  CHECK(sizes.items() == 16384);
  CHECK(!sizesOf("7", "", "").hasLocal());
  CHECK(sizesOf("4K/2,(8),3", "", "").global == Size3{2048, 8, 3});
  CHECK(sizesOf("1Kx2", "", "").global == Size3{1024, 2, 1});
  for (const char *text : {"", "x", "0", "4x", "x4", "4x4x4x4", "4x-4", "-4", "gx", "4,", "1,2,3,4",
                           "99999999999999999999"})
    CHECK_THAT(errorOf([&] { sizesOf(text, "", ""); }), Contains("--global is '"));
  CHECK_THAT(errorOf([] { sizesOf("4294967296x4294967296", "", ""); }), Contains("at most 2^63"));
  CHECK_THAT(errorOf([] { sizesOf("64", "7", ""); }), Contains("does not divide"));
  CHECK_THAT(errorOf([] { sizesOf("64", "", "1x1"); }), Contains("as many dimensions"));
}

TEST_CASE("numbers, and what depends on the sizes") {
  const Sizes sizes = sizesOf("100x20", "10x5", "");
  const auto number = [&](const char *text) { return numberOf(text, sizes); };
  CHECK(number("1024") == 1024);
  CHECK(number("0x10") == 16);
  CHECK(number("4K") == 4096);
  CHECK(number("1M") == 1 << 20);
  CHECK(number("2G") == int64_t{2} << 30);
  CHECK(number("gx") == 100);
  CHECK(number("gy*gz") == 20);
  CHECK(number("lx+ly") == 15);
  CHECK(number("items") == 2000);
  CHECK(number(" 2 * ( gx + 1 ) - -3") == 205);
  CHECK(number("1-2-3") == -4);
  CHECK(number("100/7/2") == 7);
  CHECK(number("2+3*4") == 14);
  CHECK(number("17%5*2") == 4);
  CHECK(number("9223372036854775807") == INT64_MAX);
  for (const char *text : {"", "x", "gw", "1.5", "4k", "(1", "1)", "1+", "2gx", "K"})
    CHECK_THAT(errorOf([&] { number(text); }), Contains("is no whole number"));
  for (const char *text :
       {"9223372036854775808", "9223372036854775807+1", "8589934592G", "4294967296*4294967296"})
    CHECK_THAT(errorOf([&] { number(text); }), Contains("too large"));
  CHECK_THAT(errorOf([&] { number("1/(gx-100)"); }), Contains("divides by 0"));
  CHECK_THAT(errorOf([&] { numberOf(std::string(1000, '('), sizes); }),
             Contains("no whole number"));
  CHECK_THAT(errorOf([] { numberOf("lx", sizesOf("4", "", "")); }), Contains("expected --local"));
}

TEST_CASE("comparisons") {
  for (const char *text : {"1==1", "1 != 2", "2<3", "2 <= 2", "3>2", "3 >= 3", "64 % (4*8) == 0"})
    CHECK(holds(text));
  for (const char *text : {"1==2", "1!=1", "3<2", "3<=2", "2>3", "2>=3", "64 % 7 == 0"})
    CHECK(!holds(text));
  for (const char *text : {"", "1", "1=1", "a<b", "1<2<3", "gx<2", "1 % 0 == 0"})
    CHECK(!errorOf([&] { holds(text); }).empty());
}
