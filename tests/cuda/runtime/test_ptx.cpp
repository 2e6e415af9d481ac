// Instructions of PTX in inline assembly against what the PTX ISA says they compute.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Instructions of PTX compute what the manual says, for each pair of operands") {
  const Words lines = printed(R"(
    #define ASM1(text, a) ({ unsigned d; asm(text : "=r"(d) : "r"(a)); d; })
    #define ASM2(text, a, b) ({ unsigned d; asm(text : "=r"(d) : "r"(a), "r"(b)); d; })
    #define ASM3(text, a, b, c) ({ unsigned d; asm(text : "=r"(d) : "r"(a), "r"(b), "r"(c)); d; })
    #define EXPECT(...) if (!(__VA_ARGS__)) printf("line %d: %x %x %x\n", __LINE__, a, b, c)
    __global__ void words(const unsigned *in, int count) {
      const unsigned a = in[threadIdx.x % count], b = in[threadIdx.x / count % count], c = in[threadIdx.x / count / count];
      const unsigned long long ba = (unsigned long long)b << 32 | a;
      EXPECT(ASM3("lop3.b32 %0, %1, %2, %3, 0x96;", a, b, c) == (a ^ b ^ c));
      EXPECT(ASM3("lop3.b32 %0, %1, %2, %3, 0xe8;", a, b, c) == ((a & b) | (a & c) | (b & c)));
      EXPECT(ASM3("lop3.b32 %0, %1, %2, %3, 0xca;", a, b, c) == ((a & b) | (~a & c)));
      unsigned byTable = 0;
      for (int i = 0; i < 32; ++i)
        byTable |= (0x1bu >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
      EXPECT(ASM3("lop3.b32 %0, %1, %2, %3, 0x1b;", a, b, c) == byTable);
      EXPECT(ASM2("prmt.b32 %0, %1, %2, 0x0123;", a, b) == __builtin_bswap32(a));
      EXPECT(ASM2("prmt.b32 %0, %1, %2, 0x7654;", a, b) == b);
      EXPECT(ASM2("prmt.b32 %0, %1, %2, 0xbbb3;", a, b) == ((a >> 31 ? 0xffffff00u : 0) | a >> 24));
      EXPECT(ASM3("shf.l.wrap.b32 %0, %1, %2, %3;", a, b, c) == (unsigned)(ba << (c & 31) >> 32));
      EXPECT(ASM3("shf.r.wrap.b32 %0, %1, %2, %3;", a, b, c) == (unsigned)(ba >> (c & 31)));
      EXPECT(ASM3("shf.r.clamp.b32 %0, %1, %2, %3;", a, b, c) == (unsigned)(c > 32 ? b : ba >> c));
      EXPECT(ASM1("bfe.u32 %0, %1, 4, 8;", a) == (a >> 4 & 255));
      EXPECT(ASM1("bfe.s32 %0, %1, 4, 8;", a) == (unsigned)((int)(a << 20) >> 24));
      EXPECT(ASM1("bfe.s32 %0, %1, 0, 32;", a) == a && ASM1("bfe.u32 %0, %1, 8, 0;", a) == 0);
      EXPECT(ASM1("bfe.s32 %0, %1, 28, 8;", a) == (unsigned)((int)a >> 28) && ASM1("bfe.u32 %0, %1, 40, 8;", a) == 0);
      EXPECT(ASM2("bfi.b32 %0, %1, %2, 4, 8;", a, b) == ((b & ~0xff0u) | (a << 4 & 0xff0)));
      EXPECT(ASM2("bfi.b32 %0, %1, %2, 0, 32;", a, b) == a && ASM2("bfi.b32 %0, %1, %2, 8, 0;", a, b) == b);
      EXPECT(ASM2("shl.b32 %0, %1, %2;", a, b) == (b > 31 ? 0 : a << b));
      EXPECT(ASM2("shr.s32 %0, %1, %2;", a, b) == (unsigned)((int)a >> (b > 31 ? 31 : b)));
      EXPECT(ASM2("shr.u32 %0, %1, %2;", a, b) == (b > 31 ? 0 : a >> b));
      EXPECT(ASM2("mul.hi.s32 %0, %1, %2;", a, b) == (unsigned)(((long long)(int)a * (int)b) >> 32));
      EXPECT(ASM3("mad.lo.u32 %0, %1, %2, %3;", a, b, c) == a * b + c);
      EXPECT(ASM2("min.s32 %0, %1, %2;", a, b) == (unsigned)((int)a < (int)b ? a : b));
      EXPECT(ASM2("max.u32 %0, %1, %2;", a, b) == (a < b ? b : a));
      EXPECT(ASM1("popc.b32 %0, %1;", a) == __builtin_popcount(a) && ASM1("clz.b32 %0, %1;", a) == (a ? __builtin_clz(a) : 32));
      EXPECT(ASM1("brev.b32 %0, %1;", a) == __brev(a) && ASM1("not.b32 %0, %1;", a) == ~a && ASM1("neg.s32 %0, %1;", a) == -a);
      EXPECT(ASM2("{ .reg .pred p, q;\n setp.lt.u32 p, %1, %2; setp.lt.s32 q, %1, %2;\n mov.u32 %0, 4; // of neither\n"
                  " @p mov.u32 %0, 5;\n @q add.u32 %0, %0, 2; }", a, b) == (a < b ? 5u : 4u) + ((int)a < (int)b ? 2 : 0));
      EXPECT(ASM3("{ .reg .pred p; setp.ge.u32 p, %1, %2; selp.b32 %0, %3, 7, p; }", a, b, c) == (a >= b ? c : 7));
      EXPECT(ASM1("{ .reg .b16 low, high; mov.b32 {low, high}, %1; mov.b32 %0, {high, low}; }", a) == (a << 16 | a >> 16));
      EXPECT(ASM1("cvt.u32.u16 %0, %1;", a) == (a & 0xffff) && ASM1("cvt.s32.s8 %0, %1;", a) == (unsigned)(signed char)a);
      unsigned long long wide, both;
      asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
      asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(a), "r"(b));
      EXPECT(wide == (unsigned long long)a * b && both == ba);
      unsigned sum = c;
      asm("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(a));
      EXPECT(sum == a + c);
    }
    __global__ void reals(const float *in) {
      const float x = in[threadIdx.x];
      const unsigned a = threadIdx.x, b = 0, c = 0;
      float y, z;
      int i;
      double d;
      asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
      EXPECT(y == 1 / x);
      asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(y) : "f"(x));
      EXPECT(y == fmaf(x, x, 1.0f));
      asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(i) : "f"(1 + 1.0f / 2048)); // the middle of two
      EXPECT(__int_as_float(i) == 1 + 1.0f / 1024);
      asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(i) : "f"(-1 - 0.9f / 2048));
      EXPECT(__int_as_float(i) == -1);
      asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(2.0f));
      asm("lg2.approx.f32 %0, %1;" : "=f"(z) : "f"(8.0f));
      EXPECT(y == 4 && z == 3);
      asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.75f));
      asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
      EXPECT(i == -2 && d == x);
      asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f));
      asm("cvt.rn.f32.u32 %0, %1;" : "=f"(y) : "r"(0xffffffffu));
      EXPECT(i == 2 && y == 4294967296.0f);
      asm("{ .reg .pred p; setp.gt.f32 p, %1, 0f00000000; selp.f32 %0, %1, 0f00000000, p; }" : "=f"(y) : "f"(x));
      EXPECT(y == (x > 0 ? x : 0));
    })",
                              R"(
    const unsigned words_[] = {0, 1, 7, 31, 33, 0x80000000u, 0xffffffffu, 0x12345678u, 0xfedcba98u};
    unsigned *in;
    CHECK_CUDA(cudaMallocManaged(&in, sizeof words_));
    memcpy(in, words_, sizeof words_);
    words<<<1, 729>>>(in, 9);
    float *x;
    CHECK_CUDA(cudaMallocManaged(&x, 8 * sizeof *x));
    for (int i = 0; i < 8; ++i)
      x[i] = i - 3.5f;
    reals<<<1, 8>>>(x);
    CHECK_CUDA(cudaDeviceSynchronize());)");
  CHECK(lines == Words{});
}

