/// The first step of running several work-items with one instruction each (widen_items.h): simpler
/// code that does the same for one.
#pragma once

#include "engine_passes/widen_items.h"

#include <llvm/IR/InstrTypes.h>

namespace aiwc::plugin::engine {

/// Metadata of what reads and writes kept values and counts at the begin and the end of a prepared
/// function.
inline constexpr const char *kKeptMark = "aiwc.kept";

/// Whether a call computes a value and does nothing else.
bool isPure(const llvm::CallInst &call);

/// Whether a call stands for "save the pages of an access if they are fresh". Its arguments:
/// whether they are, calls::savePages or calls::readPages, and the arguments of that.
bool isSaveIfFresh(const llvm::CallInst &call);

/// Prepares the function that `widenItems` gets: it returns `kNotWide` on rare ways, has kept
/// values and counts in variables until it ends, and no vector of its own where LLVM can split it.
/// Returns false if it cannot be widened.
bool prepareItem(llvm::Function &item, const std::vector<KeptVariable> &kept);

} // namespace aiwc::plugin::engine
