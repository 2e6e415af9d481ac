// Memory of the device, of the host, and of both.

#include "cuda/runtime/cuda_program.h"

#include <array>
#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;

TEST_CASE("Bytes come back as they were copied, at every offset") {
  const Words lines = printed("", R"(
    unsigned char in[300], out[300] = {};
    for (int i = 0; i < 300; ++i)
      in[i] = i;
    unsigned char *a, *b;
    CHECK_CUDA(cudaMalloc(&a, 300));
    CHECK_CUDA(cudaMalloc((void **)&b, 300));
    CHECK_CUDA(cudaMemcpy(a, in, 300, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy(b + 1, a + 2, 250, cudaMemcpyDeviceToDevice));
    CHECK_CUDA(cudaMemcpy(out, b + 3, 200, cudaMemcpyDeviceToHost));
    printf("%d %d\n", out[0], out[199]); // in[4], in[203]
    CHECK_CUDA(cudaMemset(a + 3, 7, 133));
    CHECK_CUDA(cudaMemcpy(out, a, 300, cudaMemcpyDefault));
    int filled = 0;
    for (int i = 0; i < 300; ++i)
      filled += out[i] == 7;
    printf("%d %d %d %d\n", out[2], out[3], out[135], out[136]);
    printf("%d\n", filled);
    CHECK_CUDA(cudaFree(a));
    CHECK_CUDA(cudaFree(b));
    CHECK_CUDA(cudaFree(nullptr));)");
  // 133 bytes are filled, and in[263] is 7, too.
  CHECK(lines == Words{"4 203", "2 7 7 136", "134"});
}

TEST_CASE("Rows of different pitches") {
  const Words lines = printed("", R"(
    char in[3][50], out[3][60] = {};
    for (int i = 0; i < 150; ++i)
      in[i / 50][i % 50] = i % 100;
    char *memory;
    size_t pitch;
    CHECK_CUDA(cudaMallocPitch(&memory, &pitch, 50, 3));
    CHECK_CUDA(cudaMemset2D(memory, pitch, 9, 50, 3));
    CHECK_CUDA(cudaMemcpy2D(memory + 1, pitch, in, 50, 49, 3, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy2D(out, 60, memory, pitch, 50, 3, cudaMemcpyDeviceToHost));
    printf("%d %d\n", pitch >= 50, pitch % 128 == 0);
    printf("%d %d %d %d\n", out[0][0], out[1][1], out[2][49], out[2][50]);
    printf("%s\n", cudaGetErrorName(cudaMemcpy2D(out, 60, memory, pitch, 61, 3,
                                                 cudaMemcpyDeviceToHost)));
    cudaPitchedPtr box;
    CHECK_CUDA(cudaMalloc3D(&box, make_cudaExtent(8, 4, 2)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in, 8, 8, 4);
    copy.dstPtr = box;
    copy.extent = make_cudaExtent(8, 4, 2);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CUDA(cudaMemcpy3D(&copy));
    char back;
    CHECK_CUDA(cudaMemcpy(&back, (char *)box.ptr + box.pitch * (4 + 1) + 2, 1,
                          cudaMemcpyDeviceToHost));
    printf("%d\n", back); // slice 1, row 1, byte 2)");
  CHECK(lines[0] == "1 1");
  CHECK(lines[1] == "9 50 48 0"); // in[1][0], in[2][48] = 148 % 100, behind the copy
  CHECK(lines[2] == "cudaErrorInvalidPitchValue");
  CHECK(lines[3] == "42"); // 8 * (4 + 1) + 2
}

TEST_CASE("Variables of the device are read and written by name") {
  const Words lines = printed(R"(
    __device__ int counter = 5;
    __device__ float table[4] = {1, 2, 3, 4};
    __device__ float *second = table + 1;
    __constant__ float factor[2] = {0.5f, 2};
    __global__ void use(float *out) {
      atomicAdd(&counter, 2);
      out[threadIdx.x] = table[threadIdx.x] * factor[1] + *second;
    })",
                              R"(
    float *out, host[4], *inTable;
    int counted;
    size_t bytes;
    CHECK_CUDA(cudaMalloc(&out, sizeof host));
    use<<<1, 4>>>(out);
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%g %g\n", host[0], host[3]); // 1 * 2 + 2, 4 * 2 + 2
    const float ten = 10, twenty = 20;
    CHECK_CUDA(cudaMemcpyToSymbol(factor, &ten, sizeof ten, sizeof ten));
    CHECK_CUDA(cudaGetSymbolAddress((void **)&inTable, table));
    CHECK_CUDA(cudaMemcpy(inTable + 1, &twenty, sizeof twenty, cudaMemcpyHostToDevice));
    use<<<1, 4>>>(out);
    CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%g %g\n", host[0], host[1]); // 1 * 10 + 20, 20 * 10 + 20
    CHECK_CUDA(cudaMemcpyToSymbol(&factor, &ten, sizeof ten)); // by address, as HIP's programs do
    CHECK_CUDA(cudaMemcpyFromSymbol(host, factor, 2 * sizeof ten));
    printf("%g %g\n", host[0], host[1]);
    CHECK_CUDA(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
    CHECK_CUDA(cudaGetSymbolSize(&bytes, table));
    printf("%d %zu\n", counted, bytes); // 5 + 2 launches * 4 threads * 2
    printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(factor, host, 12)));
    printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(host, host, 4)));)");
  CHECK(lines == Words{"4 10", "30 220", "10 10", "21 16", "cudaErrorInvalidValue",
                       "cudaErrorInvalidSymbol"});
}

