// Rounds of work-groups that run at once are undone exactly if a thread has read or written what
// another one has written: against the definition, byte by byte, for what three threads do in any
// order.

#include "plugin/engine/thread_view.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace aiwc::engine;

namespace {

constexpr uint64_t kBytes = 512;
constexpr uint64_t kPage = uint64_t{1} << kPageBits;
constexpr unsigned kThreads = 3;

struct Step {
  unsigned thread;
  bool isExact, isWrite;
  uint64_t offset, size;
};

/// What a round of these steps came to.
struct Round {
  bool succeeded = false;
  std::string content;
};

class Launch {
public:
  Launch() {
    oclgrind::Memory &memory = *context_.getGlobalMemory();
    address_ = memory.allocateBuffer(kBytes);
    global_.begin({});
    global_.add(memory, address_);
    bytes_ = global_.find(address_, kBytes);
    views_.emplace(global_, kThreads);
  }

  Round run(const std::vector<Step> &steps) {
    std::fill_n(bytes_, kBytes, '.');
    views_->beginRound();
    bool failed = false;
    for (const Step &step : steps) {
      ThreadView &view = views_->at(step.thread);
      view.setExact(step.isExact);
      const uint64_t from = address_ + step.offset;
      if (!(step.isWrite ? view.claimPages(from, step.size) : view.readPages(from, step.size))) {
        failed = true; // as the thread would end the round
        break;
      }
      if (step.isWrite)
        std::fill_n(bytes_ + step.offset, step.size, static_cast<uint8_t>('a' + step.thread));
    }
    Round round;
    round.succeeded = views_->endRound(failed);
    round.content.assign(bytes_, bytes_ + kBytes);
    return round;
  }

private:
  oclgrind::Context context_;
  GlobalView global_;
  std::optional<ThreadViews> views_;
  uint64_t address_ = 0;
  uint8_t *bytes_ = nullptr;
};

/// Whether no thread reads or writes what another one writes, by bytes or by whole pages.
bool areApart(const std::vector<Step> &steps, bool byPages) {
  std::array<std::set<uint64_t>, kThreads> touched, written;
  for (const Step &step : steps) {
    const uint64_t unit = byPages ? kPage : 1;
    for (uint64_t at = step.offset / unit; at <= (step.offset + step.size - 1) / unit; ++at) {
      touched[step.thread].insert(at);
      if (step.isWrite)
        written[step.thread].insert(at);
    }
  }
  for (unsigned one = 0; one < kThreads; ++one)
    for (unsigned other = 0; other < kThreads; ++other)
      if (one != other && std::ranges::any_of(touched[one], [&](uint64_t at) {
            return written[other].contains(at);
          }))
        return false;
  return true;
}

std::string contentOf(const std::vector<Step> &steps) {
  std::string content(kBytes, '.');
  for (const Step &step : steps)
    if (step.isWrite)
      content.replace(step.offset, step.size, step.size, static_cast<char>('a' + step.thread));
  return content;
}

} // namespace

TEST_CASE("a round is undone if a thread reads or writes what another one has written") {
  struct Case {
    std::string name;
    std::vector<Step> steps;
    bool succeeds;
  };
  const std::vector<Case> cases = {
      {"pages of their own", {{0, false, true, 0, 64}, {1, false, true, 64, 64}}, true},
      {"one page", {{0, false, true, 0, 8}, {1, false, true, 8, 8}}, false},
      {"bytes of one page", {{0, true, true, 0, 8}, {1, true, true, 8, 8}}, true},
      {"the same bytes", {{0, true, true, 0, 8}, {1, true, true, 7, 8}}, false},
      {"one thread", {{0, true, true, 0, 8}, {0, true, false, 4, 8}, {0, true, true, 2, 8}}, true},
      {"a read before the write", {{1, true, false, 8, 4}, {2, true, true, 11, 4}}, false},
      {"a read after the write", {{2, true, true, 11, 4}, {1, true, false, 8, 4}}, false},
      {"a read by the first thread", {{0, true, false, 8, 4}, {2, true, true, 4, 5}}, false},
      {"a read beside the write", {{0, true, false, 8, 4}, {2, true, true, 12, 4}}, true},
      {"a read of a whole page", {{0, false, false, 8, 4}, {2, true, true, 32, 4}}, false},
      {"a write of a whole page", {{2, true, false, 8, 4}, {0, false, true, 32, 4}}, false},
      {"a page that bytes of were claimed", {{0, true, true, 0, 4}, {1, false, true, 8, 4}}, true},
      {"two that read", {{0, true, false, 0, 64}, {1, false, false, 0, 64}}, true},
      {"over the end of a page", {{0, true, true, 60, 8}, {1, true, false, 64, 4}}, false},
      {"the third, at last",
       {{0, true, true, 0, 8},
        {1, true, true, 8, 8},
        {2, true, true, 16, 8},
        {2, true, false, 0, 1}},
       false},
  };
  Launch launch;
  for (const Case &is : cases) {
    INFO(is.name);
    const Round round = launch.run(is.steps);
    CHECK(round.succeeded == is.succeeds);
    CHECK(round.content == (is.succeeds ? contentOf(is.steps) : std::string(kBytes, '.')));
  }
}

TEST_CASE("rounds of random steps: exact ones succeed exactly if bytes are apart") {
  Launch launch;
  std::mt19937 random(1);
  const auto below = [&](uint64_t end) { return random() % end; };
  size_t succeeded = 0;
  constexpr size_t kRounds = 4000;
  for (size_t n = 0; n < kRounds; ++n) {
    const uint64_t exact = below(3); // none, all, or some
    std::vector<Step> steps(2 + below(7));
    for (Step &step : steps) {
      const uint64_t size = 1 + below(below(4) ? 12 : 140);
      step = {static_cast<unsigned>(below(kThreads)), exact == 1 || (exact == 2 && below(2)),
              below(2) == 0, below(kBytes - size), size};
    }
    const Round round = launch.run(steps);
    INFO("round " << n);
    if (exact < 2)
      CHECK(round.succeeded == areApart(steps, exact == 0));
    else if (round.succeeded)
      CHECK(areApart(steps, false));
    CHECK(round.content == (round.succeeded ? contentOf(steps) : std::string(kBytes, '.')));
    succeeded += round.succeeded ? 1 : 0;
  }
  CHECK(succeeded > kRounds / 20);
  CHECK(succeeded < kRounds * 19 / 20);
}
