// Atomic operations have the results of the same operations one after the other.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Operations on 32 and 64 bits in global memory") {
  const DeviceRun run = runDevice(R"(
    __global__ void atomics(int *p, unsigned *u, long *l) {
      __sync_fetch_and_max(p, item());
      __sync_fetch_and_sub(p + 1, 1);
      __sync_lock_test_and_set(p + 2, 7);
      __sync_val_compare_and_swap(p + 3, 4, 40);
      __sync_fetch_and_xor(p + 4, 1);
      __sync_fetch_and_umin(u, 1u);
      __sync_fetch_and_umax(u + 1, 0x80000000u);
      __sync_fetch_and_add(l, 1l << 32);
    })",
                                  {"atomics", "1", "3", "0", "I:0,10,1,4,2", "I:7,3", "I:1,0"});
  CHECK(run.lines == Words{"2 7 7 40 3", "1 -2147483648", "1 3"});
}

TEST_CASE("Operations on local memory, and through pointers to one of two kinds") {
  const DeviceRun run = runDevice(R"(
    __global__ void atomics(int *out) {
      __shared__ int sum;
      if (local() == 0)
        sum = 0;
      wait();
      __sync_fetch_and_add(&sum, item());
      int *either = item() % 2 ? &sum : out + 1;
      __sync_fetch_and_add(either, 100);
      wait();
      if (local() == 0)
        out[0] = sum;
    })",
                                  {"atomics", "1", "4", "0", "I:0,0"});
  CHECK(run.lines[0] == "206 200"); // 0 + 1 + 2 + 3 + 2 * 100
}

TEST_CASE("What OpenCL has not is a loop of compare-and-exchange") {
  const DeviceRun run = runDevice(R"(
    __global__ void atomics(int *p, unsigned *u) {
      __sync_fetch_and_nand(p, 3);
      __atomic_fetch_add((short *)u, (short)3, 0);
      __atomic_fetch_add((unsigned char *)u + 3, (unsigned char)5, 0);
      int mine = 3;
      __sync_fetch_and_add(&mine, item()); // nobody else sees it
      p[1] = mine;
    })",
                                  {"atomics", "1", "3", "0", "I:3,0", "I:65535"});
  CHECK(run.lines == Words{"-4 5", "251658248"}); // ~3, ~(~3 & 3), ~3; 0x0f000008
}

TEST_CASE("The functions that clang calls for its own builtins") {
  const DeviceRun run = runDevice(R"(
    __global__ void atomics(int *p) {
      int expected = 5;
      bool equal = __atomic_compare_exchange_n(p, &expected, 6, false, 0, 0);
      p[1 + item()] = 100 * equal + expected;
      __atomic_fetch_max(p + 3, item(), 0);
      int old;
      do
        old = __atomic_load_n(p + 4, 0);
      while (!__sync_bool_compare_and_swap(p + 4, old, old + 2));
      __atomic_store_n(p + 5, 9, 0);
      __sync_synchronize();
    })",
                                  {"atomics", "1", "2", "0", "I:5,0,0,0,0,0"});
  CHECK(run.lines[0] == "6 105 6 1 4 9");
}