TEST_CASE("Kernels follow pointers in managed memory, and the host sees what they store") {
  const Words lines = printed(R"(
    struct Node { int value; Node *next; };
    __device__ void addTo(Node *head, int *sum) {
      for (Node *node = head; node; node = node->next) {
        *sum += node->value;
        node->value = -node->value;
      }
      if (head->next)
        head->next = head->next->next;
    }
    __global__ void add(Node *head, int *sum) { addTo(head, sum); }
    struct Lists { Node *first; int *sum; };
    __global__ void addAll(Lists lists) { addTo(lists.first, lists.sum); })",
                              R"(
    Node *nodes;
    int *sum;
    CHECK_CUDA(cudaMallocManaged(&nodes, 3 * sizeof(Node)));
    CHECK_CUDA(cudaMallocManaged(&sum, sizeof(int)));
    for (int i = 0; i < 3; ++i)
      nodes[i] = {i + 1, i < 2 ? &nodes[i + 1] : nullptr};
    *sum = 0;
    add<<<1, 1>>>(nodes, sum);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d\n", *sum, nodes[2].value);
    printf("%d %d\n", nodes[0].next == &nodes[2], nodes[1].next == &nodes[2]);
    addAll<<<1, 1>>>(Lists{nodes + 1, sum}); // head->next is the last
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d\n", *sum, nodes[1].next == nullptr);
    CHECK_CUDA(cudaFree(nodes));)");
  CHECK(lines == Words{"6 -3", "1 1", "1 1"}); // 6 - 2 - 3
}

TEST_CASE("Managed variables are the same for host and device") {
  const Words lines = printed(R"(
    __managed__ int counter = 5;
    __managed__ float values[4];
    __global__ void use(int n) {
      counter += n;
      values[1] = counter;
    })",
                              R"(
    counter += 2; // before any other use of the runtime
    use<<<1, 1>>>(3);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %g %g\n", counter, values[0], values[1]);)");
  CHECK(lines == Words{"10 0 10"});
}

TEST_CASE("Kernels see pinned and registered memory") {
  const Words lines = printed(
      "__global__ void twice(int *x) { x[threadIdx.x] *= 2; }\nstatic int own[4] = {1, 2, 3, 4};",
      R"(
    int *pinned, *onDevice;
    CHECK_CUDA(cudaHostAlloc(&pinned, 16, cudaHostAllocMapped));
    for (int i = 0; i < 4; ++i)
      pinned[i] = i;
    CHECK_CUDA(cudaHostGetDevicePointer(&onDevice, pinned, 0));
    twice<<<1, 4>>>(onDevice);
    twice<<<1, 4>>>(pinned);
    CHECK_CUDA(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    twice<<<1, 4>>>(own);
    CHECK_CUDA(cudaHostUnregister(own));
    printf("%d %d\n", pinned[3], own[3]);
    cudaPointerAttributes attributes;
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, pinned + 1));
    printf("%d %d\n", attributes.type == cudaMemoryTypeHost,
           attributes.devicePointer == onDevice + 1);
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, own));
    printf("%d\n", attributes.type == cudaMemoryTypeUnregistered);
    CHECK_CUDA(cudaFreeHost(pinned));)");
  CHECK(lines == Words{"12 8", "1 1", "1"});
}

