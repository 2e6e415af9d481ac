#include "kernels/random_expressions.h"

namespace aiwc::test {

std::string Expressions::helpers() {
  return "__attribute__((noinline)) int help_int_" + suffix_ +
         "(int a, uint b) {\n  int own[3] = {a, 5, (int)b};\n"
         "  own[b % 3] += a * 3;\n  return own[0] ^ own[1] ^ own[2];\n}\n"
         "__attribute__((noinline)) float help_float_" +
         suffix_ + "(float a, float b) {\n  return a > b ? " +
         pick({"sqrt(fabs(a))", "a * b", "exp(-fabs(b))", "a - b"}) + " : " +
         pick({"sin(b)", "fma(a, b, 1.0f)", "floor(a)"}) +
         ";\n}\n"
         "__attribute__((noinline)) pair help_pair_" +
         suffix_ +
         "(pair a, int b) {\n  if (b > 0)\n    return a;\n"
         "  a.kind += b;\n  a.place[b & 1] *= 0.5f;\n  " +
         pick({"a.weight -= b;", "a.weight <<= b & 7;", "a.kind = (int)a.weight;"}) +
         "\n  return a;\n}\n";
}

std::string Expressions::integer(int depth) {
  if (depth <= 0)
    return pick({"i0", "i1", "i2", "(int)u0", "(int)c0", "(int)s0", "v0.y", "tile[l]", "in[g]",
                 "13", "-4", "table[u1 % 5]", "(int)w0", "lookup[u0 & 7]", "(int)b0", "(int)t0",
                 "(int)y0.z", "p0.kind", "(int)p1.weight"});
  const std::string a = integer(depth - 1), b = integer(depth - 1);
  switch (random_.below(16)) {
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
    return pick({"max(", "min(", "mul_hi(", "add_sat(", "sub_sat(", "hadd(", "rhadd(", "rotate(",
                 "mul24(", "(int)abs_diff("}) +
           a + ", " + b + ")";
  case 9:
    return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
  case 10:
    return "help_int_" + suffix_ + "(" + a + ", (uint)" + b + ")";
  case 11:
    return "convert_int_sat(" + real(depth - 1) + ")";
  case 12:
    return pick({"(int)popcount(", "(int)clz(", "(int)abs(", "(int)__builtin_bitreverse32(",
                 "(int)__builtin_bswap32(", "__builtin_elementwise_abs(", "__builtin_popcount("}) +
           a + ")";
  case 13:
    return "(int)" + wide(depth - 1);
  case 14:
    return pick({"any(", "all("}) + pick({"v0 > ", "v0 == ", "v0 <= "}) + "(int4)(" + a + "))";
  default:
    return pick({"(int)(char)(", "(int)(uchar)(", "(int)(short)(", "(int)(ushort)("}) + a + ")";
  }
}

std::string Expressions::wide(int depth) {
  if (depth <= 0)
    return pick({"w0", "w1", "(long)x0", "(long)i0", "p0.weight", "z0.y", "9000000001L"});
  const std::string a = wide(depth - 1), b = wide(depth - 1);
  switch (random_.below(7)) {
  case 0:
    return "(" + a + pick({" + ", " - ", " * ", " ^ ", " & "}) + b + ")";
  case 1:
    return "(" + a + pick({" / ", " % "}) + "((" + b + " & 255) + 3))";
  case 2:
    return "(" + a + pick({" << (", " >> ("}) + b + " & 63))";
  case 3:
    return pick({"max(", "min(", "mul_hi(", "rotate("}) + a + ", " + b + ")";
  case 4:
    return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
  case 5:
    return "(long)((ulong)" + a + pick({" / ", " % ", " >> "}) + "(((ulong)" + b + " & 31) + 1))";
  default:
    return "(long)" + integer(depth - 1);
  }
}

std::string Expressions::real(int depth) {
  if (depth <= 0)
    return pick({"f0", "f1", "(float)d0", "(float)i0", "q0.x", "q0.w", "0.75f", "real[g]", "row[l]",
                 "p0.place[0]", "(float)w1", "(float)x0", "dot(q0, q0.yxwz)", "length(q0.xyz)"});
  const std::string a = real(depth - 1), b = real(depth - 1);
  switch (random_.below(8)) {
  case 0:
    return "(" + a + pick({" + ", " - ", " * "}) + b + ")";
  case 1:
    return "(" + a + " / (fabs(" + b + ") + 1.0f))";
  case 2:
    return pick({"sin(", "cos(", "fabs(", "floor(", "rint(", "atan(", "tanh(", "native_cos("}) + a +
           ")";
  case 3:
    return pick({"fmin(", "fmax(", "min(", "max(", "step(", "fmod(", "hypot(", "copysign("}) + a +
           ", " + b + ")";
  case 4:
    return pick({"fma(", "mad(", "mix(", "clamp(", "smoothstep("}) + a + ", " + b + ", " +
           real(depth - 1) + ")";
  case 5:
    return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
  case 6:
    return "(float)" + precise(depth - 1);
  default:
    return "help_float_" + suffix_ + "(" + a + ", " + b + ")";
  }
}

std::string Expressions::precise(int depth) {
  if (depth <= 0)
    return pick({"d0", "d1", "e0.y", "(double)f0", "(double)w0", "(double)u0", "precise[g]"});
  const std::string a = precise(depth - 1), b = precise(depth - 1);
  switch (random_.below(4)) {
  case 0:
    return "(" + a + pick({" + ", " - ", " * "}) + b + ")";
  case 1:
    return pick({"fabs(", "floor(", "cbrt(", "sin("}) + a + ")";
  case 2:
    return pick({"fmin(", "fmax("}) + a + ", " + b + ")";
  default:
    return "(" + condition(depth - 1) + " ? " + a + " : " + b + ")";
  }
}

std::string Expressions::condition(int depth) {
  if (random_.oneIn(5)) {
    const std::string a = condition(depth - 1);
    return random_.oneIn(2) ? "!" + a
                            : "(" + a + pick({" && ", " || ", " != "}) + condition(depth - 1) + ")";
  }
  if (random_.oneIn(2))
    return "(" + integer(depth) + pick({" < ", " > ", " == ", " != ", " <= "}) + integer(depth) +
           ")";
  if (random_.oneIn(3))
    return "((" + integer(depth) + " & 1) != 0)";
  if (random_.oneIn(3))
    return "(" + wide(depth) + pick({" < ", " >= "}) + wide(depth) + ")";
  return "(" + real(depth) + pick({" < ", " >= "}) + real(depth) + ")";
}

std::string Expressions::selector() {
  return "help_int_" + suffix_ + "(" + integer(1) + ", u1)";
}

std::string Expressions::integerVector() {
  return pick({"v0.wzyx", "v0 + (int4)(" + integer(1) + ")", "max(v0, (int4)(" + integer(1) + "))",
               "select(v0, v0 * 3, v0 > 2)", "convert_int4_sat(q0)", "convert_int4_rte(q0)",
               "isless(q0, q0.zwxy)", "(v0 == v0.yxwz) & 7", "vload4(0, in + g % 8)",
               "convert_int4(y0)", "v0 >> (v0.yzwx & 31)", "(int4)(v0.lo, convert_int2(z0))"});
}

std::string Expressions::realVector() {
  return pick({"q0.yxwz * 0.5f", "q0 + " + real(1), "sin(q0)", "convert_float4(v0)",
               "fmin(q0, (float4)(" + real(1) + "))", "select(q0, q0.wzyx, q0 > 1.0f)",
               "convert_float4(y0)", "(float4)(q0.xy, convert_float2(e0))", "cross(q0, q0.yzxw)",
               "normalize(q0)", "clamp(q0, -1.0f, q0.x)"});
}

std::string Expressions::atomic() {
  if (random_.oneIn(4))
    return "i1 += atomic_cmpxchg(&shared_counts[3], " + integer(1) + ", i0);";
  if (random_.oneIn(4))
    return pick({"atomic_inc", "atomic_dec"}) + "(&shared_counts[1]);";
  return pick({"atomic_add", "atomic_sub", "atomic_max", "atomic_min", "atomic_xor", "atomic_or",
               "atomic_and", "i0 ^= atomic_xchg"}) +
         "(&shared_counts[" + pick({"0", "1", "l & 3"}) + "], " + integer(1) + ");";
}

std::string Expressions::throughPointer() {
  return pick({"f0 = sincos(" + real(1) + ", &f1);", "f1 = fract(" + real(1) + ", &row[l]);",
               "f0 = frexp(" + real(1) + ", &i2);", "d1 = modf(" + precise(1) + ", &d0);",
               "q0 = fract(q0.wxyz, &q0);", "f1 = remquo(f0, 1.75f, &i1);",
               "vstore_half(f0, 0, (local half *)&row[l]);",
               "f0 = vload_half(1, (local half *)&row[l]);",
               "vstore2(convert_int2(e0 > d0), 0, &table[u1 & 3]);"});
}

std::string Expressions::idiom() {
  return pick({"u0 = u1 << (i0 & 31) | u1 >> (-i0 & 31);", "u0 = u0 << 7 | u0 >> 25;",
               "w0 = (long)((ulong)w1 << 19 | (ulong)w1 >> 45);", "u1 = u0 > u1 ? u0 - u1 : 0;",
               "u0 = u0 + u1 < u1 ? UINT_MAX : u0 + u1;", "i0 = i1 < 0 ? -i1 : i1;",
               "w1 = w0 < 0 ? -w0 : w0;", "i1 = i0 > i2 ? i0 : i2;",
               "b0 = (uchar)(b0 << 3 | b0 >> 5);", "v0 = v0 < 0 ? -v0 : v0;",
               "v0 = as_int4(as_uint4(v0) << 5 | as_uint4(v0) >> 27);",
               "f0 = __builtin_copysignf(f0, f1);", "d0 = __builtin_fmin(d0, d1);"});
}

std::string Expressions::half() {
  return pick({"h0 = fma(h0, k0.y, (half)" + real(1) + ");", "h0 = (half)(" + real(1) + ") / h0;",
               "k0 = k0.wzyx * h0 - (half4)(1.5h, h0, 0.1h, (half)i0);", "k0 = -fmax(k0, k0.yxwz);",
               "k0 = clamp(k0 + convert_half4(q0), (half4)(-1000.0h), (half4)(1.0e3h));",
               "h0 = sqrt(fabs(k0.x)) + dot(k0, k0.yzwx);", "i1 += convert_int_sat_rte(k0.z);",
               "v0 ^= convert_int4(k0 < k0.wxyz ? as_short4(k0) : (short4)(u0));",
               "k0 = select(k0, exp(k0), isless(k0, (half4)(2.0h)));",
               "h0 = " + condition(1) + " ? h0 : 0.25h;", "f1 = h0 * 0.5f + (float)k0.w;",
               "h0 = convert_half_rtz(" + precise(1) + ") - (half)" + integer(1) + ";",
               "if (h0 != k0.x) b0 += (uchar)as_ushort(h0);"});
}

std::string Expressions::assignment() {
  switch (random_.below(21)) {
  case 19:
  case 20:
    return half();
  case 18:
    return idiom();
  case 0:
  case 1:
    return pick({"i0", "i1", "i2"}) + pick({" = ", " += ", " ^= "}) + integer(2) + ";";
  case 2:
    return pick({"u0", "u1"}) + pick({" = ", " += ", " *= "}) + "(uint)" + integer(2) + ";";
  case 3:
    return pick({"w0", "w1"}) + pick({" += ", " = ", " ^= "}) + wide(2) + ";";
  case 4:
    return "c0 = (char)(" + integer(2) + "); s0 += (short)c0; b0 -= (uchar)c0; t0 >>= b0 & 7;";
  case 5:
  case 6:
    return pick({"f0", "f1"}) + " = " + real(2) + ";";
  case 7:
    return pick({"d0", "d1"}) + " = " + precise(2) + pick({" * 0.5;", " + d1;", " - d0 * 0.25;"});
  case 8:
    return "v0 = " + integerVector() + ";";
  case 9:
    return "q0 = " + realVector() + ";";
  case 10:
    return "table[(uint)" + integer(1) + " % 5] = " + integer(2) + ";";
  case 11:
    return "x0 " + pick({"+= ", "*= ", "^= "}) + "(ulong)" + wide(1) + ";";
  case 12:
    return pick({"y0 = convert_uchar4_sat(v0);", "y0 += (uchar4)(3, 1, 4, (uchar)i0);",
                 "y0 = (y0 << (uchar4)(1)) ^ y0.wzyx;", "y0 = abs_diff(y0, y0.yxwz);"});
  case 13:
    return pick({"e0 = e0.yx * 0.5 + " + precise(1) + ";", "e0 = fabs(e0 - d0);",
                 "z0 += convert_long2(v0.xw);", "z0 = z0.yx - " + wide(1) + ";"});
  case 14:
    return pick({"p0 = help_pair_" + suffix_ + "(p1, " + integer(1) + ");",
                 "p1 = " + condition(1) + " ? p0 : p1;",
                 "p1 = help_pair_" + suffix_ + "(p0, i0 & 1);",
                 "p1.place[u0 & 1] = " + real(1) + ";", "p0.weight = " + wide(1) + ";"});
  case 15:
    return throughPointer();
  default:
    return atomic();
  }
}

} // namespace aiwc::test
