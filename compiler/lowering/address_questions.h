/// Questions about what a generic pointer points to.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Answers `to_global`, `to_local`, `to_private` and `get_fence` by the tag of the address
/// (lowering/tagged_accesses.h). After accesses have been lowered, before the types of pointers.
void answerAddressQuestions(llvm::Module &module);

} // namespace aiwc::lowering
