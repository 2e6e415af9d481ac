/// The passes over device code, and the calls at which the lanes of a warp meet.
#pragma once

#include "device_code/device_code.h"
#include "symbols.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Replaces the inline assembly of all kernels, which have their functions inlined. Instructions
/// are those of NVIDIA's "PTX ISA": arithmetic on integers, `float` and `double`, bits,
/// conversions, comparisons, loads, stores and atomic operations, shuffles, votes and barriers,
/// asynchronous copies, which are done at once, products of matrices, and hints, which are nothing.
/// Approximate functions have full precision. Throws lowering::Refusal with the name of another
/// instruction, or of a form that is not known.
void translateInlinePtx(llvm::Module &module);

/// What lanes exchange, by the numbers of simulator::Exchange.
enum class Exchange : unsigned {
  kBarrier = 0,
  kBallot = 1,
  kIndex = 3,
  kUp = 4,
  kDown = 5,
  kAcross = 6
};

/// A call of the meeting function (compiler/simulator/meetings.h) by a warp of 32 lanes. A `mask`
/// of 0 means those that come to the call together.
llvm::CallInst *callMeeting(llvm::IRBuilder<> &at, Exchange exchange, llvm::Value *value,
                            llvm::Value *argument, llvm::Value *width, llvm::Value *mask);

/// Adds the arguments for dynamic shared memory and for the buffers of symbols to the kernels that
/// use them, and describes the kernels in `code`. Static shared memory becomes a kernel's own.
void addHiddenArguments(llvm::Module &module, const Symbols &symbols, DeviceCode &code);

/// What OpenCL knows of arguments, as metadata.
void describeKernels(llvm::Module &module, const DeviceCode &code);

/// Has the lanes of a warp meet where an access to shared memory relies on accesses before it
/// having been made by all lanes: before a read, if there was a write since they last met or came
/// to a barrier, and before a write, if there was a read or a write; but only if the access is
/// volatile, or one of the writes was. Older programs rely on warps that execute each instruction
/// together, and declare such memory volatile. In a module that `runAllInStep` marked, all memory
/// counts as volatile. A copy within shared memory is one access: lanes do not meet between its
/// read and its write.
void meetBetweenExchanges(llvm::Module &module);

/// Marks the module, for `aiwc build --warps-in-step`; the plugin looks for the mark, too.
void runAllInStep(llvm::Module &module);

} // namespace aiwc::cuda
