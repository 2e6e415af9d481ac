// The parser of device code, whose bytes may be anything: it takes what the format allows and
// answers everything else with an error.

#include "common/error.h"
#include "device_code/device_code.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>

using namespace aiwc::cuda;

namespace {

struct Parts {
  std::string table, global, constant, bitcode;
};

void number(std::string &bytes, uint64_t value) {
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(value >> 8 * i);
}

std::string deviceCodeOf(const Parts &parts) {
  std::string bytes = "AIWCCUDA";
  number(bytes, 2);
  for (const std::string *part : {&parts.table, &parts.global, &parts.constant, &parts.bitcode})
    number(bytes, part->size());
  return bytes + parts.table + parts.global + parts.constant + parts.bitcode;
}

/// The message of the table's error, in device code with 16 bytes in each space.
std::string errorOf(const std::string &table) {
  try {
    parseDeviceCode(deviceCodeOf({table, std::string(16, 'g'), std::string(16, 'c'), ""}));
  } catch (const aiwc::Error &error) {
    return error.what();
  }
  return "none";
}

} // namespace

TEST_CASE("Every field of the table and every part is read") {
  const std::string bytes = deviceCodeOf({"kernel\t_Z1kPi\tk\tdgc\t64\t128\t8\t4\n"
                                          "kernel\tempty\tempty\t-\t0\t0\n"
                                          "kernel\tsome\tsome<1>\tdc\t1\t0\t32\n"
                                          "refused\tbad\ta.cu:3: no, thanks\n"
                                          "symbol\tx\tglobal\t4\t12\n"
                                          "symbol\ty\tconstant\t0\t8\n"
                                          "pointer\tglobal\t8\tconstant\t3\n",
                                          std::string(16, 'g'), std::string(8, 'c'), "BC"});
  CHECK(deviceCodeBytes(bytes.data()) == bytes.size());
  const DeviceCode code = parseDeviceCode(bytes);
  REQUIRE(code.kernels.size() == 3);
  CHECK(code.kernels[0].name == "_Z1kPi");
  CHECK(code.kernels[0].function == "k");
  CHECK((code.kernels[0].hasDynamicShared && code.kernels[0].hasGlobal &&
         code.kernels[0].hasConstant));
  CHECK(code.kernels[0].sharedBytes == 64);
  CHECK(code.kernels[0].mostThreads == 128);
  CHECK(code.kernels[0].argumentBytes == std::vector<size_t>{8, 4});
  CHECK_FALSE(code.kernels[1].hasDynamicShared);
  CHECK(code.kernels[1].argumentBytes.empty());
  CHECK((code.kernels[2].hasDynamicShared && !code.kernels[2].hasGlobal &&
         code.kernels[2].hasConstant));
  REQUIRE(code.refused.size() == 1);
  CHECK(code.refused[0].name == "bad");
  CHECK(code.refused[0].reason == "a.cu:3: no, thanks");
  REQUIRE(code.symbols.size() == 2);
  CHECK(code.symbols[0].name == "x");
  CHECK(code.symbols[0].space == SymbolSpace::kGlobal);
  CHECK(code.symbols[0].offset == 4);
  CHECK(code.symbols[0].bytes == 12);
  CHECK(code.symbols[1].space == SymbolSpace::kConstant);
  REQUIRE(code.pointers.size() == 1);
  CHECK(code.pointers[0].offset == 8);
  CHECK(code.pointers[0].targetSpace == SymbolSpace::kConstant);
  CHECK(code.pointers[0].targetOffset == 3);
  CHECK((code.initial[0]) == std::string(16, 'g'));
  CHECK((code.initial[1]) == std::string(8, 'c'));
  CHECK((code.bitcode) == "BC");
}

TEST_CASE("Written device code is read as it was") {
  const std::string bytes = deviceCodeOf({"kernel\t_Z1kPi\tk\tdgc\t64\t128\t8\t4\n"
                                          "kernel\tempty\tempty\t-\t0\t0\n"
                                          "refused\tbad\tno\n"
                                          "symbol\tx\tglobal\t4\t12\n"
                                          "pointer\tglobal\t8\tconstant\t3\n",
                                          std::string(16, 'g'), std::string(8, 'c'), "BC"});
  CHECK(writeDeviceCode(parseDeviceCode(bytes)) == bytes);
}

