// The headers beside cuda_runtime.h.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::test;

TEST_CASE("Vector types have CUDA's sizes and alignments") {
  const Words lines = printed("", R"(
    printf("%zu %zu %zu\n", sizeof(float3), alignof(float3), alignof(float4));
    printf("%zu %zu %zu\n", alignof(float2), alignof(double2), alignof(uchar4));
    printf("%zu %zu %zu\n", alignof(short4), alignof(longlong2), sizeof(double4));
    const int4 v = make_int4(1, 2, 3, 4);
    const dim3 d(5);
    printf("%d %u %u\n", v.w, d.x, d.z);)");
  CHECK(lines == Words{"12 4 16", "8 16 4", "8 16 32", "4 5 1"});
}

TEST_CASE("assert is declared in each program") {
  CHECK(printed("__global__ void k(int *p) { assert(p); *p = 5; }", R"(
    int *p, value;
    assert(cudaMalloc(&p, 4) == cudaSuccess);
    k<<<1, 1>>>(p);
    CHECK_CUDA(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", value);)") == Words{"5"});
}

TEST_CASE("Files of C and C++ beside a program's device code include the headers") {
  const Folder folder;
  const auto compiles = [&](const std::string &name, const std::string &source) {
    write(folder / name, source);
    const Outcome outcome =
        run({{AIWC_TEST_CLANG, "-Wall", "-Werror", std::string("-I") + AIWC_TEST_CUDA_INCLUDE,
              "-fsyntax-only", name},
             {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}},
             folder.path()});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
  };
  compiles("a.c", "#include <cuda_runtime.h>\n"
                  "float4 f(void **p) { cudaMalloc(p, 4); return make_float4(1, 2, 3, 4); }\n");
  compiles("b.cpp", "#include <cuda.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                    "#include <cuComplex.h>\n#include <curand.h>\n#include <nvToolsExt.h>\n"
                    "#include <hip/hip_runtime_api.h>\n#include <hip/hip_bf16.h>\n"
                    "float g(__hip_bfloat16 x) { return __bfloat162float(x); }\n"
                    "__host__ __device__ float f(int **p) {\n"
                    "  cudaMalloc(p, 4);\n  hipFree(*p);\n"
                    "  return __half2float(__float2half(dim3(2).x));\n}\n");
}

