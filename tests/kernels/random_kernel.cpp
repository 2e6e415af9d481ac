#include "kernels/random_kernel.h"

#include "kernels/random_expressions.h"

#include <vector>

namespace aiwc::test {
namespace {

/// Every kernel has 24 work-items in groups of 8.
constexpr unsigned kGroupSize = 8;
constexpr unsigned kShapes[][2][2] = {{{24, 1}, {8, 1}}, {{12, 2}, {4, 2}}, {{6, 4}, {2, 4}}};

class Writer {
public:
  explicit Writer(uint64_t seed) : random_(seed), expressions_(random_, seed) {}

  RandomKernel write(uint64_t seed) {
    RandomKernel kernel;
    kernel.name = "random_" + std::to_string(seed);
    const auto &shape = kShapes[random_.below(std::size(kShapes))];
    for (unsigned d = 0; d < 2; ++d) {
      kernel.global[d] = shape[0][d];
      kernel.local[d] = shape[1][d];
    }
    std::string body;
    for (unsigned i = 0, n = 3 + static_cast<unsigned>(random_.below(4)); i < n; ++i)
      body += statement(1, true, false);
    kernel.source =
        expressions_.helpers() + "kernel void " + kernel.name +
        "(global const int *restrict in, global float *restrict real, "
        "global uint *restrict out, global int *restrict shared_counts, "
        "global double *restrict precise, global pair *restrict pairs, local int *restrict tile, "
        "local float *restrict row, read_only image2d_t picture, sampler_t filter, "
        "write_only image2d_t canvas) {\n"
        "  const uint g = get_global_id(0) + get_global_size(0) * get_global_id(1);\n"
        "  const uint l = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
        "  int i0 = in[g], i1 = in[g + 1], i2 = (int)l;\n"
        "  uint u0 = (uint)in[g] * 2654435761u, u1 = g + 3;\n"
        "  long w0 = (long)i0 * 4294967311L, w1 = l; ulong x0 = (ulong)w0 * "
        "11400714819323198485UL;\n"
        "  char c0 = (char)i1; uchar b0 = (uchar)(i0 * 7); short s0 = (short)(i0 * 100);\n"
        "  ushort t0 = (ushort)(i1 * 1000);\n"
        "  float f0 = real[g], f1 = (float)i1 * 0.25f;\n"
        "  double d0 = f0 * 1.5, d1 = precise[g];\n"
        "  int4 v0 = (int4)(i0, i1, i2, 7); float4 q0 = (float4)(f0, f1, 1.0f, -2.0f);\n"
        "  half h0 = (half)f0; half4 k0 = convert_half4_rtz(q0);\n"
        "  uchar4 y0 = convert_uchar4(v0); double2 e0 = (double2)(d0, d1); long2 z0 = (long2)(w0, "
        "w1);\n"
        "  int table[5] = {i0, 1, 2, 3, i1};\n"
        "  pair p0 = pairs[g], p1 = {c0, w1, {f0, f1}};\n"
        "  tile[l] = i0;\n  row[l] = f1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
        body +
        "  out[g] = (uint)(i0 + 3 * i1 + 5 * i2) + u0 + 7 * u1 + (uint)w0 + (uint)w1 + (uint)x0 + "
        "(uint)c0 + (uint)b0 + (uint)s0 + (uint)t0 + (uint)(v0.x + v0.y + v0.z + v0.w) + "
        "(uint)table[u0 % 5] + (uint)(y0.x + y0.y * y0.z - y0.w) + (uint)(z0.x ^ z0.y) + "
        "(uint)p0.kind + (uint)p1.weight;\n"
        "  real[g] = f0 + f1 + (float)(d0 + d1) + q0.x + q0.y * q0.z - q0.w + p1.place[0] + "
        "(float)(h0 + k0.x - k0.y * k0.z) + (float)k0.w;\n"
        "  precise[g] = d0 - d1 * 0.5 + e0.x + e0.y + p0.place[1];\n"
        "  p1.kind ^= p0.kind;\n  pairs[g] = p1;\n}\n";
    return kernel;
  }

private:
  /// `uniform`: every work-item of the group gets here, the same number of times. `loop`: within
  /// one that may be left early.
  std::string statement(int depth, bool uniform, bool loop) {
    const std::string indent(2 * static_cast<size_t>(depth), ' ');
    const auto block = [&](bool stays, bool inLoop) {
      std::string text = "{\n";
      for (unsigned i = 0, n = 1 + static_cast<unsigned>(random_.below(3)); i < n; ++i)
        text += statement(depth + 1, stays, inLoop);
      return text + indent + "}\n";
    };
    const uint64_t kind = depth > 3 ? 0 : random_.below(15);
    const std::string k = "k" + std::to_string(depth);
    switch (kind) {
    case 4: {
      std::string text = indent + "if (" + expressions_.condition(2) + ") " + block(false, loop);
      return random_.oneIn(2) ? text + indent + "else " + block(false, loop) : text;
    }
    case 5:
      return indent + "for (int " + k + " = 0; " + k + " < " +
             std::to_string(2 + random_.below(4)) + "; " + k + "++) " + block(uniform, !uniform);
    case 6:
      return indent + "for (int " + k + " = 0; " + k + " < (" + expressions_.integer(1) +
             " & 3); " + k + "++) " + block(false, true);
    case 7:
      return switchOver(indent);
    case 8:
      return uniform ? exchange(indent) : indent + expressions_.assignment() + "\n";
    case 9: {
      const std::string body = block(false, true);
      return indent + "{\n" + indent + "int " + k + " = 0;\n" + indent + "do " + body + indent +
             "while (" + k + "++ < 4 && " + expressions_.condition(1) + ");\n" + indent + "}\n";
    }
    case 10:
      if (loop)
        return indent + "if (" + expressions_.condition(1) + ") " +
               random_.pick({"break", "continue"}) + ";\n";
      break;
    case 11:
      if (uniform)
        return copy(indent);
      break;
    case 13:
      return look(indent);
    case 14:
      return indent + "write_imagef(canvas, (int2)(g % 6, g / 6), " +
             random_.pick({"q0", "q0 * 0.01f", "(float4)(f0, f1, 0.5f, 1.0f)"}) + ");\n";
    default:
      break;
    }
    return indent + expressions_.assignment() + "\n";
  }

