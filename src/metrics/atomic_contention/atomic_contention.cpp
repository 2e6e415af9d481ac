#include "metrics/atomic_contention/atomic_operations.h"
#include "metrics/shared/analysis.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace aiwc::metrics {
namespace {

using trace::Access;
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
    forEachAtomic(chunk, [this](const Access &access) {
      const uint64_t atomics = ++atomics_[access.space][access.address];
      if (access.addressSpace() == AddressSpace::kLocal)
        mostLocal_ = std::max(mostLocal_, atomics);
    });
  }

  void endGroup() override { atomics_[index(AddressSpace::kLocal)].clear(); }

  void merge(Analysis &other) override {
    const auto &from = static_cast<AtomicContention &>(other);
    for (const AddressSpace space : kAcrossGroups)
      for (const auto &[address, atomics] : from.atomics_[index(space)])
        atomics_[index(space)][address] += atomics;
    mostLocal_ = std::max(mostLocal_, from.mostLocal_);
  }

  void finish(profile::KernelProfile &profile) const override {
    uint64_t most = mostLocal_, ofLine = mostLocal_;
    std::unordered_map<uint64_t, uint64_t> lines;
    for (const AddressSpace space : kAcrossGroups)
      for (const auto &[address, atomics] : atomics_[index(space)]) {
        most = std::max(most, atomics);
        ofLine = std::max(ofLine, lines[address >> kAtomicLineBits] += atomics);
      }
    for (const auto &[metric, count] : {std::pair("atomic_contention_max"_metric, most),
                                        std::pair("atomic_line_contention_max"_metric, ofLine)})
      count > 0 ? profile.setCount(metric, count) : profile.setNone(metric);
  }

private:
  static constexpr std::array kAcrossGroups = {AddressSpace::kGlobal, AddressSpace::kConstant};

  bool hasAtomics_;
  /// Atomics per address, by address space; for local memory, only those of the current group.
  std::array<std::unordered_map<uint64_t, uint64_t>, 4> atomics_;
  uint64_t mostLocal_ = 0; ///< most atomics on a local address in any group
};

} // namespace

std::unique_ptr<Analysis> atomic_contention::make(const trace::Program &program, const Settings &) {
  return std::make_unique<AtomicContention>(program);
}

} // namespace aiwc::metrics
