/// Half precision in Oclgrind's interpreter, together with the preloaded library
/// (plugin/half_numbers.cpp), without which Oclgrind computes with no half at all.
#pragma once

#include <llvm/IR/Constant.h>

namespace aiwc::simulator {

/// Adds what functions of OpenCL C do with halves to Oclgrind's, which take a half for an `uchar`,
/// or convert and round for other sizes. Call it before the first kernel is created, from any
/// thread; later calls do nothing.
void addHalfPrecision();

/// Writes the bytes of `constant` to `data` as Oclgrind's interpreter has them. What holds no half
/// is left to `byOclgrind`.
void storeConstant(unsigned char *data, const llvm::Constant *constant,
                   void (*byOclgrind)(unsigned char *, const llvm::Constant *));

} // namespace aiwc::simulator
