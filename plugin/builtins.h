/// What a call to a function without a body does: OpenCL C builtins and LLVM intrinsics.
#pragma once

#include "plugin/compat.h"
#include "trace/program.h"

#include <string_view>

namespace aiwc::plugin {

/// The work of one execution of a builtin, by lane counts; see docs/metrics.md for what counts.
struct BuiltinTraits {
  trace::MemoryKind memory = trace::MemoryKind::kNone;
  trace::AddressSpace space = trace::AddressSpace::kPrivate;
  bool barrier = false;
  uint16_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0, intOps = 0;
};

/// `call` calls `callee`, a declaration.
BuiltinTraits builtinTraits(const llvm::CallBase &call, const llvm::Function &callee);

/// The function's name without the Itanium mangling ("_Z4fminff" is "fmin"); other names as they
/// are.
std::string_view plainName(std::string_view mangled);

/// Element count of a vector type, 1 of any other.
unsigned elementCount(const llvm::Type *type);

} // namespace aiwc::plugin
