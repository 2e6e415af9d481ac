// Cooperative groups: blocks, tiles of warps, and the lanes that are together. A grid has sizes and
// ranks; to synchronise it is refused.
#pragma once
#define _COOPERATIVE_GROUPS_H_ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_async_copies.h"
#include "cuda_runtime.h"

extern "C" {
/// Nothing lowers it: a kernel that calls it is refused by this name.
__attribute__((device, convergent)) void __aiwc_grid_barrier(void);
}

#define AIWC_MEMBER __attribute__((device, always_inline, nodebug)) inline

namespace cooperative_groups {

class thread_block {
public:
  static AIWC_MEMBER void sync() { __syncthreads(); }
  static AIWC_MEMBER unsigned int thread_rank() { return (unsigned int)aiwc_cuda::threadInBlock(); }
  static AIWC_MEMBER unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static AIWC_MEMBER unsigned int num_threads() { return size(); }
  static AIWC_MEMBER dim3 group_index() { return uint3(blockIdx); }
  static AIWC_MEMBER dim3 thread_index() { return uint3(threadIdx); }
  static AIWC_MEMBER dim3 group_dim() { return blockDim; }
  static AIWC_MEMBER dim3 dim_threads() { return blockDim; }
  static AIWC_MEMBER bool is_valid() { return true; }
};
AIWC_DEVICE thread_block this_thread_block() {
  return thread_block();
}

class grid_group {
public:
  static AIWC_MEMBER void sync() { __aiwc_grid_barrier(); }
  static AIWC_MEMBER bool is_valid() { return false; }
  static AIWC_MEMBER unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  static AIWC_MEMBER unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static AIWC_MEMBER unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static AIWC_MEMBER unsigned long long size() { return num_blocks() * thread_block::size(); }
  static AIWC_MEMBER unsigned long long num_threads() { return size(); }
  static AIWC_MEMBER dim3 group_dim() { return gridDim; }
  static AIWC_MEMBER dim3 dim_blocks() { return gridDim; }
};
AIWC_DEVICE grid_group this_grid() {
  return grid_group();
}

/// Some lanes of a warp.
class aiwc_lanes {
public:
  AIWC_MEMBER unsigned int thread_rank() const {
    return (unsigned int)__popc(mask_ & ((1u << aiwc_cuda::laneId()) - 1));
  }
  AIWC_MEMBER unsigned int size() const { return (unsigned int)__popc(mask_); }
  AIWC_MEMBER unsigned int num_threads() const { return size(); }
  AIWC_MEMBER void sync() const { __syncwarp(mask_); }
  AIWC_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  AIWC_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
  template <typename Value> AIWC_MEMBER unsigned int match_all(Value value, int &predicate) const {
    return __match_all_sync(mask_, value, &predicate) ? ~0u >> (32 - size()) : 0;
  }
  AIWC_MEMBER unsigned int mask() const { return mask_; } ///< of the program's groups: not CUDA's

protected:
  AIWC_MEMBER explicit aiwc_lanes(unsigned int mask) : mask_(mask) {}
  unsigned int mask_;
};

/// The lanes that execute together.
class coalesced_group : public aiwc_lanes {
public:
  AIWC_MEMBER explicit coalesced_group(unsigned int mask) : aiwc_lanes(mask) {}
  AIWC_MEMBER unsigned int ballot(int predicate) const {
    return packed(__ballot_sync(mask_, predicate));
  }
  template <typename Value> AIWC_MEMBER Value shfl(Value value, unsigned int rank) const {
    return __shfl_sync(mask_, value, lane(rank));
  }
  template <typename Value> AIWC_MEMBER Value shfl_up(Value value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane(rank < delta ? rank : rank - delta));
  }
  template <typename Value> AIWC_MEMBER Value shfl_down(Value value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, lane(rank + delta >= size() ? rank : rank + delta));
  }
  template <typename Value> AIWC_MEMBER unsigned int match_any(Value value) const {
    return packed(__match_any_sync(mask_, value));
  }

