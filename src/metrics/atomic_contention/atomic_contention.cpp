#include "metrics/atomic_contention/atomic_operations.h"
#include "metrics/shared/analysis.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace aiwc::metrics {
namespace {

using trace::AddressSpace;

/// Counts atomic operations per address. Kernels without atomics, which most are, cost
/// nothing. Memory: O(addresses that atomics access).
class AtomicContention final : public Analysis {
public:
  explicit AtomicContention(const trace::Program &program) : hasAtomics_(hasAtomics(program)) {}

  void beginGroup(const trace::Program &, const trace::Group &) override {}

  void consume(const MarkedChunk &chunk) override {
    if (!hasAtomics_)
      return;
    forEachAtomic(chunk, [this](uint32_t item, const trace::Operation &operation,
                                const trace::Access &access) {
      Counts &counts = counts_[access.space][access.address];
      ++counts.atomics;
      counts.turns += turns_.next(item, operation, access.address);
      if (access.addressSpace() == AddressSpace::kLocal)
        mostLocal_.raise(counts);
    });
    if (chunk.end != trace::ChunkEnd::kFull)
      turns_.restart();
  }

  void endGroup() override { counts_[index(AddressSpace::kLocal)].clear(); }

  void merge(Analysis &other) override {
    const auto &from = static_cast<AtomicContention &>(other);
    for (const AddressSpace space : kAcrossGroups)
      for (const auto &[address, counts] : from.counts_[index(space)]) {
        counts_[index(space)][address].atomics += counts.atomics;
        counts_[index(space)][address].turns += counts.turns;
      }
    mostLocal_.raise(from.mostLocal_);
  }

  void finish(profile::KernelProfile &profile) const override {
    Counts most = mostLocal_;
    std::unordered_map<uint64_t, uint64_t> lines;
    for (const AddressSpace space : kAcrossGroups)
      for (const auto &[address, counts] : counts_[index(space)])
        most.raise({counts.atomics, lines[address >> kAtomicLineBits] += counts.turns});
    for (const auto &[metric, count] : {std::pair("atomic_contention_max"_metric, most.atomics),
                                        std::pair("atomic_line_contention_max"_metric, most.turns)})
      count > 0 ? profile.setCount(metric, count) : profile.setNone(metric);
  }

private:
  static constexpr std::array kAcrossGroups = {AddressSpace::kGlobal, AddressSpace::kConstant};

  struct Counts {
    uint64_t atomics = 0;
    uint64_t turns = 0; ///< that they take (AtomicTurns)

    void raise(const Counts &other) {
      atomics = std::max(atomics, other.atomics);
      turns = std::max(turns, other.turns);
    }
  };

  bool hasAtomics_;
  /// Per address, by address space; for local memory, only those of the current group.
  std::array<std::unordered_map<uint64_t, Counts>, 4> counts_;
  Counts mostLocal_; ///< on a local address in any group
  AtomicTurns turns_;
};

} // namespace

std::unique_ptr<Analysis> atomic_contention::make(const trace::Program &program, const Settings &) {
  return std::make_unique<AtomicContention>(program);
}

} // namespace aiwc::metrics
