#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace aiwc::plugin {

/// Passes a trace on, and looks for a work-item that reads a byte of local memory which another
/// one of its warp has written last, or writes one that another one has read, with no barrier or
/// meeting between. Devices that run a warp in step give such a program the values that it wants;
/// the simulator, which runs work-items one after another, may not. Atomics do not count.
///
/// Looks at the first kMostAccesses of a kernel to local memory only, about; all its groups and
/// launches have the same code. Memory: O(words that a group accesses between barriers).
class WarpRaces final : public trace::ChunkConsumer {
public:
  static constexpr uint64_t kMostAccesses = uint64_t{1} << 22;

  /// `next` and `accesses` outlive the object. `warp`: work-items of one. `accesses`: to local
  /// memory that all objects have looked at for the kernel.
  WarpRaces(trace::ChunkConsumer &next, uint32_t warp, std::atomic<uint64_t> &accesses)
      : next_(next), warp_(warp), accesses_(accesses) {}

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;

  /// The source line of the access that comes second in the first race that was found; 0 if the
  /// line is not known, none if there was no race.
  const std::optional<uint32_t> &line() const { return line_; }

private:
  static constexpr uint32_t kNobody = trace::Run::kWorkGroup;
  /// The work-items that have accessed a byte since the last barrier.
  struct Byte {
    uint32_t writer = kNobody;       ///< the last one
    uint32_t reader = kNobody;       ///< the last one
    uint32_t readerBefore = kNobody; ///< the last one but `reader`
  };

  void look(const trace::Chunk &chunk, const trace::Run &run);
  bool isRace(const trace::Access &access, uint32_t item);

  trace::ChunkConsumer &next_;
  const uint32_t warp_;
  std::atomic<uint64_t> &accesses_;
  std::optional<bool> stores_; ///< whether the program writes to local memory
  using Bytes = metrics::PagedMemory<Byte, 1024, metrics::WordCell::kOfEveryByte>;
  Bytes bytes_; ///< that were accessed since the last barrier
  std::optional<uint32_t> line_;
};

} // namespace aiwc::plugin
