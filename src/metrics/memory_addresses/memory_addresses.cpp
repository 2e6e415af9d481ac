#include "catalogue/memory_addresses.h"

#include "metrics/memory_addresses/address_counts.h"
#include "metrics/shared/analysis.h"
#include "metrics/shared/tally.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace aiwc::metrics {
namespace {

using profile::Metric;
using trace::AddressSpace;

/// Level l skips l bits; level 0 is the global entropy.
constexpr size_t kEntropyLevels = memory_addresses::kSkippedBits.size() + 1;

Metric entropyMetric(size_t skippedBits) {
  return skippedBits == 0 ? "global_memory_address_entropy"_metric
                          : kVectorMetric<"local_memory_address_entropy">[skippedBits - 1];
}

/// Computes all metrics in one pass over the addresses in increasing order. At every level,
/// addresses that share their upper bits are adjacent and form a block. The count of a block is the
/// sum of its two halves, which are blocks of the level below, so the cost per address is the
/// number of blocks that end with it. If a word is only accessed at its first byte, its blocks of
/// 1, 2 and 4 bytes have the same count.
class AddressWalk {
public:
  /// `alone` means that no other address of the word was accessed.
  void visit(AddressSpace space, uint64_t address, const AddressCounts::Counts &counts,
             bool alone) {
    const uint64_t accesses = counts.reads + counts.writes;
    ++addresses;
    uniqueReads += counts.reads > 0;
    uniqueWrites += counts.writes > 0;
    addBytes(space, address, counts.extent);
    closeBlocks(space == space_ ? static_cast<size_t>(std::bit_width(address ^ address_))
                                : kEntropyLevels);
    space_ = space;
    address_ = address;
    if (!alone) {
      open_[0] += accesses;
      lowest_ = 0;
      return;
    }
    words_.add(accesses);
    open_[kWordLevel + 1] += accesses;
    lowest_ = kWordLevel + 1;
  }

  /// A page of elements of `counts.extent` bytes, a power of two from a word on.
  void visitPage(AddressSpace space, uint64_t address, const AddressCounts::Counts &counts) {
    constexpr auto kPageLevel = static_cast<size_t>(std::bit_width(AddressCounts::kPageBytes) - 1);
    const auto elementLevel = static_cast<size_t>(std::bit_width(counts.extent) - 1);
    const uint64_t elements = AddressCounts::kPageBytes >> elementLevel;
    const uint64_t accesses = counts.reads + counts.writes;
    addresses += elements;
    uniqueReads += counts.reads > 0 ? elements : 0;
    uniqueWrites += counts.writes > 0 ? elements : 0;
    addBytes(space, address, AddressCounts::kPageBytes);
    closeBlocks(space == space_ ? static_cast<size_t>(std::bit_width(address ^ address_))
                                : kEntropyLevels);
    space_ = space;
    address_ = address + AddressCounts::kPageBytes - 1;
    words_.add(accesses, elements);
    for (size_t level = kWordLevel + 1; level <= kPageLevel; ++level) {
      const size_t ofElement = std::max(level, elementLevel); // smaller blocks have one element
      tallies_[level].add(accesses << (ofElement - elementLevel),
                          AddressCounts::kPageBytes >> ofElement);
    }
    lowest_ = kPageLevel + 1;
    open_[lowest_] += elements * accesses;
  }

  /// Must be called after the last address.
  void end() { closeBlocks(kEntropyLevels); }

  /// Accesses per block of 2^level bytes.
  profile::Histogram occurrences(size_t level) const {
    Tally blocks = tallies_[level];
    if (level <= kWordLevel)
      blocks.merge(words_);
    return blocks.histogram();
  }

  uint64_t addresses = 0, uniqueReads = 0, uniqueWrites = 0, bytes = 0;

private:
  static constexpr size_t kWordLevel = 2;

  /// Closes the blocks of the lowest `levels` levels, which do not contain the next address.
  void closeBlocks(size_t levels) {
    for (size_t level = lowest_; level < std::min(levels, kEntropyLevels); ++level) {
      const uint64_t accesses = std::exchange(open_[level], 0);
      if (accesses > 0)
        tallies_[level].add(accesses);
      if (level + 1 < kEntropyLevels)
        open_[level + 1] += accesses;
    }
  }

  void addBytes(AddressSpace space, uint64_t address, uint64_t extent) {
    const uint64_t from = space == coveredSpace_ ? std::max(address, coveredEnd_) : address;
    const uint64_t end = address + extent;
    if (end > from)
      bytes += end - from;
    coveredEnd_ = space == coveredSpace_ ? std::max(coveredEnd_, end) : end;
    coveredSpace_ = space;
  }

