// The operators of HIP's vector types. CUDA has none, and programs that bring their own keep them:
// these are templates.
#pragma once
#pragma GCC system_header
#include "vector_functions.h"

#if __cplusplus >= 201103L
namespace aiwc_cuda {
template <typename Vector> struct VectorTraits {};
#define AIWC_TRAITS(type, name, parts)                                                             \
  template <> struct VectorTraits<name##parts> {                                                   \
    typedef type Element;                                                                          \
    static constexpr int count = parts;                                                            \
  };
#define AIWC_TRAITS_ALL(type, name)                                                                \
  AIWC_TRAITS(type, name, 1)                                                                       \
  AIWC_TRAITS(type, name, 2)                                                                       \
  AIWC_TRAITS(type, name, 3)                                                                       \
  AIWC_TRAITS(type, name, 4)
AIWC_TRAITS_ALL(signed char, char)
AIWC_TRAITS_ALL(unsigned char, uchar)
AIWC_TRAITS_ALL(short, short)
AIWC_TRAITS_ALL(unsigned short, ushort)
AIWC_TRAITS_ALL(int, int)
AIWC_TRAITS_ALL(unsigned int, uint)
AIWC_TRAITS_ALL(long, long)
AIWC_TRAITS_ALL(unsigned long, ulong)
AIWC_TRAITS_ALL(long long, longlong)
AIWC_TRAITS_ALL(unsigned long long, ulonglong)
AIWC_TRAITS_ALL(float, float)
AIWC_TRAITS_ALL(double, double)
#undef AIWC_TRAITS_ALL
#undef AIWC_TRAITS
template <typename Vector> using Element = typename VectorTraits<Vector>::Element;
} // namespace aiwc_cuda

#define AIWC_VECTOR_OPERATOR(op)                                                                   \
  template <typename Vector, typename Element = aiwc_cuda::Element<Vector>>                        \
  AIWC_BOTH Vector &operator op##=(Vector &a, const Vector &b) {                                   \
    a.x op## = b.x;                                                                                \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 1)                                      \
      a.y op## = b.y;                                                                              \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 2)                                      \
      a.z op## = b.z;                                                                              \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 3)                                      \
      a.w op## = b.w;                                                                              \
    return a;                                                                                      \
  }                                                                                                \
  template <typename Vector>                                                                       \
  AIWC_BOTH Vector &operator op##=(Vector &a, aiwc_cuda::Element<Vector> b) {                      \
    a.x op## = b;                                                                                  \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 1)                                      \
      a.y op## = b;                                                                                \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 2)                                      \
      a.z op## = b;                                                                                \
    if constexpr (aiwc_cuda::VectorTraits<Vector>::count > 3)                                      \
      a.w op## = b;                                                                                \
    return a;                                                                                      \
  }                                                                                                \
  template <typename Vector, typename = aiwc_cuda::Element<Vector>>                                \
  AIWC_BOTH Vector operator op(Vector a, const Vector &b) {                                        \
    return a op## = b;                                                                             \
  }                                                                                                \
  template <typename Vector>                                                                       \
  AIWC_BOTH Vector operator op(Vector a, aiwc_cuda::Element<Vector> b) {                           \
    return a op## = b;                                                                             \
  }
AIWC_VECTOR_OPERATOR(+)
AIWC_VECTOR_OPERATOR(-)
AIWC_VECTOR_OPERATOR(*)
AIWC_VECTOR_OPERATOR(/)
#undef AIWC_VECTOR_OPERATOR
template <typename Vector> AIWC_BOTH Vector operator*(aiwc_cuda::Element<Vector> a, Vector b) {
  return b * a;
}
template <typename Vector, typename = aiwc_cuda::Element<Vector>>
AIWC_BOTH Vector operator-(const Vector &a) {
  return a * (aiwc_cuda::Element<Vector>)(-1);
}
#endif
