// The discrete Fourier transform of n complex numbers, forward: X[k] = sum x[j] exp(-2 pi i j k / n).
//
// Stockham's algorithm: every launch is one stage of the transform, of radix 2, 4, 8 or 16, from
// one array to another, and leaves the numbers in an order that needs no bit reversal at the end.
// `length` is the product of the radices of the stages before, the length of the transforms that
// are there already; a stage of radix R makes transforms of length R * length from them.
//
// A work-item is a butterfly: it reads R numbers that lie n / R apart and writes R numbers that lie
// `length` apart. Neighbouring work-items read neighbouring numbers in all stages, and write
// them in runs of `length`; the host therefore begins with the largest radices. Nothing is shared
// between work-items, so neither local memory nor the size of the work-groups matters.
//
// The twiddle factors are computed, not stored: a table would take half as much memory again.
// Their angles are exact, a multiple of a power of two times pi.

#pragma OPENCL FP_CONTRACT OFF

typedef float2 Complex; // real and imaginary part

static Complex multiply(Complex a, Complex b) {
  return (Complex)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static Complex times_minus_i(Complex a) { return (Complex)(a.y, -a.x); }

// exp(-pi i t)
static Complex root(float t) { return (Complex)(cospi(t), -sinpi(t)); }

// Transforms v[0], v[step], v[2 step] and v[3 step] in place.
static void transform4(Complex *v, const size_t step) {
  const Complex even = v[0] + v[2 * step];
  const Complex even_difference = v[0] - v[2 * step];
  const Complex odd = v[step] + v[3 * step];
  const Complex odd_difference = times_minus_i(v[step] - v[3 * step]);
  v[0] = even + odd;
  v[step] = even_difference + odd_difference;
  v[2 * step] = even - odd;
  v[3 * step] = even_difference - odd_difference;
}

// Reads the butterfly's numbers and multiplies the j-th by exp(-pi i j k angle), k its position in
// the transforms of `length`: a factor for every bit of j, so that the error grows with the
// logarithm of the radix only. Unrolled once the radix is known, that is, in the kernels.
static void gather(Complex *v, const size_t radix, const global Complex *from,
                   const size_t butterfly, const uint butterflies, const uint length,
                   const float angle) {
  for (size_t j = 0; j < radix; ++j)
    v[j] = from[butterfly + j * butterflies];
  if (length == 1) // k is 0
    return;
  const float k = (float)((uint)butterfly & (length - 1));
  for (size_t bit = 1; bit < radix; bit *= 2) {
    const Complex factor = root(k * (angle * (float)bit));
    for (size_t j = bit; j < radix; ++j)
      if (j & bit)
        v[j] = multiply(v[j], factor);
  }
}

// Where the first number of a butterfly goes.
static size_t target(const size_t butterfly, const size_t radix, const uint length) {
  const size_t k = butterfly & (length - 1);
  return (butterfly - k) * radix + k;
}

kernel void fftRadix2Kernel(const global Complex *restrict from, global Complex *restrict to,
                            const uint butterflies, const uint length, const float angle) {
  const size_t butterfly = get_global_id(0);
  if (butterfly >= butterflies)
    return;
  Complex v[2];
  gather(v, 2, from, butterfly, butterflies, length, angle);
  to += target(butterfly, 2, length);
  to[0] = v[0] + v[1];
  to[length] = v[0] - v[1];
}

kernel void fftRadix4Kernel(const global Complex *restrict from, global Complex *restrict to,
                            const uint butterflies, const uint length, const float angle) {
  const size_t butterfly = get_global_id(0);
  if (butterfly >= butterflies)
    return;
  Complex v[4];
  gather(v, 4, from, butterfly, butterflies, length, angle);
  transform4(v, 1);
  to += target(butterfly, 4, length);
#pragma unroll
  for (size_t j = 0; j < 4; ++j)
    to[j * length] = v[j];
}

#define SQRT_HALF 0x1.6a09e6p-1f
#define COS_PI_8 0x1.d906bcp-1f
#define SIN_PI_8 0x1.87de2ap-2f

// 8 = 2 * 4: butterflies of two, a twiddle, then two transforms of four, which give the even and
// the odd outputs.
kernel void fftRadix8Kernel(const global Complex *restrict from, global Complex *restrict to,
                            const uint butterflies, const uint length, const float angle) {
  const size_t butterfly = get_global_id(0);
  if (butterfly >= butterflies)
    return;
  Complex v[8];
  gather(v, 8, from, butterfly, butterflies, length, angle);

#pragma unroll
  for (size_t j = 0; j < 4; ++j) {
    const Complex difference = v[j] - v[j + 4];
    v[j] += v[j + 4];
    v[j + 4] = difference;
  }
  v[5] = multiply(v[5], (Complex)(SQRT_HALF, -SQRT_HALF));
  v[6] = times_minus_i(v[6]);
  v[7] = multiply(v[7], (Complex)(-SQRT_HALF, -SQRT_HALF));
  transform4(v, 1);
  transform4(v + 4, 1);

  to += target(butterfly, 8, length);
#pragma unroll
  for (size_t j = 0; j < 8; ++j)
    to[j * length] = v[j % 2 * 4 + j / 2];
}

// 16 = 4 * 4: four transforms of four, a twiddle exp(-pi i column row / 8), and four again.
kernel void fftRadix16Kernel(const global Complex *restrict from, global Complex *restrict to,
                             const uint butterflies, const uint length, const float angle) {
  const size_t butterfly = get_global_id(0);
  if (butterfly >= butterflies)
    return;
  Complex v[16];
  gather(v, 16, from, butterfly, butterflies, length, angle);

#pragma unroll
  for (size_t column = 0; column < 4; ++column)
    transform4(v + column, 4);
  const Complex first = (Complex)(COS_PI_8, -SIN_PI_8);
  const Complex second = (Complex)(SQRT_HALF, -SQRT_HALF);
  const Complex third = (Complex)(SIN_PI_8, -COS_PI_8);
  v[5] = multiply(v[5], first);
  v[6] = multiply(v[6], second);
  v[7] = multiply(v[7], third);
  v[9] = multiply(v[9], second);
  v[10] = times_minus_i(v[10]);
  v[11] = multiply(v[11], (Complex)(-SQRT_HALF, -SQRT_HALF));
  v[13] = multiply(v[13], third);
  v[14] = multiply(v[14], (Complex)(-SQRT_HALF, -SQRT_HALF));
  v[15] = multiply(v[15], (Complex)(-COS_PI_8, SIN_PI_8));
#pragma unroll
  for (size_t row = 0; row < 4; ++row)
    transform4(v + 4 * row, 1);

  to += target(butterfly, 16, length);
#pragma unroll
  for (size_t j = 0; j < 16; ++j)
    to[j * length] = v[j % 4 * 4 + j / 4];
}
