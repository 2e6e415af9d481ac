// Half precision from OpenCL C, under both engines, against what IEEE 754 says: the exact result,
// rounded once to the nearest half.

#include "common/half_precision.h"
#include "support/files.h"
#include "support/simulate.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

constexpr unsigned kHalves = 65536;

/// A number as a multiple of 2^-48, as which every half and every product of two halves is exact.
using Exact = __int128;

bool isFinite(uint16_t half) {
  return (half & 0x7c00) != 0x7c00;
}

bool isNaN(uint16_t half) {
  return (half & 0x7fff) > 0x7c00;
}

/// In units of 2^-24, of which every finite half is a multiple.
int64_t units(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int64_t size =
      exponent == 0 ? half & 1023 : int64_t{(half & 1023) + 1024} << (exponent - 1);
  return (half & 0x8000) != 0 ? -size : size;
}

/// The nearest half, and of two the even one. `zero`: the result for 0.
uint16_t rounded(Exact value, uint16_t zero) {
  if (value == 0)
    return zero;
  const uint16_t sign = value < 0 ? 0x8000 : 0;
  const Exact size = value < 0 ? -value : value;
  // From half of the last bit on, the upper half is nearer.
  uint16_t below = 0;
  for (uint16_t bit = 0x4000; bit != 0; bit /= 2)
    if (below + bit < 0x7c00 && (Exact{units(below + bit)} << 24) <= size)
      below += bit;
  const Exact low = Exact{units(below)} << 24;
  const Exact high = below == 0x7bff ? Exact{1} << 64 : Exact{units(below + 1)} << 24;
  const Exact twice = 2 * size - low - high;
  return sign | (below + (twice > 0 || (twice == 0 && below % 2 != 0) ? 1 : 0));
}

/// The bits of the buffer of a kernel of one ushort argument after the launch.
std::vector<uint16_t> resultsOf(const std::string &source, unsigned items, unsigned perItem,
                                bool compiled) {
  const TemporaryFolder folder;
  write(folder / "k.cl", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                         "kernel void k(global ushort *out) {\n"
                         "  const uint i = get_global_id(0);\n" +
                             source + "}\n");
  write(folder / "k.sim", "k.cl\nk\n" + std::to_string(items) + " 1 1\n64 1 1\n<size=" +
                              std::to_string(2 * items * perItem) + " ushort fill=0 dump>\n");
  SimulationOptions options;
  options.compiled = compiled;
  const Simulation simulation = runSimulation(folder / "k.sim", options);
  INFO(simulation.errors);
  REQUIRE(simulation.status == 0);
  REQUIRE(simulation.profiles.size() == 1);
  REQUIRE(simulation.profiles.front().profile.provenance.engine ==
          (compiled ? "compiled" : "interpreter"));
  std::vector<uint16_t> values;
  std::istringstream lines(simulation.output);
  for (std::string line; std::getline(lines, line);)
    if (const size_t at = line.find("] = "); at != std::string::npos)
      values.push_back(static_cast<uint16_t>(std::stoul(line.substr(at + 4))));
  REQUIRE(values.size() == items * perItem);
  return values;
}

/// The three operands of a work-item: pairs of all kinds of halves, and a third that often cancels
/// the product or lies where it decides how the sum is rounded.
constexpr const char *kOperands = R"(
  const uint p = i * 40503u % 65536u, q = (i * 2654435761u) >> 16;
  const half a = as_half((ushort)p), b = as_half((ushort)q);
  const uint kind = i / 7 % 4;
  const ushort near = as_ushort((half)(-(a * b))), far = (ushort)(q * 31u + p);
  const half c = as_half((ushort)(kind == 0 ? near : kind == 1 ? near ^ 1 : kind == 2 ? far : far & 0x83ff));
)";

} // namespace

