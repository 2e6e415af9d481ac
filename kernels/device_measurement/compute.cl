// Peak rates: chains x = x * m + c in eight independent accumulators, so that neither latency nor
// memory limits them. Built with -D T=TYPE, and FMA(x, m, c) as what the device does in one step.
// m and c are read from memory: m = 1 and c = 1 make x grow by one each step, which the host checks,
// and no compiler knows. With half precision, m = -1, and an even number of steps restores x.

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)

#define FUSED(x) x = FMA(x, m, c);
#define APART(x) x = x * m + c;
#define FOUR_STEPS(STEP)                                                                           \
  STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)                          \
  STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)                          \
  STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)                          \
  STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)

#define LOAD_1(p) (*(p))
#define LOAD_4(p) vload4(0, p)
#define LOAD_8(p) vload8(0, p)
#define LOAD_16(p) vload16(0, p)
#define STORE_1(x, p) *(p) = x
#define STORE_4(x, p) vstore4(x, 0, p)
#define STORE_8(x, p) vstore8(x, 0, p)
#define STORE_16(x, p) vstore16(x, 0, p)

// The lowest and highest of x - the lane's seed - the accumulator's number, over all lanes.
#define SPAN(WIDTH, x, number)                                                                     \
  STORE_##WIDTH(x, lanes);                                                                         \
  for (int lane = 0; lane < WIDTH; ++lane) {                                                       \
    const T value = lanes[lane] - seed[lane] - (T)number;                                          \
    lowest = value < lowest ? value : lowest;                                                      \
    highest = value > highest ? value : highest;                                                   \
  }

// seed: 16 lanes' starts, 16 times m, 16 times c. result: two for each work-item.
#define CHAINS(NAME, V, WIDTH, STEP)                                                               \
  kernel void NAME##_##WIDTH(global const T *seed, uint rounds, global T *result) {                \
    const V m = LOAD_##WIDTH(seed + 16), c = LOAD_##WIDTH(seed + 32);                              \
    V x0 = LOAD_##WIDTH(seed), x1 = x0 + (T)1, x2 = x0 + (T)2, x3 = x0 + (T)3;                     \
    V x4 = x0 + (T)4, x5 = x0 + (T)5, x6 = x0 + (T)6, x7 = x0 + (T)7;                              \
    for (uint round = 0; round < rounds; ++round) {                                                \
      FOUR_STEPS(STEP)                                                                             \
    }                                                                                              \
    T lanes[16];                                                                                   \
    STORE_##WIDTH(x0, lanes);                                                                      \
    T lowest = lanes[0] - seed[0], highest = lowest;                                               \
    SPAN(WIDTH, x0, 0)                                                                             \
    SPAN(WIDTH, x1, 1)                                                                             \
    SPAN(WIDTH, x2, 2)                                                                             \
    SPAN(WIDTH, x3, 3)                                                                             \
    SPAN(WIDTH, x4, 4)                                                                             \
    SPAN(WIDTH, x5, 5)                                                                             \
    SPAN(WIDTH, x6, 6)                                                                             \
    SPAN(WIDTH, x7, 7)                                                                             \
    result[2 * get_global_id(0)] = lowest;                                                         \
    result[2 * get_global_id(0) + 1] = highest;                                                    \
  }

#ifdef NEEDS
#pragma OPENCL EXTENSION NEEDS : enable
#endif
// Or a compiler may fuse x * m + c.
#pragma OPENCL FP_CONTRACT OFF

CHAINS(fma, T, 1, FUSED)
CHAINS(fma, CAT(T, 4), 4, FUSED)
CHAINS(fma, CAT(T, 8), 8, FUSED)
CHAINS(fma, CAT(T, 16), 16, FUSED)
CHAINS(mul_add, T, 1, APART)
CHAINS(mul_add, CAT(T, 4), 4, APART)
CHAINS(mul_add, CAT(T, 8), 8, APART)
CHAINS(mul_add, CAT(T, 16), 16, APART)
