#pragma once

#include <string_view>

namespace aiwc::plugin {

/// Teaches Oclgrind's interpreter LLVM intrinsics that its 21.10 does not know, though the OpenCL C
/// compiler that it runs makes them of everyday expressions: `(x << 3) | (x >> 29)` is
/// `llvm.fshl`, `x < 0 ? -x : x` is `llvm.abs`. It gives a program up that has one. Called by any
/// thread, before the first kernel is made; later calls do nothing.
void addIntrinsics();

/// Whether `intrinsic` is one of these that computes a value of its operands' type from them alone.
bool computesFromOperands(std::string_view intrinsic);

/// Whether `intrinsic` is one of these that tells the compiler something, and the processor
/// nothing.
bool isHintToCompiler(std::string_view intrinsic);

} // namespace aiwc::plugin