private:
  /// The lane of a rank.
  AIWC_MEMBER int lane(unsigned int rank) const {
    unsigned int rest = mask_;
    for (; rank > 0; --rank)
      rest &= rest - 1;
    return __ffs((int)rest) - 1;
  }
  /// The bits of the group's lanes, without gaps.
  AIWC_MEMBER unsigned int packed(unsigned int lanes) const {
    unsigned int result = 0;
    unsigned int rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++rank)
      result |= (lanes & rest & (0u - rest) ? 1u : 0u) << rank;
    return result;
  }
};
AIWC_DEVICE coalesced_group coalesced_threads() {
  return coalesced_group(__ballot_sync(0u, 1));
}
/// The lanes of a group that pass the same label.
template <typename Group, typename Label>
AIWC_DEVICE coalesced_group labeled_partition(const Group &group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <typename Group>
AIWC_DEVICE coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned int those = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? those : group.mask() & ~those);
}

/// The lanes of a group whose ranks have the same quotient by a number.
AIWC_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned int lanes) {
  unsigned int mask = 0, rank = 0;
  for (unsigned int rest = group.mask(); rest != 0; rest &= rest - 1, ++rank)
    if (rank / lanes == group.thread_rank() / lanes)
      mask |= rest & (0u - rest);
  return coalesced_group(mask);
}

/// A part of a warp, of a power of 2 of lanes that follow each other. `parent`: the threads of the
/// tile that it is a part of; 0 for a block.
class aiwc_tile : public aiwc_lanes {
public:
  AIWC_MEMBER explicit aiwc_tile(unsigned int size, unsigned int parent = 0)
      : aiwc_lanes(size >= 32
                       ? 0xffffffff
                       : ((1u << size) - 1) << ((unsigned int)aiwc_cuda::laneId() & ~(size - 1))),
        size_(size), parent_(parent) {}
  AIWC_MEMBER unsigned int thread_rank() const {
    return (unsigned int)aiwc_cuda::laneId() & (size_ - 1);
  }
  AIWC_MEMBER unsigned int size() const { return size_; }
  AIWC_MEMBER unsigned int num_threads() const { return size_; }
  AIWC_MEMBER unsigned int meta_group_rank() const {
    const unsigned int rank = thread_block::thread_rank();
    return (parent_ == 0 ? rank : rank % parent_) / size_;
  }
  AIWC_MEMBER unsigned int meta_group_size() const {
    return ((parent_ == 0 ? thread_block::size() : parent_) + size_ - 1) / size_;
  }
  AIWC_MEMBER unsigned int ballot(int predicate) const {
    return own(__ballot_sync(mask_, predicate));
  }
  template <typename Value> AIWC_MEMBER Value shfl(Value value, int rank) const {
    return __shfl_sync(mask_, value, rank, (int)size_);
  }
  template <typename Value> AIWC_MEMBER Value shfl_up(Value value, unsigned int delta) const {
    return __shfl_up_sync(mask_, value, delta, (int)size_);
  }
  template <typename Value> AIWC_MEMBER Value shfl_down(Value value, unsigned int delta) const {
    return __shfl_down_sync(mask_, value, delta, (int)size_);
  }
  template <typename Value> AIWC_MEMBER Value shfl_xor(Value value, unsigned int bits) const {
    return __shfl_xor_sync(mask_, value, (int)bits, (int)size_);
  }
  template <typename Value> AIWC_MEMBER unsigned int match_any(Value value) const {
    return own(__match_any_sync(mask_, value));
  }

private:
  /// Bits of the tile's lanes, from bit 0.
  AIWC_MEMBER unsigned int own(unsigned int lanes) const {
    return lanes >> ((unsigned int)aiwc_cuda::laneId() & ~(size_ - 1) & 31);
  }
  unsigned int size_, parent_;
};
AIWC_COMPUTED(unsigned int, aiwc_threads_of, (const thread_block &), 0)
AIWC_COMPUTED(unsigned int, aiwc_threads_of, (const aiwc_tile &tile), tile.size())
template <unsigned int lanes, typename Parent = void> class thread_block_tile : public aiwc_tile {
  static_assert(lanes > 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
  AIWC_MEMBER explicit thread_block_tile(unsigned int parent) : aiwc_tile(lanes, parent) {}
  template <typename OtherParent>
  AIWC_MEMBER thread_block_tile(const thread_block_tile<lanes, OtherParent> &other)
      : aiwc_tile(other) {}
  static AIWC_MEMBER constexpr unsigned int size() { return lanes; }
  static AIWC_MEMBER constexpr unsigned int num_threads() { return lanes; }
};
template <unsigned int lanes, typename Parent>
AIWC_DEVICE thread_block_tile<lanes, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<lanes, Parent>(aiwc_threads_of(parent));
}

