// Accesses through CUDA's pointers, which do not say what kind of memory they point to.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

bool hasSwitchOverTags(const std::string &source) {
  // Bits 46 and 47 of an address are its tag, and only code for tags has this mask.
  const std::string text = DeviceCode(source).lowered();
  return text.find("-211106232532993") != std::string::npos;
}

} // namespace

TEST_CASE("y = a x + y") {
  const DeviceRun run =
      runDevice(R"(
    __global__ void saxpy(int n, float a, const float *x, float *y) {
      int i = item();
      if (i < n)
        y[i] = a * x[i] + y[i];
    })",
                {"saxpy", "2", "4", "0", "i:7", "f:2", "F:1,2,3,4,5,6,7,8", "F:1,1,1,1,1,1,1,1"});
  CHECK(run.lines == Words{"1 2 3 4 5 6 7 8", "3 5 7 9 11 13 15 1"});
}

TEST_CASE("Static and dynamic shared memory are a work-group's own") {
  const DeviceRun run =
      runDevice(R"(
    extern __shared__ int ofLaunch[];
    __device__ int mirrored(const int *values) {
      return values[_Z14get_local_sizej(0) - 1 - local()];
    }
    __global__ void mirror(const int *in, int *out) {
      __shared__ int ofKernel[4];
      ofKernel[local()] = in[item()];
      ofLaunch[local()] = 2 * in[item()];
      wait();
      out[item()] = mirrored(ofKernel) + 100 * mirrored(ofLaunch);
    })",
                {"mirror", "2", "4", "16", "I:1,2,3,4,5,6,7,8", "I:0,0,0,0,0,0,0,0"});
  CHECK(run.lines[1] == "804 603 402 201 1608 1407 1206 1005");
}

TEST_CASE("Addresses of shared memory in an array of a thread, by an index of the run time") {
  const DeviceRun run =
      runDevice(R"(
    extern __shared__ int ofLaunch[];
    struct Part { int *values; int factor; };
    __global__ void alternate(const int *in, int *out) {
      __shared__ int ofKernel[2];
      int *halves[2] = {ofLaunch, ofLaunch + 2};
      const Part parts[3] = {{ofKernel, 3}, {ofLaunch + 2, 5}, {}};
      for (int i = 0; i < 4; ++i) {
        halves[i & 1][local()] = in[i] + local();
        wait();
        out[2 * i + local()] = halves[i & 1][1 - local()];
        wait();
      }
      ofKernel[local()] = 7 + local();
      wait();
      for (int i = 0; parts[i].values; ++i)
        out[8 + 2 * i + local()] = parts[i].factor * parts[i].values[local()];
    })",
                {"alternate", "1", "2", "16", "I:10,20,30,40", "I:0,0,0,0,0,0,0,0,0,0,0,0"});
  CHECK(run.lines[1] == "11 10 21 20 31 30 41 40 21 24 200 205");
}

TEST_CASE("Rows of dynamic shared memory have no bound but the launch's") {
  const DeviceRun run = runDevice(R"(
    extern __shared__ int rows[][3];
    __global__ void turn(const int *in, int *out) {
      for (int i = 0; i < 3; ++i)
        rows[local()][i] = in[3 * local() + i];
      wait();
      for (int i = 0; i < 3; ++i)
        out[3 * local() + i] = rows[1 - local()][i];
    })",
                                  {"turn", "1", "2", "24", "I:1,2,3,4,5,6", "I:0,0,0,0,0,0"});
  CHECK(run.lines[1] == "4 5 6 1 2 3");
}

TEST_CASE("Structures are copied between addresses that memory has") {
  const DeviceRun run =
      runDevice(R"(
    struct Eight { int values[8]; };
    struct Pair { Eight *to; const Eight *from; };
    __global__ void copy(const Pair *pair) { *pair->to = *pair->from; })",
                {"copy", "1", "1", "0", "+I:0,0,0,0,0,0,0,0", "+I:1,2,3,4,5,6,7,8", "P:@0,@1"});
  CHECK(run.lines[0] == "1 2 3 4 5 6 7 8");
}

TEST_CASE("Two views of dynamic shared memory are the same bytes") {
  const DeviceRun run = runDevice(R"(
    extern __shared__ int asInts[];
    extern __shared__ float asFloats[];
    __global__ void views(int *out) {
      asFloats[local()] = 1.0f;
      out[item()] = asInts[local()];
    })",
                                  {"views", "1", "2", "8", "I:0,0"});
  CHECK(run.lines[0] == "1065353216 1065353216"); // 0x3f800000
}

TEST_CASE("A shared variable of a function is one in each kernel that calls it") {
  const std::string source = R"(
    __device__ int swap(int x) {
      __shared__ int two[2];
      two[local()] = x;
      wait();
      return two[1 - local()];
    }
    __global__ void first(int *out) { out[item()] = swap(item()); }
    __global__ void second(int *out) { out[item()] = 10 * swap(item()); })";
  CHECK(runDevice(source, {"first", "1", "2", "0", "I:0,0"}).lines[0] == "1 0");
  CHECK(runDevice(source, {"second", "1", "2", "0", "I:0,0"}).lines[0] == "10 0");
}

