// Every operation on every pair of special values: which NaN it gives, with which sign and payload,
// and what it does at the ends of the integers. The values are made of bits, so that neither compiler
// knows them.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// 0, 1, infinity, two quiet NaNs of different payloads, a signalling NaN, the largest and the least
// positive number, a third and a large odd number; the second half has the other sign.
constant ushort special_halves[20] = {0x0000, 0x3c00, 0x7c00, 0x7e00, 0x7f55, 0x7cab, 0x7bff,
                                      0x0001, 0x3555, 0x6bff, 0x8000, 0xbc00, 0xfc00, 0xfe00,
                                      0xfe34, 0xfc01, 0xfbff, 0x8001, 0xb555, 0xebff};
constant uint special_floats[20] = {
    0x00000000, 0x3f800000, 0x7f800000, 0x7fc00000, 0x7fd55555, 0x7f8abcde, 0x7f7fffff,
    0x00000001, 0x3eaaaaab, 0x4b7fffff, 0x80000000, 0xbf800000, 0xff800000, 0xffc00000,
    0xffd12345, 0xff800001, 0xff7fffff, 0x80000001, 0xbeaaaaab, 0xcb7fffff};
constant ulong special_doubles[20] = {
    0x0000000000000000, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000000,
    0x7ffaaaaaaaaaaaaa, 0x7ff123456789abcd, 0x7fefffffffffffff, 0x0000000000000001,
    0x3fd5555555555555, 0x433fffffffffffff, 0x8000000000000000, 0xbff0000000000000,
    0xfff0000000000000, 0xfff8000000000000, 0xfff8123456789abc, 0xfff0000000000001,
    0xffefffffffffffff, 0x8000000000000001, 0xbfd5555555555555, 0xc33fffffffffffff};

#define OPERATIONS(T, C, one)                                                                      \
  PUT(a + b)                                                                                       \
  PUT(a - b)                                                                                       \
  PUT(a * b)                                                                                       \
  PUT(a / b)                                                                                       \
  PUT(-a)                                                                                          \
  PUT(-a + b)                                                                                      \
  PUT(a + -b)                                                                                      \
  PUT(-a * -b)                                                                                     \
  PUT(a - -b)                                                                                      \
  PUT(-(a * 3))                                                                                    \
  PUT(-(a - b))                                                                                    \
  PUT(-a * 3)                                                                                      \
  PUT(a * 1)                                                                                       \
  PUT(a * -1)                                                                                      \
  PUT(a / 1)                                                                                       \
  PUT(a / -1)                                                                                      \
  PUT(a + 0)                                                                                       \
  PUT(a - 0)                                                                                       \
  PUT(0 - a)                                                                                       \
  PUT((T)-0.0f - a)                                                                                \
  PUT(a * 0)                                                                                       \
  PUT(a / 0)                                                                                       \
  PUT(a - a)                                                                                       \
  PUT(a / a)                                                                                       \
  PUT((b + 1) * (a + 1))                                                                           \
  PUT(a * b + b)                                                                                   \
  PUT(b + a * b)                                                                                   \
  PUT(fma(a, b, one + b))                                                                          \
  PUT(fma(a, one, b))                                                                              \
  PUT(fma(one, a, b))                                                                              \
  PUT(fma(a, b, a * b))                                                                            \
  PUT(fma(a - a, b, one))                                                                          \
  PUT(mad(b, a, one))                                                                              \
  PUT(fmod(a, b))                                                                                  \
  PUT(remainder(a, b))                                                                             \
  PUT(fmin(a, b))                                                                                  \
  PUT(fmax(a, b))                                                                                  \
  PUT(min(a, b))                                                                                   \
  PUT(max(a, b))                                                                                   \
  PUT(fabs(a))                                                                                     \
  PUT(copysign(a, b))                                                                              \
  PUT(sqrt(a))                                                                                     \
  PUT(floor(a))                                                                                    \
  PUT(ceil(a))                                                                                     \
  PUT(trunc(a))                                                                                    \
  PUT(rint(a))                                                                                     \
  PUT(pow(a, b))                                                                                   \
  PUT(hypot(a, b))                                                                                 \
  PUT(C)                                                                                           \
  PUT((a < b ? a : b) + one)                                                                       \
  PUT(isnan(a) ? b : a * one)                                                                      \
  PUT((T)(a == b) + (T)(a != b) * 2 + (T)(a < b) * 4 + (T)(a >= b) * 8)                            \
  PUT(rsqrt(a))                                                                                    \
  PUT((a * b - 7) * one + b)                                                                       \
  PUT((a * b - 7) / b - one)                                                                       \
  PUT(rsqrt(a * b + one) * b)                                                                      \
  PUT(((a + b) * (b + a) - (a - b) * (b - a)) * ((a * b + one) / (b * a + one)) +                  \
      ((a + b * one) * (a * one + b) - fma(a, b, b) * (one - b * a)) * (a * 3 - b * 5) +           \
      sqrt(a * a + b * b) / (one + a * b))                                                         \
  PUT((a * b + one > b ? a * b + one : b - a) * (a * b + one))                                     \
  PUT(a * b + b > one ? one : a)

