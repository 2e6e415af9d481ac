#include "kernels/random_kernel.h"

#include <vector>

namespace aiwc::test {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions differ by library.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
  /// In [0, bound).
  uint64_t below(uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
  }
  bool oneIn(uint64_t n) { return below(n) == 0; }

private:
  uint64_t state_;
};

constexpr unsigned kLocalSize = 8, kGroups = 3;

/// Writes one kernel. Of every type there are the same variables, so that an expression of a type
/// can be made of any of them.
class Writer {
public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  RandomKernel write() {
    std::string body;
    for (unsigned i = 0, n = 4 + static_cast<unsigned>(random_.below(6)); i < n; ++i)
      body += statement(1, true);
    RandomKernel kernel;
    kernel.source =
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + helpers() +
        "kernel void random(global const int *restrict in, global float *restrict real, "
        "global uint *restrict out, global int *restrict shared_counts, "
        "local int *restrict tile) {\n"
        "  const uint g = get_global_id(0), l = get_local_id(0);\n"
        "  int i0 = in[g], i1 = in[g + 1], i2 = (int)l;\n"
        "  uint u0 = (uint)in[g] * 2654435761u, u1 = g + 3;\n"
        "  long w0 = (long)i0 * 4294967311L, w1 = l;\n"
        "  char c0 = (char)i1; short s0 = (short)(i0 * 100);\n"
        "  float f0 = real[g], f1 = (float)i1 * 0.25f;\n"
        "  double d0 = f0 * 1.5, d1 = i0;\n"
        "  int4 v0 = (int4)(i0, i1, i2, 7); float4 q0 = (float4)(f0, f1, 1.0f, -2.0f);\n"
        "  int table[5] = {i0, 1, 2, 3, i1};\n"
        "  tile[l] = i0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
        body +
        "  out[g] = (uint)(i0 + 3 * i1 + 5 * i2) + u0 + 7 * u1 + (uint)w0 + (uint)w1 + "
        "(uint)c0 + (uint)s0 + (uint)(v0.x + v0.y + v0.z + v0.w) + (uint)table[u0 % 5];\n"
        "  real[g] = f0 + f1 + (float)(d0 + d1) + q0.x + q0.y * q0.z - q0.w;\n}\n";
    const unsigned items = kLocalSize * kGroups;
    kernel.simulation =
        "random.cl\nrandom\n" + std::to_string(items) + " 1 1\n" + std::to_string(kLocalSize) +
        " 1 1\n<size=" + std::to_string(4 * items + 4) +
        " int range=-9:1:" + std::to_string(items - 9) + ">\n<size=" + std::to_string(4 * items) +
        " float range=-2:0.5:" + std::to_string((items - 1) / 2.0 - 2) +
        " dump>\n<size=" + std::to_string(4 * items) +
        " uint fill=0 dump>\n<size=16 int fill=0 dump>\n<size=" + std::to_string(4 * kLocalSize) +
        ">\n";
    return kernel;
  }

private:
  std::string pick(const std::vector<std::string> &choices) {
    return choices[random_.below(choices.size())];
  }

  std::string helpers() {
    return "__attribute__((noinline)) int help_int(int a, uint b) {\n  int own[3] = {a, 5, "
           "(int)b};\n"
           "  own[b % 3] += a * 3;\n  return own[0] ^ own[1] ^ own[2];\n}\n"
           "__attribute__((noinline)) float help_float(float a, float b) {\n"
           "  return a > b ? " +
           pick({"sqrt(fabs(a))", "a * b", "exp(-fabs(b))", "a - b"}) + " : " +
           pick({"sin(b)", "fma(a, b, 1.0f)", "floor(a)"}) + ";\n}\n";
  }

  std::string integer(int depth) {
    if (depth <= 0)
      return pick({"i0", "i1", "i2", "(int)u0", "(int)c0", "(int)s0", "v0.y", "tile[l]", "in[g]",
                   "13", "-4", "table[u1 % 5]", "(int)w0"});
    const std::string a = integer(depth - 1), b = integer(depth - 1);
    switch (random_.below(14)) {
    case 0:
      return "(" + a + " + " + b + ")";
    case 1:
      return "(" + a + " - " + b + ")";
    case 2:
      return "(" + a + " * " + b + ")";
    case 3: // a constant -1 makes the compiler's own folding undefined for the least number
      return "(" + a + " / ((" + b + " & 15) + 1))";
    case 4:
      return "(" + a + " % ((" + b + " & 15) + 1))";
    case 5:
      return "(" + a + " << (" + b + " & 31))";
    case 6:
      return "(" + a + " >> (" + b + " & 31))";
    case 7:
      return "(" + a + pick({" & ", " | ", " ^ "}) + b + ")";
    case 8:
      return pick({"max(", "min(", "mul_hi(", "add_sat(", "sub_sat(", "hadd(", "rotate("}) + a +
             ", " + b + ")";
    case 9:
      return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
    case 10:
      return "help_int(" + a + ", (uint)" + b + ")";
    case 11:
      return "convert_int_sat(" + real(depth - 1) + ")";
    case 12:
      return pick({"(int)popcount(", "(int)clz(", "(int)abs("}) + a + ")";
    default:
      return "(int)(char)(" + a + ")";
    }
  }