TEST_CASE("Pointers in structures and in memory are global without any tag") {
  const std::string structure = R"(
    struct Pair { int *p; int n; };
    __global__ void add(Pair pair, int *out) { out[item()] = pair.p[item()] + pair.n; })";
  CHECK_FALSE(hasSwitchOverTags(structure));
  CHECK(
      runDevice(structure, {"add", "1", "4", "0", "+I:1,2,3,4", "s:@0,5", "I:0,0,0,0"}).lines[1] ==
      "6 7 8 9");
  const std::string rows = R"(
    __global__ void column(int **rows, int *out) { out[item()] = rows[item()][1]; })";
  CHECK_FALSE(hasSwitchOverTags(rows));
  CHECK(
      runDevice(rows, {"column", "1", "2", "0", "+I:1,2", "+I:3,4", "P:@0,@1", "I:0,0"}).lines[3] ==
      "2 4");
}

TEST_CASE("A structure may point to others of its type") {
  const DeviceRun run = runDevice(R"(
    struct List { int value; List *next; };
    __global__ void sum(List *list, int *out) {
      int result = 0;
      for (; list; list = list->next)
        result += list->value;
      *out = result;
    })",
                                  {"sum", "1", "1", "0", "+I:7,0,0,0", "P:5,@0", "I:0"});
  CHECK(run.lines[2] == "12");
}

TEST_CASE("An access through a pointer to one of two kinds of memory chooses when it runs") {
  const std::string source = R"(
    __device__ int *choose(int *a, int *b, bool first) { return first ? a : b; }
    __global__ void mixed(int *out) {
      __shared__ int tile[8];
      tile[local()] = -1;
      out[item()] = -2;
      wait();
      *choose(tile + local(), out + item(), item() % 3 == 0) += item();
      wait();
      out[item()] += 100 * tile[local()];
    })";
  CHECK(hasSwitchOverTags(source));
  // Item i adds i to -1 in local memory if i is a multiple of 3, otherwise to -2 in global memory.
  CHECK(runDevice(source, {"mixed", "1", "8", "0", "I:0,0,0,0,0,0,0,0"}).lines[0] ==
        "-102 -101 -100 198 -98 -97 498 -95");
}

TEST_CASE("Addresses of all kinds of memory can be stored and loaded") {
  const std::string source = R"(
    __global__ void stored(int *in, int *out) {
      __shared__ int tile[8];
      int mine = item();
      tile[local()] = 5;
      wait();
      int *where[3] = {tile, in, &mine};
      int sum = 0;
      for (int j = 0; j < 3; ++j)
        sum += *where[(item() + j) % 3];
      out[item()] = sum + 10 * *where[item() % 3];
    })";
  CHECK(hasSwitchOverTags(source));
  // 5, 7 and i, and ten times the one that i modulo 3 chooses.
  CHECK(runDevice(source, {"stored", "1", "8", "0", "I:7", "I:0,0,0,0,0,0,0,0"}).lines[1] ==
        "62 83 34 65 86 67 68 89");
}

TEST_CASE("Copies between kinds of memory choose for source and destination") {
  const std::string source = R"(
    struct Block { int values[5]; };
    __global__ void copy(Block *in, Block *out, int which) {
      __shared__ Block tile;
      Block mine;
      Block *blocks[3] = {&tile, &mine, out};
      *blocks[which] = in[0];
      *blocks[(which + 1) % 3] = *blocks[which];
      blocks[(which + 1) % 3]->values[1] += 10;
      out[1] = *blocks[(which + 1) % 3];
    })";
  for (const char *which : {"i:0", "i:1", "i:2"})
    CHECK(runDevice(source, {"copy", "1", "1", "0", "I:1,2,3,4,5", "I:0,0,0,0,0,0,0,0,0,0", which})
              .lines[1]
              .ends_with("1 12 3 4 5"));
}

TEST_CASE("A null pointer stays null in each kind of memory") {
  const std::string source = R"(
    __global__ void null(int *out, int n) {
      __shared__ int tile[4];
      int *none = nullptr;
      int *some[3] = {n ? tile : none, n ? out : none, none};
      out[0] = (some[n % 3] == nullptr) + 10 * (some[(n + 1) % 3] == nullptr);
    })";
  CHECK(runDevice(source, {"null", "1", "1", "0", "I:0", "i:0"}).lines[0] == "11");
  CHECK(runDevice(source, {"null", "1", "1", "0", "I:0", "i:1"}).lines[0] == "10");
}

TEST_CASE("Lines are those of the source") {
  const std::string text = DeviceCode("\n\n__global__ void k(float *x, int n) {\n"
                                      "  for (int i = 0; i < n; ++i)\n"
                                      "    x[i] = x[i] + 1.0f;\n}\n")
                               .lowered();
  // Every address is computed at a place of the source, too.
  for (size_t at = 0; (at = text.find(" = getelementptr", at)) != std::string::npos; ++at)
    CHECK(text.substr(at, text.find('\n', at) - at).find("!dbg") != std::string::npos);
}
