// Functions and intrinsics of device code, by their definitions.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

/// The values of expressions, which may use `x` = 2, a double, and `n` = 3, an integer, on the
/// device.
Words valuesOf(const Words &expressions) {
  std::string body;
  for (size_t i = 0; i < expressions.size(); ++i)
    body += "out[" + std::to_string(i) + "] = " + expressions[i] + ";\n";
  const std::string count = std::to_string(expressions.size());
  return printed(
      "#include <cmath>\n#include <cuda_fp16.h>\n#include <cstdlib>\n#include <algorithm>\n"
      "__global__ void compute(double *out, double x, int n) {\n" +
          body + "}",
      "double *out; CHECK_CUDA(cudaMallocManaged(&out, 8 * " + count +
          "));\ncompute<<<1, 1>>>(out, 2, 3);\nCHECK_CUDA(cudaDeviceSynchronize());\n"
          "for (int i = 0; i < " +
          count + "; ++i) printf(\"%.9g\\n\", out[i]);");
}

void check(const std::vector<std::pair<std::string, double>> &expected) {
  Words expressions;
  for (const auto &[expression, value] : expected)
    expressions.push_back(expression);
  const Words values = valuesOf(expressions);
  REQUIRE(values.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO(expected[i].first);
    CHECK(std::stod(values[i]) == Approx(expected[i].second).epsilon(1e-6));
  }
}

} // namespace

TEST_CASE("Mathematical functions under the names of C and C++, of any argument") {
  check({{"sqrt(x)", 1.41421356237},
         {"std::sqrt(16.0f)", 4},
         {"sqrt(n + 1)", 2},
         {"std::sqrt(n + 1)", 2},
         {"sqrtf(2.25f)", 1.5},
         {"pow(x, n)", 8},
         {"std::pow(x, 0.5f)", 1.41421356237},
         {"powf(2, 10)", 1024},
         {"exp(1.0)", 2.71828182846},
         {"exp10(2.0)", 100},
         {"log(1)", 0},
         {"floor(-1.5f)", -2},
         {"std::ceil(-1.5)", -1},
         {"abs(-n)", 3},
         {"std::abs(-1.5f)", 1.5},
         {"fabs(-x)", 2},
         {"labs(-5l)", 5},
         {"fmax(x, 3)", 3},
         {"std::max(n, 7)", 7},
         {"min(n, 2u) + max(1.0f, x)", 4},
         {"min(5ull, 7)", 5},
         {"fmod(5.5, 2.0)", 1.5},
         {"remainder(5.0, 3.0)", -1},
         {"hypot(3.0f, 4.0f)", 5},
         {"cbrt(27.0)", 3},
         {"fmaf(2.0f, 3.0f, 4.0f)", 10},
         {"isnan(x) + isinf(x) + 2 * isfinite(x) + 4 * signbit(-x)", 6},
         {"__isnanf(NAN) + 2 * __isinff(-INFINITY) + 4 * __finitef(x)", 7},
         {"__isnanf(x) + __isinff(x) + __finitef(INFINITY)", 0},
         {"lrint(2.5) + lround(2.5f) + llrintf(3.5f)", 9}, // 2 + 3 + 4
         {"rsqrt(x * x) + rsqrtf(4.0f)", 1},
         {"sinpi(0.5) + cospi(1.0f)", 0},
         {"erfinv(erf(0.7))", 0.7},
         {"erfcinv(erfc(2.0))", 2},
         {"normcdfinv(normcdf(-1.5))", -1.5},
         {"normcdf(0.0)", 0.5},
         {"norm3d(2.0, 3.0, 6.0)", 7},
         {"tgamma(5.0)", 24}});
}

TEST_CASE("Functions with two results") {
  check({{"[] { int e; double m = frexp(10.0, &e); return m * 1000 + e; }()", 629}, // 0.625 * 2^4
         {"[] { int e; float m = frexpf(0, &e); return m + e; }()", 0},
         {"[] { double w, f = modf(-3.75, &w); return 10 * w + f; }()", -30.75},
         {"[] { float s, c; sincosf(0.5f, &s, &c); return s * s + c * c; }()", 1},
         {"[] { int q; double r = remquo(7.0, 2.0, &q); return 10 * r + q; }()",
          -6}}); // 7 = 4 * 2 - 1
}