  std::string real(int depth) {
    if (depth <= 0)
      return pick({"f0", "f1", "(float)d0", "(float)i0", "q0.x", "q0.w", "0.75f", "real[g]"});
    const std::string a = real(depth - 1), b = real(depth - 1);
    switch (random_.below(7)) {
    case 0:
      return "(" + a + pick({" + ", " - ", " * "}) + b + ")";
    case 1:
      return "(" + a + " / (fabs(" + b + ") + 1.0f))";
    case 2:
      return pick({"sin(", "cos(", "fabs(", "floor(", "rint(", "atan("}) + a + ")";
    case 3:
      return pick({"fmin(", "fmax(", "fmod(", "hypot(", "copysign("}) + a + ", " + b + ")";
    case 4:
      return "fma(" + a + ", " + b + ", " + real(depth - 1) + ")";
    case 5:
      return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
    default:
      return "help_float(" + a + ", " + b + ")";
    }
  }

  std::string condition(int depth) {
    if (random_.oneIn(2))
      return "(" + integer(depth) + pick({" < ", " > ", " == ", " != ", " <= "}) + integer(depth) +
             ")";
    if (random_.oneIn(3))
      return "((" + integer(depth) + " & 1) != 0)";
    return "(" + real(depth) + pick({" < ", " >= "}) + real(depth) + ")";
  }

  std::string assignment() {
    switch (random_.below(12)) {
    case 0:
    case 1:
      return pick({"i0", "i1", "i2"}) + pick({" = ", " += ", " ^= "}) + integer(3) + ";";
    case 2:
      return pick({"u0", "u1"}) + pick({" = ", " += ", " *= "}) + "(uint)" + integer(2) + ";";
    case 3:
      return pick({"w0", "w1"}) + " += (long)" + integer(2) + " * " + pick({"w0", "3L", "w1"}) +
             ";";
    case 4:
      return "c0 = (char)(" + integer(2) + "); s0 += (short)c0;";
    case 5:
    case 6:
      return pick({"f0", "f1"}) + " = " + real(3) + ";";
    case 7:
      return pick({"d0", "d1"}) + " = " + real(2) + pick({" * 0.5;", " + d1;", " - d0 * 0.25;"});
    case 8:
      return "v0 = " +
             pick({"v0.wzyx", "v0 + (int4)(" + integer(1) + ")",
                   "max(v0, (int4)(" + integer(1) + "))", "select(v0, v0 * 3, v0 > 2)",
                   "convert_int4_sat(q0)"}) +
             ";";
    case 9:
      return "q0 = " +
             pick({"q0.yxwz * 0.5f", "q0 + " + real(1), "sin(q0)", "convert_float4(v0)",
                   "fmin(q0, (float4)(" + real(1) + "))"}) +
             ";";
    case 10:
      return "table[(uint)" + integer(1) + " % 5] = " + integer(2) + ";";
    default:
      return pick({"atomic_add", "atomic_max", "atomic_xor", "atomic_or"}) + "(&shared_counts[" +
             pick({"0", "1", "l & 3"}) + "], " + integer(1) + ");";
    }
  }

  /// `uniform`: every work-item of the group gets here, the same number of times.
  std::string statement(int depth, bool uniform) {
    const std::string indent(2 * static_cast<size_t>(depth), ' ');
    const auto block = [&](bool stays) {
      std::string text = "{\n";
      for (unsigned i = 0, n = 1 + static_cast<unsigned>(random_.below(3)); i < n; ++i)
        text += statement(depth + 1, stays);
      return text + indent + "}\n";
    };
    const uint64_t kind = depth > 3 ? 0 : random_.below(10);
    const std::string k = "k" + std::to_string(depth);
    switch (kind) {
    case 4: {
      std::string text = indent + "if (" + condition(2) + ") " + block(false);
      return random_.oneIn(2) ? text + indent + "else " + block(false) : text;
    }
    case 5:
      return indent + "for (int " + k + " = 0; " + k + " < " +
             std::to_string(2 + random_.below(4)) + "; " + k + "++) " + block(uniform);
    case 6:
      return indent + "for (int " + k + " = 0; " + k + " < (" + integer(1) + " & 3); " + k +
             "++) " + block(false);
    case 7:
      return indent + "switch (" + integer(1) + " & 3) {\n" + indent + "case 0: " + assignment() +
             " break;\n" + indent + "case 2: " + assignment() + "\n" + indent +
             "case 3: " + assignment() + " break;\n" + indent + "default: break;\n" + indent +
             "}\n";
    case 8:
      if (!uniform)
        break;
      return indent + "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent + "i2 = tile[(l + " +
             std::to_string(random_.below(kLocalSize)) + ") % get_local_size(0)];\n" + indent +
             "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent + "tile[l] = " + integer(2) + ";\n";
    default:
      break;
    }
    return indent + assignment() + "\n";
  }

  Random random_;
};

} // namespace

RandomKernel randomKernel(uint64_t seed) {
  return Writer(seed).write();
}

} // namespace aiwc::test
