// Variables of the program: kernels and host see the same bytes, the initial ones first.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("__device__ and __constant__ variables are read, written and initialised") {
  const DeviceRun run = runDevice(R"(
    __device__ int table[4] = {1, 2, 3, 4};
    __constant__ int scale[2] = {10, 20};
    __device__ int counter;
    static __device__ int fixed = 5;
    __global__ void symbols(int *out) {
      int i = item();
      out[i] = table[i] * scale[i % 2] + fixed;
      __sync_fetch_and_add(&counter, i);
      if (i == 0)
        table[3] = 44;
    })",
                                  {"symbols", "1", "4", "0", "I:0,0,0,0"});
  CHECK(run.lines[0] == "15 45 35 885");
  const std::string all = Catch::Detail::stringify(run.lines);
  CHECK(all.find("table 1 2 3 44") != std::string::npos);
  CHECK(all.find("scale 10 20") != std::string::npos);
  CHECK(all.find("counter 6") != std::string::npos);
}

TEST_CASE("Initial values have addresses of other symbols and of strings") {
  const DeviceRun run = runDevice(R"(
    __device__ int table[4] = {1, 2, 3, 4};
    __constant__ int scale[2] = {10, 20};
    struct Entry { const char *name; int *value; const int *factor; };
    __device__ Entry entries[2] = {{"ab", table + 1, scale}, {"cd", &table[3], scale + 1}};
    __global__ void symbols(int *out) {
      const Entry &entry = entries[item()];
      out[item()] = entry.name[1] + 1000 * *entry.value * *entry.factor;
    })",
                                  {"symbols", "1", "2", "0", "I:0,0"});
  CHECK(run.lines[0] == "20098 80100"); // 'b' and 2 * 10, 'd' and 4 * 20
}

TEST_CASE("Constants are accesses of constant memory, variables of global memory") {
  const std::string source = R"(
    __constant__ float scale[64];
    __device__ float offset[64];
    __global__ void apply(float *x) { x[item()] = x[item()] * scale[item()] + offset[item()]; })";
  const std::string text = DeviceCode(source).lowered();
  CHECK(text.find("load float, float addrspace(2)*") != std::string::npos);
  CHECK(text.find("addrspacecast") == std::string::npos);
}

TEST_CASE("Several files are linked, and a symbol of one is used in another") {
  const DeviceCode first("__device__ int shared_value = 7; "
                         "__device__ int value() { return shared_value; }");
  const DeviceCode second("__device__ int value(); extern __device__ int shared_value;"
                          "__global__ void k(int *o) { o[0] = value() + shared_value; }");
  const Folder folder;
  const Outcome linked =
      runDeviceTool({first.bitcode(), second.bitcode(), "-o", folder / "all.packed"});
  CHECK(linked.err == "");
  REQUIRE(linked.status == 0);
  const Characterised run =
      characterise({AIWC_TEST_CUDA_LAUNCH, folder / "all.packed", "k", "1", "1", "0", "I:0"});
  CHECK(run.outcome.out == "14\nshared_value 7\n");
  CHECK(runDeviceTool({second.bitcode(), "-o", folder / "half.packed"}).status == 1);
}
