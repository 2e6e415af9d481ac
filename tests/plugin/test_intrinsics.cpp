// Expressions of which the compiler makes LLVM intrinsics that Oclgrind itself does not know: they
// compute what the host's compiler makes of the same expression.

#include "plugin/characterise.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>

using namespace aiwc::test;

namespace {

struct Idiom {
  std::string name; ///< of what the compiler makes
  std::string statements;
  std::function<uint32_t(uint32_t x, uint32_t y)> host;
  uint64_t calls = 1; ///< of intrinsics by a work-item
};

float real(uint32_t bits) {
  return static_cast<float>(static_cast<int32_t>(bits)) / 1e8f;
}
uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

uint32_t reversed(uint32_t x) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit)
    result |= (x >> bit & 1) << (31 - bit);
  return result;
}

const std::vector<Idiom> &idioms() {
  using U = uint32_t;
  static const std::vector<Idiom> all = {
      {"abs", "int s = x; r = s < 0 ? -s : s;",
       [](U x, U) { return static_cast<int32_t>(x) < 0 ? -x : x; }},
      {"assume", "__builtin_assume(y != 1); r = x;", [](U x, U) { return x; }},
      {"bitreverse", R"(
         r = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
         r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
         r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
         r = (r >> 8 & 0x00ff00ff) | (r & 0x00ff00ff) << 8;
         r = r >> 16 | r << 16;)",
       [](U x, U) { return reversed(x); }},
      {"bswap", "r = __builtin_bswap32(x);", [](U x, U) { return __builtin_bswap32(x); }},
      {"bswap of a vector", R"(
         uint4 v = (uint4)(x, y, x + 1, y + 1);
         v = v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
         r = v.x ^ v.y * 3 ^ v.z * 5 ^ v.w * 7;)",
       [](U x, U y) {
         const auto swap = [](U value) { return __builtin_bswap32(value); };
         return swap(x) ^ swap(y) * 3 ^ swap(x + 1) * 5 ^ swap(y + 1) * 7;
       }},
      {"ctlz", "r = __builtin_clz(x | 1);", [](U x, U) { return U(std::countl_zero(x | 1)); }},
      {"ctpop", "r = __builtin_popcount(x);", [](U x, U) { return U(std::popcount(x)); }},
      {"cttz", "r = __builtin_ctz(x | 64);", [](U x, U) { return U(std::countr_zero(x | 64)); }},
      {"fshl", "r = y << 3 | y >> 29;", [](U, U y) { return std::rotl(y, 3); }},
      {"fshl by a variable", "r = x << (y & 31) | x >> (-y & 31);",
       [](U x, U y) { return std::rotl(x, static_cast<int>(y & 31)); }},
      {"fshl of bytes", "uchar b = x; r = (uchar)(b << 5 | b >> 3);",
       [](U x, U) { return U(std::rotl(static_cast<uint8_t>(x), 5)); }},
      {"fshl of a vector", R"(
         ulong2 v = (ulong2)(upsample(x, y), y);
         v = v << 13 | v >> 51;
         r = (uint)(v.x >> 32) ^ (uint)v.x * 3 ^ (uint)v.y * 5;)",
       [](U x, U y) {
         const uint64_t a = std::rotl(uint64_t{x} << 32 | y, 13), b = std::rotl(uint64_t{y}, 13);
         return U(a >> 32) ^ U(a) * 3 ^ U(b) * 5;
       },
       2}, // and upsample
      {"fshr", "r = x >> (y & 31) | x << (-y & 31);",
       [](U x, U y) { return std::rotr(x, static_cast<int>(y & 31)); }},
      {"sadd.sat", R"(
         long s = (long)(int)x + (int)y;
         s = s > INT_MAX ? INT_MAX : s;
         r = (int)(s < INT_MIN ? INT_MIN : s);)",
       [](U x, U y) {
         const int64_t sum = int64_t{static_cast<int32_t>(x)} + static_cast<int32_t>(y);
         return U(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
       }},
      {"smax", "r = __builtin_elementwise_max((int)x, (int)y);",
       [](U x, U y) { return U(std::max(static_cast<int32_t>(x), static_cast<int32_t>(y))); }},
      {"uadd.sat", "r = x + y < x ? UINT_MAX : x + y;",
       [](U x, U y) { return x + y < x ? UINT32_MAX : x + y; }},
      {"umul.with.overflow", "ulong p = (ulong)x * y; r = p > UINT_MAX ? 7 : (uint)p;",
       [](U x, U y) { return uint64_t{x} * y > UINT32_MAX ? 7 : x * y; }},
      {"usub.sat", "r = x > y ? x - y : 0;", [](U x, U y) { return x > y ? x - y : 0; }},
      {"ceil", "r = as_uint(__builtin_ceilf(f));", [](U x, U) { return bits(std::ceil(real(x))); }},
      {"copysign", "r = as_uint(__builtin_copysignf(f, g));",
       [](U x, U y) { return bits(std::copysign(real(x), real(y))); }},
      {"floor", "r = as_uint(__builtin_floorf(f));",
       [](U x, U) { return bits(std::floor(real(x))); }},
      {"maxnum", "r = as_uint(__builtin_fmaxf(f, g));",
       [](U x, U y) { return bits(std::fmax(real(x), real(y))); }},
      {"minnum", "r = as_uint(__builtin_fminf(f, g));",
       [](U x, U y) { return bits(std::fmin(real(x), real(y))); }},
      {"nearbyint", "r = as_uint(__builtin_nearbyintf(f));",
       [](U x, U) { return bits(std::nearbyint(real(x))); }},
      {"rint", "r = as_uint(__builtin_rintf(f));", [](U x, U) { return bits(std::rint(real(x))); }},
      {"round", "r = as_uint(__builtin_roundf(f));",
       [](U x, U) { return bits(std::round(real(x))); }},
      {"sqrt", "r = as_uint(__builtin_sqrtf(__builtin_fabsf(f)));",
       [](U x, U) { return bits(std::sqrt(std::fabs(real(x)))); }, 2},
      {"trunc", "r = as_uint(__builtin_truncf(f));",
       [](U x, U) { return bits(std::trunc(real(x))); }},
  };
  return all;
}

} // namespace

TEST_CASE("Intrinsics that the simulator does not know") {
  for (const Idiom &idiom : idioms()) {
    const KernelRun run = runKernel(R"(
      kernel void k(global uint *out) {
        uint i = get_global_id(0), x = i * 0x9e3779b9u, y = (i * i + 5) * 0x7feb352du >> (i & 15), r;
        float f = (int)x / 1e8f, g = (int)y / 1e8f;
        )" + idiom.statements + R"(
        out[i] = r;
      })",
                                    {"global=16", "buffer=64"});
    INFO(idiom.name);
    CHECK(executed(run.profile, "call") == 16 * (1 + idiom.calls)); // get_global_id is one
    REQUIRE(run.values.size() == 16);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t x = i * 0x9e3779b9u, y = (i * i + 5) * 0x7feb352du >> (i & 15);
      INFO("x " << x << ", y " << y);
      CHECK(static_cast<uint32_t>(run.values[i]) == idiom.host(x, y));
    }
  }
}
