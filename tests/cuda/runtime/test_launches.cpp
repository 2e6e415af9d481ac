// How kernels are launched, and which launches are errors.

#include "cuda/runtime/cuda_program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::test;

TEST_CASE("A grid of three dimensions has the indices that CUDA defines") {
  const Words lines = printed(R"(
    __global__ void index(unsigned *out) {
      const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      const dim3 size = blockDim;
      const uint3 at = threadIdx;
      out[block * size.x * size.y * size.z + thread] = 1000 * block + 100 * at.z + thread;
    })",
                              R"(
    unsigned *out, host[2 * 3 * 4 * 2 * 3 * 2];
    CHECK_CUDA(cudaMalloc(&out, sizeof host));
    index<<<dim3(2, 3, 4), dim3(2, 3, 2)>>>(out);
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    bool isRight = true;
    for (unsigned i = 0; i < 24 * 12; ++i)
      isRight = isRight && host[i] == 1000 * (i / 12) + i % 12 / 6 * 100 + i % 12;
    printf("%d\n", isRight);)");
  CHECK(lines == Words{"1"});
}

TEST_CASE("Shared memory, static and dynamic, and the barriers that count") {
  const Words lines = printed(R"(
    extern __shared__ int dynamic[];
    __global__ void reverse(int *out) {
      __shared__ int fixed[64];
      const int i = threadIdx.x;
      fixed[i] = i;
      dynamic[i] = 2 * i;
      __syncthreads();
      out[i] = fixed[63 - i] + dynamic[63 - i];
      out[64 + i] = __syncthreads_count(i < 10) + 100 * __syncthreads_or(i == 3) +
                    1000 * __syncthreads_and(i != 3);
    })",
                              R"(
    int *out, host[128];
    CHECK_CUDA(cudaMalloc(&out, sizeof host));
    reverse<<<1, 64, 64 * sizeof(int)>>>(out);
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", host[0], host[63], host[64], host[127]);)");
  CHECK(lines == Words{"189 0 110 110"}); // 63 + 126; 10 + 100 + 0
}

TEST_CASE("Whole warps may wait at different barriers, parts of a warp may not") {
  const CudaProgram program(R"(
    __global__ void exchange(int *out, int first) {
      __shared__ int s[96];
      const int t = threadIdx.x;
      if (t < first) {
        s[t] = t;
        __syncthreads();
        out[t] = s[95 - t];
      } else {
        s[t] = 2 * t;
        __syncthreads();
        out[t] = s[95 - t] + 1;
      }
      __syncthreads();
      s[t] = out[95 - t];
      __syncthreads();
      out[t] += s[t];
    }
    int main() {
      for (int first : {32, 64, 40}) {
        int *out, host[96];
        CHECK_CUDA(cudaMalloc(&out, sizeof host));
        exchange<<<3, 96>>>(out, first);
        CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
        bool isRight = true;
        const auto value = [&](int t) {
          const int other = 95 - t;
          return (other < first ? other : 2 * other) + (t < first ? 0 : 1);
        };
        for (int t = 0; t < 96; ++t)
          isRight = isRight && host[t] == value(t) + value(95 - t);
        printf("%d\n", isRight);
      }
    })");
  // Traced, each thread is a fiber; of blocks that are not, regions between barriers are run.
  for (const std::string groups : {"0", "1"}) {
    INFO(groups << " sampled blocks, 0: all");
    const Words sample =
        groups == "0" ? Words{} : Words{"--aiwc-accuracy=exact", "--aiwc-sample-groups=" + groups};
    const Characterised made = program.runWith("compiled", sample);
    INFO(made.outcome.err);
    CHECK(made.outcome.out == "1\n1\n1\n");
    for (const std::string launch : {"exchange_0", "exchange_1"}) {
      CHECK(made[launch].simulatorErrors == 0);
      if (groups == "0") // three of each thread
        CHECK(made[launch].count("barriers_hit"_metric) == 3 * 96 * 3);
    }
    CHECK(made["exchange_2"].simulatorErrors > 0);
  }
}

