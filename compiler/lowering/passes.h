/// Passes of the pipeline, each in a file of its own. pipeline.cpp has their order.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Makes instructions of the constants in `function` that contain the address of a variable or a
/// cast between address spaces, so that these can be replaced by what is no constant. LLVM folds
/// what remains constant.
void expandConstants(llvm::Function &function);

/// Makes instructions of the constants of kernels that compute with addresses beyond adding
/// offsets, which the compiled engine does not take. After all optimisation, which would fold them
/// again.
void expandAddressArithmetic(llvm::Module &module);

/// Replaces calls of `__atomic_fetch_add_4` and its like, which clang makes of its builtins, by
/// LLVM's instructions, whose addresses the inference of address spaces follows.
void replaceAtomicCalls(llvm::Module &module);

/// Replaces atomic instructions and fences by OpenCL's functions for 32 and 64 bits in global and
/// local memory, what OpenCL has not by a loop of compare-and-exchange, and those in private
/// memory by plain instructions. Atomic loads and stores become volatile ones.
void lowerAtomics(llvm::Module &module);

/// Refuses what the simulator cannot call or compute with.
void checkCalls(llvm::Module &module);

/// Gives OpenCL's functions pointers to the address spaces that they have in OpenCL: constant for
/// the format and the literals of printf, private for second results.
void lowerCalls(llvm::Module &module);

/// Gives addresses of local and private memory that become generic a tag in bits 46 and 47 (global
/// and constant 0, local 1, private 2; null stays 0), and makes each access by a generic pointer
/// that may be one of these a switch over the tag. After this, generic values that are accessed as
/// they are point to global memory.
void lowerTaggedAccesses(llvm::Module &module);

/// Answers `to_global`, `to_local`, `to_private` and `get_fence` by the tag of the address.
/// After accesses have been lowered, before the types of pointers.
void answerAddressQuestions(llvm::Module &module);

/// Makes global pointers of all generic ones, in all types, once no other is accessed.
void removeGenericPointers(llvm::Module &module);

/// Replaces those of LLVM's intrinsics that the simulator lacks by OpenCL's functions and by other
/// instructions, and removes hints to the compiler. Refuses the rest. After all optimisation, which
/// makes them.
void lowerIntrinsics(llvm::Module &module);

/// LLVM makes integers of few bits of expressions such as `switch (x & 3)` or `x % 4 == 0`.
/// Oclgrind keeps them in whole bytes and does not clear the other bits, neither in a truncation
/// nor in arithmetic. So switches, comparisons, extensions, conversions to real numbers, divisions
/// and shifts to the right, which look at these bits, become those of an integer of whole bytes
/// with cleared bits. Where a truncation is all that gives an operand, as many instructions as
/// before. After all optimisation. Returns whether the module has changed.
bool clearNarrowIntegers(llvm::Module &module);

/// Unrolls the loops that count through arrays of private memory, up to 4,096 instructions, so that
/// these are in registers: compilers of devices do so, since registers have no index, where clang's
/// -Oz keeps such arrays in memory. After all optimisation. Returns whether the module has changed.
bool keepArraysInRegisters(llvm::Module &module);

/// Makes a store of some components of a vector (`p->xyz = a`) one store for each of them. Clang
/// loads the whole vector, replaces these, and stores it; Oclgrind reports that load if the buffer
/// is only written. Returns whether the module has changed.
bool storeComponents(llvm::Module &module);

/// Gives each call in a kernel at which decoding::isMeeting its place, the last argument: calls in
/// a loop come before those that follow it, others in the order in which they are reached. To be
/// done when no pass copies calls any more.
void numberMeetings(llvm::Module &module);

} // namespace aiwc::lowering