TEST_CASE("Programs learn from a guard that its header is included") {
  const Folder folder;
  std::string source;
  const auto add = [&](const std::string &header, const Words &guards) {
    source += "#include <" + header + ">\n";
    for (const std::string &guard : guards)
      source += "#ifndef " + guard + "\n#error " + guard + "\n#endif\n";
  };
  add("vector_types.h", {"__VECTOR_TYPES_H__", "__HOST_DEFINES_H__"});
  source += "#ifdef __CUDA_RUNTIME_H__\n#error cuda_runtime.h is not included yet\n#endif\n";
  add("cuda_runtime_api.h", {"__CUDA_RUNTIME_API_H__", "__DRIVER_TYPES_H__"});
  add("cuda_runtime.h", {"__CUDA_RUNTIME_H__", "__VECTOR_FUNCTIONS_H__"});
  add("cuda.h", {"__cuda_cuda_h__"});
  add("cuda_fp16.h", {"__CUDA_FP16_H__"});
  add("cuda_bf16.h", {"__CUDA_BF16_H__"});
  add("cuComplex.h", {"CU_COMPLEX_H_"});
  add("curand.h", {"CURAND_H_"});
  add("cuda_profiler_api.h", {"__CUDA_PROFILER_API_H__"});
  add("device_launch_parameters.h", {"__DEVICE_LAUNCH_PARAMETERS_H__"});
  add("math_constants.h", {"__MATH_CONSTANTS_H__"});
  write(folder / "guards.cpp", source);
  const Outcome outcome =
      run({{AIWC_TEST_CLANG, "-Wall", "-Werror", std::string("-I") + AIWC_TEST_CUDA_INCLUDE,
            "-fsyntax-only", "guards.cpp"},
           {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}},
           folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("Headers have no name that a program's command line gives a meaning") {
  const Folder folder;
  std::string cuda, hip;
  const std::filesystem::path headers = AIWC_TEST_CUDA_INCLUDE;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(
           headers, std::filesystem::directory_options::follow_directory_symlink)) {
    const std::string name = entry.path().lexically_relative(headers).string();
    if (entry.is_regular_file() && !name.starts_with("aiwc_"))
      (name.starts_with("hip") ? hip : cuda) += "#include <" + name + ">\n";
  }
  REQUIRE(cuda.find("<cub/cub.cuh>") != std::string::npos);
  write(folder / "all.cu", cuda);
  write(folder / "all.hip", hip);
  Words options;
  for (char letter = 'A'; letter <= 'Z'; ++letter)
    options.push_back(std::string("-D") + letter + "=4");
  for (const char *word :
       {"ALPHA",      "BETA",      "BLOCK",     "BLOCKS", "BLOCK_SIZE", "BLOCKSIZE", "COLS",
        "COUNT",      "DATA_TYPE", "DEBUG",     "DEPTH",  "DIM",        "DTYPE",     "EPS",
        "FLOAT",      "GRID",      "GRID_SIZE", "HEIGHT", "INDEX",      "INPUT",     "ITEMS",
        "ITERATIONS", "LENGTH",    "LEVEL",     "LOCAL",  "MAX",        "MEASURE",   "MIN",
        "MODE",       "NDIM",      "NUM",       "OP",     "OUTPUT",     "PI",        "RADIUS",
        "REAL",       "REPEAT",    "ROWS",      "SCALE",  "SEED",       "SIZE",      "STEPS",
        "STRIDE",     "TEST",      "THREADS",   "TILE",   "TILE_SIZE",  "TYPE",      "UNROLL",
        "VALUE",      "WARP_SIZE", "WIDTH",     "REAL_T", "Real"})
    options.push_back(std::string("-D") + word + "=4");
  for (const auto &[compiler, name] :
       {std::pair("nvcc", "all.cu"), std::pair("hipcc", "all.hip")}) {
    Words words = {AIWC_TEST_COMMAND, "build", "--", compiler, "-c", name};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome =
        run({words, {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}}, folder.path()});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("Every half is a float and comes back, on host and device") {
  const Words lines = printed(R"(
    #include <cuda_fp16.h>
    __global__ void convert(unsigned *wrong) {
      const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
      const float value = __half2float(__ushort_as_half(i));
      if (value == value && __half_as_ushort(__float2half(value)) != i)
        atomicAdd(wrong, 1);
    }
    __global__ void compute(__half *h, __half2 *pairs) {
      h[1] = __hadd(h[0], __float2half(1.5f));
      h[2] = __hfma(h[0], h[0], h[0]);
      h[3] = h[0] / __float2half(2.0f);
      *pairs = __hmul2(*pairs, *pairs);
      atomicAdd(h, __float2half(0.5f));
    })",
                              R"(
    unsigned *wrong, onHost = 0;
    CHECK_CUDA(cudaMallocManaged(&wrong, sizeof *wrong));
    *wrong = 0;
    convert<<<256, 256>>>(wrong);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 65536; ++i) {
      const float value = __half2float(__ushort_as_half(i));
      onHost += value == value && __half_as_ushort(__float2half(value)) != i;
    }
    printf("%u %u\n", *wrong, onHost);
    // Half a unit above 2048 goes to the even neighbour; 65520 is no finite half.
    printf("%g %g %g\n", (float)__float2half(2049), (float)__float2half(2051),
           (float)__float2half(65520));
    __half *h;
    __half2 *pairs;
    CHECK_CUDA(cudaMallocManaged(&h, 8));
    CHECK_CUDA(cudaMallocManaged(&pairs, 4));
    h[0] = __half(3.0f);
    *pairs = __floats2half2_rn(0.5f, 7);
    compute<<<1, 1>>>(h, pairs);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%g %g %g %g\n", (float)h[0], (float)h[1], (float)h[2], (float)h[3]);
    printf("%g %g\n", __low2float(*pairs), __high2float(*pairs));)");
  CHECK(lines == Words{"0 0", "2048 2052 inf", "3.5 4.5 12 1.5", "0.25 49"});
}

TEST_CASE("bfloat16 is the upper half of a float") {
  const Words lines = printed(R"(
    #include <cuda_bf16.h>
    __global__ void square(__nv_bfloat16 *x) { x[1] = x[0] * x[0]; })",
                              R"(
    __nv_bfloat16 *x;
    CHECK_CUDA(cudaMallocManaged(&x, 4));
    x[0] = __float2bfloat16(1.5f);
    square<<<1, 1>>>(x);
    CHECK_CUDA(cudaDeviceSynchronize());
    // 1 + 2^-8 is half way between 1 and the next one, and 1 is even.
    printf("%x %g %g\n", __bfloat16_as_ushort(x[0]), __bfloat162float(x[1]),
           __bfloat162float(__float2bfloat16(1.00390625f)));)");
  CHECK(lines == Words{"3fc0 2.25 1"});
}

