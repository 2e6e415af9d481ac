// Kernels whose frames are large: deep chains of calls, and many large values that live at once.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// A chain of 500 functions whose values do not fit into registers.
__attribute__((noinline)) double16 link009(double16 a, double16 b) {
  return a + b;
}
#define LINK(n, next)                                                                              \
  __attribute__((noinline)) double16 link##n(double16 a, double16 b) {                             \
    const double16 c = a * 0.5, d = b - a;                                                         \
    const double16 r = link##next(c + d, c - d);                                                   \
    return r * 0.25 + c - d + a;                                                                   \
  }
#define TEN(t, before)                                                                             \
  LINK(t##0, before##9)                                                                            \
  LINK(t##1, t##0)                                                                                 \
  LINK(t##2, t##1)                                                                                 \
  LINK(t##3, t##2)                                                                                 \
  LINK(t##4, t##3)                                                                                 \
  LINK(t##5, t##4)                                                                                 \
  LINK(t##6, t##5)                                                                                 \
  LINK(t##7, t##6)                                                                                 \
  LINK(t##8, t##7)                                                                                 \
  LINK(t##9, t##8)
#define HUNDRED(h, before)                                                                         \
  TEN(h##0, before##9)                                                                             \
  TEN(h##1, h##0)                                                                                  \
  TEN(h##2, h##1)                                                                                  \
  TEN(h##3, h##2)                                                                                  \
  TEN(h##4, h##3)                                                                                  \
  TEN(h##5, h##4)                                                                                  \
  TEN(h##6, h##5)                                                                                  \
  TEN(h##7, h##6)                                                                                  \
  TEN(h##8, h##7)                                                                                  \
  TEN(h##9, h##8)
TEN(01, 00)
TEN(02, 01)
TEN(03, 02)
TEN(04, 03)
TEN(05, 04)
TEN(06, 05)
TEN(07, 06)
TEN(08, 07)
TEN(09, 08)
HUNDRED(1, 0)
HUNDRED(2, 1)
HUNDRED(3, 2)
HUNDRED(4, 3)

kernel void calls(global double *x) {
  const size_t i = get_global_id(0);
  const double16 a = (double16)(x[i]);
  x[i] = link499(a, a + 1).s3;
}

// The chain is entered on both sides of a barrier, by work-items whose stacks are neighbours.
kernel void calls_synchronised(global double *x, local double *row) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  const double16 a = (double16)(x[i]);
  row[l] = link499(a, a + 1).s3;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = row[l ^ 1] + link499(a - row[l], a).s7;
}

// The deep chain is neither the first nor the last that the kernel calls.
__attribute__((noinline)) double shallow(double a) {
  return a * 0.5 + 1;
}
__attribute__((noinline)) double low(double a) {
  return a * 0.25 - 1;
}

kernel void calls_between(global double *x, local double *row) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  const double first = shallow(x[i]);
  row[l] = link499((double16)(first), (double16)(x[i])).s3;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = low(row[l ^ 1]);
}

// 1000 values of 128 bytes live across a barrier.
#define READ(n) const double16 v##n = x[(i + 0##n) & 7];
#define SUM(n) s = s * 0.5 + v##n;
#define FIVE(m, t) m(t##0) m(t##1) m(t##2) m(t##3) m(t##4)
#define FORTY(m, t)                                                                                \
  FIVE(m, t##0) FIVE(m, t##1) FIVE(m, t##2) FIVE(m, t##3)                                          \
  FIVE(m, t##4) FIVE(m, t##5) FIVE(m, t##6) FIVE(m, t##7)
#define ALL(m)                                                                                     \
  FORTY(m, 00) FORTY(m, 01) FORTY(m, 02) FORTY(m, 03) FORTY(m, 04) FORTY(m, 05) FORTY(m, 06)       \
  FORTY(m, 07) FORTY(m, 10) FORTY(m, 11) FORTY(m, 12) FORTY(m, 13) FORTY(m, 14) FORTY(m, 15)       \
  FORTY(m, 16) FORTY(m, 17) FORTY(m, 20) FORTY(m, 21) FORTY(m, 22) FORTY(m, 23) FORTY(m, 24)       \
  FORTY(m, 25) FORTY(m, 26) FORTY(m, 27) FORTY(m, 30)

kernel void values(global double16 *x, global double *y) {
  const size_t i = get_global_id(0);
  ALL(READ)
  barrier(CLK_GLOBAL_MEM_FENCE);
  double16 s = 0;
  ALL(SUM)
  y[i] = s.s5 + s.sa;
}
