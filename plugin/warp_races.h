#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace aiwc::plugin {

/// Passes a trace on, and looks for a work-item that reads a byte of local memory which another
/// one of its warp has written last, or writes one that another one has read without having written
/// it last itself, with no barrier or meeting between. Devices that run a warp in step give such a
/// program the values that it wants; the simulator, which runs work-items one after another, may
/// not. Atomics do not count.
///
/// Also tells when a work-item has accessed one address kMostPolls times and nothing else between:
/// it waits for a value that another one has to write, which does not run meanwhile.
///
/// Looks for races at the first kMostAccesses of a kernel to local memory only, about; all its
/// groups and launches have the same code. Memory: O(words that a group accesses between barriers).
class WarpRaces final : public trace::ChunkConsumer {
public:
  static constexpr uint64_t kMostAccesses = uint64_t{1} << 22, kMostPolls = uint64_t{1} << 24;

  /// What all objects have found in the launches of a kernel.
  class Found {
  public:
    /// The source line of the access that comes second in the first race that was found; 0 if the
    /// line is not known, none if there was no race.
    std::optional<uint32_t> line() const {
      const uint64_t line = line_;
      return line == kNone ? std::nullopt : std::optional(static_cast<uint32_t>(line));
    }

  private:
    friend class WarpRaces;
    bool looksOn() const { return line_ == kNone && accesses_ < kMostAccesses; }
    void add(uint32_t line) {
      uint64_t none = kNone;
      line_.compare_exchange_strong(none, line);
    }

    static constexpr uint64_t kNone = UINT64_MAX;
    std::atomic<uint64_t> line_ = kNone;
    std::atomic<uint64_t> accesses_ = 0; ///< to local memory, that were looked at
    std::atomic<bool> isWaitTold_ = false;
  };

  /// `next` and `found` outlive the object. `warp`: work-items of one. `tellOfWait` gets the source
  /// line, 0 if it is not known, once for all objects with the same `found`.
  WarpRaces(trace::ChunkConsumer &next, uint32_t warp, Found &found,
            std::function<void(uint32_t line)> tellOfWait)
      : next_(next), warp_(warp), found_(found), tellOfWait_(std::move(tellOfWait)) {}

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;

private:
  static constexpr uint32_t kNobody = trace::Run::kWorkGroup;
  /// The work-items that have accessed a byte since the last barrier. No reader is one that has
  /// written it last itself.
  struct Byte {
    uint32_t writer = kNobody;       ///< the last one
    uint32_t reader = kNobody;       ///< the last one
    uint32_t readerBefore = kNobody; ///< the last one but `reader`
  };

  void look(const trace::Chunk &chunk, const trace::Run &run);
  bool isRace(const trace::Access &access, uint32_t item);
  void lookForWait(const trace::Chunk &chunk);

  trace::ChunkConsumer &next_;
  const uint32_t warp_;
  Found &found_;
  std::function<void(uint32_t line)> tellOfWait_;
  std::pair<uint32_t, uint64_t> poller_; ///< a work-item and the address that it has accessed
  uint64_t polls_ = 0;                   ///< so often in a row
  std::optional<bool> stores_;           ///< whether the program writes to local memory
  using Bytes = metrics::PagedMemory<Byte, 1024, metrics::WordCell::kOfEveryByte>;
  Bytes bytes_; ///< that were accessed since the last barrier
};

} // namespace aiwc::plugin