TEST_CASE("Intrinsics of integers") {
  check({{"__popc(255) + __popcll(~0ull)", 72},
         {"__clz(1) + __clz(0) + __clzll(1)", 31 + 32 + 63},
         {"__ffs(8) + __ffs(0) + __ffsll(1ll << 40)", 4 + 0 + 41},
         {"__brev(1)", 2147483648.0},
         {"__mulhi(1 << 30, 8)", 2},
         {"__umulhi(0xffffffffu, 2)", 1},
         {"__umul64hi(1ull << 63, 4)", 2},
         {"__mul24(1000, -7)", -7000},
         {"__sad(3, -4, 1) + __usad(3, 5, 1)", 11},
         {"__funnelshift_l(0x80000000u, 1, 1)", 3},
         {"__funnelshift_r(0x80000000u, 1, 31)", 3},
         {"__byte_perm(0x12345678, 0x9abcdef0, 0x0527)", 0x78de349a}, // bytes 0, 5, 2, 7
         {"__dp4a(0x01020304, 0x01010101, 5)", 15},
         {"__hadd(3, 4) + __rhadd(3, 4)", 7},
         {"__vadd4(0x01ff0203u, 0x01010101u)", 0x02000304},
         {"__vmaxs4(0x80017f00u, 0u)", 0x00017f00},
         {"__vabsdiffu4(0x01050000u, 0x03020000u)", 0x02030000}});
}

TEST_CASE("erfcx of large numbers, sinpi and cospi of halves, products of 24 bits") {
  check({{"erfcx(x)", 0.255395676310505744},
         {"erfcxf(10.0f)", 0.0561409927438225859},
         {"erfcxf(99.0f)", 0.00569859399702787},
         {"fabs(erfcx(8.001) / erfcx(7.999) - 1) < 3e-4", 1}, // on both sides of the two formulas
         {"fabs(erfcx(10.0) / 0.0561409927438225859 - 1) < 1e-15", 1},
         {"fabs(erfcx(27.0) / 0.0208816079904209407 - 1) < 1e-15", 1},
         {"erfcx(INFINITY)", 0},
         {"erfcx(-1.0)", 5.00898008076228},
         {"sinpif(99.0f)", 0},
         {"cospif(0.5f) + cospi(-7.5)", 0},
         {"sinpi(1e10) + sinpi(-0.5)", -1},
         {"cospi(1e15 + 1)", -1},
         {"sinpi(0.75) + cospif(0.25f)", 1.41421356237},
         {"__mul24(0xffffff, 3)", -3},
         {"__mul24(n + 0xfffffd, 3)", 0},
         {"__mul24(0x1000005, n)", 15},
         {"__umul24(0xff000002u, (unsigned)n)", 6}});
}

TEST_CASE("Functions of few programs") {
  check(
      {{"([] { const float v[] = {2, 3, 6}; return normf(3, v) + rnormf(3, v); })()", 7 + 1 / 7.0},
       {"([] { const double v[] = {1, 1, 1, 1}; return norm(4, v) + rnorm(4, v); })()", 2.5},
       {"cyl_bessel_i0f(1.0f)", 1.26606587775200834},
       {"cyl_bessel_i0(-20.0)", 43558282.5595535},
       {"cyl_bessel_i1(-1.0)", -0.565159103992485},
       {"cyl_bessel_i1f(0.0f)", 0},
       {"__dp2a_lo((int)0xffff0003, 0x04030201, 10)", 10 + 3 - 2},
       {"__dp2a_hi((int)0xffff0003, (int)0xff030201, 10)", 10 + 9 + 1},
       {"__dp2a_hi(0xffff0003u, 0xff030201u, 10u)", 10 + 9 + 65535 * 255.0},
       {"__fns(0xb0, 0, 2) + 10 * __fns(0xb0, 7, -2) + 100 * __fns(0xb0, 4, 1)", 5 + 50 + 400},
       {"(int)__fns(0xb0, 0, 4) + (int)__fns(0xb0, 6, 0) + (int)__fns(0xb0, 5, 0)", 3},
       {"__vimax3_s32(-1, n, 2) + __vimin3_s32(-1, n, 2) + __vimin3_s32_relu(-1, 5, 2)", 2},
       {"__vimax3_u32(1u, ~0u, 2u) - 4294967290.0", 5},
       {"__viaddmax_s32(n, 4, 5) + __viaddmin_s32(n, 4, 5) + __viaddmax_s32_relu(-n, 1, -9)", 12},
       {"__vimax3_s16x2(0x0001ffff, 0x00020000, 0xffff0003)", 0x00020003},
       {"__vimin3_s16x2_relu(0x0001ffff, 0x00020000, 0x00050003)", 0x00010000},
       {"__viaddmin_u16x2(0x00010005, 0x00010005, 0x00030003)", 0x00020003}});
}