  std::string switchOver(const std::string &indent) {
    const unsigned cases = 2 + static_cast<unsigned>(random_.below(7));
    std::string text = indent + "switch (" + expressions_.selector() + " & " +
                       random_.pick({"3", "7", "15"}) + ") {\n";
    for (unsigned i = 0; i < cases; ++i)
      text += indent + "case " + std::to_string(i + i / 3) + ": " + expressions_.assignment() +
              (random_.oneIn(3) ? "\n" : " break;\n");
    return text + indent + "default: " + (random_.oneIn(2) ? expressions_.assignment() : "break;") +
           "\n" + indent + "}\n";
  }

  /// Work-items read what another one has left in local memory.
  std::string exchange(const std::string &indent) {
    const std::string other = "(l + " + std::to_string(random_.below(kGroupSize)) + ") % 8";
    if (random_.oneIn(3))
      return indent + "i2 ^= exchanged(tile, l, " + expressions_.integer(2) + ", " + other + ");\n";
    if (random_.oneIn(2))
      return indent + "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent + "f1 = row[" + other + "];\n" +
             indent + "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent +
             "row[l] = " + expressions_.real(2) + ";\n";
    return indent + "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n" + indent +
           "i2 = tile[" + other + "];\n" + indent + "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent +
           "tile[l] = " + expressions_.integer(2) + ";\n";
  }

  /// The group copies between global and local memory.
  std::string copy(const std::string &indent) {
    const std::string first = std::to_string(random_.below(8));
    const std::string make =
        random_.oneIn(2) ? "async_work_group_copy(tile, in + " + first + ", 8, 0)"
                         : "async_work_group_strided_copy(tile, in + " + first + ", 8, 2, 0)";
    return indent + "barrier(CLK_LOCAL_MEM_FENCE);\n" + indent + "{\n" + indent +
           "  event_t copied = " + make + ";\n" + indent + "  wait_group_events(1, &copied);\n" +
           indent + "}\n" + indent + "i1 ^= tile[(l + 3) % 8];\n" + indent +
           "barrier(CLK_LOCAL_MEM_FENCE);\n";
  }

