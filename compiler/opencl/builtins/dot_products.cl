// The functions of cl_khr_integer_dot_product. Oclgrind has `dot` of real numbers only. The sum of
// four products of 8 bits has 18 bits, so only what is added to it can overflow.
#include "builtins.h"

// Oclgrind's functions.
int OVERLOADABLE add_sat(int, int);
uint OVERLOADABLE add_sat(uint, uint);

#define SUM(T) (T) a.x *(T)b.x + (T)a.y *(T)b.y + (T)a.z *(T)b.z + (T)a.w *(T)b.w

#define FUNCTIONS(T, A, B, forms)                                                                  \
  T OVERLOADABLE dot(A a, B b) { return SUM(T); }                                                  \
  T OVERLOADABLE dot_acc_sat(A a, B b, T c) { return add_sat(SUM(T), c); }                         \
  T OVERLOADABLE dot_4x8packed_##forms##_##T(uint p, uint q) {                                     \
    const A a = __builtin_astype(p, A);                                                            \
    const B b = __builtin_astype(q, B);                                                            \
    return SUM(T);                                                                                 \
  }                                                                                                \
  T OVERLOADABLE dot_acc_sat_4x8packed_##forms##_##T(uint p, uint q, T c) {                        \
    const A a = __builtin_astype(p, A);                                                            \
    const B b = __builtin_astype(q, B);                                                            \
    return add_sat(SUM(T), c);                                                                     \
  }
FUNCTIONS(uint, uchar4, uchar4, uu)
FUNCTIONS(int, char4, char4, ss)
FUNCTIONS(int, uchar4, char4, us)
FUNCTIONS(int, char4, uchar4, su)