TEST_CASE("Threads that have returned count as arrived at a barrier") {
  const CudaProgram program(R"(
    __global__ void turns(int *out, int n) {
      __shared__ int s[64];
      const int t = threadIdx.x, i = blockIdx.x * 64 + t;
      if (i >= n)
        return;
      s[t] = i;
      __syncthreads();
      const int last = min(64, n - (int)blockIdx.x * 64) - 1;
      int sum = s[last - t];
      for (int k = 0; k < 4; ++k) {
        __syncthreads();
        s[t] = sum + k;
        __syncthreads();
        if (t % 5 == k) {
          out[i] = sum;
          return;
        }
        sum += s[t ^ 1];
      }
      out[i] = sum;
    }
    int main() {
      const int n = 1000;
      int *out, host[n];
      CHECK_CUDA(cudaMalloc(&out, sizeof host));
      turns<<<(n + 63) / 64, 64>>>(out, n);
      CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
      for (int value : host)
        printf("%d ", value);
    })");
  std::string expected;
  uint64_t barriers = 0;
  for (int begin = 0; begin < 1000; begin += 64) {
    const int threads = std::min(64, 1000 - begin);
    std::vector<int> s(threads), sum(threads);
    for (int t = 0; t < threads; ++t) {
      sum[t] = begin + threads - 1 - t;
      barriers += 1 + 2 * std::min(4, t % 5 + 1);
    }
    for (int k = 0; k < 4; ++k) { // thread t returns in step t % 5
      for (int t = 0; t < threads; ++t)
        if (t % 5 >= k)
          s[t] = sum[t] + k;
      for (int t = 0; t < threads; ++t)
        if (t % 5 > k)
          sum[t] += s[t ^ 1];
    }
    for (const int value : sum)
      expected += std::to_string(value) + " ";
  }
  const auto withoutEngine = [](const std::string &json) {
    std::string text;
    std::istringstream lines(json);
    for (std::string line; std::getline(lines, line);)
      if (line.find("\"engine") == std::string::npos)
        text += line + "\n";
    return text;
  };
  for (const std::string groups : {"0", "3"}) {
    INFO(groups << " sampled blocks, 0: all");
    const Words sample =
        groups == "0" ? Words{} : Words{"--aiwc-accuracy=exact", "--aiwc-sample-groups=" + groups};
    const Characterised interpreted = program.runWith("interpreter", sample).succeeded();
    CHECK(interpreted.outcome.err == "");
    CHECK(interpreted.outcome.out == expected);
    CHECK(interpreted["turns_0"].simulatorErrors == 0);
    if (groups == "0")
      CHECK(interpreted["turns_0"].count("barriers_hit"_metric) == barriers);
    for (const std::string threads : {"1", "3"})
      for (const char *engine : {"compiled", "optimised"}) {
        Words options = sample;
        options.push_back("--aiwc-threads=" + threads);
        const Characterised compiled = program.runWith(engine, options).succeeded();
        CHECK(compiled.outcome.err == "");
        CHECK(compiled.outcome.out == expected);
        CHECK(compiled["turns_0"].provenance.engine == "compiled");
        CHECK(withoutEngine(compiled.profiles.at("turns_0").json) ==
              withoutEngine(interpreted.profiles.at("turns_0").json));
      }
  }
}

TEST_CASE("Arguments of any type, templates, lambdas, and launches by address") {
  const Words lines = printed(R"(
    struct Large { double values[20]; char last; };
    __global__ void arguments(char c, Large large, short s, int *out) {
      out[0] = c + (int)large.values[19] + large.last + s;
    }
    template <typename F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); })",
                              R"(
    int *out, host[4];
    CHECK_CUDA(cudaMalloc(&out, sizeof host));
    Large large = {};
    large.values[19] = 100;
    large.last = 20;
    arguments<<<1, 1>>>(3, large, 1000, out);
    CHECK_CUDA(cudaMemcpy(host, out, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    const int factor = 7;
    apply<<<1, 4>>>([=] __device__(int i) { return factor * i; }, out);
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[3]);
    char c = 1;
    short s = 2;
    void *byAddress[] = {&c, &large, &s, &out};
    CHECK_CUDA(cudaLaunchKernel(arguments, dim3(1), dim3(1), byAddress));
    CHECK_CUDA(cudaMemcpy(host, out, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);)");
  CHECK(lines == Words{"1123", "21", "123"});
}