TEST_CASE("Conversions round as their names say, and bits stay") {
  check({{"__float2int_rn(2.5f) + 10 * __float2int_rz(-2.7f)", 2 - 20},
         {"__float2int_ru(1.2f) + 10 * __float2int_rd(-1.2f)", 2 - 20},
         {"__double2ll_rn(3.5)", 4},
         {"__float_as_int(1.0f)", 0x3f800000},
         {"__int_as_float(0x40000000)", 2},
         {"__hiloint2double(0x40080000, 0)", 3},
         {"__double2hiint(3.0)", 0x40080000},
         {"__saturatef(1.5f) + __saturatef(-1.5f)", 1},
         {"__fdividef(3.0f, 2.0f) + __fmaf_rn(2, 3, 1)", 8.5},
         {"__expf(0) + __logf(1) + __powf(2, 3)", 9}});
}

TEST_CASE("Conversions to integers saturate, and NaN becomes 0") {
  const Words lines = printed(R"(
    #include <cuda_fp16.h>
    __global__ void convert(const double *from, int *i, unsigned *u, long long *l,
                            unsigned long long *m) {
      const double d = from[threadIdx.x];
      const float f = (float)d;
      i += 7 * threadIdx.x, u += 5 * threadIdx.x, l += 3 * threadIdx.x, m += 3 * threadIdx.x;
      i[0] = (int)f, i[1] = (int)d, i[2] = __float2int_rz(f), i[3] = __double2int_rn(d);
      i[4] = (signed char)f, i[5] = (unsigned short)d, i[6] = (unsigned char)f;
      u[0] = (unsigned)f, u[1] = (unsigned)d, u[2] = __float2uint_ru(f);
      u[3] = __double2uint_rd(d), u[4] = __half2uint_rz(__float2half(f));
      l[0] = (long long)f, l[1] = (long long)d, l[2] = __float2ll_rn(f);
      m[0] = (unsigned long long)f, m[1] = (unsigned long long)d, m[2] = __double2ull_rz(d);
    }
    __global__ void clamp(const double *from, int *out) {
      out[0] = min(255, max(0, (int)from[0]));
    })",
                              R"(
    const double from[] = {0.75, -1.75, 300.25, 3e9, -3e9, 1e19, -1e19, 1e30, INFINITY, -INFINITY,
                           NAN, 9223372036854775808.0, 18446744073709551616.0};
    const int n = sizeof from / sizeof *from;
    double *d;
    int *i;
    unsigned *u;
    long long *l;
    unsigned long long *m;
    CHECK_CUDA(cudaMallocManaged(&d, sizeof from));
    CHECK_CUDA(cudaMallocManaged(&i, n * 7 * 4));
    CHECK_CUDA(cudaMallocManaged(&u, n * 5 * 4));
    CHECK_CUDA(cudaMallocManaged(&l, n * 3 * 8));
    CHECK_CUDA(cudaMallocManaged(&m, n * 3 * 8));
    memcpy(d, from, sizeof from);
    convert<<<1, n>>>(d, i, u, l, m);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < n; ++k) {
      printf("%g:", from[k]);
      for (int j = 0; j < 7; ++j) printf(" %d", i[7 * k + j]);
      for (int j = 0; j < 5; ++j) printf(" %u", u[5 * k + j]);
      for (int j = 0; j < 3; ++j) printf(" %lld", l[3 * k + j]);
      for (int j = 0; j < 3; ++j) printf(" %llu", m[3 * k + j]);
      printf("\n");
    }
    clamp<<<1, 1>>>(d + 3, i);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d\n", i[0]);)");
  const std::string i = "2147483647", u = "4294967295", l = "9223372036854775807",
                    m = "18446744073709551615";
  const auto all = [](const std::string &value, int times) {
    std::string text;
    for (int k = 0; k < times; ++k)
      text += " " + value;
    return text;
  };
  // Narrow integers are the lower bits of one of 32. A half has no 3e9: it is infinite.
  const std::string above = all(i, 4) + " -1 65535 255" + all(u, 5);
  const std::string below = all("-2147483648", 4) + " 0 0 0" + all("0", 5);
  const std::string aboveAll = above + all(l, 3) + all(m, 3);
  const std::string belowAll = below + all("-9223372036854775808", 3) + all("0", 3);
  CHECK(
      lines ==
      Words{"0.75: 0 0 0 1 0 0 0 0 0 1 0 0 0 0 1 0 0 0",
            "-1.75: -1 -1 -1 -2 -1 0 0 0 0 0 0 0 -1 -1 -2 0 0 0",
            "300.25: 300 300 300 300 44 300 44 300 300 301 300 300 300 300 300 300 300 300",
            "3e+09:" + all(i, 4) + " -1 24064 0" + all("3000000000", 4) + " " + u +
                all("3000000000", 6),
            "-3e+09:" + below + all("-3000000000", 3) + all("0", 3),
            "1e+19:" + above + all(l, 3) + " 9999999980506447872" + all("10000000000000000000", 2),
            "-1e+19:" + belowAll, "1e+30:" + aboveAll, "inf:" + aboveAll, "-inf:" + belowAll,
            "nan:" + all("0", 18),
            "9.22337e+18:" + above + all(l, 3) + all("9223372036854775808", 3),
            "1.84467e+19:" + aboveAll, "255"});
}

