// HIP's names of NVRTC.
#pragma once
#pragma GCC system_header
#include "../nvrtc.h"

#define hiprtcResult nvrtcResult
#define hiprtcProgram nvrtcProgram
#define HIPRTC_SUCCESS NVRTC_SUCCESS
#define HIPRTC_ERROR_COMPILATION NVRTC_ERROR_COMPILATION
#define hiprtcGetErrorString nvrtcGetErrorString
#define hiprtcVersion nvrtcVersion
#define hiprtcCreateProgram nvrtcCreateProgram
#define hiprtcDestroyProgram nvrtcDestroyProgram
#define hiprtcCompileProgram nvrtcCompileProgram
#define hiprtcAddNameExpression nvrtcAddNameExpression
#define hiprtcGetLoweredName nvrtcGetLoweredName
#define hiprtcGetCode nvrtcGetCUBIN
#define hiprtcGetCodeSize nvrtcGetCUBINSize
#define hiprtcGetProgramLog nvrtcGetProgramLog
#define hiprtcGetProgramLogSize nvrtcGetProgramLogSize
