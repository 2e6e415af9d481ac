// Builtins that only compute a result: the compiled engine does most by itself, bit by bit as
// Oclgrind's functions do, on the values where implementations differ.

#include "kernels/engines.h"
#include "support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;

namespace {

using Words = std::vector<std::string>;

struct Type {
  std::string name;
  unsigned bytes;
  bool isReal, isSigned;
};

const std::vector<Type> kIntegers = {{"char", 1, false, true},  {"uchar", 1, false, false},
                                     {"short", 2, false, true}, {"ushort", 2, false, false},
                                     {"int", 4, false, true},   {"uint", 4, false, false},
                                     {"long", 8, false, true},  {"ulong", 8, false, false}};
const std::vector<Type> kReals = {
    {"half", 2, true, true}, {"float", 4, true, true}, {"double", 8, true, true}};

/// Zeros, ones, halves, limits, infinities, subnormal numbers and NaNs, also signalling ones.
const char *const kTables = R"(
constant ushort halfs[16] = {0, 0x8000, 0x3c00, 0xbe00, 0x4100, 0x7bff, 1, 0x7c00, 0xfc00, 0x7e00,
  0x7d01, 0xff45, 0x7001, 0xc740, 0x34cd, 0x03ff};
constant uint floats[16] = {0, 0x80000000, 0x3f800000, 0xbfc00000, 0x40200000, 0x7f7fffff, 1,
  0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00001, 0xffc12345, 0x501502f9, 0xc0e80000, 0x3e99999a,
  0x4effffff};
constant ulong doubles[16] = {0, 0x8000000000000000, 0x3ff0000000000000, 0xbff8000000000000,
  0x4004000000000000, 0x7fefffffffffffff, 1, 0x7ff0000000000000, 0xfff0000000000000,
  0x7ff8000000000000, 0x7ff4000000000001, 0xfff8000012345678, 0x43e0000000000000,
  0xc01d000000000000, 0x3fd3333333333333, 0xc1dfffffffc00000};
constant ulong integers[16] = {0, 1, 0xffffffffffffffff, 0x7fffffffffffffff, 0x8000000000000000,
  0x7fffffff, 0xffffffff80000000, 0x7fff, 0xffffffffffff8000, 0x7f, 0xffffffffffffff80, 0xffff,
  0x123456789abcdef0, 7, 0xfffffffffffffffd, 0x100};
)";

std::string element(const Type &type, const std::string &index) {
  if (!type.isReal)
    return fmt::format("({})integers[({}) % 16]", type.name, index);
  return fmt::format("as_{}({}s[({}) % 16])", type.name, type.name, index);
}

std::string vectorType(const Type &type, unsigned lanes) {
  return lanes == 1 ? type.name : fmt::format("{}{}", type.name, lanes);
}

/// An expression of a result type, which is stored on its own.
struct Result {
  std::string expression;
  Type type;
  unsigned lanes;
};

/// The work-items: one for each value of a table, and for each pair of two.
constexpr unsigned kValues = 16, kPairs = kValues * kValues;

/// The expressions whose results differ, with the first words of 4 bytes that do. `results` lie one
/// behind the other, each with all work-items'.
std::string differences(const std::vector<Result> &results, unsigned items,
                        const std::string &expected, const std::string &actual) {
  std::istringstream a(expected), b(actual);
  std::string differing, last;
  size_t number = 0;
  for (std::string line, other; std::getline(a, line);) {
    std::getline(b, other);
    const size_t at = line.find("out[");
    if (at == std::string::npos)
      continue;
    number = 4 * std::stoul(line.substr(at + 4));
    if (line == other)
      continue;
    size_t offset = 0;
    for (const Result &result : results) {
      const size_t bytes = size_t{result.type.bytes} * result.lanes;
      offset += items * bytes;
      if (number >= offset)
        continue;
      if (result.expression != last)
        differing += fmt::format("{} of work-item {}: {} and {}\n", result.expression,
                                 (number - (offset - items * bytes)) / bytes, line, other);
      last = result.expression;
      break;
    }
  }
  return differing.empty() && expected != actual ? "other output" : differing;
}