TEST_CASE("Device code is found in files that have more") {
  const std::string first = deviceCodeOf({"", "g", "", "first"}),
                    second = deviceCodeOf({"", "", "", "2"});
  const std::string file = "AIWCCUDA " + first + "between AIWCCUDA\1" + second + second;
  CHECK(deviceCodesIn(file) == std::vector<std::string_view>{first, second, second});
  CHECK(deviceCodesIn(file.substr(0, file.size() - 1)).size() == 2);
  for (size_t length = 0; length < first.size(); ++length)
    CHECK(deviceCodesIn(std::string_view(first).substr(0, length)).empty());
}

TEST_CASE("Empty device code is device code") {
  const std::string bytes = deviceCodeOf({});
  const DeviceCode code = parseDeviceCode(bytes);
  CHECK(code.kernels.empty());
  CHECK(code.bitcode.empty());
}

TEST_CASE("What is no line of the table is refused with its place") {
  const std::string line = "device code:1: ";
  CHECK(errorOf("function\tk\n") ==
        line + "'function': expected 'kernel', 'refused', 'symbol' or 'pointer'");
  CHECK(errorOf("kernel\n") == line + "the line ends: expected the kernel's name");
  CHECK(errorOf("kernel\t\t-\t0\n") == line + "empty field: expected the kernel's name");
  CHECK_THAT(errorOf("kernel\tk\tk\tcg\t0\n"), Catch::Contains("unknown hidden argument"));
  CHECK_THAT(errorOf("kernel\tk\tk\tdd\t0\n"), Catch::Contains("unknown hidden argument"));
  CHECK(errorOf("kernel\tk\tk\t-\t-1\n") == line + "'-1': expected the bytes of shared memory");
  CHECK(errorOf("kernel\tk\tk\t-\t0\t0\t4x\n") == line + "'4x': expected the bytes of an argument");
  CHECK(errorOf("kernel\tk\tk\t-\t0\t0\t99999999999999999999\n") ==
        line + "'99999999999999999999': expected the bytes of an argument");
  CHECK(errorOf("kernel\tk\tk\t-\t0\t0\t65536\t1\n") ==
        line + "arguments of more than 65536 bytes");
  CHECK(errorOf("symbol\tx\tlocal\t0\t4\n") == line + "'local': expected 'global' or 'constant'");
  CHECK(errorOf("symbol\tx\tglobal\t0\t4\t1\n") == line + "more fields than expected");
}

TEST_CASE("Symbols and pointers are inside of the initial bytes") {
  CHECK(errorOf("symbol\tx\tglobal\t0\t16\n") == "none");
  CHECK_THAT(errorOf("symbol\tx\tglobal\t1\t16\n"), Catch::Contains("outside"));
  CHECK_THAT(errorOf("symbol\tx\tglobal\t18446744073709551615\t2\n"), Catch::Contains("outside"));
  CHECK(errorOf("pointer\tglobal\t8\tconstant\t16\n") == "none");
  CHECK_THAT(errorOf("pointer\tglobal\t9\tconstant\t0\n"), Catch::Contains("outside"));
  CHECK_THAT(errorOf("pointer\tglobal\t0\tconstant\t17\n"), Catch::Contains("outside"));
}

TEST_CASE("The header says how many bytes there are") {
  const std::string bytes = deviceCodeOf({"", "global", "", "bitcode"});
  CHECK_THROWS_AS(parseDeviceCode(bytes + "x"), aiwc::Error);
  for (size_t length = 0; length < bytes.size(); ++length)
    CHECK_THROWS_AS(parseDeviceCode(bytes.substr(0, length)), aiwc::Error);
  std::string newer = bytes;
  newer[8] = 3;
  CHECK_THROWS_WITH(parseDeviceCode(newer), Catch::Contains("version 3: expected version 2"));
  std::string large = bytes;
  for (size_t i = 16; i < 32; ++i) // two parts that overflow together
    large[i] = static_cast<char>(0xff);
  CHECK_THROWS_AS(parseDeviceCode(large), aiwc::Error);
}

TEST_CASE("Damaged device code is refused or read, and nothing beyond their bytes is") {
  const std::string bytes =
      deviceCodeOf({"kernel\tk\tk\tdgc\t64\t128\t8\t4\nsymbol\tx\tglobal\t4\t12\n"
                    "pointer\tglobal\t8\tconstant\t3\n",
                    std::string(16, 'g'), std::string(8, 'c'), "BC"});
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (int change = 0; change < 3; ++change)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      const DeviceCode code = parseDeviceCode(damaged);
      for (const DeviceCode::Symbol &symbol : code.symbols)
        CHECK(symbol.offset + symbol.bytes <= code.initial[indexOf(symbol.space)].size());
    } catch (const aiwc::Error &) {
    }
  }
}
