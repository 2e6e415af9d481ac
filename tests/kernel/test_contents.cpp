#include "kernel_launch/contents.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <set>

using namespace aiwc::kernel_launch;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const Sizes kSizes = sizesOf("64x2", "", "");

ValueType type(const char *name) {
  return valueTypeOf(name).value();
}

std::string bytes(const char *contents, const char *of, uint64_t count, uint64_t stream = 0) {
  return bytesOf(contentsOf(contents).value(), type(of), count, kSizes, stream);
}

template <typename Number> std::vector<Number> numbers(const std::string &bytes) {
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A file of NumPy's format, version 1.
std::string numpy(const std::string &header, const std::string &values) {
  std::string text = header + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 255) +
         static_cast<char>(text.size() >> 8) + text + values;
}

} // namespace

TEST_CASE("names of types, ours and OpenCL's") {
  using Kind = ValueType::Kind;
  CHECK(type("f32") == ValueType{Kind::kFloat, 4, 1});
  CHECK(type("float4") == ValueType{Kind::kFloat, 4, 4});
  CHECK(type("f32x4") == type("float4"));
  CHECK(type("u8x16") == type("uchar16"));
  CHECK(type("unsigned long") == type("u64"));
  CHECK(type("i16") == type("short"));
  CHECK(type("half2") == ValueType{Kind::kFloat, 2, 2});
  CHECK(type("int3").valueBytes() == 16);
  CHECK(type("double8").valueBytes() == 64);
  CHECK(type("atomic_uint") == type("u32"));
  CHECK(type("unsigned long long") == type("size_t"));
  for (const char *name : {"", "f", "f324", "float5", "f32x5", "u128", "Pair", "float4 ", "void",
                           "atomic_int4", "size_t2"})
    CHECK(!valueTypeOf(name));
  for (const char *name : {"f16", "f64x3", "i8", "u32x8"})
    CHECK(type(name).name() == name);
}

TEST_CASE("half precision: every number comes back, and others go to the nearest, ties to even") {
  const ValueType half = type("f16");
  double before = -1;
  unsigned short pattern = 0;
  for (unsigned i = 0; i <= 0x7c00; ++i) {
    const auto bits = static_cast<unsigned short>(i);
    std::string bytes(2, '\0');
    std::memcpy(bytes.data(), &bits, 2);
    const double value = floatAt(half, bytes.data());
    REQUIRE(floatBytes(half, value) == bytes);
    REQUIRE(value > before);
    if (i > 0 && std::isfinite(value)) {
      const std::string middle = floatBytes(half, (before + value) / 2);
      std::memcpy(&pattern, middle.data(), 2);
      REQUIRE(pattern == (i % 2 == 0 ? i : i - 1));
      REQUIRE(floatBytes(half, std::nextafter((before + value) / 2, HUGE_VAL)) == bytes);
    }
    before = value;
  }
  CHECK(floatBytes(half, 1e6) == floatBytes(half, HUGE_VAL));
  CHECK(floatBytes(half, 65519.9) == floatBytes(half, 65504));
  CHECK(std::isnan(floatAt(half, floatBytes(half, NAN).data())));
}

