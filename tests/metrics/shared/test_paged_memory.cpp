/// Compares PagedMemory with a plain map from bytes to cells.
#include "metrics/shared/paged_memory.h"
#include "support/random.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using metrics::PagedMemory;
using metrics::WordCell;

namespace {

/// A cell that differs from default cells and from the cells of its neighbours.
struct Cell {
  uint64_t value = 0;
  bool operator==(const Cell &) const = default;
};

using OfEveryByte = PagedMemory<Cell, 64, WordCell::kOfEveryByte>;
using OfFirstByte = PagedMemory<Cell, 64, WordCell::kOfFirstByte>;

/// (owner, address of a byte) -> value of its cell; 0 if it was never set.
using Plain = std::map<std::pair<uint32_t, uint64_t>, uint64_t>;

void fill(OfEveryByte &memory, Plain &plain, uint32_t owner, uint64_t address, uint64_t size,
          uint64_t value) {
  memory.fill(owner, address, size, {value});
  for (uint64_t byte = address; byte < address + size; ++byte)
    plain[{owner, byte}] = value;
}

template <typename Memory>
std::vector<uint64_t> read(const Memory &memory, uint32_t owner, uint64_t address, uint64_t size) {
  std::vector<uint64_t> values;
  memory.forEach(owner, address, size, [&](const Cell &cell) { values.push_back(cell.value); });
  return values;
}

uint64_t valueAt(const Plain &plain, uint32_t owner, uint64_t byte) {
  const auto found = plain.find({owner, byte});
  return found == plain.end() ? 0 : found->second;
}

/// Compares byte by byte. A byte of a page that does not exist has no cell, which counts as 0.
void requireSame(const OfEveryByte &memory, const Plain &plain, uint32_t owner, uint64_t address,
                 uint64_t size) {
  for (uint64_t byte = address; byte < address + size; ++byte) {
    const std::vector<uint64_t> cells = read(memory, owner, byte, 1);
    REQUIRE(cells.size() <= 1);
    REQUIRE((cells.empty() ? 0 : cells.front()) == valueAt(plain, owner, byte));
  }
}

void requireSame(const OfEveryByte &memory, const Plain &plain) {
  for (const auto &[place, value] : plain)
    REQUIRE(read(memory, place.first, place.second, 1) == std::vector<uint64_t>{value});
}

uint64_t randomAddress(Random &random) {
  const auto range = random.oneOf<uint64_t>({32, 300, 5000, uint64_t{1} << 44});
  return random.below(4) << 48 | random.below(range);
}

uint32_t randomOwner(Random &random) {
  return random.oneOf<uint32_t>({0, 1, 2, 512, UINT32_MAX - 1, UINT32_MAX});
}

} // namespace

TEST_CASE("a page has a cell per word, until a byte has to be told from its word",
          "[paged_memory]") {
  OfEveryByte memory;
  CHECK(memory.find(7, 1) == nullptr);
  CHECK(read(memory, 7, 64, 64).empty());
  CHECK(memory.find(7, 1) == nullptr); // a read leaves nothing

  CHECK_FALSE(memory.fill(7, 68, 8, {5}));
  CHECK(read(memory, 7, 64, 16) == std::vector<uint64_t>{0, 5, 5, 0});
  CHECK(read(memory, 7, 70, 4) == std::vector<uint64_t>{5, 5}); // the words that the bytes are in
  CHECK(memory.find(7, 1)->bytes == nullptr);
  CHECK(memory.find(6, 1) == nullptr);
  CHECK(memory.find(7, 0) == nullptr);

  CHECK(memory.fill(7, 70, 1, {6}));
  CHECK(memory.find(7, 1)->bytes != nullptr);
  CHECK(read(memory, 7, 66, 7) == std::vector<uint64_t>{0, 0, 5, 5, 6, 5, 5});
  CHECK_FALSE(memory.fill(7, 71, 1, {7})); // it was split already
  CHECK(read(memory, 7, 69, 3) == std::vector<uint64_t>{5, 6, 7});
}

