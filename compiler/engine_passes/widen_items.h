/// Runs several work-items with one instruction each.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
} // namespace llvm

namespace aiwc::plugin::engine {

/// Number of work-items that run at once: eight floats fill a vector register of 256 bits.
inline constexpr uint64_t kWideItems = 8;

/// A value that work-items keep at barriers.
struct KeptVariable {
  llvm::AllocaInst *variable = nullptr;
  uint64_t offset = 0; ///< of the values of all work-items in State::context, per work-item
  uint64_t size = 0;   ///< bytes of one value
};

/// What `widenItems` returns at run time if the work-items have to run one by one. Everything else
/// is what a work-item has reached: the number of a barrier, from 1; 0: its end.
inline constexpr uint64_t kNotWide = UINT64_MAX;

/// Widens `item`, which gets a `State`, the addresses of `KernelCode::addresses` and the linear id
/// of a work-item, runs this work-item up to a barrier or its end, and returns which. The result
/// runs `kWideItems` work-items, from the given one on, which follow one another in x, and counts
/// what they execute. It returns `kNotWide` as soon as they take different ways, one of them fails
/// a check or computes a NaN, or two might write to the same place. Nothing that work-items read
/// has changed then, so they can run one by one, which writes all places again that were written.
///
/// Work-items that run at once would see what the others have written too early. So the code
/// compares the buffers; what is stored into one that `item` also reads is stored last, if no
/// work-item has accessed there what another one stores. Returns null if `item` can never run so:
/// if it stores into such a buffer in a loop, say. `item` calls no function that has a body. It is
/// changed, and can only be erased afterwards.
llvm::Function *widenItems(llvm::Function &item, const std::vector<KeptVariable> &kept);

} // namespace aiwc::plugin::engine
