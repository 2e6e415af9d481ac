#pragma once

#include <llvm/IR/Constant.h>

#include <string_view>

namespace aiwc::simulator {

/// Adds LLVM intrinsics to Oclgrind's interpreter that version 21.10 lacks, although its OpenCL C
/// compiler generates them for common expressions: `(x << 3) | (x >> 29)` is `llvm.fshl`, `x < 0 ?
/// -x : x` is `llvm.abs`. Without this, Oclgrind aborts a program that contains one. Has
/// sinpi, cospi and tanpi be exact at multiples of 1/2, and mul24 and mad24 take 24 bits. Call it
/// before the first kernel is created, from any thread; later calls do nothing.
void addIntrinsics();

/// Whether `intrinsic` is one of the added ones and computes a value of its operands' type from its
/// operands only.
bool computesFromOperands(std::string_view intrinsic);

/// Whether `intrinsic` is one of the added ones and only a hint to the compiler, without effect at
/// run time.
bool isHintToCompiler(std::string_view intrinsic);

/// Adds what functions of OpenCL C do with halves to Oclgrind's, which take a half for an `uchar`,
/// or convert and round for other sizes. Call it before the first kernel is created, from any
/// thread; later calls do nothing.
void addHalfPrecision();

/// Writes the bytes of `constant` to `data` as Oclgrind's interpreter has them. What holds no half
/// is left to `byOclgrind`.
void storeConstant(unsigned char *data, const llvm::Constant *constant,
                   void (*byOclgrind)(unsigned char *, const llvm::Constant *));

} // namespace aiwc::simulator