TEST_CASE("zeros, fills and ranges") {
  CHECK(bytes("zeros", "f64", 3) == std::string(24, '\0'));
  CHECK(numbers<float>(bytes("fill(-1.5)", "f32", 3)) == std::vector<float>{-1.5, -1.5, -1.5});
  CHECK(numbers<int>(bytes("range", "i32", 4)) == std::vector<int>{0, 1, 2, 3});
  CHECK(numbers<int>(bytes("range(gx,-2)", "i32", 3)) == std::vector<int>{64, 62, 60});
  CHECK(numbers<float>(bytes("range(0.5)", "f32", 2)) == std::vector<float>{0.5, 1.5});
  CHECK(numbers<unsigned char>(bytes("range", "u8", 258))[257] == 1); // modulo 2^8
  // A vector of 3 takes the place of 4.
  CHECK(numbers<float>(bytes("range", "f32x3", 2)) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(numbers<uint64_t>(bytes("fill(18446744073709551615)", "u64", 1))[0] == UINT64_MAX);
}

TEST_CASE("random numbers: within their bounds, all of them, and the same again") {
  const auto values = numbers<int>(bytes("random(-2,3)", "i32", 600));
  CHECK(std::set<int>(values.begin(), values.end()) == std::set<int>{-2, -1, 0, 1, 2, 3});
  double sum = 0;
  for (const float value : numbers<float>(bytes("random(-1,3)", "f32", 4000))) {
    REQUIRE((value >= -1 && value <= 3));
    sum += value;
  }
  CHECK(sum / 4000 == Approx(1).margin(0.1)); // five standard errors
  CHECK(bytes("random(0,1)", "f32", 9) == bytes("random(0,1)", "f32", 9));
  CHECK(bytes("random(0,1)", "f32", 9) != bytes("random(0,1)", "f32", 9, 1));
  CHECK(bytes("random(0,1)", "f32", 9) != bytes("random(0,1,7)", "f32", 9));
  CHECK(numbers<int>(bytes("random(gx,64)", "i32", 2)) == std::vector<int>{64, 64});
  // Not of this machine: SplitMix64 from state 0.
  CHECK(numbers<uint64_t>(bytes("random(0,18446744073709551615)", "u64", 2)) ==
        std::vector<uint64_t>{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4});
  CHECK_THAT(errorOf([] { bytes("random(2,1)", "i32", 1); }), Contains("lower bound first"));
  CHECK_THAT(errorOf([] { bytes("random(1,0.5)", "f32", 1); }), Contains("lower bound first"));
  CHECK_THAT(errorOf([] { bytes("random(0,300)", "u8", 1); }), Contains("300 does not fit"));
}

TEST_CASE("what are no contents") {
  for (const char *text : {"", "zeros()", "zeros(1)", "fill", "fill(1,2)", "random", "random(1)",
                           "random(1,2,3,4)", "range(1,2,3)", "random(1,2", "x.txt", "ranges"})
    CHECK(!contentsOf(text));
}

TEST_CASE("files of NumPy") {
  const TemporaryFolder folder;
  const std::string file = folder / "x.npy";
  const auto read = [&](const std::string &content) {
    write(file, content);
    return readNumpy(file);
  };
  const std::string eight("12345678");
  const NumpyArray array =
      read(numpy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", eight));
  CHECK(array.type == type("f32"));
  CHECK(array.count == 2);
  CHECK(array.bytes == eight);
  CHECK(read(numpy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 4), }", eight)).count ==
        8);
  CHECK(read(numpy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", eight)).count == 1);
  const std::string content = numpy("{'descr': '<f4', 'shape': (2,), }", eight);
  for (size_t length = 0; length < content.size(); ++length) // truncated anywhere
    CHECK_THAT(errorOf([&] { read(content.substr(0, length)); }),
               Contains("x.npy: ") && Contains("expected a complete .npy file"));
  for (const char *header :
       {"{'descr': '>f4', 'shape': (2,), }", "{'descr': '<f3', 'shape': (2,), }",
        "{'descr': '|O', 'shape': (1,), }", "{'descr': '<c8', 'shape': (1,), }",
        "{'descr': '<f4', 'shape': (x,), }", "{'descr': '<f4'}", "{}",
        "{'descr': '<f8', 'shape': (99999999999, 99999999999), }"})
    CHECK_THAT(errorOf([&] { read(numpy(header, eight)); }), Contains("expected a complete"));
}

TEST_CASE("a buffer of a file has its values, the first ones if there are more") {
  const TemporaryFolder folder;
  const std::string numpyFile = folder / "x.npy", bytesFile = folder / "x.bin";
  write(numpyFile, numpy("{'descr': '<i4', 'shape': (3,), }", "aaaabbbbcccc"));
  write(bytesFile, "aaaabbbbcccc");
  for (const std::string &file : {numpyFile, bytesFile}) {
    CHECK(bytes(file.c_str(), "i32", 3) == "aaaabbbbcccc");
    CHECK(bytes(file.c_str(), "i32", 2) == "aaaabbbb");
    CHECK_THAT(errorOf([&] { bytes(file.c_str(), "i32", 4); }),
               Contains("holds 12 bytes: expected 16"));
  }
  CHECK_THAT(errorOf([&] { bytes(numpyFile.c_str(), "f32", 3); }),
             Contains("holds numbers of type i32: expected f32"));
}