  /// The 6 x 4 pixels of the image, or what the sampler finds around them.
  std::string look(const std::string &indent) {
    const std::string sampler = random_.pick({"filter, ", "filter, ", "mirrored, "});
    if (random_.oneIn(3))
      return indent + "q0 += read_imagef(picture, (int2)(" + expressions_.integer(1) + " & 3, " +
             std::to_string(random_.below(4)) + "));\n";
    return indent + random_.pick({"q0", "q0.wzyx"}) + " = read_imagef(picture, " + sampler +
           "(float2)(" + expressions_.real(1) + ", " + expressions_.real(1) + ")) - q0;\n";
  }

  Random random_;
  Expressions expressions_;
};

/// Kernels whose work-items go together most of the time.
class WideWriter {
public:
  explicit WideWriter(uint64_t seed) : random_(seed ^ 0x77696465) {}

  RandomKernel write(uint64_t seed) {
    constexpr unsigned kWideShapes[][2][2] = {
        {{64, 1}, {16, 1}}, {{32, 4}, {8, 2}}, {{96, 1}, {24, 1}}, {{64, 2}, {32, 2}},
        {{40, 1}, {20, 1}}, {{8, 12}, {8, 3}}, {{64, 1}, {64, 1}}, {{12, 8}, {4, 4}}};
    RandomKernel kernel;
    kernel.name = "random_wide_" + std::to_string(seed);
    const auto &shape = kWideShapes[random_.below(std::size(kWideShapes))];
    for (unsigned d = 0; d < 2; ++d) {
      kernel.global[d] = shape[0][d];
      kernel.local[d] = shape[1][d];
    }
    group_ = std::to_string(kernel.local[0] * kernel.local[1]);
    kernel.isFaulty = random_.oneIn(25);
    std::string body;
    for (unsigned i = 0, n = 3 + static_cast<unsigned>(random_.below(7)); i < n; ++i)
      body += statement(1, true);
    if (kernel.isFaulty) // beyond the end of one buffer, of one work-item
      body += "  out[g + (g == n - " + std::to_string(1 + random_.below(8)) + ") * n] = u0;\n";
    kernel.source =
        "kernel void " + kernel.name +
        "(global const int *in, global float *real, global uint *out, global int *counts, "
        "global double *precise, global pair *pairs, local int *tile, local float *row) {\n"
        "  const uint n = get_global_size(0) * get_global_size(1);\n"
        "  const uint g = get_global_id(0) + get_global_size(0) * get_global_id(1);\n"
        "  const uint l = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
        "  const int x = get_global_id(0), y = get_global_id(1);\n"
        "  int i0 = x, i1 = y + 2; uint u0 = g * 2654435761u; long w0 = g; double d0 = x;\n"
        "  float f0 = x * 0.5f, f1 = 1.0f; float4 q0 = (float4)(f0, 1.0f, 2.0f, f1);\n"
        "  tile[l] = 0; row[l] = 0;\n"
        "  pair own = {x, g, {f0, f1}}; float few[6];\n"
        "  for (int k = 0; k < 6; ++k) few[k] = f0 * k;\n" +
        (random_.oneIn(2) ? barrier(1) : "") + body + "  " +
        random_.pick({"out[g] = u0 + (uint)i0 + (uint)i1 + (uint)w0;\n",
                      "real[g] = f0 + f1 + (float)d0 + q0.x - q0.w;\n",
                      "precise[g] = d0 + f0 + q0.z + i0;\n", "counts[g & 3] = (int)u0;\n",
                      "out[g] = u0; out[(g + 1) % n] = (uint)i0;\n",
                      "if (g < n - 3) { out[g] = u0 ^ (uint)i0; precise[n - 1 - g] = d0 + f1; }\n",
                      "out[2 * (g / 2)] = u0 + (uint)i0; out[2 * (g / 2) + 1] = (uint)i1;\n",
                      "pairs[g].kind = i0; pairs[g].place[1] = f0; precise[g] = q0.y;\n"}) +
        "}\n";
    return kernel;
  }

private:
  static std::string barrier(int depth) {
    return std::string(2 * static_cast<size_t>(depth), ' ') +
           "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
  }

  /// An index below the number of work-items.
  std::string index() {
    std::string k = "1";
    if (!loops_.empty())
      k = loops_[random_.below(loops_.size())];
    return random_.pick({"g", "g", "g", "g", "n - 1 - g", "(g + " + k + ") % n", "(g * 3) % n",
                         "g / 2", "g & ~3u", k + " % n", "min(g + 1, n - 1)", "(uint)x",
                         "(uint)(x + y) % n", "(g ^ 1) % n", "((uint)in[g] & 7)"});
  }

