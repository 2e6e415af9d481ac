#pragma once

#include "metrics/shared/lockstep_sampling.h"
#include "metrics/shared/marked_chunk.h"
#include "trace/chunk.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// The accesses of a group's work-items in a barrier interval that LockstepSampling selects. A
/// column is the k-th access of every work-item.
///
/// The accesses of lane groups whose work-items are alike are kept by column: where the lanes are
/// equally spaced, two numbers. Others are kept one by one. Their layout: a cache line holds
/// consecutive accesses of one work-item, the next cache line those of the next work-item. So a
/// work-item writes one line sequentially, and reading a column uses adjacent lines.
class AccessColumns {
public:
  void begin(uint32_t items) {
    items_ = items;
    room_ = slotsIn(addresses_.size());
    made_.assign(items, LockstepCounter{});
    longest_ = 0;
    alike_.resize(lanesEnd(items) / kLanes);
    for (Alike &alike : alike_)
      alike.clear();
  }

  void add(const trace::Chunk &chunk, const LaneBlock &block) {
    if (isLaneGroup(block))
      addAlike(chunk, block);
    else
      for (const trace::Run &run : block.runs)
        add(run.item, chunk.accessesOf(run));
  }

  uint32_t columns() const { return longest_; }
  /// Counters of the accesses, by work-item.
  std::span<const LockstepCounter> made() const { return made_; }

  /// The addresses of a column that has one access of every work-item, all in one address space and
  /// equally spaced.
  struct Spaced {
    uint64_t first = 0, stride = 0;
  };
  std::optional<Spaced> spaced(uint32_t slot) const {
    const Piece *const first = alike_.front().piece(slot);
    if (!first || first->scattered != kSpaced)
      return std::nullopt;
    uint64_t expected = first->first;
    for (const Alike &alike : alike_) {
      const Piece *const piece = alike.piece(slot);
      if (!piece || piece->scattered != kSpaced || piece->first != expected ||
          piece->stride != first->stride || piece->space != first->space)
        return std::nullopt;
      expected += kLanes * piece->stride;
    }
    return Spaced{first->first, first->stride};
  }

  /// Writes the addresses of this slot to `addresses`, sorted by work-item. Returns whether they
  /// are in different address spaces.
  bool read(uint32_t slot, std::vector<uint64_t> &addresses) const {
    uint32_t spaces = 0;
    addresses.clear();
    visit(slot, [&](uint32_t space, uint64_t address) {
      spaces |= uint32_t{1} << space;
      addresses.push_back(address);
    });
    return !std::has_single_bit(spaces);
  }
  /// Appends the addresses of this slot that are in the address space `space`.
  void read(uint32_t slot, uint32_t space, std::vector<uint64_t> &addresses) const {
    visit(slot, [&](uint32_t of, uint64_t address) {
      if (of == space)
        addresses.push_back(address);
    });
  }

private:
  static constexpr size_t kLine = 8;
  static constexpr uint32_t kLanes = LaneBlock::kLanes;
  static constexpr uint32_t kSpaced = UINT32_MAX;

  /// A column of a lane group.
  struct Piece {
    uint64_t first = 0, stride = 0;
    uint32_t scattered = kSpaced; ///< else the index of its first address in `Alike::addresses`
    uint32_t space = 0;
  };
  /// The columns of a lane group whose work-items are alike.
  struct Alike {
    std::vector<Piece> pieces; ///< by slot
    std::vector<uint64_t> addresses;
    uint32_t lanes = 0; ///< 0: the accesses of this lane group are kept one by one

    void clear() {
      pieces.clear();
      addresses.clear();
      lanes = 0;
    }
    const Piece *piece(uint32_t slot) const {
      return slot < pieces.size() ? &pieces[slot] : nullptr;
    }
  };

  static uint32_t lanesEnd(uint32_t items) { return (items + kLanes - 1) / kLanes * kLanes; }