TEST_CASE("Numbers of 16 bits are rounded once, on host and device") {
  const Words lines = printed(R"(
    #include <cuda_fp16.h>
    #include <cuda_bf16.h>
    __host__ __device__ void compute(unsigned short *out) {
      // (1 + 2^-5) (1 + 2^-6) is the middle of two halves, of which the lower one is even; so is
      // (1 + 2^-5) (1 + 3 2^-6), but there the lower one is odd. Floats have no 2^-24 beside them.
      const __half a = __ushort_as_half(0x3c20), b = __ushort_as_half(0x3c10);
      const __half c = __ushort_as_half(0x3c30), least = __ushort_as_half(1);
      out[0] = __half_as_ushort(__hfma(a, b, least));
      out[1] = __half_as_ushort(__hfma(a, b, -least));
      out[2] = __half_as_ushort(__hfma(a, c, -least));
      out[3] = __half_as_ushort(__hfma(a, c, least));
      // Just beyond the middle, by less than a float tells.
      out[4] = __half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40));
      out[5] = __half_as_ushort(__double2half(-1 - 0x1p-11 + 0x1p-40));
      const __nv_bfloat16 one = __float2bfloat16(1), tiny = __ushort_as_bfloat16(0x0d80);
      out[6] = __bfloat16_as_ushort(__double2bfloat16(1 + 0x1p-8 + 0x1p-40));
      // 1 + 2^-8 is the middle of 1 and the next bfloat16, and 2^-100 more is not.
      out[7] = __bfloat16_as_ushort(__hfma(__float2bfloat16(0x1p-8f), one, one));
      out[8] = __bfloat16_as_ushort(__hfma(__float2bfloat16(1 + 0x1p-4f), __float2bfloat16(1 + 0x1p-4f), tiny));
      out[9] = __bfloat16_as_ushort(__hfma(__float2bfloat16(1 + 0x1p-4f), __float2bfloat16(-1 - 0x1p-4f), tiny));
    }
    __global__ void run(unsigned short *out) { compute(out); })",
                              R"(
    unsigned short *out, onHost[10];
    CHECK_CUDA(cudaMallocManaged(&out, sizeof onHost));
    run<<<1, 1>>>(out);
    CHECK_CUDA(cudaDeviceSynchronize());
    compute(onHost);
    for (int i = 0; i < 10; ++i)
      printf("%x%s%s", out[i], out[i] == onHost[i] ? "" : " and another on the host", i % 5 == 4 ? "\n" : " ");)");
  CHECK(lines == Words{"3c31 3c30 3c51 3c52 3c01", "bc00 3f81 3f80 3f91 bf90"});
}

