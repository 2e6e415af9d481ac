/// The functions that the simulator has.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace aiwc::lowering {

/// The name in an Itanium-mangled name of a function without scope ("fmin" of "_Z4fminff"); the
/// whole name if it is none.
llvm::StringRef baseName(llvm::StringRef mangled);

/// Whether Oclgrind 21.10 has the OpenCL function of this mangled name; images, which a CUDA
/// kernel cannot name, are left out.
bool isOpenClFunction(llvm::StringRef mangled);

/// Whether it is one that only writes a second result through its last argument.
bool writesThroughPointer(llvm::StringRef mangled);

/// Whether it is one of OpenCL 2 that asks what a generic pointer points to.
bool asksForAddressSpace(llvm::StringRef mangled);

} // namespace aiwc::lowering
