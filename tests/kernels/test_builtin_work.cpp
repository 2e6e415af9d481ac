// The work of builtin functions, as docs/metrics.md defines it: a kernel per call, whose arguments
// come from memory, so that there is no other work.

#include "support/files.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>
#include <map>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

/// Operations of a call by one work-item.
struct Work {
  uint64_t add = 0, mul = 0, div = 0, special = 0, integer = 0;
  bool operator==(const Work &) const = default;
};

std::ostream &operator<<(std::ostream &stream, const Work &work) {
  return stream << work.add << " additions, " << work.mul << " multiplications, " << work.div
                << " divisions, " << work.special << " special, " << work.integer << " integer";
}

struct Call {
  std::string type, text; ///< of the result, and the call
  Work work;
};

/// `a`, `b` and `c` are float4, `p`, `q` and `r` int4.
std::vector<Call> calls() {
  constexpr uint64_t n = 4;
  std::vector<Call> all = {
      {"float4", "fma(a, b, c)", {.add = n, .mul = n}},
      {"float4", "mad(a, b, c)", {.add = n, .mul = n}},
      {"float", "mad(a.x, b.x, c.x)", {.add = 1, .mul = 1}},
      {"int4", "ilogb(a)", {.special = n}},
      {"double", "log((double)a.x)", {.special = 1}},
      {"float4", "native_divide(a, b)", {.special = n}},
      {"float4", "half_powr(a, b)", {.special = n}},
      {"float4", "cross(a, b)", {.add = 3, .mul = 6}},
      {"float4", "mix(a, b, c)", {.add = 2 * n, .mul = n}},
      {"float4", "mix(a, b, 0.25f)", {.add = 2 * n, .mul = n}},
      {"float4", "smoothstep(a, b, c)", {.add = 3 * n, .mul = 3 * n, .div = n}},
      {"float4", "smoothstep(0.5f, 2.5f, c)", {.add = 3 * n, .mul = 3 * n, .div = n}},
      {"int4", "clamp(p, q, r)", {.integer = 2 * n}},
      {"int", "mul24(p.x, q.x)", {.integer = 1}},
  };
  const auto add = [&](const std::string &type, const std::string &arguments, const Work &work,
                       std::initializer_list<const char *> names) {
    for (const std::string name : names)
      all.push_back({type, name + arguments, work});
  };
  add("float", "(a, b)", {.add = n - 1, .mul = n}, {"dot"});
  add("float", "(a)", {.add = n - 1, .mul = n, .special = 1}, {"length", "fast_length"});
  add("float", "(a, b)", {.add = 2 * n - 1, .mul = n, .special = 1}, {"distance", "fast_distance"});
  add("float4", "(a)", {.add = n - 1, .mul = n, .div = n, .special = 1},
      {"normalize", "fast_normalize"});
  add("float4", "(a)", {.mul = n}, {"degrees", "radians"});
  add("float4", "(a)", {.special = n},
      {"acos", "ceil", "cospi", "exp10", "native_exp", "half_sqrt", "lgamma", "rint", "rsqrt",
       "trunc"});
  add("float4", "(a, b)", {.special = n}, {"atan2pi", "fmax", "hypot", "nextafter", "pow"});
  add("float4", "(a)", {}, {"fabs", "sign"});
  add("float4", "(a, b)", {}, {"copysign", "max", "min", "step"});
  add("float4", "(a, b, c)", {}, {"clamp"});
  add("int4", "(p, q)", {.integer = n},
      {"add_sat", "hadd", "max", "min", "mul24", "mul_hi", "rhadd", "rotate", "sub_sat"});
  add("int4", "(p)", {.integer = n}, {"clz", "popcount"});
  add("uint4", "(p)", {.integer = n}, {"abs"});
  add("uint4", "(p, q)", {.integer = n}, {"abs_diff"});
  add("int4", "(p, q, r)", {.integer = 2 * n}, {"mad24", "mad_hi", "mad_sat"});
  return all;
}

constexpr uint64_t kItems = 16;

/// Instructions of some calls on a GPU, and of these those in double precision.
const std::map<std::string, std::pair<uint64_t, uint64_t>> kSpecialInstructions = {
    {"fma(a, b, c)", {0, 0}},   {"length(a)", {4, 0}},         {"ceil(a)", {4 * 1, 0}},
    {"exp10(a)", {4 * 13, 0}},  {"native_exp(a)", {4 * 2, 0}}, {"half_powr(a, b)", {4 * 2, 0}},
    {"pow(a, b)", {4 * 40, 0}}, {"log((double)a.x)", {65, 65}}};

/// With the arguments that run_kernels.cpp passes.
std::string kernelOf(const Call &call, const std::string &name) {
  return "kernel void " + name +
         "(global const int *in, global const float *real, global uint *out, global int *counts,\n"
         "  global double *precise, global int *pairs, local int *li, local float *lf) {\n"
         "  const float4 a = ((global const float4 *)real)[1], b = ((global const float4 "
         "*)real)[2],"
         " c = ((global const float4 *)real)[3];\n"
         "  const int4 p = ((global const int4 *)in)[1], q = ((global const int4 *)in)[2],"
         " r = ((global const int4 *)in)[3];\n"
         "  *(global " +
         call.type + " *)out = " + call.text + ";\n}\n";
}

} // namespace

TEST_CASE("builtin functions do the work that is defined for them") {
  const TemporaryFolder folder;
  std::string program, launches;
  std::map<std::string, Call> byName;
  for (const Call &call : calls()) {
    const std::string name = "call_" + std::to_string(byName.size());
    program += kernelOf(call, name);
    launches += name + " " + std::to_string(kItems) + " 1 4 1 -\n";
    byName[name] = call;
  }
  write(folder / "calls.cl", program);
  write(folder / "launches", launches);
  SimulationOptions options;
  options.compiled = GENERATE(false, true);
  const Simulation simulation =
      runApplication({AIWC_TEST_RUN_KERNELS, "calls.cl", "launches"}, folder.path(), options);
  INFO(simulation.errors);
  REQUIRE(simulation.status == 0);
  REQUIRE(simulation.profiles.size() == byName.size());
  for (const WrittenProfile &written : simulation.profiles) {
    const auto &profile = written.profile;
    const Call &call = byName.at(profile.provenance.kernel);
    INFO(call.text);
    const auto each = [&](auto metric) { return profile.count(metric) / kItems; };
    CHECK(Work{each("fp_add"_metric), each("fp_mul"_metric), each("fp_div"_metric),
               each("fp_special"_metric), each("int_ops"_metric)} == call.work);
    if (const auto known = kSpecialInstructions.find(call.text);
        known != kSpecialInstructions.end()) {
      CHECK(each("fp_special_instructions"_metric) == known->second.first);
      CHECK(each("fp_special_instructions_f64"_metric) == known->second.second);
    }
  }
}