TEST_CASE("Memory of the host moves to the device once, and only if a kernel may reach it") {
  const Characterised run = CudaProgram(R"(
    __global__ void add(int *x) { *x += 1; }
    struct Node { int value; Node *next; };
    __global__ void addBehind(Node *node) { node->next->value += 1; }
    static char own[3 << 20];
    int main() {
      int *pinned, *unused, *onDevice, *memory;
      Node *nodes[2];
      CHECK_CUDA(cudaHostAlloc(&pinned, 1 << 20, cudaHostAllocDefault));
      CHECK_CUDA(cudaMallocManaged(&unused, 2 << 20));
      CHECK_CUDA(cudaHostRegister(own, sizeof own, cudaHostRegisterDefault));
      CHECK_CUDA(cudaMallocManaged(&nodes[0], sizeof(Node)));
      CHECK_CUDA(cudaHostAlloc(&nodes[1], 1000, cudaHostAllocDefault));
      CHECK_CUDA(cudaMalloc(&memory, 256));
      *pinned = *unused = 5;
      *nodes[0] = {1, nodes[1]};
      nodes[1]->value = 2;
      CHECK_CUDA(cudaMemcpy(memory, pinned, 256, cudaMemcpyHostToDevice));
      add<<<1, 1>>>(memory);
      CHECK_CUDA(cudaMemcpy(pinned, memory, 4, cudaMemcpyDeviceToHost));
      add<<<1, 1>>>(pinned);
      add<<<1, 1>>>(pinned);
      addBehind<<<1, 1>>>(nodes[0]);
      CHECK_CUDA(cudaHostGetDevicePointer(&onDevice, own, 0));
      add<<<1, 1>>>(onDevice);
      printf("%d %d %d\n", *pinned, nodes[1]->value, own[0]);
      CHECK_CUDA(cudaFree(unused));
      CHECK_CUDA(cudaFreeHost(pinned));
      CHECK_CUDA(cudaHostUnregister(own));
    })")
                                .runWith("compiled")
                                .succeeded();
  CHECK(run.outcome.out == "8 3 1\n");
  const auto moved = [&](const std::string &launch) -> std::array<uint64_t, 3> {
    const aiwc::profile::KernelProfile &profile = run[launch];
    return {profile.count("host_to_device_bytes"_metric),
            profile.count("host_to_device_transfers"_metric),
            profile.count("device_to_host_bytes"_metric)};
  };
  CHECK(moved("add_0") == std::array<uint64_t, 3>{256, 1, 4});
  CHECK(moved("add_1") == std::array<uint64_t, 3>{1 << 20, 1, 0});
  CHECK(moved("add_2") == std::array<uint64_t, 3>{0, 0, 0});
  CHECK(moved("addBehind_0") == std::array<uint64_t, 3>{sizeof(int[4]) + 1000, 2, 0});
  CHECK(moved("add_3") == std::array<uint64_t, 3>{3 << 20, 1, 0});
}