TEST_CASE("Conversions of constants to integers saturate as others do") {
  const Words lines = printed(R"(
    __device__ float behind(float x) { return 2 * x; }
    __global__ void convert(int *i, unsigned *u, long long *l, float zero) {
      i[0] = (int)1e10f, i[1] = (int)-1e10, i[2] = (int)NAN, i[3] = (unsigned char)300.25f;
      i[4] = __float2int_rn(behind(2e9f)); // known once functions are inlined
      for (int k = 0; k < 3; ++k) // and once loops are unrolled
        i[5 + k] = (int)(k * 2e9f);
      i[8] = (int)(zero + 1e10f);
      u[0] = (unsigned)-1.5f, u[1] = (unsigned)INFINITY, u[2] = __float2uint_ru(4e9f);
      l[0] = (long long)1e30, l[1] = (long long)-INFINITY;
    }
    __constant__ int kept = (int)1e10f;
    __global__ void inPtx(int *i) {
      asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i[0]) : "f"(1e10f));
      asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i[1]) : "f"(-1e10f));
      i[2] = kept;
    })",
                              R"(
    int *i;
    unsigned *u;
    long long *l;
    CHECK_CUDA(cudaMallocManaged(&i, 9 * 4));
    CHECK_CUDA(cudaMallocManaged(&u, 3 * 4));
    CHECK_CUDA(cudaMallocManaged(&l, 2 * 8));
    convert<<<1, 1>>>(i, u, l, 0);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 9; ++k) printf("%d ", i[k]);
    printf("\n%u %u %u\n%lld %lld\n", u[0], u[1], u[2], l[0], l[1]);
    inPtx<<<1, 1>>>(i);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d %d\n", i[0], i[1], i[2]);)");
  CHECK(lines == Words{"2147483647 -2147483648 0 44 2147483647 0 2000000000 2147483647 2147483647 ",
                       "0 4294967295 4000000000", "9223372036854775807 -9223372036854775808",
                       "2147483647 -2147483648 2147483647"});
}

