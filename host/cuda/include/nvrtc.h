// NVRTC, whose functions are refused: device code is compiled by `aiwc build` only.
#pragma once
#define __NVRTC_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram; // NOLINT(bugprone-reserved-identifier): NVRTC's name

AIWC_ANSWERED(const char *, nvrtcGetErrorString, "NVRTC is not simulated")
#define AIWC_RTC(name)                                                                             \
  AIWC_REFUSED(nvrtcResult, nvrtc##name, NVRTC_ERROR_PROGRAM_CREATION_FAILURE,                     \
               "compilation of CUDA at run time")
AIWC_RTC(Version)
AIWC_RTC(CreateProgram)
AIWC_RTC(DestroyProgram)
AIWC_RTC(CompileProgram)
AIWC_RTC(AddNameExpression)
AIWC_RTC(GetLoweredName)
AIWC_RTC(GetPTX)
AIWC_RTC(GetPTXSize)
AIWC_RTC(GetCUBIN)
AIWC_RTC(GetCUBINSize)
AIWC_RTC(GetProgramLog)
AIWC_RTC(GetProgramLogSize)
#undef AIWC_RTC