  std::string condition() {
    return random_.pick({"x < 8", "g < n - 2", "in[g] & 1", "n > 4", "y == 0", "f0 < 3.0f",
                         "(x & 7) < 7", "i0 != 5", "isnan(f0)", "get_group_id(0) == 1"});
  }

  std::string assignment() {
    const std::string at = index();
    const auto of = [&](const char *begin, const char *end) { return begin + at + end; };
    return random_.pick({of("f0 = real[", "] + f1;"),
                         of("i0 += in[", "];"),
                         of("d0 = precise[", "] * 1.25;"),
                         "f1 = row[(" + at + ") % " + group_ + "];",
                         "i1 ^= tile[(" + at + ") % " + group_ + "];",
                         of("q0 += (float4)(real[", "]);"),
                         of("w0 += pairs[", "].weight;"),
                         "i0 = i0 / (i1 | 1);",
                         "i1 = i0 % 7;",
                         "u0 = u0 * 1664525u + 1013904223u;",
                         "f0 = f0 * f1 - 0.5f;",
                         "f1 = sqrt(f0);",
                         "f0 = native_recip(f1 + 2.0f);",
                         "d0 = d0 / (double)(i0 + 40);",
                         "f0 = (i0 & 3) == 3 ? f1 : f0 + 1.0f;",
                         "q0 = q0.wzyx * f0;",
                         "q0.y = dot(q0, q0);",
                         "i0 = (int)f0;",
                         "i0 = convert_int_sat(d0);",
                         "w0 = (w0 << 3) ^ i0;",
                         "d0 = exp(d0 * 0.01);",
                         "f1 = fmin(f0, f1);",
                         "i1 = clamp(i0, -5, 60);",
                         "u0 ^= rotate(u0, 5u);",
                         "f0 = (f0 - f0) / (f1 - f1);",
                         "f0 = fma(f0, f1, q0.x);",
                         "i0 = abs(i1) + popcount(u0);",
                         "i1 = mad24(i0, 3, i1);",
                         "f0 = as_float(0x7fc00000u | (u0 & 255u));",
                         "f1 = weighed(own, f0);",
                         "own.place[0] = f1; own.weight += i0; w0 ^= own.weight;",
                         "spread(few, 3, f0); f1 = few[u0 % 6];",
                         "spread(few + 2, (n & 3) + 1, f1);",
                         "few[(" + at + ") % 6] = f0; f1 = few[2] - few[5];",
                         of("f1 = fetched(real, ", ");"),
                         of("own = changed(pairs, ", ", own);")});
  }

  std::string store() {
    const std::string at = index(), also = index();
    return random_.pick(
        {"out[" + at + "] = u0;", "real[" + at + "] = f0;", "precise[" + at + "] = d0;",
         "out[" + at + "] += (uint)i0;", "real[" + at + "] = real[" + also + "] + 1.0f;",
         "pairs[" + at + "].place[0] = f1;", "out[g] = u0; out[(g + 1) % n] = (uint)i0;",
         "precise[g] = f0; precise[g] = d0; precise[(g + 8) % n] = i0;", "counts[0] = (int)g;",
         "counts[" + at + " & 3] = i0;", "atomic_add(&counts[1], i0);",
         "vstore4(q0, (" + at + ") / 4, real);"});
  }