TEST_CASE("Every half: signs, conversions and comparisons", "[half]") {
  const bool compiled = GENERATE(false, true);
  const std::vector<uint16_t> results = resultsOf(R"(
    const half x = as_half((ushort)i);
    const float f = x;
    const uint bits = as_uint(f);
    out[8 * i] = as_ushort(-x);
    out[8 * i + 1] = as_ushort((half)f);
    out[8 * i + 2] = (ushort)bits;
    out[8 * i + 3] = (ushort)(bits >> 16);
    out[8 * i + 4] = (x < 0.0h) + (x <= 1.0h) * 2 + (x == 1.5h) * 4 + (x != x) * 8 + (x >= 65504.0h) * 16;
    out[8 * i + 5] = (ushort)(short)(fabs(x) < 32768.0h ? x : 0.0h);
    out[8 * i + 6] = as_ushort((half)i);
    out[8 * i + 7] = as_ushort(convert_half_rtz((int)(i - 32768u) * 3));
)",
                                                  kHalves, 8, compiled);
  for (unsigned i = 0; i < kHalves; ++i) {
    const auto half = static_cast<uint16_t>(i);
    const uint16_t *of = &results[size_t{8} * i];
    CAPTURE(i);
    const double value = fromHalf(half);
    REQUIRE(of[4] == (value < 0) + (value <= 1) * 2 + (value == 1.5) * 4 + (value != value) * 8 +
                         (value >= 65504) * 16);
    REQUIRE(of[6] == rounded(Exact{i} << 48, 0));
    REQUIRE(of[7] == toHalf((static_cast<int>(i) - 32768) * 3, HalfRounding::kToZero));
    if (isNaN(half)) {
      REQUIRE(of[0] == ((half ^ 0x8000) | 0x200));
      REQUIRE((of[3] & 0x7fc0) == 0x7fc0); // quiet
      continue;
    }
    REQUIRE(of[0] == (half ^ 0x8000));
    REQUIRE(of[1] == half);
    REQUIRE((of[2] | uint32_t{of[3]} << 16) == std::bit_cast<uint32_t>(static_cast<float>(value)));
    REQUIRE(static_cast<int16_t>(of[5]) == (std::fabs(value) < 32768 ? std::trunc(value) : 0));
  }
}

TEST_CASE("Functions that depend on how halves are spaced", "[half]") {
  const bool compiled = GENERATE(false, true);
  const std::vector<uint16_t> results = resultsOf(R"(
    const half x = as_half((ushort)i);
    half whole;
    out[8 * i] = as_ushort(nextafter(x, 1.0h));
    out[8 * i + 1] = isnormal(x);
    out[8 * i + 2] = as_ushort(fract(x, &whole));
    out[8 * i + 3] = as_ushort(whole);
    out[8 * i + 4] = as_ushort(convert_half_rtp((float)x * 1.0001f));
    out[8 * i + 5] = as_ushort(convert_half_rtn((double)x * 1.0001));
    out[8 * i + 6] = as_ushort(max(x, 0.25h));
    out[8 * i + 7] = as_ushort(select(x, 2.0h, (short)(i & 1)));
)",
                                                  kHalves, 8, compiled);
  for (unsigned i = 0; i < kHalves; ++i) {
    const auto half = static_cast<uint16_t>(i);
    const uint16_t *of = &results[size_t{8} * i];
    CAPTURE(i);
    const double value = fromHalf(half);
    REQUIRE(of[1] == ((half & 0x7c00) != 0 && isFinite(half)));
    REQUIRE(of[7] == (i % 2 != 0 ? toHalf(2) : half));
    if (isNaN(half)) {
      REQUIRE((isNaN(of[0]) && isNaN(of[2]) && isNaN(of[3]) && isNaN(of[4]) && isNaN(of[5])));
      continue;
    }
    REQUIRE(of[0] == (value == 1               ? half
                      : value == 0             ? 1
                      : value > 1 || value < 0 ? half - 1
                                               : half + 1));
    if (isFinite(half)) {
      REQUIRE(fromHalf(of[3]) == std::floor(value));
      REQUIRE(fromHalf(of[2]) ==
              std::min(fromHalf(toHalf(value - std::floor(value))), 1 - 0x1p-11));
    }
    const auto single = static_cast<float>(value) * 1.0001F;
    REQUIRE(of[4] == toHalf(single, HalfRounding::kUp));
    REQUIRE(of[5] == toHalf(value * 1.0001, HalfRounding::kDown));
    REQUIRE(fromHalf(of[6]) == std::max(value, 0.25));
  }
}

