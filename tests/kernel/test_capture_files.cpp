#include "kernel_launch/capture.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::kernel_launch;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

using Space = Parameter::Space;

std::string floats(const std::vector<double> &values, const char *type = "f32") {
  std::string bytes;
  for (const double value : values)
    bytes += floatBytes(valueTypeOf(type).value(), value);
  return bytes;
}

std::string difference(const char *type, const std::string &simulated,
                       const std::string &captured) {
  return differenceOf({"x", type, Space::kBuffer, 0}, simulated, captured);
}

/// A capture of a kernel without arguments.
void writeCapture(const std::filesystem::path &folder) {
  std::filesystem::create_directories(folder / "Pre");
  std::filesystem::create_directories(folder / "Post");
  write(folder / "kernelName.txt", "k");
  write(folder / "kernel.cl", "kernel void k() {}");
  write(folder / "worksizes.txt", "64 4 \n0 0 \n1 2 \n");
  write(folder / "buildOptions.txt", "-D A=1 \n");
}

} // namespace

TEST_CASE("the bound for floating-point numbers, and its ends") {
  CHECK(difference("float", floats({1, 2}), floats({1, 2})).empty());
  CHECK(difference("float", floats({1000}), floats({1000.9})).empty());
  CHECK(!difference("float", floats({1000}), floats({1001.1})).empty());
  // Of a number that nearly cancels, the largest number of the buffer counts.
  CHECK(difference("float", floats({100, 0.0009}), floats({100, 0})).empty());
  CHECK(!difference("float", floats({100, 0.0011}), floats({100, 0})).empty());
  CHECK(difference("double", floats({1}, "f64"), floats({1 + 0.9e-9}, "f64")).empty());
  CHECK(!difference("double", floats({1}, "f64"), floats({1 + 1.1e-9}, "f64")).empty());
  CHECK(difference("float4", floats({NAN, HUGE_VAL, 1, 0}), floats({NAN, HUGE_VAL, 1, 0})).empty());
  CHECK_THAT(
      difference("float", floats({1, NAN, 2}), floats({1, 1, 2.1})),
      Contains("2 of 3 numbers of type f32 differ, most at index 1: nan simulated, 1 captured"));
  CHECK(!difference("float", floats({HUGE_VAL}), floats({-HUGE_VAL})).empty());
}

TEST_CASE("integers, structures and sizes are compared exactly") {
  CHECK(difference("int", "aaaabbbb", "aaaabbbb").empty());
  CHECK_THAT(difference("uchar", "ab", "ac"), Contains("1 of 2 numbers of type u8 differ, first at "
                                                       "index 1: 98 simulated, 99 captured"));
  CHECK_THAT(difference("Pair", "abcdefgh", "abcdefgH"), Contains("1 of 8 bytes differ"));
  CHECK_THAT(difference("float", "abcd", "abcdefgh"), Contains("4 bytes simulated, 8 captured"));
}

TEST_CASE("a capture's files") {
  const TemporaryFolder folder;
  const auto capture = folder / "Enqueue_10_k";
  writeCapture(capture);
  const Capture read = readCapture(capture);
  CHECK(read.kernel == "k");
  CHECK(read.buildOptions == "-D A=1");
  CHECK(read.sizes.global == Size3{64, 4, 1});
  CHECK(!read.sizes.hasLocal());
  CHECK(read.sizes.offset == Size3{1, 2, 0});
  writeCapture(folder / "Enqueue_9_k");
  CHECK(capturesIn(folder.path()) ==
        std::vector<std::filesystem::path>{folder / "Enqueue_9_k", capture});
  CHECK(capturesIn(capture) == std::vector{capture});
}

TEST_CASE("damage is said with the file") {
  const TemporaryFolder folder;
  const auto capture = folder / "Enqueue_1_k";
  writeCapture(capture);
  const auto damage = [&](const char *file, const std::string &text) {
    write(capture / file, text);
    const std::string error = errorOf([&] { readCapture(capture); });
    CHECK_THAT(error, Contains(file));
    CHECK(error.find('\n') == std::string::npos);
    std::filesystem::remove(capture / file);
    writeCapture(capture);
  };
  damage("worksizes.txt", "");
  damage("worksizes.txt", "64\n");
  damage("worksizes.txt", "64\n3\n0\n");
  damage("worksizes.txt", "none\n0\n0\n");
  damage("worksizes.txt", "1 2 3 4\n0\n0\n");
  damage("Local3.txt", "");
  damage("Local3.txt", "-4");
  damage("SVM_Arg_Offset_0.txt", "16");
  damage("Image_MetaData_0.txt", "4\n4\n");
  damage("Image_MetaData_0.txt", "4\n0\n1\n4\n16\n64\n4314\n4277\n4337");
  damage("Image_MetaData_0.txt", "4\n4\n1\n4\n16\n64\n4314\n4277\n1");
  damage("Post/Enqueue_0001_Kernel_k_Arg_0_Buffer_0000.bin", "1234");
  std::filesystem::remove(capture / "kernel.cl");
  CHECK_THAT(errorOf([&] { readCapture(capture); }), Contains("has no program"));
  CHECK_THAT(errorOf([&] { capturesIn(folder / "none"); }), Contains("is no capture"));
}
