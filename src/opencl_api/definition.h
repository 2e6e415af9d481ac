/// Defines functions of OpenCL with the types that the headers declare, for libraries that have
/// them in place of another library's.
#pragma once

#include "opencl_api/functions.h"

#include <cstddef>
#include <tuple>

namespace aiwc::opencl {

template <typename Function> struct Signature;
template <typename Returned, typename... Parameters>
struct Signature<Returned(CL_API_CALL *)(Parameters...)> {
  using Result = Returned;
  template <size_t kIndex>
  using Parameter = std::tuple_element_t<kIndex, std::tuple<Parameters...>>;
};

} // namespace aiwc::opencl

/// Begins the definition of the exported function `NAME`, with parameters of these names:
///     AIWC_OPENCL_FUNCTION(clFinish, queue) { return CL_INVALID_COMMAND_QUEUE; }
/// Names that are too few or too many do not compile: the function is declared otherwise.
#define AIWC_OPENCL_FUNCTION(NAME, ...)                                                            \
  extern "C" __attribute__((visibility("default")))                                                \
  aiwc::opencl::Signature<decltype(cl_icd_dispatch::NAME)>::Result CL_API_CALL                     \
  NAME(AIWC_RESCANNED(AIWC_PARAMETERS(NAME, 0, __VA_ARGS__)))

// A macro does not call itself, but it can leave a call of itself behind, which the next scan of
// the text expands. These scans are enough for 14 parameters, the most that a function has.
#define AIWC_RESCANNED(...) AIWC_TWICE(AIWC_TWICE(AIWC_TWICE(AIWC_TWICE(__VA_ARGS__))))
#define AIWC_TWICE(...) AIWC_ONCE(AIWC_ONCE(__VA_ARGS__))
#define AIWC_ONCE(...) __VA_ARGS__
#define AIWC_PARAMETERS(NAME, INDEX, PARAMETER, ...)                                               \
  [[maybe_unused]] aiwc::opencl::Signature<decltype(cl_icd_dispatch::NAME)>::Parameter<(INDEX)>    \
      PARAMETER __VA_OPT__(, AIWC_PARAMETERS_LEFT AIWC_NOTHING(NAME, INDEX + 1, __VA_ARGS__))
#define AIWC_PARAMETERS_LEFT() AIWC_PARAMETERS
#define AIWC_NOTHING ()

/// The names of so many parameters, where none is used by itself.
#define AIWC_NAMES_1 a
#define AIWC_NAMES_2 AIWC_NAMES_1, b
#define AIWC_NAMES_3 AIWC_NAMES_2, c
#define AIWC_NAMES_4 AIWC_NAMES_3, d
#define AIWC_NAMES_5 AIWC_NAMES_4, e
#define AIWC_NAMES_6 AIWC_NAMES_5, f
#define AIWC_NAMES_7 AIWC_NAMES_6, g
#define AIWC_NAMES_8 AIWC_NAMES_7, h
#define AIWC_NAMES_9 AIWC_NAMES_8, i
#define AIWC_NAMES_10 AIWC_NAMES_9, j
#define AIWC_NAMES_11 AIWC_NAMES_10, k
#define AIWC_NAMES_12 AIWC_NAMES_11, l
#define AIWC_NAMES_13 AIWC_NAMES_12, m
#define AIWC_NAMES_14 AIWC_NAMES_13, n