TEST_CASE("Sums, products and fused products are exact and rounded once", "[half]") {
  const bool compiled = GENERATE(false, true);
  const std::vector<uint16_t> results = resultsOf(std::string(kOperands) + R"(
    out[8 * i] = as_ushort(a);
    out[8 * i + 1] = as_ushort(b);
    out[8 * i + 2] = as_ushort(c);
    out[8 * i + 3] = as_ushort(a + b);
    out[8 * i + 4] = as_ushort(a - c);
    out[8 * i + 5] = as_ushort(a * b);
    out[8 * i + 6] = as_ushort(fma(a, b, c));
    out[8 * i + 7] = as_ushort(mad(a, b, -c));
)",
                                                  kHalves, 8, compiled);
  unsigned finite = 0;
  for (unsigned i = 0; i < kHalves; ++i) {
    const uint16_t *of = &results[size_t{8} * i];
    CAPTURE(i);
    if (!isFinite(of[0]) || !isFinite(of[1]) || !isFinite(of[2]))
      continue;
    ++finite;
    const Exact a = units(of[0]), b = units(of[1]), c = units(of[2]);
    const bool negative = (of[0] ^ of[1]) & 0x8000;
    // Zeros of one sign keep it; else a sum that is 0 is positive.
    const auto zero = [](uint16_t one, uint16_t other) {
      return static_cast<uint16_t>(one & other & 0x8000);
    };
    const auto signOfProduct = static_cast<uint16_t>(negative ? 0x8000 : 0);
    REQUIRE(of[3] == rounded((a + b) << 24, a == 0 && b == 0 ? zero(of[0], of[1]) : 0));
    REQUIRE(of[4] == rounded((a - c) << 24, a == 0 && c == 0 ? zero(of[0], of[2] ^ 0x8000) : 0));
    REQUIRE(of[5] == rounded(a * b, signOfProduct));
    const bool isZero = a * b == 0 && c == 0;
    REQUIRE(of[6] == rounded(a * b + (c << 24), isZero ? zero(signOfProduct, of[2]) : 0));
    REQUIRE(of[7] == rounded(a * b - (c << 24), isZero ? zero(signOfProduct, of[2] ^ 0x8000) : 0));
  }
  CHECK(finite > kHalves / 2);
}

TEST_CASE("Quotients and roots are the nearest halves", "[half]") {
  const bool compiled = GENERATE(false, true);
  const std::vector<uint16_t> results = resultsOf(std::string(kOperands) + R"(
    out[4 * i] = as_ushort(a);
    out[4 * i + 1] = as_ushort(c);
    out[4 * i + 2] = as_ushort(a / c);
    out[4 * i + 3] = as_ushort(sqrt(a));
)",
                                                  kHalves, 4, compiled);
  for (unsigned i = 0; i < kHalves; ++i) {
    const uint16_t *of = &results[size_t{4} * i];
    CAPTURE(i);
    const int64_t a = units(of[0]), c = units(of[1]);
    const auto quotient = static_cast<uint16_t>(of[2] & 0x7fff);
    if (isFinite(of[0]) && isFinite(of[1]) && c != 0) {
      REQUIRE((a == 0 || (of[2] >= 0x8000) == ((a < 0) != (c < 0))));
      // Twice the quotient lies between the sums of the result and its neighbours; on such a sum,
      // the result is the even one.
      const Exact twice = Exact{a < 0 ? -a : a} << 25, divisor = c < 0 ? -c : c;
      const Exact below = quotient == 0 ? -1 : units(quotient - 1) + units(quotient);
      const Exact above =
          quotient >= 0x7bff ? Exact{1} << 100 : units(quotient) + units(quotient + 1);
      const Exact last = quotient < 0x7c00 ? below : 65520 * (Exact{1} << 25);
      REQUIRE(last * divisor <= twice);
      REQUIRE(twice <= above * divisor);
      if (quotient % 2 != 0 && quotient < 0x7bff)
        REQUIRE((last * divisor < twice && twice < above * divisor));
    }
    if (isFinite(of[0]) && a > 0) {
      // Of a half and its neighbours, the one whose square is nearest: (x + y)^2 against 4 a.
      const Exact x = units(of[3]), up = units(of[3] + 1), down = units(of[3] - 1);
      const Exact square = Exact{a} << 26; // of twice the root, in units of 2^-48
      REQUIRE((x + down) * (x + down) <= square);
      REQUIRE((x + up) * (x + up) >= square);
    }
  }
}