// The operations of a work-item, and more than there are.
#define PER_ITEM 64

#define PUT(e) out[next++] = as_uint(e);
kernel void floats(global uint *out) {
  const size_t i = get_global_id(0);
  const float a = as_float(special_floats[i / 20]), b = as_float(special_floats[i % 20]);
  const float one = as_float(special_floats[i / 400 + 1]);
  size_t next = i * PER_ITEM;
  OPERATIONS(float, (float)(double)a, one)
  PUT(native_recip(a))
  PUT(native_divide(a, b))
  PUT(native_divide(b, one) + half_recip(a))
  PUT(half_rsqrt(b) * native_rsqrt(a))
}
#undef PUT

#define PUT(e) out[next++] = as_ulong(e);
kernel void doubles(global ulong *out) {
  const size_t i = get_global_id(0);
  const double a = as_double(special_doubles[i / 20]), b = as_double(special_doubles[i % 20]);
  const double one = as_double(special_doubles[i / 400 + 1]);
  size_t next = i * PER_ITEM;
  OPERATIONS(double, (double)(float)a, one)
}
#undef PUT

#define PUT(e) out[next++] = as_ushort((half)(e));
kernel void halves(global ushort *out) {
  const size_t i = get_global_id(0);
  const half a = as_half(special_halves[i / 20]), b = as_half(special_halves[i % 20]);
  const half one = as_half(special_halves[i / 400 + 1]);
  size_t next = i * PER_ITEM;
  OPERATIONS(half, (half)(float)a, one)
  PUT((double)a * (float)b)
}
#undef PUT

#define VECTOR_OPERATIONS                                                                          \
  PUT(a + b)                                                                                       \
  PUT(a - b)                                                                                       \
  PUT(a * b)                                                                                       \
  PUT(a / b)                                                                                       \
  PUT(-a)                                                                                          \
  PUT(-a + b)                                                                                      \
  PUT(a - -b)                                                                                      \
  PUT(-a * 3)                                                                                      \
  PUT(a * 1)                                                                                       \
  PUT(a + 0)                                                                                       \
  PUT(0 - a)                                                                                       \
  PUT(a / 0)                                                                                       \
  PUT(fma(a, b, one + b))                                                                          \
  PUT(fma(a - a, b, one))                                                                          \
  PUT(fmod(a, b))                                                                                  \
  PUT(fmin(a, b))                                                                                  \
  PUT(fabs(a))                                                                                     \
  PUT(sqrt(a))                                                                                     \
  PUT(floor(a))                                                                                    \
  PUT(a < b ? a : b)                                                                               \
  PUT(rsqrt(a * b))                                                                                \
  PUT(a * b + one > b ? a * b + one : (a - b) * (b - a))                                           \
  PUT((a + b) * (b + a) - (a - b) / (b - a) + (a * b + one) * (b * one + a))