  std::string statement(int depth, bool uniform) {
    const std::string indent(2 * static_cast<size_t>(depth), ' ');
    const std::string k = "k" + std::to_string(depth);
    const auto block = [&](bool stays) {
      std::string text = "{\n";
      for (unsigned i = 0, n = 1 + static_cast<unsigned>(random_.below(3)); i < n; ++i)
        text += statement(depth + 1, stays);
      return text + indent + "}\n";
    };
    switch (depth > 3 ? 0 : random_.below(14)) {
    case 1:
      return indent + "if (" + condition() + ") " + block(false);
    case 2:
    case 3: {
      loops_.push_back(k);
      const std::string bound = random_.pick({"4", "(int)(n & 15)", "3"});
      std::string text = indent + "for (int " + k + " = 0; " + k + " < " + bound + "; " + k +
                         "++) " + block(uniform);
      loops_.pop_back();
      return text;
    }
    case 4: {
      loops_.push_back(k);
      const std::string bound =
          random_.pick({"(in[g] & 3)", "(x & 8 ? 5 : 2)", "(int)(l / 16 + 1)"});
      std::string text = indent + "for (int " + k + " = 0; " + k + " < " + bound + "; " + k +
                         "++) " + block(false);
      loops_.pop_back();
      return text;
    }
    case 5:
    case 6:
      return indent + store() + "\n";
    case 7:
      if (uniform)
        return indent + "tile[l] = i0;\n" + barrier(depth) + indent + "i1 += tile[(l + " +
               std::to_string(random_.below(9)) + ") % " + group_ + "];\n" + barrier(depth);
      break;
    case 8:
      if (uniform)
        return indent + "row[" + random_.pick({"l", "(l * 5) % " + group_, "l / 2"}) + "] = f0;\n" +
               barrier(depth);
      break;
    case 9:
      return indent + "switch (" + random_.pick({"i0 & 3", "x / 8", "(int)(n & 3)"}) + ") {\n" +
             indent + "case 0: " + assignment() + " break;\n" + indent +
             "case 1: case 3: " + assignment() + "\n" + indent + "default: " + assignment() + "\n" +
             indent + "}\n";
    default:
      break;
    }
    return indent + assignment() + "\n";
  }

  Random random_;
  std::string group_;              ///< number of work-items in a group
  std::vector<std::string> loops_; ///< the variables of the loops around
};

/// Every part of such a kernel folds its work into `sum`, of the type `type_`.
class LargeWriter {
public:
  explicit LargeWriter(uint64_t seed) : random_(seed ^ 0x6c61726765) {}

  RandomKernel write(uint64_t seed) {
    constexpr unsigned kLargeShapes[][2] = {{1024, 1024}, {512, 256}, {64, 16}, {24, 8}};
    RandomKernel kernel;
    kernel.name = "random_large_" + std::to_string(seed);
    const uint64_t shape = random_.below(std::size(kLargeShapes));
    isCrowded_ = shape < 2;
    kernel.global[0] = kLargeShapes[shape][0];
    kernel.local[0] = kLargeShapes[shape][1];
    kernel.global[1] = kernel.local[1] = 1;
    items_ = std::to_string(kernel.global[0]);
    group_ = std::to_string(kernel.local[0]);
    type_ = random_.pick({"float", "double", "double4", "double16"});
    std::string functions, body;
    const uint64_t parts = 1 + random_.below(15); // a set of the four
    if (parts & 1)
      body += chain(functions, seed);
    if (parts & 2)
      body += values();
    if (parts & 4)
      body += array();
    if (parts & 8)
      body += loops();
    kernel.source = functions + "kernel void " + kernel.name +
                    "(global const int *restrict in, global float *restrict real, "
                    "global uint *restrict out, global int *restrict shared_counts, "
                    "global double *restrict precise, global pair *restrict pairs, "
                    "local int *restrict tile, local float *restrict row) {\n"
                    "  const uint g = get_global_id(0), l = get_local_id(0);\n"
                    "  uint u = (uint)in[g] * 2654435761u;\n  " +
                    type_ + " sum = (" + type_ + ")(real[g]);\n" + body +
                    "  precise[g] = " + scalar() + ";\n  out[g] = u;\n}\n";
    return kernel;
  }

private:
  /// One number that depends on all of `sum` that is looked at.
  std::string scalar() const {
    return type_ == "double4" ? "sum.x - sum.w" : type_ == "double16" ? "sum.s3 + sum.se" : "sum";
  }

  std::string count(uint64_t least, uint64_t most) {
    return std::to_string(least + random_.below(most - least));
  }

  std::string chain(std::string &functions, uint64_t seed) {
    const uint64_t depth = isCrowded_ ? 20 : 50 + random_.below(150);
    const std::string name = "link_" + std::to_string(seed) + "_";
    for (uint64_t i = 0; i <= depth; ++i)
      functions += "__attribute__((noinline)) " + type_ + " " + name + std::to_string(i) + "(" +
                   type_ + " a, " + type_ + " b) {\n  const " + type_ + " c = a * 0.5f " +
                   random_.pick({"+", "-", "*"}) + " b;\n  return " +
                   (i == 0 ? "c" : name + std::to_string(i - 1) + "(c, a)") + " " +
                   random_.pick({"+", "-"}) + " c * 0.25f;\n}\n";
    return "  sum = " + name + std::to_string(depth) + "(sum, sum + 1);\n";
  }