TEST_CASE("Every version of OpenCL C has half precision", "[half]") {
  const TemporaryFolder folder;
  write(folder / "k.cl", R"(
    #ifndef cl_khr_fp16
    #error half precision is an extension of the device
    #endif
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    half scaled(half x) { return fma(x, 3.0h, sqrt(x)); }
    kernel void k(global half *x) {
      const half y = scaled(x[get_global_id(0)]);
      x[get_global_id(0)] = max(y, (half)get_local_id(0)) + 0.5h;
    })");
  write(folder / "k.sim", "k.cl\nk\n4 1 1\n4 1 1\n<size=8 ushort fill=17408 dump>\n"); // 4
  for (const char *version : {"1.0", "1.1", "1.2", "2.0", "3.0"})
    for (const bool compiled : {false, true}) {
      CAPTURE(version, compiled);
      SimulationOptions options;
      options.compiled = compiled;
      options.arguments = {"--build-options", std::string("-cl-std=CL") + version};
      const Simulation simulation = runSimulation(folder / "k.sim", options);
      INFO(simulation.errors);
      REQUIRE(simulation.status == 0);
      CHECK(simulation.output.find("x[3] = 19264") != std::string::npos); // 14.5
      CHECK(simulation.profiles.front().profile.provenance.engine ==
            (compiled ? "compiled" : "interpreter"));
      CHECK(simulation.profiles.front().profile.count("fp_ops_f16"_metric) == 4 * (2 + 1 + 1));
    }
}

TEST_CASE("Operations of halves are those of 16-bit numbers, and conversions none", "[half]") {
  const TemporaryFolder folder;
  write(folder / "k.cl", R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const half *restrict x, global half4 *restrict y,
                  global float *restrict z) {
      const size_t i = get_global_id(0);
      const half4 v = y[i];
      y[i] = fma(v, (half4)x[i], v) / 3.0h;
      z[i] = (float)x[i] * 2.0f + (float)dot(v, v);
    })");
  write(folder / "k.sim", "k.cl\nk\n8 1 1\n4 1 1\n<size=16 ushort fill=15360>\n"
                          "<size=64 ushort fill=15360>\n<size=32 float fill=0 dump>\n");
  SimulationOptions options;
  options.compiled = GENERATE(false, true);
  const Simulation simulation = runSimulation(folder / "k.sim", options);
  INFO(simulation.errors);
  REQUIRE(simulation.status == 0);
  CHECK(simulation.output.find("z[7] = 6") != std::string::npos); // 1 * 2 + 4
  const auto &profile = simulation.profiles.front().profile;
  constexpr uint64_t kItems = 8;
  CHECK(profile.provenance.engine == (options.compiled ? "compiled" : "interpreter"));
  // fma of four lanes: 4 additions and 4 multiplications; 4 divisions; dot: 4 and 3.
  CHECK(profile.count("fp_ops_f16"_metric) == kItems * (4 + 4 + 4 + 4 + 3));
  CHECK(profile.count("fp_ops_f32"_metric) == kItems * 2); // a fused product
  CHECK(profile.count("fp_ops_f64"_metric) == 0);
  CHECK(profile.count("fp_add"_metric) == kItems * (4 + 3 + 1));
  CHECK(profile.count("fp_mul"_metric) == kItems * (4 + 4 + 1));
  CHECK(profile.count("fp_div"_metric) == kItems * 4);
  CHECK(profile.count("bytes_read_global"_metric) == kItems * (2 + 8));
  CHECK(profile.count("bytes_written_global"_metric) == kItems * (8 + 4));
  CHECK(profile.count("total_reads"_metric) == kItems * 2);
}
