// Functions of warps of 32 threads. The three primitives are lowered by aiwc-cuda-device, or refused
// by name.
#pragma once
#pragma GCC system_header
#include "aiwc_intrinsics.h"

extern "C" {
/// The value of another lane of the calling thread's warp; unsigned arithmetic of lanes is done by
/// the caller.
__attribute__((device, convergent)) int __aiwc_shuffle32(int value, int sourceLane,
                                                         unsigned int mask);
/// Bit i: the predicate of lane i is not 0.
__attribute__((device, convergent)) unsigned int __aiwc_ballot(int predicate, unsigned int mask);
__attribute__((device, convergent)) void __aiwc_warp_barrier(unsigned int mask);
}
