#pragma once

#include "trace/chunk.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

namespace aiwc::metrics {

/// How the addresses of each work-group of a launch step from work-item to work-item. The first two
/// work-items, the last two and the two in the middle are looked at, which costs little besides the
/// trace. Groups that step alike are of one kind, wherever they are in memory.
///
/// An operation of which groups have more than kMostKinds kinds is left out: a sample shows how
/// they differ, as it does where addresses are read from memory. Memory: 8 bytes per group and
/// operation.
class StepCensus {
public:
  static constexpr size_t kMostKinds = 8;

  /// `operations`: whether to look at each operation of the program.
  StepCensus(const std::vector<bool> &operations, uint64_t groups);

  /// Looks at the traces of one thread.
  class Reader final : public trace::ChunkConsumer {
  public:
    explicit Reader(StepCensus &census) : census_(census) {}
    void beginGroup(const trace::Program &program, const trace::Group &group) override;
    void consume(const trace::Chunk &chunk) override;
    void endGroup() override;

  private:
    struct Step {
      uint32_t operation = 0;
      uint64_t address = 0;
    };
    void beginInterval();
    void add(const Step &step);

    StepCensus &census_;
    uint64_t group_ = 0;
    std::array<uint32_t, 5> others_{}; ///< work-items that are compared with the first one
    uint32_t item_ = 0;
    size_t number_ = 0;           ///< of the next access of `item_` in the barrier interval
    std::vector<Step> ofFirst_;   ///< those of the first work-item
    std::vector<uint64_t> steps_; ///< by operation that is looked at
  };

  /// Whether all operations are left out, so that nothing more is to be learned. Thread-safe.
  bool isUseless() const { return kept_ == 0; }
  /// Whether none is.
  bool isComplete() const { return kept_ == operations_.size(); }
  /// A number for each group, the same for groups of one kind. Empty if nothing is known. Call it
  /// after the last group.
  std::vector<uint64_t> kinds() const;

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /// Accesses of a work-item in a barrier interval that are looked at.
  static constexpr size_t kMostSteps = 4096;

  struct Operation {
    std::set<uint64_t> kinds = {};
    std::vector<uint64_t> ofGroup = {}; ///< empty: left out
  };

  void add(uint64_t group, const std::vector<uint64_t> &steps);

  std::vector<uint32_t> places_; ///< by operation of the program: in `operations_`, or kNone
  uint64_t groups_;
  std::mutex mutex_; ///< guards the next
  std::vector<Operation> operations_;
  std::atomic<size_t> kept_;
};

} // namespace aiwc::metrics
