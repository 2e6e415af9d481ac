#include "eod/crc/crc_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>

using namespace aiwc::eod;
using crc::Bytes;

namespace {

Bytes bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

std::vector<uint32_t> checksumsOfPages(const Bytes &message, size_t page) {
  std::vector<uint32_t> checksums;
  for (size_t begin = 0; begin < message.size(); begin += page)
    checksums.push_back(
        crc::bitByBit(std::span(message).subspan(begin, std::min(page, message.size() - begin))));
  return checksums;
}

} // namespace

TEST_CASE("published checksums") {
  CHECK(crc::bitByBit(bytes("")) == 0);
  CHECK(crc::bitByBit(bytes("a")) == 0xe8b7be43);
  CHECK(crc::bitByBit(bytes("123456789")) == 0xcbf43926);
  CHECK(crc::bitByBit(bytes("The quick brown fox jumps over the lazy dog")) == 0x414fa339);
  CHECK(crc::bitByBit(Bytes(32, 0)) == 0x190a55ad);
  CHECK(crc::bitByBit(Bytes(32, 255)) == 0xff6cab0b);
}

TEST_CASE("a message with its checksum behind it has a checksum that depends on neither") {
  for (uint32_t length : {1, 9, 100}) {
    Bytes message = crc::message(length, length);
    const uint32_t checksum = crc::bitByBit(message);
    for (int shift = 0; shift < 32; shift += 8)
      message.push_back(static_cast<uint8_t>(checksum >> shift));
    CHECK(crc::bitByBit(message) == 0x2144df1c);
  }
}

TEST_CASE("the tables make the checksum, one byte or eight at a time") {
  const std::vector<uint32_t> tables = crc::tables();
  REQUIRE(tables.size() == 2048);
  CHECK(tables[0] == 0);
  CHECK(tables[1] == 0x77073096); // the second number of every published table
  CHECK(tables[255] == 0x2d02ef8d);
  const Bytes message = crc::message(8, 1);
  uint32_t one = ~0u;
  for (uint8_t byte : message)
    one = tables[(one ^ byte) & 255] ^ one >> 8;
  uint32_t eight = 0;
  for (size_t i = 0; i < 8; ++i)
    eight ^= tables[256 * (7 - i) + (message[i] ^ (i < 4 ? 255 : 0))];
  CHECK(~one == crc::bitByBit(message));
  CHECK(~eight == crc::bitByBit(message));
}

TEST_CASE("checksums of pages combine to that of the message, whatever the page") {
  for (uint32_t length : {1u, 2u, 63u, 64u, 65u, 1000u}) {
    const Bytes message = crc::message(length, 7);
    for (uint32_t page : {1u, 7u, 8u, 64u, 999u, 1000u, 4000000000u})
      CHECK(crc::combined(checksumsOfPages(message, page), length, page) == crc::bitByBit(message));
  }
}

TEST_CASE("the right checksums pass; a wrong bit fails, in any page or in the whole") {
  const Bytes message = crc::message(100, 1);
  const std::vector<uint32_t> checksums = checksumsOfPages(message, 16);
  REQUIRE(checksums.size() == 7);
  const uint32_t whole = crc::bitByBit(message);
  const Verdict verdict = crc::check(message, 16, checksums, whole);
  CHECK(verdict.passed);
  CHECK_THAT(verdict.finding, Catch::Contains("7 pages"));
  CHECK_FALSE(crc::check(message, 16, checksums, whole ^ 1).passed);
  for (uint32_t bit = 0; bit < 32; ++bit)
    for (size_t page = 0; page < 7; ++page) {
      std::vector<uint32_t> wrong = checksums;
      wrong[page] ^= 1u << bit;
      CHECK_FALSE(crc::check(message, 16, wrong, whole).passed);
    }
}

TEST_CASE("the message depends on the seed alone; all bytes are about equally frequent") {
  const Bytes message = crc::message(256000, 1);
  CHECK(message == crc::message(256000, 1));
  CHECK(message != crc::message(256000, 2));
  std::vector<int> counts(256);
  for (uint8_t byte : message)
    ++counts[byte];
  for (int count : counts)
    CHECK(std::abs(count - 1000) < 200); // six standard deviations
}

TEST_CASE("--list of crc: the message, 8 KiB of tables and 4 bytes a page") {
  const test::Outcome outcome = test::run("crc", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 2000}, {"small", 16000}, {"medium", 524000}, {"large", 4194304}};
  for (const auto &[size, length] : sizes)
    CHECK(test::listed(outcome.out, size, 2) ==
          Approx((length + 8192 + 4 * std::ceil(length / 64)) / 1024).margin(0.06));
  CHECK_THAT(outcome.out, Catch::Contains("pages of 64 bytes (--page)"));
}

TEST_CASE("crc refuses messages and pages of no bytes, and files that it cannot read") {
  test::checkRefused("crc", {{"--bytes 0", "expected 1 to 2147483648"},
                             {"--bytes 2147483649", "expected 1 to 2147483648"},
                             {"--bytes -1", "--bytes"},
                             {"--bytes 9 --size tiny", "excludes"},
                             {"--page 0", "expected 1 or more"},
                             {"--input /nonexistent", "/nonexistent: cannot be read (No such file"},
                             {"--input /dev/null", "/dev/null: is empty: expected a file of 1 to"},
                             {"--input /", "cannot be read (Is a directory)"},
                             {"--input /etc/passwd --bytes 9", "excludes"},
                             {"--input /etc/passwd --size tiny", "excludes"}});
}