  std::string values() {
    const uint64_t n = isCrowded_ ? 40 : 100 + random_.below(500);
    std::string text;
    for (uint64_t i = 0; i < n; ++i)
      text += "  const " + type_ + " v" + std::to_string(i) + " = (" + type_ + ")(real[(g + " +
              std::to_string(i) + ") % " + items_ + "]) " + random_.pick({"+", "*"}) + " " +
              count(2, 9) + ";\n";
    text += "  barrier(CLK_GLOBAL_MEM_FENCE);\n";
    for (uint64_t i = 0; i < n; ++i)
      text += "  sum = sum * 0.75f + v" + std::to_string(i) + ";\n";
    return text;
  }

  std::string array() {
    return "  int large[16384];\n  for (uint k = 0; k < 8; ++k)\n    large[(u + k * " +
           count(1, 9000) +
           "u) & 16383] = (int)(k * u) + in[g];\n  large[u & 16383] += 1;\n"
           "  for (uint k = 0; k < 8; ++k)\n    large[(u + k) & 16383] = (int)k;\n"
           "  u += (uint)large[(u + 3) & 16383];\n";
  }

  std::string loops() {
    return "  for (int j = 0; j < " + count(1, 4) +
           "; ++j) {\n    for (int k = 0; k <= j; ++k) {\n"
           "      tile[l] = (int)u + k;\n      barrier(CLK_LOCAL_MEM_FENCE);\n"
           "      u = u * 31 + (uint)tile[(l + " +
           count(1, 7) + ") % " + group_ +
           "];\n      barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    row[l] = (float)j;\n"
           "    barrier(CLK_LOCAL_MEM_FENCE);\n    sum += row[(l + 1) % " +
           group_ + "];\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n";
  }

  Random random_;
  bool isCrowded_ = false; ///< has so many work-items that each does little
  std::string items_, group_, type_;
};

} // namespace

RandomKernel randomLargeKernel(uint64_t seed) {
  return LargeWriter(seed).write(seed);
}

RandomKernel randomWideKernel(uint64_t seed) {
  return WideWriter(seed).write(seed);
}

std::string randomPrelude() {
  return "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
         "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
         "typedef struct { int kind; long weight; float place[2]; } pair;\n"
         "typedef union { ulong w; uint h[2]; ushort q[4]; uchar b[8]; } word;\n"
         "typedef uchar any_uchar __attribute__((may_alias));\n"
         "typedef ushort any_ushort __attribute__((may_alias));\n"
         "typedef uint any_uint __attribute__((may_alias));\n"
         "typedef ulong any_ulong __attribute__((may_alias));\n"
         "typedef uint2 any_uint2 __attribute__((may_alias));\n"
         "typedef uint4 any_uint4 __attribute__((may_alias));\n"
         "constant int lookup[8] = {3, -1, 4, 1, -5, 9, 2, 6};\n"
         "constant sampler_t mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | "
         "CLK_FILTER_LINEAR;\n"
         "__attribute__((noinline)) int exchanged(local int *tile, int l, int value, int other) {\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  tile[l] = value;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  return tile[other] - l;\n"
         "}\n"
         "__attribute__((noinline)) float weighed(pair p, float f) {\n"
         "  p.place[1] *= f;\n"
         "  return p.place[p.kind & 1] * f + (float)p.kind;\n"
         "}\n"
         "__attribute__((noinline)) void spread(float *few, uint count, float f) {\n"
         "  for (uint k = 0; k < count; ++k)\n"
         "    few[k] = few[count - 1 - k] + f;\n"
         "}\n"
         "__attribute__((noinline)) float fetched(global const float *from, uint at) {\n"
         "  return from[at] * 0.5f;\n"
         "}\n"
         "__attribute__((noinline)) pair changed(global pair *pairs, uint at, pair own) {\n"
         "  own.kind ^= pairs[at].kind;\n"
         "  own.place[0] += pairs[at].place[1];\n"
         "  return own;\n"
         "}\n";
}

RandomKernel randomKernel(uint64_t seed) {
  return Writer(seed).write(seed);
}

} // namespace aiwc::test