TEST_CASE("what crosses pages is noted in each of them", "[paged_memory]") {
  OfEveryByte memory;
  CHECK_FALSE(memory.fill(0, 60, 72, {3})); // one word, a page, one word
  CHECK(read(memory, 0, 56, 80) ==
        std::vector<uint64_t>({0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0}));
  CHECK(memory.sortedPages().size() == 3);
  CHECK(memory.fill(0, 62, 4, {4})); // two bytes of each of the first two
  CHECK(memory.find(0, 0)->bytes != nullptr);
  CHECK(memory.find(0, 1)->bytes != nullptr);
  CHECK(memory.find(0, 2)->bytes == nullptr);
  CHECK(read(memory, 0, 60, 8) == std::vector<uint64_t>{3, 3, 4, 4, 4, 4, 3, 3});

  CHECK_FALSE(memory.fill(0, 1000, 0, {9}));
  CHECK(memory.sortedPages().size() == 3);
  CHECK(read(memory, 0, 0, 0).empty());
}

TEST_CASE("the cell of a word says something of its bytes, or of its own address",
          "[paged_memory]") {
  OfEveryByte bytes;
  bytes.findOrAdd(0, 0).words[1] = {8};
  const auto &spread = OfEveryByte::split(*bytes.find(0, 0));
  OfFirstByte addresses;
  addresses.findOrAdd(0, 0).words[1] = {8};
  const auto &first = OfFirstByte::split(*addresses.find(0, 0));
  for (size_t byte = 0; byte < spread.size(); ++byte) {
    CAPTURE(byte);
    CHECK(spread[byte].value == (byte / 4 == 1 ? 8 : 0));
    CHECK(first[byte].value == (byte == 4 ? 8 : 0));
  }
}

TEST_CASE("paged memory agrees with a map of bytes", "[paged_memory]") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool wordsAlone = random.oneIn(3);
    OfEveryByte memory;
    Plain plain;
    for (int step = 0; step < 2000; ++step) {
      if (random.oneIn(600)) {
        memory.reset();
        plain.clear();
      }
      const uint32_t owner = randomOwner(random);
      uint64_t address = randomAddress(random);
      uint64_t size = random.oneIn(40) ? random.between(0, 300)
                                       : random.oneOf<uint64_t>({1, 2, 4, 4, 4, 8, 16});
      if (wordsAlone) {
        address &= ~uint64_t{3};
        size = (size + 3) & ~uint64_t{3};
      }
      if (random.oneIn(2))
        fill(memory, plain, owner, address, size, random.between(1, 1000));
      else
        requireSame(memory, plain, owner, address, size);
    }
    requireSame(memory, plain);
    for (const auto *page : memory.sortedPages())
      requireSame(memory, plain, page->owner, page->number * OfEveryByte::kPageBytes,
                  OfEveryByte::kPageBytes);
    if (wordsAlone)
      for (const auto *page : memory.sortedPages())
        REQUIRE(page->bytes == nullptr);
  }
}

TEST_CASE("pages come in the order of owner and address, each once", "[paged_memory]") {
  Random random(1);
  OfEveryByte memory;
  std::set<std::pair<uint32_t, uint64_t>> pages;
  for (int n = 0; n < 5000; ++n) {
    const std::pair page(randomOwner(random), OfEveryByte::pageOf(randomAddress(random)));
    memory.findOrAdd(page.first, page.second);
    pages.insert(page);
  }
  std::vector<std::pair<uint32_t, uint64_t>> sorted;
  for (const auto *page : memory.sortedPages())
    sorted.emplace_back(page->owner, page->number);
  REQUIRE(sorted == std::vector(pages.begin(), pages.end()));
}