TEST_CASE("Kernels of one long name have memory of their own") {
  // Oclgrind takes `a.tile` for the local memory of `a` and of `a.2.tile`, and allows 48 KiB.
  const Words lines = printed(R"(
    template <typename A, typename B> struct Long {};
    typedef Long<Long<Long<Long<int, float>, Long<int, float>>, Long<int, float>>,
                 Long<Long<int, float>, Long<int, float>>> Longest;
    template <typename T, int value> struct Number {};
    template <typename Named> __global__ void last(Named, int *out) {
      __shared__ int tile[8000];
      tile[threadIdx.x] = (int)sizeof(Named) + threadIdx.x;
      __syncthreads();
      out[threadIdx.x] = tile[3 - threadIdx.x];
    })",
                              R"(
    int *out, host[4];
    CHECK_CUDA(cudaMalloc(&out, sizeof host));
    last<<<1, 4>>>(Number<Longest, 1>(), out);
    last<<<1, 4>>>(Number<Longest, 2>(), out);
    last<<<1, 4>>>(Number<Longest, 3>(), out);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);)");
  CHECK(lines == Words{"4"});
}

TEST_CASE("Kernels are called by pointers") {
  const Words lines = printed(R"(
    template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
    __global__ void __launch_bounds__(64) add(float *x, float by) { x[threadIdx.x] += by; }
    typedef void (*Change)(float *, float);
    template <Change kernel> void twice(float *x, float by) {
      for (int i = 0; i < 2; ++i)
        kernel<<<1, 1>>>(x, by);
    })",
                              R"(
    float *x, value = 1;
    CHECK_CUDA(cudaMalloc(&x, sizeof value));
    CHECK_CUDA(cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice));
    auto any = scale<float>;
    any<<<1, 1>>>(x, 3);
    void (*chosen)(float *, float) = add;
    chosen<<<1, 1>>>(x, 1); // 4
    chosen = &scale<float>;
    chosen<<<1, 1>>>(x, 5); // 20
    const Change all[] = {add, scale<float>};
    for (Change each : all)
      each<<<1, 1>>>(x, 2); // 44
    twice<add>(x, 1);       // 46
    float by = 10;
    void *arguments[] = {&x, &by};
    CHECK_CUDA(cudaLaunchKernel((void *)chosen, dim3(1), dim3(1), arguments));
    CHECK_CUDA(cudaLaunchKernel((const void *)all[0], dim3(1), dim3(1), arguments, 0, nullptr));
    CHECK_CUDA(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
    printf("%g\n", value);)");
  CHECK(lines == Words{"470"}); // ((((1 * 3 + 1) * 5 + 2) * 2 + 1 + 1) * 10 + 10
}

TEST_CASE("Errors of the simulator show the line of the source, if there is one") {
  // The numbers of lines are those of the file, which begins with lines of its own.
  const CudaProgram program(R"(
#line 12
    __global__ void fill(int *out) {
      out[threadIdx.x] = 1; // too many
    }
#line 20 "no_such_file.cu"
    __global__ void clear(int *out) { out[threadIdx.x] = 0; }
    int main() {
      int *memory;
      CHECK_CUDA(cudaMalloc(&memory, 8 * sizeof(int)));
      fill<<<1, 9>>>(memory);
      clear<<<1, 9>>>(memory);
    })");
  for (const std::string engine : {"compiled", "interpreter"}) {
    const std::string text = program.runWith(engine).outcome.err;
    INFO(text);
    CHECK(countOf(text, "Invalid write of size 4") == 2);
    CHECK(countOf(text, "program.cu:\n\t  out[threadIdx.x] = 1; // too many\n") == 1);
    CHECK(countOf(text, "no_such_file.cu\n") == 1);
    CHECK(countOf(text, "not available") == 0);
  }
}

TEST_CASE("A launch that the device cannot do is the last error") {
  const Words lines = printed(R"(
    extern __shared__ int dynamic[];
    __global__ void nothing() { dynamic[threadIdx.x] = 0; }
    void show() { printf("%s\n", cudaGetErrorName(cudaGetLastError())); })",
                              R"(
    nothing<<<1, 1025>>>(); // more threads than a block has
    show();
    nothing<<<1, dim3(1, 1, 65)>>>();
    show();
    nothing<<<dim3(1, 65536), 1>>>();
    show();
    nothing<<<0, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
    show();
    show(); // forgotten
    nothing<<<1, 1, 1 << 30>>>();
    show();
    nothing<<<1, 1, 4, (cudaStream_t)0x1234560>>>();
    show();
    printf("%s\n", cudaGetErrorName(cudaLaunchKernel((const void *)&show, dim3(1), dim3(1), 0)));)");
  CHECK(lines == Words{"cudaErrorInvalidConfiguration", "cudaErrorInvalidConfiguration",
                       "cudaErrorInvalidConfiguration", "cudaErrorInvalidConfiguration",
                       "cudaErrorInvalidConfiguration", "cudaSuccess", "cudaErrorInvalidValue",
                       "cudaErrorInvalidResourceHandle", "cudaErrorInvalidDeviceFunction"});
}