/// Runs a kernel with the results of so many pairs of values under both engines; the first values
/// of 16 pairs are different.
void requireSameResults(const Type &given, unsigned lanes, const std::vector<Result> &results,
                        unsigned items = kPairs) {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                       "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  source += kTables;
  source += "kernel void results(global uchar *out) {\nconst size_t i = get_global_id(0);\n";
  const char *const first[] = {"i + {} * 3", "i / 16 + {} * 5", "i * 7 / 3 + {}"};
  const char *const names = "xyz";
  for (unsigned v = 0; v < 3; ++v) {
    std::string values;
    for (unsigned lane = 0; lane < lanes; ++lane)
      values += (lane > 0 ? ", " : "") + element(given, fmt::format(fmt::runtime(first[v]), lane));
    source +=
        fmt::format("const {0} {1} = ({0})({2});\n", vectorType(given, lanes), names[v], values);
  }
  size_t offset = 0;
  for (const Result &result : results) {
    const size_t bytes = size_t{result.type.bytes} * result.lanes;
    const std::string place =
        fmt::format("(global {} *)(out + {} + i * {})", result.type.name, offset, bytes);
    source += result.lanes == 1
                  ? fmt::format("*{} = {};\n", place, result.expression)
                  : fmt::format("vstore{}({}, 0, {});\n", result.lanes, result.expression, place);
    offset += items * bytes;
  }
  source += "}\n";
  INFO(vectorType(given, lanes));
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "results.cl") << source;
  std::ofstream(folder.path() / "results.sim")
      << fmt::format("results.cl\nresults\n{} 1 1\n{} 1 1\n<size={} uint fill=0 dump>\n", items,
                     std::min(items, 64U), (offset + 3) / 4 * 4);
  const Simulation interpreted = runSimulation(folder.path() / "results.sim");
  REQUIRE(interpreted.status == 0);
  for (const char *engine : {"compiled", "optimised"}) {
    SimulationOptions options;
    options.environment.emplace_back("AIWC_ENGINE", engine);
    const Simulation compiled = runSimulation(folder.path() / "results.sim", options);
    CHECK(differences(results, items, interpreted.output, compiled.output) == "");
    REQUIRE(compiled.profiles.size() == 1);
    CHECK(requireSameProfile(interpreted.profiles.front(), compiled.profiles.front()) ==
          "compiled");
  }
}

const Type &integerOfSize(unsigned bytes, bool isSigned) {
  for (const Type &type : kIntegers)
    if (type.bytes == bytes && type.isSigned == isSigned)
      return type;
  throw std::logic_error("no integer of this size");
}

} // namespace

TEST_CASE("functions of integers are Oclgrind's", "[compiled]") {
  for (const Type &type : kIntegers)
    for (const unsigned lanes : {1U, 3U, 4U}) {
      std::vector<Result> results;
      for (const char *expression :
           {"min(x, y)", "max(x, y)", "clamp(x, y, z)", "abs_diff(x, y)", "add_sat(x, y)",
            "sub_sat(x, y)", "hadd(x, y)", "rhadd(x, y)", "mul_hi(x, y)", "mad_hi(x, y, z)",
            "rotate(x, y)", "bitselect(x, y, z)", "clz(x)", "popcount(x)", "abs(x)"})
        results.push_back({expression, type, lanes});
      const std::string which = vectorType(integerOfSize(type.bytes, true), lanes);
      results.push_back({fmt::format("select(x, y, as_{}(z))", which), type, lanes});
      const Type integer = integerOfSize(4, true);
      if (type.isSigned) {
        results.push_back({"any(x)", integer, 1});
        results.push_back({"all(x)", integer, 1});
      }
      if (type.bytes < 8)
        results.push_back({fmt::format("upsample(x, as_{}(y))",
                                       vectorType(integerOfSize(type.bytes, false), lanes)),
                           integerOfSize(2 * type.bytes, type.isSigned), lanes});
      if (type.bytes == 4) {
        results.push_back({"mul24(x, y)", type, lanes});
        results.push_back({"mad24(x, y, z)", type, lanes});
      }
      requireSameResults(type, lanes, results);
    }
}

