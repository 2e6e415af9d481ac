// Arguments of kernels: each is passed as the bytes that CUDA passes.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Numbers, truth values and structures are passed by value") {
  const DeviceRun run =
      runDevice(R"(
    struct Empty {};
    struct Three { int a; char b; long c; };
    __global__ void sum(Empty, bool b, char c, Three t, long l, int *out) {
      out[item()] = b + c + t.a + (int)l;
    })",
                {"sum", "1", "2", "0", "s:0", "c:1", "c:-3", "s:5,0,0,0,0,0", "l:100", "I:0,0"});
  CHECK(run.lines[0] == "103 103");
}

TEST_CASE("An object with a copy constructor is passed as bytes") {
  const DeviceRun run = runDevice(R"(
    struct Counted { int value; __device__ Counted(const Counted &o) : value(o.value + 1000) {} };
    __global__ void show(Counted c, int *out) { *out = c.value; })",
                                  {"show", "1", "1", "0", "i:5", "I:0"});
  CHECK(run.lines[0] == "5");
}

TEST_CASE("The table of device code tells name, hidden arguments, shared bytes, bounds and sizes") {
  const DeviceCode code(R"(
    struct Three { int a; char b; long c; };
    extern __shared__ int dynamic[];
    __device__ int counter;
    __constant__ int scale;
    __global__ void all(Three t, char c, float *out) {
      __shared__ double tile[3];
      tile[local()] = t.a;
      dynamic[local()] = scale;
      wait();
      counter = c;
      out[0] = tile[1] + dynamic[1];
    }
    __attribute__((annotate("aiwc.launch_bounds", 64, 2))) __global__ void none() {})");
  REQUIRE(code.lower().status == 0);
  const std::string packed = contents(code.packed());
  CHECK(packed.substr(0, 16) == std::string("AIWCCUDA\2\0\0\0\0\0\0\0", 16));
  CHECK(packed.find("kernel\t_Z3all5ThreecPf\tall\tdgc\t24\t0\t16\t1\t8\n") != std::string::npos);
  CHECK(packed.find("kernel\t_Z4nonev\tnone\t-\t0\t64\n") != std::string::npos);
  CHECK(packed.find("symbol\tcounter\tglobal\t0\t4\n") != std::string::npos);
  CHECK(packed.find("symbol\tscale\tconstant\t0\t4\n") != std::string::npos);
}
