/// The effect of a call to a function without a body: an OpenCL C builtin or an LLVM intrinsic.
#pragma once

#include "decoding/llvm.h"
#include "trace/program.h"

#include <string_view>

namespace aiwc::decoding {

/// The simulator's function for all at which work-items of a sub-group wait for one another; its
/// arguments: simulator::Meeting (compiler/simulator/meetings.h).
inline constexpr llvm::StringLiteral kMeetingFunction("__aiwc_meet");

/// The work of one call of a builtin. Operations are counted per vector lane; docs/metrics.md
/// defines which operations count.
struct BuiltinTraits {
  trace::MemoryKind memory = trace::MemoryKind::kNone;
  trace::AddressSpace space = trace::AddressSpace::kPrivate;
  bool barrier = false;
  bool meeting = false;  ///< waits for work-items of the same sub-group (kMeetingFunction)
  bool extremum = false; ///< see trace::Operation
  uint16_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0, intOps = 0;
};

/// The function that a call enters or names; null for an indirect call.
const llvm::Function *calledFunction(const llvm::CallBase &call);

/// The work of `call`. `callee` is the called function, which has no body.
BuiltinTraits builtinTraits(const llvm::CallBase &call, const llvm::Function &callee);

/// The function's name without the Itanium mangling ("_Z4fminff" is "fmin"). Other names are
/// returned unchanged.
std::string_view plainName(std::string_view mangled);

/// The plain name of the function that a call names; empty for an indirect call.
std::string_view calledName(const llvm::CallBase &call);

/// Number of elements of a vector type; 1 for any other type.
unsigned elementCount(const llvm::Type *type);

} // namespace aiwc::decoding