  /// Whether the block is a whole lane group that has made no access in this barrier interval.
  bool isLaneGroup(const LaneBlock &block) const {
    const uint32_t first = block.firstItem();
    if (block.runs.size() < 2 || first % kLanes != 0 ||
        block.runs.size() != std::min(items_ - first, kLanes))
      return false;
    return std::ranges::all_of(std::span(made_).subspan(first, block.runs.size()),
                               [](const LockstepCounter &made) { return made.counted() == 0; });
  }

  void addAlike(const trace::Chunk &chunk, const LaneBlock &block) {
    const size_t lanes = block.runs.size();
    const auto accesses = chunk.accessesOf(block.runs.front());
    Alike &alike = alike_[block.firstItem() / kLanes];
    LockstepCounter made;
    for (size_t a = 0; a < accesses.size(); ++a) {
      const trace::Access &access = accesses[a];
      if (access.addressSpace() == trace::AddressSpace::kPrivate ||
          made.count() == LockstepSampling::kNone)
        continue;
      const Column &column = block.columns[a];
      Piece piece{access.address, column.stride, kSpaced, access.space};
      if (!column.equallySpaced()) {
        piece.scattered = static_cast<uint32_t>(alike.addresses.size());
        alike.addresses.insert(alike.addresses.end(), column.addresses, column.addresses + lanes);
      }
      alike.pieces.push_back(piece);
    }
    alike.lanes = static_cast<uint32_t>(lanes);
    longest_ = std::max(longest_, made.slots());
    std::fill_n(made_.begin() + block.firstItem(), lanes, made);
  }

  void add(uint32_t item, std::span<const trace::Access> accesses) {
    assert(alike_[item / kLanes].lanes == 0 || accesses.empty());
    LockstepCounter made = made_[item];
    for (const trace::Access &access : accesses) {
      if (access.addressSpace() == trace::AddressSpace::kPrivate)
        continue;
      const uint32_t slot = made.count();
      if (slot == LockstepSampling::kNone)
        continue;
      const size_t at = placeOf(slot, item);
      if (slot >= room_) [[unlikely]]
        grow(slot);
      addresses_[at] = access.address;
      spaces_[at] = static_cast<uint8_t>(access.space);
    }
    longest_ = std::max(longest_, made.slots());
    made_[item] = made;
  }

  /// Calls visit(address space, address) for each access of this slot, by work-item.
  template <typename Visit> void visit(uint32_t slot, Visit visit) const {
    for (size_t group = 0; group < alike_.size(); ++group) {
      const Alike &alike = alike_[group];
      if (alike.lanes == 0) {
        const auto first = static_cast<uint32_t>(group) * kLanes;
        for (uint32_t item = first; item < std::min(items_, first + kLanes); ++item)
          if (made_[item].slots() > slot)
            visit(spaces_[placeOf(slot, item)], addresses_[placeOf(slot, item)]);
      } else if (const Piece *const piece = alike.piece(slot)) {
        for (uint32_t lane = 0; lane < alike.lanes; ++lane)
          visit(piece->space, piece->scattered == kSpaced
                                  ? piece->first + lane * piece->stride
                                  : alike.addresses[piece->scattered + lane]);
      }
    }
  }

  size_t placeOf(uint32_t slot, uint32_t item) const {
    return (slot / kLine * items_ + item) * kLine + slot % kLine;
  }
  /// Makes room for this slot for all work-items.
  void grow(uint32_t slot) {
    const size_t size = std::max((slot / kLine + 1) * items_ * kLine, addresses_.size() * 3 / 2);
    addresses_.resize(size);
    spaces_.resize(size);
    room_ = slotsIn(size);
  }
  /// The number of slots for all work-items that fit into `places` elements.
  size_t slotsIn(size_t places) const {
    return items_ == 0 ? 0 : places / (items_ * kLine) * kLine;
  }

  uint32_t items_ = 0, longest_ = 0;
  size_t room_ = 0;                   ///< number of slots that fit
  std::vector<LockstepCounter> made_; ///< accesses, per work-item
  std::vector<Alike> alike_;          ///< per lane group
  std::vector<uint64_t> addresses_;
  std::vector<uint8_t> spaces_;
};

} // namespace aiwc::metrics
