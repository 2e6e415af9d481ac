// The header of numbers of 16 bits with the exponent of a float, in HIP programs.
#pragma once
#include "../cuda_bf16.h"
typedef __nv_bfloat16 __hip_bfloat16;