TEST_CASE("PTX reaches memory, other lanes, and the registers of a thread") {
  const Words lines = printed(R"(
    #include <cuda_pipeline.h>
    #define EXPECT(...) if (!(__VA_ARGS__)) printf("line %d: thread %u\n", __LINE__, t)
    __device__ __forceinline__ void copyAsync(void *shared, const void *global) {
      const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" :: "r"(address), "l"(global), "n"(16) : "memory");
    }
    __global__ void k(const unsigned *in, unsigned *out, float *sum) {
      __shared__ __align__(16) unsigned tile[256];
      const unsigned t = threadIdx.x;
      unsigned lane, below, x, y;
      asm("mov.u32 %0, %%laneid;\n\tmov.u32 %1, %%lanemask_lt;" : "=r"(lane), "=r"(below));
      EXPECT(lane == t % 32 && below == (1u << lane) - 1);
      asm("mov.u32 %0, %%ntid.x;" : "=r"(x));
      EXPECT(x == 64);
      uint4 v;
      asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4 + 16];"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(in + t));
      EXPECT(v.x == in[t + 4] && v.w == in[t + 7]);
      asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 8; mov.u32 %0, 99; @p ld.global.u32 %0, [%2]; }"
                   : "=r"(x) : "r"(t), "l"(in + (t < 8 ? t : 1 << 28)));
      EXPECT(x == (t < 8 ? in[t] : 99));
      copyAsync(&tile[4 * t], in + 4 * t);
      __shared__ uint4 padded[64];
      __pipeline_memcpy_async(&padded[t], in + 4 * t, 16, 6);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __shared__ unsigned behind[65];
      asm volatile("cp.async.ca.shared.global [%0 + 4], [%1 + 8], 4;"
                   :: "r"((unsigned)__cvta_generic_to_shared(&behind[t])), "l"(in + t) : "memory");
      asm volatile("cp.async.commit_group;\n" ::);
      asm volatile("cp.async.wait_group %0;\n" :: "n"(0));
      asm volatile("bar.sync 0;" ::: "memory");
      EXPECT(padded[63 - t].y == in[253 - 4 * t] && padded[63 - t].z == in[254 - 4 * t] && padded[63 - t].w == 0);
      EXPECT(tile[255 - t] == in[255 - t] && behind[64 - t] == in[65 - t]);
      asm volatile("st.global.cg.v2.u32 [%0], {%1, %2};" :: "l"(out + 2 * t), "r"(t), "r"(t + 1) : "memory");
      EXPECT(out[2 * t] == t && out[2 * t + 1] == t + 1);
      asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(x) : "r"(t));
      asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x181f, 0xffffffff;" : "=r"(y) : "r"(t)); // of each 8
      EXPECT(x == (t ^ 1) && y == t / 8 * 8);
      asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 3; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(x) : "r"(lane));
      EXPECT(x == 8);
      asm volatile("red.global.add.f32 [%0], %1;" :: "l"(sum), "f"(0.5f) : "memory");
      asm volatile("atom.shared.max.u32 %0, [%1], %2;" : "=r"(x) : "r"((unsigned)__cvta_generic_to_shared(tile)), "r"(5000 + t));
      __syncthreads();
      EXPECT(tile[0] == 5063);
    })",
                              R"(
    unsigned *in, *out;
    float *sum;
    CHECK_CUDA(cudaMallocManaged(&in, 1024));
    CHECK_CUDA(cudaMallocManaged(&out, 512));
    CHECK_CUDA(cudaMallocManaged(&sum, 4));
    for (int i = 0; i < 256; ++i)
      in[i] = 3 * i;
    *sum = 1;
    k<<<1, 64>>>(in, out, sum);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%g\n", *sum);)");
  CHECK(lines == Words{"33"});
}