TEST_CASE("What is no memory of the program is an error and no crash") {
  const Words lines = printed("", R"(
    int *memory, host[4];
    char *wild = (char *)((size_t)1 << 63);
    CHECK_CUDA(cudaMalloc(&memory, 16));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(memory, host, 17, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(memory + 5, host, 1, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(wild, host, 4, cudaMemcpyDefault)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(memory, nullptr, 4, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(memory, host, 4, (cudaMemcpyKind)9)));
    printf("%s\n", cudaGetErrorName(cudaMemset(host, 0, 4)));
    printf("%s\n", cudaGetErrorName(cudaMemset(memory, 0, 17)));
    printf("%s\n", cudaGetErrorName(cudaFree(host)));
    printf("%s\n", cudaGetErrorName(cudaFree(memory + 1)));
    CHECK_CUDA(cudaFree(memory));
    printf("%s\n", cudaGetErrorName(cudaFree(memory)));
    printf("%s\n", cudaGetErrorName(cudaMalloc(&memory, (size_t)1 << 60)));
    printf("%s\n", cudaGetErrorName(cudaHostUnregister(host)));
    cudaGetLastError();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));)");
  Words expected(5, "cudaErrorInvalidValue");
  expected.push_back("cudaErrorInvalidMemcpyDirection");
  expected.insert(expected.end(), 5, "cudaErrorInvalidValue");
  expected.insert(expected.end(),
                  {"cudaErrorMemoryAllocation", "cudaErrorHostMemoryNotRegistered", "cudaSuccess"});
  CHECK(lines == expected);
}

TEST_CASE("Hints about places and caches change nothing, and shared handles are refused by name") {
  const CudaProgram program(R"(
    __global__ void twice(int *x) { *x *= 2; }
    int main() {
      int *x, *pooled, pools = 0;
      CHECK_CUDA(cudaMallocManaged(&x, sizeof *x));
      *x = 21;
      cudaMemLocation host = {}, device = {};
      host.type = cudaMemLocationTypeHost;
      device.type = cudaMemLocationTypeDevice;
      CHECK_CUDA(cudaMemAdvise(x, sizeof *x, cudaMemAdviseSetPreferredLocation, device));
      CHECK_CUDA(cudaMemPrefetchAsync(x, sizeof *x, device, 0));
      cudaStream_t stream;
      CHECK_CUDA(cudaStreamCreate(&stream));
      cudaStreamAttrValue value = {};
      value.accessPolicyWindow.base_ptr = x;
      value.accessPolicyWindow.num_bytes = sizeof *x;
      value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
      CHECK_CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
      CHECK_CUDA(cudaCtxResetPersistingL2Cache());
      twice<<<1, 1, 0, stream>>>(x);
      CHECK_CUDA(cudaMemPrefetchAsync(x, sizeof *x, host, 0, stream));
      CHECK_CUDA(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
      cudaMemPool_t pool;
      CHECK_CUDA(cudaDeviceGetMemPool(&pool, 0));
      cudaMemAccessDesc access = {device, cudaMemAccessFlagsProtReadWrite};
      CHECK_CUDA(cudaMemPoolSetAccess(pool, &access, 1));
      CHECK_CUDA(cudaMallocAsync(&pooled, sizeof *pooled, stream));
      CHECK_CUDA(cudaMemPoolTrimTo(pool, 0));
      printf("%d %d\n", *x, pools);
      cudaIpcMemHandle_t handle;
      printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&handle, pooled)));
    })");
  const Characterised run = program.runWith("compiled");
  CHECK(run.outcome.out == "42 1\ncudaErrorNotSupported\n");
  CHECK(run.outcome.err.find("cudaIpcGetMemHandle: the simulator has no memory that processes "
                             "share\n") != std::string::npos);
}

TEST_CASE("A table of shared memory is one row behind a pointer to its first element") {
  const CudaProgram program(R"(
    __global__ void turn(int *out) {
      __shared__ int table[8][8];
      int *row = &table[0][0];
      row[threadIdx.x] = threadIdx.x;
      __syncthreads();
      out[threadIdx.x] = table[threadIdx.x % 8][threadIdx.x / 8] * 100 + row[63 - threadIdx.x];
    }
    int main() {
      int *out, wrong = 0;
      CHECK_CUDA(cudaMallocManaged(&out, 64 * 4));
      turn<<<1, 64>>>(out);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < 64; ++i)
        wrong += out[i] != (i % 8 * 8 + i / 8) * 100 + 63 - i;
      printf("%d\n", wrong);
    })");
  for (const std::string engine : {"compiled", "interpreter"}) {
    const Characterised run = program.runWith(engine).succeeded();
    CHECK(run.outcome.out == "0\n");
    CHECK(run.outcome.err.find("exceeds") == std::string::npos);
  }
}