/// A tile of several warps exchanges a value of each warp, of 16 bytes at most, in memory that the
/// program has for it. All threads of the block take part.
typedef unsigned long long aiwc_tile_slot[2];
template <unsigned int threads> struct block_tile_memory {
  aiwc_tile_slot slots[(threads + 31) / 32];
};
class aiwc_block_with_memory : public thread_block {
public:
  AIWC_MEMBER explicit aiwc_block_with_memory(aiwc_tile_slot *slots) : slots(slots) {}
  aiwc_tile_slot *slots;
};
template <unsigned int threads>
AIWC_DEVICE aiwc_block_with_memory this_thread_block(block_tile_memory<threads> &memory) {
  return aiwc_block_with_memory(memory.slots);
}
template <unsigned int lanes> class aiwc_wide_tile {
public:
  AIWC_MEMBER explicit aiwc_wide_tile(aiwc_tile_slot *slots)
      : slots(slots + meta_group_rank() * (lanes / 32)) {}
  static AIWC_MEMBER unsigned int thread_rank() { return thread_block::thread_rank() % lanes; }
  static AIWC_MEMBER constexpr unsigned int size() { return lanes; }
  static AIWC_MEMBER constexpr unsigned int num_threads() { return lanes; }
  static AIWC_MEMBER unsigned int meta_group_rank() { return thread_block::thread_rank() / lanes; }
  static AIWC_MEMBER unsigned int meta_group_size() { return thread_block::size() / lanes; }
  static AIWC_MEMBER void sync() { __syncthreads(); }
  aiwc_tile_slot *slots; ///< of the tile's warps
};
template <unsigned int lanes, bool isWide = (lanes > 32)> struct aiwc_tile_of {
  typedef thread_block_tile<lanes, thread_block> Tile;
  static AIWC_MEMBER Tile make(aiwc_tile_slot *) { return Tile(0); }
};
template <unsigned int lanes> struct aiwc_tile_of<lanes, true> {
  typedef aiwc_wide_tile<lanes> Tile;
  static AIWC_MEMBER Tile make(aiwc_tile_slot *slots) { return Tile(slots); }
};
template <unsigned int lanes>
AIWC_DEVICE typename aiwc_tile_of<lanes>::Tile
tiled_partition(const aiwc_block_with_memory &block) {
  return aiwc_tile_of<lanes>::make(block.slots);
}

/// A block, a tile, or lanes that are together, by their common functions.
class thread_group {
public:
  AIWC_MEMBER thread_group(thread_block) : isBlock_(true), tile_(32), lanes_(0) {}
  AIWC_MEMBER thread_group(aiwc_tile tile) : isBlock_(false), tile_(tile), lanes_(0) {}
  template <unsigned int lanes, typename Parent>
  AIWC_MEMBER thread_group(thread_block_tile<lanes, Parent> tile)
      : isBlock_(false), tile_(tile), lanes_(0) {}
  AIWC_MEMBER thread_group(coalesced_group lanes)
      : isBlock_(false), isTile_(false), tile_(32), lanes_(lanes) {}
  AIWC_MEMBER void sync() const {
    if (isBlock_)
      thread_block::sync();
    else if (isTile_)
      tile_.sync();
    else
      lanes_.sync();
  }
  AIWC_MEMBER unsigned int thread_rank() const {
    return isBlock_  ? thread_block::thread_rank()
           : isTile_ ? tile_.thread_rank()
                     : lanes_.thread_rank();
  }
  AIWC_MEMBER unsigned int size() const {
    return isBlock_ ? thread_block::size() : isTile_ ? tile_.size() : lanes_.size();
  }
  AIWC_MEMBER unsigned int num_threads() const { return size(); }
  /// Of the program's functions: not CUDA's.
  AIWC_MEMBER thread_group part(unsigned int lanes) const {
    if (!isTile_)
      return tiled_partition(lanes_, lanes);
    return aiwc_tile(lanes, isBlock_ ? 0 : tile_.size());
  }

private:
  bool isBlock_, isTile_ = true;
  aiwc_tile tile_;
  coalesced_group lanes_;
};
AIWC_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int lanes) {
  return parent.part(lanes);
}