  AddressSpace space_ = AddressSpace::kPrivate; ///< of the last address
  uint64_t address_ = 0;
  /// Per level: accesses to the block that contains the last address, without those that lower
  /// levels still hold in open blocks.
  std::array<uint64_t, kEntropyLevels> open_{};
  size_t lowest_ = 0; ///< lowest level that may have an open block
  std::array<Tally, kEntropyLevels> tallies_;
  Tally words_; ///< counts for all blocks of up to 4 bytes
  AddressSpace coveredSpace_ = AddressSpace::kPrivate;
  uint64_t coveredEnd_ = 0;
};

class MemoryAddresses final : public Analysis {
public:
  void beginGroup(const trace::Program &, const trace::Group &) override {}

  void consume(const MarkedChunk &chunk) override {
    for (const LaneBlock &block : chunk.blocks) {
      const std::span<const trace::Access> accesses = chunk.accessesOf(block.runs.front());
      const size_t lanes = block.runs.size();
      for (size_t a = 0; a < accesses.size(); ++a)
        count(accesses[a], lanes > 1 ? block.columns[a] : Column{}, lanes);
    }
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    auto &from = static_cast<MemoryAddresses &>(other);
    privateAccesses_ += from.privateAccesses_;
    for (size_t write = 0; write < accesses_.size(); ++write)
      accesses_[write] += from.accesses_[write];
    for (size_t write = 0; write < bytes_.size(); ++write)
      for (size_t space = 0; space < bytes_[write].size(); ++space)
        bytes_[write][space] += from.bytes_[write][space];
    counts_.merge(std::move(from.counts_));
  }

  void finish(profile::KernelProfile &profile) const override {
    AddressWalk walk;
    counts_.forEach(
        [&walk](AddressSpace space, uint64_t address, const AddressCounts::Counts &counts,
                bool alone) { walk.visit(space, address, counts, alone); },
        [&walk](AddressSpace space, uint64_t address, const AddressCounts::Counts &counts) {
          walk.visitPage(space, address, counts);
        });
    walk.end();
    writeCounts(walk, profile);
    for (size_t level = 0; level < kEntropyLevels; ++level) {
      const profile::Histogram occurrences = walk.occurrences(level);
      profile.setReal(entropyMetric(level), entropyOfOccurrences(occurrences));
      if (level == 0) {
        profile.setCount("memory_footprint_90"_metric, outcomesCovering90(occurrences));
        profile.histograms.addressAccesses = occurrences;
      }
    }
  }

  void sums(profile::KernelProfile &profile) const override {
    profile.setCount("total_reads"_metric, accesses_[false]);
    profile.setCount("total_writes"_metric, accesses_[true]);
    profile.setCount("private_accesses"_metric, privateAccesses_);
    const auto bytes = [this](bool write, AddressSpace space) {
      return bytes_[write][static_cast<size_t>(space)];
    };
    profile.setCount("bytes_read_global"_metric, bytes(false, AddressSpace::kGlobal));
    profile.setCount("bytes_read_local"_metric, bytes(false, AddressSpace::kLocal));
    profile.setCount("bytes_read_constant"_metric, bytes(false, AddressSpace::kConstant));
    profile.setCount("bytes_written_global"_metric, bytes(true, AddressSpace::kGlobal));
    profile.setCount("bytes_written_local"_metric, bytes(true, AddressSpace::kLocal));
    profile.setCount("bytes_written_constant"_metric, bytes(true, AddressSpace::kConstant));
  }

private:
  /// Counts the accesses of a column; `access` is the first lane's.
  void count(trace::Access access, const Column &column, size_t lanes) {
    if (access.addressSpace() == AddressSpace::kPrivate) {
      privateAccesses_ += lanes;
      return;
    }
    bytes_[access.write][access.space] += access.size * lanes;
    accesses_[access.write] += lanes;
    AddressCounts::Hint page;
    column.forEachPart(access.address, lanes, [&](uint64_t first, size_t count) {
      access.address = first;
      counts_.add(access, column.stride, static_cast<uint32_t>(count), page);
    });
  }

  void writeCounts(const AddressWalk &walk, profile::KernelProfile &profile) const {
    const auto real = [](uint64_t count) { return static_cast<double>(count); };
    profile.setCount("memory_footprint"_metric, walk.addresses);
    profile.setCount("unique_reads"_metric, walk.uniqueReads);
    profile.setCount("unique_writes"_metric, walk.uniqueWrites);
    profile.setRatio("unique_read_write_ratio"_metric, real(walk.uniqueReads),
                     real(walk.uniqueWrites));
    sums(profile);
    profile.setRatio("reread_ratio"_metric, real(walk.uniqueReads), real(accesses_[false]));
    profile.setRatio("rewrite_ratio"_metric, real(walk.uniqueWrites), real(accesses_[true]));
    profile.setCount("footprint_bytes"_metric, walk.bytes);
  }

  AddressCounts counts_;
  std::array<std::array<uint64_t, 4>, 2> bytes_{}; ///< [write][address space]
  std::array<uint64_t, 2> accesses_{};             ///< [write], without private memory
  uint64_t privateAccesses_ = 0;
};

} // namespace

std::unique_ptr<Analysis> memory_addresses::make(const trace::Program &, const Settings &) {
  return std::make_unique<MemoryAddresses>();
}

} // namespace aiwc::metrics
