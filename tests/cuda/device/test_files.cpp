// Whatever the files are, the tool answers in one line.

#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>
#include <random>

using namespace aiwc::test;

namespace {

const char *const kSource = "__device__ int table[3] = {1, 2, 3};\n"
                            "__global__ void k(int *o, int n) {\n"
                            "  __shared__ int tile[4];\n  tile[local()] = table[n];\n  wait();\n"
                            "  for (int i = 0; i < n; ++i) o[i] += tile[i];\n}\n";

/// The answer to a file with these bytes.
Outcome lowered(const std::string &bytes) {
  const Folder folder;
  write(folder / "x.bc", bytes);
  return runDeviceTool({folder / "x.bc", "-o", folder / "x.packed"});
}

void checkOneLine(const Outcome &outcome) {
  CHECK(outcome.signal == 0);
  CHECK(outcome.out == "");
  CHECK(countOf(outcome.err, "\n") == (outcome.status == 0 ? 0 : 1));
  CHECK((outcome.status == 0 || outcome.status == 1));
}

} // namespace

TEST_CASE("Files that are no device bitcode") {
  for (const std::string &bytes :
       {std::string(), std::string("hello\n"), std::string(5000, '\0'), std::string("BC\xc0\xde"),
        std::string("BC\xc0\xde garbage....")}) {
    const Outcome outcome = lowered(bytes);
    checkOneLine(outcome);
    CHECK(outcome.status == 1);
    CHECK(outcome.err.find("x.bc: ") != std::string::npos);
  }
}

TEST_CASE("Bitcode that ends early") {
  const std::string whole = contents(DeviceCode(kSource).bitcode());
  for (size_t size = 0; size < whole.size(); size += whole.size() / 23) {
    const Outcome outcome = lowered(whole.substr(0, size));
    checkOneLine(outcome);
    CHECK(outcome.status == 1);
  }
}

TEST_CASE("Bitcode with wrong bytes") {
  const std::string whole = contents(DeviceCode(kSource).bitcode());
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    std::string damaged = whole;
    for (int j = 0; j <= i % 4; ++j)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    INFO(i);
    checkOneLine(lowered(damaged));
  }
}

TEST_CASE("The command line") {
  const Outcome help = runDeviceTool({"--help"});
  CHECK(help.status == 0);
  CHECK(help.out.starts_with("Usage: aiwc-cuda-device "));
  CHECK(runDeviceTool({"--version"}).out.starts_with("aiwc-cuda-device "));
  for (const Words &words : {Words{}, Words{"-o"}, Words{"--unknown", "x"}, Words{"x.bc"}}) {
    checkOneLine(runDeviceTool(words));
    CHECK(runDeviceTool(words).status == 1);
  }
}

TEST_CASE("A loop that is not unrolled as the source asks needs no word") {
  const DeviceCode code("template <int factor> __global__ void k(int *o, int n) {\n"
                        "  #pragma unroll\n"
                        "  for (int i = 1; i <= n; i *= 2) {\n    wait();\n    o[i] += factor;\n"
                        "  }\n}\n"
                        "template __global__ void k<1>(int *, int);\n"
                        "template __global__ void k<2>(int *, int);\n");
  const Outcome outcome = code.lower();
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "");
}