template <typename Group> AIWC_DEVICE void sync(const Group &group) {
  group.sync();
}
template <typename Group> AIWC_DEVICE unsigned int thread_rank(const Group &group) {
  return (unsigned int)group.thread_rank();
}
template <typename Group> AIWC_DEVICE unsigned int group_size(const Group &group) {
  return (unsigned int)group.size();
}

// cooperative_groups/reduce.h and scan.h.
#define AIWC_OPERATION(name, result)                                                               \
  template <typename Value = void> struct name {                                                   \
    AIWC_MEMBER Value operator()(Value a, Value b) const { return result; }                        \
  };
AIWC_OPERATION(plus, a + b)
AIWC_OPERATION(less, b < a ? b : a)
AIWC_OPERATION(greater, a < b ? b : a)
AIWC_OPERATION(bit_and, a &b)
AIWC_OPERATION(bit_or, a | b)
AIWC_OPERATION(bit_xor, a ^ b)
#undef AIWC_OPERATION
template <typename Value, typename Operation>
AIWC_DEVICE Value reduce(const aiwc_tile &tile, Value value, Operation operation) {
  for (unsigned int distance = tile.size() / 2; distance > 0; distance /= 2)
    value = operation(value, tile.shfl_xor(value, distance));
  return value;
}
template <unsigned int lanes, typename Value, typename Operation>
AIWC_DEVICE Value reduce(const aiwc_wide_tile<lanes> &tile, Value value, Operation operation) {
  static_assert(sizeof(Value) <= sizeof(aiwc_tile_slot), "a tile of warps exchanges 16 bytes");
  value = reduce(aiwc_tile(32), value, operation);
  if (aiwc_cuda::laneId() == 0)
    *(Value *)tile.slots[tile.thread_rank() / 32] = value;
  __syncthreads();
  Value result = *(const Value *)tile.slots[0];
  for (unsigned int warp = 1; warp < lanes / 32; ++warp)
    result = operation(result, *(const Value *)tile.slots[warp]);
  __syncthreads();
  return result;
}
template <typename Value, typename Operation>
AIWC_DEVICE Value reduce(const coalesced_group &group, Value value, Operation operation) {
  Value result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank)
    result = operation(result, group.shfl(value, rank));
  return result;
}
template <typename Group, typename Value, typename Operation = plus<Value>>
AIWC_DEVICE Value inclusive_scan(const Group &group, Value value,
                                 Operation operation = Operation()) {
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    const Value below = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance)
      value = operation(below, value);
  }
  return value;
}
template <typename Group, typename Value, typename Operation = plus<Value>>
AIWC_DEVICE Value exclusive_scan(const Group &group, Value value,
                                 Operation operation = Operation()) {
  const Value below = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? Value() : below;
}

// cooperative_groups/memcpy_async.h: the copy is done when it is waited for.
template <typename Group, typename To, typename From, typename Bytes>
AIWC_DEVICE void memcpy_async(const Group &group, To *to, const From *from, Bytes bytes) {
  aiwc_cuda::copyByGroup(group, to, from, bytes);
}
/// The counts are of elements.
template <typename Group, typename Value>
AIWC_DEVICE void memcpy_async(const Group &group, Value *to, size_t room, const Value *from,
                              size_t count) {
  aiwc_cuda::copyByGroup(group, to, from, (room < count ? room : count) * sizeof(Value));
}
template <typename Group> AIWC_DEVICE void wait(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#undef AIWC_MEMBER