#define PUT(e) vstore4(as_ushort4(e), next++, out);
kernel void half_vectors(global ushort *out) {
  const size_t i = get_global_id(0);
  const uint k = i / 20, l = i % 20;
  const half4 a = as_half4((ushort4)(special_halves[k], special_halves[(k + 5) % 20],
                                     special_halves[(k + 10) % 20], special_halves[(k + 15) % 20]));
  const half4 b = as_half4((ushort4)(special_halves[l], special_halves[(l + 7) % 20],
                                     special_halves[(l + 10) % 20], special_halves[(l + 3) % 20]));
  const half4 one = as_half4((ushort4)(special_halves[i / 400 + 1]));
  size_t next = i * 23;
  VECTOR_OPERATIONS
}
#undef PUT

#define PUT(e) vstore4(as_uint4(e), next++, out);
kernel void float_vectors(global uint *out) {
  const size_t i = get_global_id(0);
  const uint k = i / 20, l = i % 20;
  const float4 a = as_float4((uint4)(special_floats[k], special_floats[(k + 5) % 20],
                                     special_floats[(k + 10) % 20], special_floats[(k + 15) % 20]));
  const float4 b = as_float4((uint4)(special_floats[l], special_floats[(l + 7) % 20],
                                     special_floats[(l + 10) % 20], special_floats[(l + 3) % 20]));
  const float4 one = as_float4((uint4)(special_floats[i / 400 + 1]));
  size_t next = i * 23;
  VECTOR_OPERATIONS
}
#undef PUT

#define PUT(e) vstore3(as_ulong3(e), next++, out);
kernel void double_vectors(global ulong *out) {
  const size_t i = get_global_id(0);
  const uint k = i / 20, l = i % 20;
  const double3 a = as_double3((ulong3)(special_doubles[k], special_doubles[(k + 5) % 20],
                                        special_doubles[(k + 10) % 20]));
  const double3 b = as_double3((ulong3)(special_doubles[l], special_doubles[(l + 7) % 20],
                                        special_doubles[(l + 10) % 20]));
  const double3 one = as_double3((ulong3)(special_doubles[i / 400 + 1]));
  size_t next = i * 23;
  VECTOR_OPERATIONS
}
#undef PUT

// The ends of the integers of each width, where division overflows and shifts wrap.
constant long special_integers[16] = {0,     1,      -1,         2,           -2,   7,
                                      -128,  127,    -32768,     32767,       -2147483648L,
                                      2147483647L,   (-9223372036854775807L - 1),
                                      9223372036854775807L, 128, 65535};

#define DIVISIONS(T)                                                                               \
  {                                                                                                \
    const T a = (T)p, b = (T)q;                                                                    \
    out[next++] = (long)(T)(a / b);                                                                \
    out[next++] = (long)(T)(a % b);                                                                \
    out[next++] = (long)(T)(a << (b & 63));                                                        \
    out[next++] = (long)(T)(a >> (b & 63));                                                        \
  }
#define VECTOR_DIVISIONS(T)                                                                        \
  {                                                                                                \
    const T##2 a = (T##2)((T)p, (T)q), b = (T##2)((T)q, (T)p);                                     \
    const T##2 quotient = a / b, rest = a % b;                                                     \
    out[next++] = (long)quotient.x;                                                                \
    out[next++] = (long)quotient.y;                                                                \
    out[next++] = (long)rest.x;                                                                    \
    out[next++] = (long)rest.y;                                                                    \
  }

kernel void integers(global long *out) {
  const size_t i = get_global_id(0);
  const long p = special_integers[i / 16], q = special_integers[i % 16];
  size_t next = i * 48;
  DIVISIONS(char)
  DIVISIONS(uchar)
  DIVISIONS(short)
  DIVISIONS(ushort)
  DIVISIONS(int)
  DIVISIONS(uint)
  DIVISIONS(long)
  DIVISIONS(ulong)
  VECTOR_DIVISIONS(char)
  VECTOR_DIVISIONS(int)
  VECTOR_DIVISIONS(long)
  VECTOR_DIVISIONS(ulong)
}