TEST_CASE("functions of real numbers are Oclgrind's", "[compiled]") {
  for (const Type &type : kReals)
    for (const unsigned lanes : {1U, 2U, 3U, 4U}) {
      std::vector<Result> results;
      for (const char *expression :
           {"min(x, y)", "max(x, y)", "clamp(x, y, z)", "fmin(x, y)", "fmax(x, y)", "mix(x, y, z)",
            "step(x, y)", "smoothstep(x, y, z)", "normalize(x)", "fabs(x)", "sqrt(x)", "rsqrt(x)",
            "floor(x)", "fma(x, y, z)", "sign(x)", "copysign(x, y)"})
        results.push_back({expression, type, lanes});
      // LLVM moves the sign of a constant zero between comparisons and choices.
      for (const char *expression : {"min(x, {0})", "min({0}, x)", "max(x, {0})", "max({0}, x)",
                                     "fmin(x, {0})", "fmax({0}, x)", "clamp(x, {0}, y)",
                                     "clamp({0}, x, y)", "select(x, {0}, ({1})(x > {0}))"})
        results.push_back(
            {fmt::format(fmt::runtime(expression), fmt::format("({})-0.0", vectorType(type, lanes)),
                         vectorType(integerOfSize(type.bytes, true), lanes)),
             type, lanes});
      for (const char *expression : {"dot(x, y)", "length(x)", "distance(x, y)"})
        results.push_back({expression, type, 1});
      results.push_back({"powr(x, y)", type, lanes});
      results.push_back(
          {fmt::format("pown(x, convert_{}(y))", vectorType(integerOfSize(4, true), lanes)), type,
           lanes});
      if (type.bytes == 4) {
        results.push_back({"native_powr(y, z)", type, lanes});
        results.push_back({"fast_normalize(y)", type, lanes});
        results.push_back({"fast_length(y)", type, 1});
      }
      if (lanes > 1)
        for (const char *expression :
             {"min(x, y.x)", "max(x, y.x)", "clamp(x, y.x, z.y)", "fmin(x, y.x)", "fmax(x, y.x)",
              "step(y.x, x)", "smoothstep(y.x, z.x, x)", "mix(x, y, z.x)"})
          results.push_back({expression, type, lanes});
      if (lanes > 2)
        results.push_back({"cross(x, y)", type, lanes});
      const Type which = integerOfSize(type.bytes, true);
      results.push_back(
          {fmt::format("select(x, y, as_{}(z))", vectorType(which, lanes)), type, lanes});
      const Type truth = lanes > 1 ? which : integerOfSize(4, true);
      for (const char *expression :
           {"isequal(x, y)", "isnotequal(x, y)", "isgreater(x, y)", "isgreaterequal(x, y)",
            "isless(x, y)", "islessequal(x, y)", "islessgreater(x, y)", "isordered(x, y)",
            "isunordered(x, y)", "isnan(x)", "isinf(x)", "isfinite(x)", "isnormal(x)",
            "signbit(x)"})
        results.push_back({expression, truth, lanes});
      requireSameResults(type, lanes, results);
    }
}

TEST_CASE("conversions by name are Oclgrind's", "[compiled]") {
  std::vector<Type> types = kIntegers;
  types.insert(types.end(), kReals.begin(), kReals.end());
  for (const Type &from : types)
    for (const unsigned lanes : {1U, 3U}) {
      std::vector<Result> results;
      for (const Type &to : types)
        for (const char *saturated : {"", "_sat"})
          for (const char *rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"})
            if (!to.isReal || !*saturated)
              results.push_back(
                  {fmt::format("convert_{}{}{}(x)", vectorType(to, lanes), saturated, rounding), to,
                   lanes});
      requireSameResults(from, lanes, results, kValues);
    }
}

TEST_CASE("conversions to the nearest integer and towards zero become operations", "[compiled]") {
  // Up and down, they are calls: how Oclgrind rounds there depends on how it was compiled.
  const std::pair<const char *, const char *> operations[] = {{"rte", "@llvm.rint."},
                                                              {"rtz", "@llvm.trunc."}};
  for (const auto &[rounding, operation] : operations) {
    INFO(rounding);
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "rounded.cl")
        << "kernel void rounded(global int *out) {\n"
           "  out[get_global_id(0)] = convert_int_"
        << rounding << "(get_global_id(0) * 0.25f - 1);\n}\n";
    std::ofstream(folder.path() / "rounded.sim")
        << "rounded.cl\nrounded\n8 1 1\n8 1 1\n<size=32 int fill=0 dump>\n";
    SimulationOptions options;
    options.compiled = true;
    options.environment.emplace_back("AIWC_ENGINE_DUMP", "1"); // the lowered code
    const Simulation compiled = runSimulation(folder.path() / "rounded.sim", options);
    REQUIRE(compiled.status == 0);
    CHECK(compiled.errors.find(operation) != std::string::npos);
  }
}
