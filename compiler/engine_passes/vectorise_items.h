/// Vectorises a kernel over its work-items: one vector instruction runs several of them.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
} // namespace llvm

namespace aiwc::engine {

/// Number of work-items that run at once: eight floats fill a vector register of 256 bits.
inline constexpr uint64_t kWideItems = 8;

/// A value of each work-item that is live across a barrier.
struct LiveVariable {
  llvm::AllocaInst *variable = nullptr;
  uint64_t offset = 0; ///< of the values of all work-items in State::context, per work-item
  uint64_t size = 0;   ///< bytes of one value
};

/// The result of the wide function if the work-items have to run one by one. Any other result is
/// the number of the barrier that they have reached, from 1, or 0 for their end.
inline constexpr uint64_t kNotWide = UINT64_MAX;

/// Vectorises `item`, a function that runs a work-item up to a barrier or its end, and returns
/// which. Its arguments are a `State`, the addresses of `KernelCode::addresses` and the linear id
/// of the work-item. The wide function runs `kWideItems` work-items that are consecutive in x, from
/// the given one on, and counts what they execute. It bails out with `kNotWide` as soon as the
/// work-items take different paths, one of them fails a check or computes a NaN, or two might write
/// to the same place. At that point nothing that work-items read has changed. So they can run one
/// by one, which writes to the same places again.
///
/// Work-items that run at once would see too early what the others write. So if `item` also reads a
/// buffer, stores to it are made last, and only if no work-item has accessed what another one
/// stores. Returns null if `item` can never be vectorised, because it stores to such a buffer in a
/// loop, say. `item` calls no function that has a body. It is changed, and can only be erased
/// afterwards.
llvm::Function *vectoriseItems(llvm::Function &item, const std::vector<LiveVariable> &live);

} // namespace aiwc::engine