TEST_CASE("after a reset nothing is left, though pages are used again", "[paged_memory]") {
  OfEveryByte memory;
  for (uint64_t round = 1; round <= 3000; ++round) {
    for (uint64_t buffer = 0; buffer < 20; ++buffer) {
      REQUIRE(memory.find(0, OfEveryByte::pageOf(buffer << 40)) == nullptr);
      memory.fill(0, buffer << 40, 4, {round});
      REQUIRE(read(memory, 0, buffer << 40, 8) == std::vector<uint64_t>{round, 0});
      if ((buffer + round) % 2)
        memory.fill(0, (buffer << 40) + 5, 1, {round + 1});
      if ((buffer + round) % 2)
        REQUIRE(read(memory, 0, (buffer << 40) + 3, 3) ==
                std::vector<uint64_t>{round, 0, round + 1});
    }
    memory.reset();
    REQUIRE(memory.sortedPages().empty());
  }
}

TEST_CASE("merging takes pages over whole, and combines those that both have", "[paged_memory]") {
  OfFirstByte mine, theirs;
  mine.findOrAdd(1, 10).words[0] = {1};
  OfFirstByte::Page &shared = mine.findOrAdd(1, 11);
  shared.words[2] = {2};
  theirs.findOrAdd(1, 11).words[2] = {30};
  OfFirstByte::split(theirs.findOrAdd(1, 11))[9] = {40};
  OfFirstByte::Page *const taken = &theirs.findOrAdd(2, 10);
  taken->words[3] = {50};

  std::vector<std::tuple<uint32_t, uint64_t, uint64_t, uint64_t>> combined;
  mine.merge(std::move(theirs), [&](uint32_t owner, uint64_t address, Cell &to, const Cell &from) {
    combined.emplace_back(owner, address, to.value, from.value);
    to.value += from.value;
  });
  REQUIRE(combined.size() == 64); // every cell of the one page that both had, which was split
  for (uint64_t byte = 0; byte < 64; ++byte) {
    CAPTURE(byte);
    const uint64_t before = byte == 8 ? 2 : 0;
    const uint64_t more = byte == 8 ? 30 : byte == 9 ? 40 : 0;
    CHECK(combined[byte] == std::tuple(1U, 11 * 64 + byte, before, more));
  }
  CHECK(read(mine, 1, 11 * 64 + 7, 3) == std::vector<uint64_t>{0, 32, 40});
  CHECK(mine.find(1, 10)->words[0].value == 1);
  CHECK(mine.find(2, 10) == taken); // the page itself: nothing was copied
  CHECK(taken->words[3].value == 50);

  CHECK(theirs.sortedPages().empty()); // NOLINT(bugprone-use-after-move): it is left empty
  CHECK(theirs.find(2, 10) == nullptr);
  theirs.findOrAdd(2, 10).words[3] = {1}; // and can be used again
  CHECK(taken->words[3].value == 50);
}

TEST_CASE("merged pages agree with a map of bytes", "[paged_memory]") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    OfEveryByte sum;
    Plain plain;
    if (random.oneIn(2)) { // pages that are there, and free
      fill(sum, plain, 0, 0, random.below(2000), 1);
      sum.reset();
      plain.clear();
    }
    for (int part = 0; part < 5; ++part) {
      OfEveryByte more;
      Plain plainMore;
      for (uint64_t n = random.below(150); n > 0; --n)
        fill(more, plainMore, randomOwner(random), randomAddress(random), random.between(1, 40),
             random.between(1, 1000));
      sum.merge(std::move(more), [](uint32_t, uint64_t, Cell &mine, const Cell &theirs) {
        mine.value += theirs.value;
      });
      for (const auto &[place, value] : plainMore)
        plain[place] += value;
      requireSame(sum, plain);
    }
    for (const auto *page : sum.sortedPages())
      requireSame(sum, plain, page->owner, page->number * OfEveryByte::kPageBytes,
                  OfEveryByte::kPageBytes);
  }
}