TEST_CASE("A block has at most the threads of its kernel's launch bounds") {
  for (const char *name : {"program.cu", "program.hip"}) {
    const bool isHip = std::string(name).ends_with(".hip");
    const CudaProgram program(
        std::string(isHip ? "#include <hip/hip_runtime.h>\n#define PREFIX(name) hip##name\n"
                          : "#define PREFIX(name) cuda##name\n") +
            R"(
      template <int most> __global__ void __launch_bounds__(most, 2) one() {}
      __global__ __launch_bounds__(2 * 64) void other() {}
      __global__ void any() {}
      template <typename Kernel> void show(Kernel kernel) {
        for (int threads : {64, 128, 129, 1024}) {
          kernel<<<1, dim3(threads)>>>();
          printf("%d ", (int)PREFIX(GetLastError)());
        }
        PREFIX(FuncAttributes) attributes;
        printf("%d ", (int)PREFIX(FuncGetAttributes)(&attributes, (const void *)kernel));
        printf("%d\n", attributes.maxThreadsPerBlock);
      }
      int main() {
        show(one<64>);
        show(other);
        show(any);
      })",
        name);
    CHECK(program.lines() == Words{"0 1 1 1 0 64", "0 0 1 1 0 128", "0 0 0 0 0 1024"});
  }
}

TEST_CASE("What the simulator lacks is said once and is an error") {
  const CudaProgram program(R"(
    __global__ void nothing() {}
    int main() {
      for (int i = 0; i < 2; ++i)
        printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(nothing, dim3(1), dim3(1), 0)));
    })");
  const Characterised run = program.runWith("interpreter");
  CHECK(run.outcome.out == "cudaErrorNotSupported\ncudaErrorNotSupported\n");
  const std::string line = "cudaLaunchCooperativeKernel: the simulator has no";
  const size_t first = run.outcome.err.find(line);
  CHECK(first != std::string::npos);
  CHECK(run.outcome.err.find(line, first + 1) == std::string::npos);
}

