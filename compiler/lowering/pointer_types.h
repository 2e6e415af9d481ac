/// Types of pointers.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Makes global pointers of all generic ones, in all types, once no other is accessed.
void removeGenericPointers(llvm::Module &module);

} // namespace aiwc::lowering
