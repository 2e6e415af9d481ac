// Words that hold addresses of shared memory, around a launch.
#include "common/address_map.h"
#include "common/shared_memory.h"

#include <array>
#include <catch2/catch.hpp>

namespace aiwc {
namespace {

constexpr size_t kHost = 0x2a95'8000'0000, kDevice = size_t{3} << 48, kOther = 7;

TEST_CASE("words that hold the host's addresses have the simulator's during a launch") {
  AddressMap<size_t> byHost;
  byHost.add(kHost, 64, kDevice);
  std::array<size_t, 3> memory = {kHost + 8, kOther, kHost + 64};
  TranslatedWords words;
  words.translate(memory.data(), sizeof memory,
                  [&](size_t word) { return translated(byHost, word); });
  CHECK(memory == std::array<size_t, 3>{kDevice + 8, kOther, kHost + 64});
  words.restore([](size_t word) { return word; });
  CHECK(memory == std::array<size_t, 3>{kHost + 8, kOther, kHost + 64});
}

TEST_CASE("a word that the kernel stored over an address is translated by itself") {
  AddressMap<size_t> byHost, byDevice;
  byHost.add(kHost, 64, kDevice);
  byDevice.add(kDevice, 64, kHost);
  std::array<size_t, 3> memory = {kHost, kHost, kHost};
  TranslatedWords words;
  words.translate(memory.data(), sizeof memory,
                  [&](size_t word) { return translated(byHost, word); });
  memory[1] = kDevice + 16;
  memory[2] = kOther;
  words.restore([&](size_t word) { return translated(byDevice, word); });
  CHECK(memory == std::array<size_t, 3>{kHost, kHost + 16, kOther});
}

TEST_CASE("a byte behind the last whole word is left alone") {
  std::array<size_t, 2> memory = {kHost, kHost};
  TranslatedWords words;
  words.translate(memory.data(), sizeof memory - 1, [](size_t word) { return word + 1; });
  CHECK(memory == std::array<size_t, 2>{kHost + 1, kHost});
}

} // namespace
} // namespace aiwc
