/// The first step of running several work-items with one instruction (vectorise_items.h): makes the
/// code for one work-item simpler.
#pragma once

#include "engine_passes/vectorise_items.h"

#include <llvm/IR/InstrTypes.h>

namespace aiwc::engine {

/// Metadata of the instructions that load and store live values and counts at the begin and the end
/// of a prepared function.
inline constexpr const char *kLiveMark = "aiwc.live";

/// Whether a call computes a value and does nothing else.
bool isPure(const llvm::CallInst &call);

/// Whether a call means "save the granules of an access if they are fresh". Its arguments: whether
/// they are fresh; calls::saveGranules or calls::readGranules; the arguments of that function.
bool isSaveIfFresh(const llvm::CallInst &call);

/// Prepares a function for `vectoriseItems`. Afterwards, the function returns `kNotWide` on rare
/// paths, holds live values and counts in variables until it ends, and has no vectors that LLVM can
/// split. Returns false if the function cannot be vectorised.
bool prepareItem(llvm::Function &item, const std::vector<LiveVariable> &live);

} // namespace aiwc::engine
