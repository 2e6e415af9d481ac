# cmake -DKERNELS=<x.cl> -DHEADER=<x_cl.h> -P embed_kernels.cmake: OpenCL C as a C++ string.
file(READ "${KERNELS}" source)
get_filename_component(name "${KERNELS}" NAME)
string(FIND "${source}" ")EodKernels\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${KERNELS}: contains the delimiter of the C++ string that is to hold it")
endif()
file(WRITE "${HEADER}"
"#pragma once
// Made from ${name} by the build.
namespace aiwc::eod {
inline constexpr char kSource[] = R\"EodKernels(${source})EodKernels\";
} // namespace aiwc::eod
")