TEST_CASE("A kernel that was refused at build fails at its launch, with the reason once") {
  const CudaProgram program(R"(
    __device__ int f(int n) { return n ? n * f(n - 1) : 1; }
    template <typename T> __global__ void bad(T *x) { *x = f(*x); }
    __global__ void good(int *x) { *x = 7; }
    int main() {
      int *x, value = 0;
      CHECK_CUDA(cudaMalloc(&x, sizeof value));
      for (int i = 0; i < 2; ++i) {
        bad<<<1, 1>>>(x);
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
      }
      good<<<1, 1>>>(x);
      CHECK_CUDA(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
      printf("%d\n", value);
    })");
  const Characterised run = program.runWith("interpreter");
  CHECK(run.outcome.out == "cudaErrorNotSupported\ncudaErrorNotSupported\n7\n");
  const std::string line =
      "program.cu:2: error: kernel 'bad<int>' uses recursion (f calls itself), "
      "which the simulator has not\n";
  const size_t first = run.outcome.err.find(line);
  CHECK(first != std::string::npos);
  CHECK(run.outcome.err.find(line, first + 1) == std::string::npos);
}

TEST_CASE("Ten thousand launches by four threads, in two streams, and an exit that frees nothing") {
  const CudaProgram program(R"(
    #include <thread>
    #include <vector>
    __global__ void count(int *x) { atomicAdd(x, 1); }
    int main() {
      int *x, value = 0;
      CHECK_CUDA(cudaMalloc(&x, sizeof value));
      CHECK_CUDA(cudaMemset(x, 0, sizeof value));
      cudaStream_t stream;
      CHECK_CUDA(cudaStreamCreate(&stream));
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([=] {
          for (int i = 0; i < 2500; ++i)
            count<<<1, 1, 0, t % 2 ? stream : 0>>>(x);
        });
      for (std::thread &thread : threads)
        thread.join();
      CHECK_CUDA(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
      printf("%d\n", value);
      exit(7);
    })");
  const Characterised run = program.runWith("compiled");
  CHECK(run.outcome.status == 7);
  CHECK(run.outcome.out == "10000\n");
}

TEST_CASE("Warps: shuffles, votes, and tiles") {
  const Words lines = printed(R"(
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void warps(int *out, double *sums) {
      const int i = threadIdx.x;
      out[i] = __shfl_sync(0xffffffff, i, 5);
      out[64 + i] = __shfl_up_sync(0xffffffff, i, 3);
      out[128 + i] = __shfl_down_sync(0xffffffff, i, 2, 8);
      out[192 + i] = __shfl_xor_sync(0xffffffff, i, 1);
      out[256 + i] = __popc(__ballot_sync(0xffffffff, i % 3 == 0)) + 100 * __any_sync(0xffffffff, i == 40) +
                     1000 * __all_sync(0xffffffff, i < 32);
      double sum = i;
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
      sums[i] = sum;
      const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
      out[320 + i] = cg::reduce(tile, i, cg::plus<int>()) + 1000 * tile.meta_group_rank();
    })",
                              R"(
    int *out;
    double *sums;
    CHECK_CUDA(cudaMallocManaged(&out, 384 * sizeof(int)));
    CHECK_CUDA(cudaMallocManaged(&sums, 64 * sizeof(double)));
    warps<<<1, 64>>>(out, sums);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d\n", out[0], out[63]);
    printf("%d %d %d\n", out[64 + 2], out[64 + 3], out[64 + 34]);
    printf("%d %d %d\n", out[128 + 5], out[128 + 6], out[128 + 63]);
    printf("%d %d\n", out[192], out[192 + 63]);
    printf("%d %d\n", out[256], out[256 + 32]);
    printf("%g %g\n", sums[0], sums[32]);
    printf("%d %d\n", out[320], out[320 + 63]);)");
  CHECK(lines == Words{"5 37", "2 0 34", "7 6 63", "1 62",
                       "1011 111",   // 11 multiples of 3 in each warp, and 40 in the second
                       "496 1520",   // 0 + ... + 31, and 32 + ... + 63
                       "120 3888"}); // 0 + ... + 15, and 48 + ... + 63 + 3000
}

TEST_CASE("Lanes of a warp by what they pass, and tiles of several warps") {
  const Words lines = printed(R"(
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void groups(int *out) {
      const int i = threadIdx.x;
      const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
      const auto odd = cg::binary_partition(warp, i % 2);
      out[i] = 100 * odd.size() + odd.thread_rank();
      const auto modulo3 = cg::labeled_partition(cg::coalesced_threads(), i % 3);
      out[128 + i] = 100 * modulo3.size() + modulo3.thread_rank();
      __shared__ cg::block_tile_memory<128> memory;
      const auto block = cg::this_thread_block(memory);
      const auto half = cg::tiled_partition<64>(block);
      const int sum = cg::reduce(half, i, cg::plus<int>());
      const double largest = cg::reduce(half, 0.5 + i, cg::greater<double>());
      out[256 + i] = sum + 10000 * half.meta_group_rank() + 100000 * (largest == 63.5);
      out[384 + i] = cg::tiled_partition<8>(block).meta_group_rank() + 100 * half.thread_rank();
    })",
                              R"(
    int *out;
    CHECK_CUDA(cudaMallocManaged(&out, 512 * sizeof(int)));
    groups<<<1, 128>>>(out);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d %d\n", out[0], out[1], out[31]);
    printf("%d %d %d\n", out[128], out[128 + 31], out[128 + 34]);
    printf("%d %d\n", out[256], out[256 + 127]);
    printf("%d %d\n", out[384], out[384 + 100]);)");
  CHECK(lines == Words{"1600 1600 1615",
                       "1100 1110 1000", // 0, 3, ..., 30 and 1, ..., 31; of 32, ..., 63 ten
                       "102016 16112",   // 0 + ... + 63; 64 + ... + 127 + 10000
                       "0 3612"});
}

