// What is said of a CUDA kernel has CUDA's words, and what is said of others stays.

#include "profile/kernel_words.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace aiwc::profile;

TEST_CASE("sentences about CUDA kernels speak of threads, blocks, warps and shared memory") {
  const auto cuda = [](const char *text) { return inWordsOf("cuda", text); };
  CHECK(cuda("16 work-items in groups of 8") == "16 threads in blocks of 8");
  CHECK(cuda("Work-groups wait for local memory") == "Blocks wait for shared memory");
  CHECK(cuda("idle in groups of 32 lanes: 3") == "idle in warps: 3");
  CHECK(cuda("a part of the work-groups of the NDRange") == "a part of the blocks of the grid");
  CHECK(cuda("{groups:work-group|work-groups}") == "{groups:block|blocks}");
  CHECK(cuda("asked for CL_DEVICE_MAX_COMPUTE_UNITS") == "asked for multiProcessorCount");
  for (const char *key : {"work_items", "work_group_size", "local_memory", "wg", "k<work_item>"})
    CHECK(cuda(key) == key);
}

TEST_CASE("OpenCL's words are kept for other kernels, and where languages mix") {
  const std::string text = "2 work-items in groups of 2, local memory";
  for (const char *kind : {"opencl-c", "bitcode", ""})
    CHECK(inWordsOf(kind, text) == text);
  using Kinds = std::vector<std::string_view>;
  CHECK(sourceKindOfAll(Kinds{"cuda", "cuda"}) == "cuda");
  CHECK(sourceKindOfAll(Kinds{"cuda", "opencl-c"}).empty());
  CHECK(sourceKindOfAll(Kinds{}).empty());
}
