// The header of every CUDA program. `aiwc build` includes it before everything else, so that the
// device's functions are declared before the host's (aiwc_math_overloads.h).
#pragma once
#define __CUDA_RUNTIME_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "host_defines.h"

#if defined(AIWC_CUDA) && defined(__cplusplus)
#include "aiwc_math_overloads.h"
// The host's.
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"
#ifdef __cplusplus
#include "aiwc_api_templates.h"
#endif
#ifdef AIWC_CUDA
#include "aiwc_atomics.h"
#include "aiwc_bessel.h"
#include "aiwc_index.h"
#include "aiwc_intrinsics.h"
#include "aiwc_launch.h"
#include "aiwc_packed_integers.h"
#include "aiwc_warp.h"
#if AIWC_CUDA_ARCH > 700 && defined(__cplusplus)
extern "C" int aiwcShowComputeCapability(int architecture);
namespace aiwc_cuda {
static const int shown __attribute__((unused)) = aiwcShowComputeCapability(AIWC_CUDA_ARCH);
}
#endif
#endif

#ifndef AIWC_HIPCC // programs for both compilers ask for these
#undef __HIP__
#undef __HIPCC__
#endif
