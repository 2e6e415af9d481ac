/// The effect of a call to a function without a body: an OpenCL C builtin or an LLVM intrinsic.
#pragma once

#include "decoding/llvm.h"
#include "trace/program.h"

#include <array>
#include <optional>
#include <string_view>

namespace aiwc::decoding {

/// The simulator's function for all at which work-items of a sub-group wait for one another; its
/// arguments: simulator::Meeting (compiler/simulator/meetings.h).
inline constexpr llvm::StringLiteral kMeetingFunction("__aiwc_meet");
/// The number of work-items of a warp of the device that the program runs on (HIP).
inline constexpr llvm::StringLiteral kWarpSizeFunction("__aiwc_warp_size");
/// Those at which a warp multiplies matrices, named after the type of the sum. Their arguments: the
/// MatrixProduct, whether sums saturate, the words (doubles) of the left factor and as many of the
/// right one, the summand, a vector, and the place, as simulator::Meeting has it. By the last one a
/// warp spreads matrices among its lanes (Spread instead of a product); it has no
/// factors, and a vector of four words.
inline constexpr std::array<llvm::StringLiteral, 5> kMatrixFunctions = {
    llvm::StringLiteral("__aiwc_multiply_float"), llvm::StringLiteral("__aiwc_multiply_half"),
    llvm::StringLiteral("__aiwc_multiply_int"), llvm::StringLiteral("__aiwc_multiply_double"),
    llvm::StringLiteral("__aiwc_spread_matrices")};
inline constexpr size_t kSpreadFunction = 4;
inline constexpr unsigned kMatrixArguments = 4; ///< without the factors
/// The number of the function of kMatrixFunctions that has this name.
std::optional<size_t> matrixFunction(llvm::StringRef name);
/// Whether work-items of a sub-group wait for one another there.
inline bool isMeeting(llvm::StringRef name) {
  return name == kMeetingFunction || matrixFunction(name);
}

/// The work of one call of a builtin. Operations are counted per vector lane; docs/metrics.md
/// defines which operations count.
struct BuiltinTraits {
  trace::MemoryKind memory = trace::MemoryKind::kNone;
  trace::AddressSpace space = trace::AddressSpace::kPrivate;
  bool barrier = false;
  bool meeting = false;  ///< waits for work-items of the same sub-group (isMeeting)
  bool extremum = false; ///< see trace::Operation
  uint16_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0, intOps = 0, matrixOps = 0;
  /// Whether it is a power with an exponent in the code that products and a square root compute.
  bool constantPower = false;
  uint16_t specialInstructions = 0; ///< that the functions of fpSpecial take on a GPU
  trace::MatrixType matrixType = trace::MatrixType::kNone; ///< as trace::Operation's

  /// Whether a work-item waits there for others, so that the trace's block ends.
  bool waits() const { return barrier || meeting; }
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

/// As what an instruction counts: a saturating conversion to an integer as the cast.
unsigned opcodeOf(const llvm::Instruction &instruction);

/// Number of elements of a vector type; 1 for any other type.
unsigned elementCount(const llvm::Type *type);

} // namespace aiwc::decoding