TEST_CASE("A launch represents another only if the memory that steers it has the same contents") {
  const CudaProgram program(R"(
    #include <vector>
    __global__ void gather(const int *index, const float *in, float *out) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      out[i] = in[index[i]];
    }
    int main() {
      const int items = 256;
      int *index;
      float *in, *out, *other;
      CHECK_CUDA(cudaMalloc(&index, items * sizeof(int)));
      for (float **buffer : {&in, &out, &other})
        CHECK_CUDA(cudaMalloc(buffer, items * sizeof(float)));
      const auto launch = [&](int stride, float *to) {
        std::vector<int> indices(items);
        for (int i = 0; i < items; ++i)
          indices[i] = i * stride % items;
        CHECK_CUDA(cudaMemcpy(index, indices.data(), items * sizeof(int), cudaMemcpyHostToDevice));
        gather<<<items / 64, 64>>>(index, in, to);
        CHECK_CUDA(cudaDeviceSynchronize());
      };
      launch(1, out);
      launch(32, out); // other addresses
      launch(1, other); // as the first, to other memory of the same size
    })");
  const aiwc::run::Run run = program.runByDefault();
  REQUIRE(run.launches.size() == 3);
  CHECK(!run.launches[1].representative);
  CHECK(run.launches[2].representative == 0);
  const aiwc::run::Argument &index = run.launches[0].arguments.at(0);
  CHECK(index.kind == aiwc::run::Argument::Kind::kBuffer);
  CHECK(index.bytes == 1024);
  CHECK(run.launches[0].arguments.at(2).allocation != run.launches[2].arguments.at(2).allocation);
}

TEST_CASE("A launch may pass a pointer to memory that was freed, and has no allocation for it") {
  const CudaProgram program(R"(
    __global__ void gather(const int *index, float *out, int items) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < items)
        out[index[i]] = 1;
    }
    int main() {
      int *index;
      float *out;
      CHECK_CUDA(cudaMalloc(&index, 256 * sizeof(int)));
      CHECK_CUDA(cudaMalloc(&out, 256 * sizeof(float)));
      CHECK_CUDA(cudaMemset(index, 0, 256 * sizeof(int)));
      gather<<<4, 64>>>(index, out, 256);
      CHECK_CUDA(cudaDeviceSynchronize());
      CHECK_CUDA(cudaFree(index));
      for (int i = 0; i < 2; ++i)
        gather<<<4, 64>>>(index, out, 0); // reads nothing
      CHECK_CUDA(cudaDeviceSynchronize());
    })");
  const aiwc::run::Run run = program.runByDefault();
  REQUIRE(run.launches.size() == 3);
  CHECK(run.launches[0].arguments.at(0).allocation);
  for (size_t i : {1, 2}) {
    CHECK_FALSE(run.launches[i].arguments.at(0).allocation);
    CHECK_FALSE(run.launches[i].representative); // its contents are not known
  }
}

TEST_CASE("A launch with attributes, and arguments of other types than the parameters") {
  const CudaProgram program(R"(
    __global__ void fill(double *x, double value, unsigned char count) {
      extern __shared__ double shared[];
      shared[threadIdx.x] = value * count;
      x[blockIdx.x * blockDim.x + threadIdx.x] = shared[threadIdx.x];
    }
    int main() {
      double *x;
      CHECK_CUDA(cudaMallocManaged(&x, 8 * sizeof *x));
      cudaLaunchAttribute attributes[2] = {};
      attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[0].val.programmaticStreamSerializationAllowed = 1;
      attributes[1].id = cudaLaunchAttributeClusterDimension;
      attributes[1].val.clusterDim = {2, 1, 1};
      cudaLaunchConfig_t configuration = {};
      configuration.gridDim = 2;
      configuration.blockDim = 4;
      configuration.dynamicSmemBytes = 4 * sizeof *x;
      configuration.attrs = attributes;
      configuration.numAttrs = 1;
      CHECK_CUDA(cudaLaunchKernelEx(&configuration, fill, x, 3, 2l));
      printf("%g %g\n", x[0], x[7]);
      configuration.numAttrs = 2;
      for (int i = 0; i < 2; ++i)
        printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&configuration, fill, x, 3, 2)));
      attributes[1].val.clusterDim = {1, 1, 1};
      CHECK_CUDA(cudaLaunchKernelEx(&configuration, fill, x, 4, 2));
      printf("%g\n", x[7]);
      size_t bytes = 0, half = 0;
      CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 1, 4));
      CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&half, fill, 2, 4));
      printf("%d %d\n", bytes > 0, bytes == 2 * half);
    })");
  const Characterised run = program.runWith("compiled");
  CHECK(run.outcome.out == "6 6\ncudaErrorNotSupported\ncudaErrorNotSupported\n8\n1 1\n");
  const std::string line = "cudaLaunchKernelExC: the simulator has no clusters of blocks\n";
  const size_t first = run.outcome.err.find(line);
  CHECK(first != std::string::npos);
  CHECK(run.outcome.err.find(line, first + 1) == std::string::npos);
}
