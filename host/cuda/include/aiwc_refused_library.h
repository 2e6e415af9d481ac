// Functions of libraries that the simulator does not have. Programs that only reach for them in
// some of their ways can be built; a call says so once and answers with the library's error.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif
/// Says once for each function that the simulator has no such library.
void aiwcRefuse(const char *function, const char *library);
#ifdef __cplusplus
}
#define AIWC_ANY_ARGUMENTS (...)
#else
#define AIWC_ANY_ARGUMENTS ()
#endif

#define AIWC_ANSWERED(type, name, value)                                                           \
  static inline type name AIWC_ANY_ARGUMENTS {                                                     \
    return value;                                                                                  \
  }
#define AIWC_REFUSED(type, name, value, library)                                                   \
  static inline type name AIWC_ANY_ARGUMENTS {                                                     \
    aiwcRefuse(#name, library);                                                                    \
    return value;                                                                                  \
  }