TEST_CASE(
    "Bessel functions, by tables (Abramowitz and Stegun, 9.1 and 9.2) and their definitions") {
  check({{"j0(1.0)", 0.765197686557966552},
         {"j1(-1.0)", -0.440050585744933516},
         {"jn(2, 1.0)", 0.114903484931900481},
         {"jn(10, 1.0) * 1e10", 2.63061512368745321},
         {"y0(1.0)", 0.0882569642156769580},
         {"y1(1.0)", -0.781212821300288717},
         {"yn(2, 1.0)", -1.65068260681625434},
         {"yn(10, 5.0)", -25.1291100956114},
         {"j0f(10.0f)", -0.245935764451348336},
         {"j1f(10.0f)", 0.0434727461688614366},
         {"jnf(3, 10.0f)", 0.0583793793051868124},
         {"y0f(10.0f)", 0.0556711672835993914},
         {"y1f(10.0f)", 0.249015424206953883},
         {"ynf(3, 10.0f)", -0.251362657183836932},
         {"j0(100.0)", 0.0199858503042231224},
         {"y1(100.0)", -0.0203723120027596},
         {"jn(20, 50.0)", -0.116704352897},
         {"(jn(59, 50.0) + jn(61, 50.0)) / jn(60, 50.0)", 2.4}, // 2 n / x
         {"j0(0.0) + j1(0.0) + jn(4, 0.0)", 1},
         {"fabs(jn(1, 30.0) * y0(30.0) - j0(30.0) * y1(30.0) - 2 / (M_PI * 30)) < 1e-15", 1},
         {"fabs(jn(1, 20.0) * y0(20.0) - j0(20.0) * y1(20.0) - 2 / (M_PI * 20)) < 1e-15", 1},
         {"isinf(y0(0.0)) + isnan(y0(-1.0)) + isnan(jn(-1, 1.0)) + isnan(j0(NAN))", 4},
         {"j0(INFINITY) + y1(INFINITY) + jn(3, -INFINITY)", 0}});
}

TEST_CASE("A function returns whose value nobody takes, though it has none") {
  CHECK(printed(R"(
    int say(int number) { printf("%d\n", number); }
    __device__ int store(int *p, int number) { *p = number; }
    __global__ void run(int *p) { store(p, 3); p[1] = 4; })",
                R"(
    int *p;
    CHECK_CUDA(cudaMallocManaged(&p, 8));
    run<<<1, 1>>>(p);
    CHECK_CUDA(cudaDeviceSynchronize());
    say(p[0]);
    say(p[1]);)") == Words{"3", "4"});
}

TEST_CASE("printf and assert say what they are told, and calls after a failed assert fail") {
  const Words lines = printed(R"(
    #include <cassert>
    __global__ void say(int n) {
      if (threadIdx.x == 1)
        printf("block %d: %d %.1f %s\n", blockIdx.x, n, 1.5, "text");
      assert(n == 3);
    })",
                              R"(
    say<<<2, 2>>>(3);
    CHECK_CUDA(cudaDeviceSynchronize());
    say<<<1, 1>>>(4);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
    void *memory;
    CHECK_CUDA(cudaMalloc(&memory, 4));
    CHECK_CUDA(cudaDeviceReset());
    CHECK_CUDA(cudaMalloc(&memory, 4));)");
  REQUIRE(lines.size() == 5);
  CHECK(lines[3] == "cudaDeviceSynchronize(): cudaErrorAssert");
  CHECK(lines[4] == "cudaMalloc(&memory, 4): cudaErrorAssert");
  CHECK(lines[0] == "block 0: 3 1.5 text");
  CHECK(lines[1] == "block 1: 3 1.5 text");
  CHECK(lines[2] ==
        "program.cu:6: void say(int): block: [0,0,0], thread: [0,0,0] Assertion `n == 3` "
        "failed.");
}