TEST_CASE("Conversions to numbers of 16 bits go down, up or to zero as their names say, on host "
          "and device") {
  const Words lines = printed(R"(
    #include <cuda_fp16.h>
    #include <cuda_bf16.h>
    // For each finite number and the next one of larger magnitude: a number between them goes to one of
    // them, by its sign and the direction, and the number itself stays.
    #define DIRECTIONS(name, bits, infinite)                                                     \
      __host__ __device__ int name##Wrong(unsigned int i) {                                      \
        const bool isPositive = i < 0x8000;                                                      \
        const unsigned short near = (unsigned short)i, far = (unsigned short)(i + 1);            \
        if ((near & 0x7fff) >= infinite - 1)                                                     \
          return 0;                                                                              \
        const float x = __##name##2float(__ushort_as_##name(near)), y = __##name##2float(__ushort_as_##name(far)); \
        const float between = x + (y - x) * 0.75f;                                               \
        int wrong = bits(__float2##name##_rz(between)) != near;                                  \
        wrong += bits(__float2##name##_rd(between)) != (isPositive ? near : far);                \
        wrong += bits(__float2##name##_ru(between)) != (isPositive ? far : near);                \
        wrong += bits(__float2##name##_rz(x)) != near;                                           \
        wrong += bits(__float2##name##_rd(x)) != near;                                           \
        return wrong + (bits(__float2##name##_ru(x)) != near);                                   \
      }
    DIRECTIONS(half, __half_as_ushort, 0x7c00)
    DIRECTIONS(bfloat16, __bfloat16_as_ushort, 0x7f80)
    __host__ __device__ void compute(unsigned short *out) {
      out[0] = __half_as_ushort(__float2half_rz(1e6f)); // the largest
      out[1] = __half_as_ushort(__float2half_ru(65505)); // infinite
      out[2] = __half_as_ushort(__int2half_rd(-2049)); // -2050
      out[3] = __half_as_ushort(__uint2half_ru(2049)); // 2050
      out[4] = __half_as_ushort(__short2half_rz(-2049)); // -2048
      out[5] = __half_as_ushort(__ull2half_rd(~0ull)); // the largest
      // 2^25 + 2^17 is the middle of two; 1 more is not, and is no float.
      out[6] = __bfloat16_as_ushort(__int2bfloat16_rn((1 << 25) + (1 << 17) + 1));
      out[7] = __bfloat16_as_ushort(__ll2bfloat16_rz((1ll << 60) - 1)); // (2 - 2^-7) 2^59
      out[8] = __bfloat16_as_ushort(__ull2bfloat16_ru((1ull << 63) + 1)); // (1 + 2^-7) 2^63
      out[9] = __bfloat16_as_ushort(__ll2bfloat16_rd(-(1ll << 62) - 1)); // -(1 + 2^-7) 2^62
      out[10] = __half2char_rz(__float2half(-7.75f)) + 7;
      out[11] = __bfloat162int_ru(__float2bfloat16(2.5f)) * 10 + __bfloat162uint_rn(__float2bfloat16(2.5f));
    }
    __global__ void count(unsigned int *wrong, unsigned short *out) {
      const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
      if (const int here = halfWrong(i) + bfloat16Wrong(i))
        atomicAdd(wrong, here);
      if (i == 0)
        compute(out);
    })",
                              R"(
    unsigned int *wrong, onHost = 0;
    unsigned short *out, expected[12];
    CHECK_CUDA(cudaMallocManaged(&wrong, 4));
    CHECK_CUDA(cudaMallocManaged(&out, sizeof expected));
    *wrong = 0;
    count<<<256, 256>>>(wrong, out);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (unsigned int i = 0; i < 65536; ++i)
      onHost += halfWrong(i) + bfloat16Wrong(i);
    compute(expected);
    printf("%u %u\n", *wrong, onHost);
    for (int i = 0; i < 12; ++i)
      printf("%x%s%s", out[i], out[i] == expected[i] ? "" : " and another on the host", i % 6 == 5 ? "\n" : " ");)");
  CHECK(lines == Words{"0 0", "7bff 7c00 e801 6801 e800 7bff", "4c01 5d7f 5f01 de81 0 20"});
}

TEST_CASE("Complex numbers") {
  const Words lines = printed("#include <cuComplex.h>", R"(
    const cuFloatComplex a = make_cuFloatComplex(1, 2), b = make_cuFloatComplex(3, -4);
    const cuFloatComplex product = cuCmulf(a, b);
    const cuDoubleComplex quotient = cuCdiv(make_cuDoubleComplex(11, 2), make_cuDoubleComplex(3, -4));
    printf("%g %g %g %g %g\n", product.x, product.y, quotient.x, quotient.y, cuCabsf(b));)");
  CHECK(lines == Words{"11 2 1 2 5"}); // (1 + 2i)(3 - 4i) = 11 + 2i
}

TEST_CASE("A HIP program") {
  const Words lines = printed(R"(
    #include <hip/hip_runtime.h>
    #include <hipcub/hipcub.hpp>
    __global__ void twice(int *x) { x[hipThreadIdx_x] *= 2; }
    __global__ void sum(int *x) {
      __shared__ hipcub::WarpReduce<int, 4>::TempStorage storage;
      const int sum = hipcub::WarpReduce<int, 4>(storage).Sum(x[threadIdx.x]);
      if (threadIdx.x == 0)
        x[3] = sum;
    }
    __global__ void vectors(float4 *v) { *v = 2.0f * (*v + make_float4(1, 2, 3, 4)) / 4.0f; })",
                              R"(
    int host[4] = {1, 2, 3, 4}, *x;
    hipDeviceProp_t properties;
    hipStream_t stream;
    hipError_t status = hipGetDeviceProperties(&properties, 0);
    CHECK_CUDA(hipStreamCreate(&stream));
    CHECK_CUDA(hipMalloc(&x, sizeof host));
    CHECK_CUDA(hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(twice, dim3(1), dim3(4), 0, stream, x);
    CHECK_CUDA(hipMemcpyAsync(host, x, sizeof host, hipMemcpyDeviceToHost, stream));
    CHECK_CUDA(hipStreamSynchronize(stream));
    printf("%d %d %d\n", status == hipSuccess, properties.warpSize, host[3]);
    sum<<<1, 4>>>(x);
    CHECK_CUDA(hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost));
    printf("%d\n", host[3]);
    float4 *v;
    CHECK_CUDA(hipMallocManaged(&v, sizeof *v));
    *v = make_float4(1, 2, 3, 4);
    vectors<<<1, 1>>>(v);
    CHECK_CUDA(hipDeviceSynchronize());
    printf("%g %g\n", v->x, v->w);)");
  CHECK(lines == Words{"1 32 8", "20", "1 4"}); // 2 * (4 + 4) / 4
}

TEST_CASE("Numbers of 16 bits are converted alike, whatever their format") {
  const Words lines = printed(R"(
    #include <cuda_bf16.h>
    #include <cuda_fp16.h>
    __global__ void convert(float *out, __half2 half, __nv_bfloat162 bfloat) {
      out[0] = __half2float(__low2half(half)) + __bfloat162float(__high2bfloat16(bfloat));
      out[1] = __half22float2(__lowhigh2highlow(half)).x;
      out[2] = __bfloat1622float2(__lowhigh2highlow(bfloat)).x;
      out[3] = __half_as_ushort(__short_as_half(5));
      out[4] = __bfloat162float(__ushort_as_bfloat16(0x3f80)); // the upper half of 1
    })",
                              R"(
    float *out;
    CHECK_CUDA(cudaMallocManaged(&out, 5 * sizeof(float)));
    convert<<<1, 1>>>(out, __floats2half2_rn(1, 2), __floats2bfloat162_rn(4, 8));
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%g %g %g %g %g\n", out[0], out[1], out[2], out[3], out[4]);)");
  CHECK(lines == Words{"9 2 8 5 1"});
}

TEST_CASE("Pairs of 16 bits have the operators of numbers, and bits come and go as raw ones") {
  const Words lines = printed(R"(
    #include <cuda_bf16.h>
    #include <cuda_fp16.h>
    template <typename Pair, typename Number> __global__ void compute(float *out) {
      Pair p(Number(3.0f), Number(8.0f));
      const Pair two(Number(2.0f), Number(2.0f));
      p += two; // 5, 10
      p *= two;
      p -= Pair(Number(1.0f), Number(0.0f)); // 9, 20
      p /= Pair(Number(3.0f), Number(4.0f)); // 3, 5
      ++p;
      const Pair before = p--; // 4, 6
      out[0] = (float)before.x * 10 + (float)before.y;
      out[1] = (float)p.x * 10 + (float)p.y;
      out[2] = (p == p) + 2 * (p != two) + 4 * (two < p) + 8 * (p >= two) + 16 * (p <= two);
      Number n(1.5f);
      n += 1;
      n--;
      out[3] = (float)n++ + 10 * (float)n;
    })",
                              R"(
    float *out;
    CHECK_CUDA(cudaMallocManaged(&out, 8 * sizeof(float)));
    compute<__half2, __half><<<1, 1>>>(out);
    compute<__nv_bfloat162, __nv_bfloat16><<<1, 1>>>(out + 4);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i += 4)
      printf("%g %g %g %g\n", out[i], out[i + 1], out[i + 2], out[i + 3]);
    __half_raw raw = __half(1.0f);
    __nv_bfloat16_raw upper = {0x4000};
    printf("%x %g\n", raw.x, (float)__nv_bfloat16(upper));
    raw.x = 0x4000;
    __half h = raw;
    h = raw;
    printf("%g\n", (float)h);)");
  CHECK(lines == Words{"46 35 15 26.5", "46 35 15 26.5", "3c00 2", "2"});
}

TEST_CASE("HIP's vector operators leave those of other types alone") {
  const Words lines = printed(R"(
    #include <hip/hip_runtime.h>
    #include <vector>
    __global__ void bits(unsigned *out) {
      out[0] = __bitextract_u32(0xabcd1234, 8, 12);
      out[1] = (unsigned)__bitextract_u64(0xabcd123400000000ull, 40, 8);
    })",
                              R"(
    std::vector<int> numbers = {1, 2, 3, 4};
    std::vector<int>::iterator it = numbers.begin();
    unsigned step = 2;
    it += step;
    float2 v = make_float2(1, 2);
    v += 1;
    v *= 2.0f;
    unsigned *out;
    CHECK_CUDA(hipHostMalloc(&out, 8));
    bits<<<1, 1>>>(out);
    CHECK_CUDA(hipDeviceSynchronize());
    printf("%d %g %g %x %x\n", *it, v.x, v.y, out[0], out[1]);)");
  CHECK(lines == Words{"3 4 6 d12 12"});
}
