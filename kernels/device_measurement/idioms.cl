// The idioms of Meswani et al. (2012), section II, each over its arrays once. The host checks their
// results; all numbers are integers that a float holds exactly.

// A bijection of the numbers below 2^bits whose neighbours are far apart: that of the host.
uint shuffled(uint i, uint bits) {
  const uint mask = (1u << bits) - 1, middle = bits / 2;
  i = i * 0x9E3779B1u & mask;
  i ^= i >> middle;
  i = i * 0x85EBCA6Bu & mask;
  i ^= i >> middle;
  return i * 0xC2B2AE35u & mask;
}

// a[i] = i mod 1024
kernel void numbers(global float *a) {
  const size_t i = get_global_id(0);
  a[i] = i % 1024;
}

kernel void zeros(global float *a) {
  a[get_global_id(0)] = 0;
}

// turn 0 and 1 are different orders.
kernel void indices(global uint *a, uint bits, uint turn) {
  const uint i = get_global_id(0);
  a[i] = shuffled(i ^ turn, bits);
}

// a[i] = i mod 7
kernel void digits(global float *a) {
  const size_t i = get_global_id(0);
  a[i] = i % 7;
}

kernel void stream(global float *a, global const float *b) {
  const size_t i = get_global_id(0);
  a[i] = a[i] + b[i];
}

kernel void gather(global float *a, global const float *b, global const uint *c) {
  const size_t i = get_global_id(0);
  a[i] = b[c[i]];
}

kernel void scatter(global float *a, global const uint *b, global const float *c) {
  const size_t i = get_global_id(0);
  a[b[i]] = c[i];
}

kernel void gather_scatter(global float *a, global const uint *b, global const float *c,
                           global const uint *d) {
  const size_t i = get_global_id(0);
  a[b[i]] = c[d[i]];
}

kernel void transpose(global float *a, global const float *b) {
  const size_t column = get_global_id(0), row = get_global_id(1), order = get_global_size(0);
  a[row * order + column] = b[column * order + row];
}

// Each work-group adds up as many elements of a as it has work-items, eight times. The local size is
// a power of two.
kernel void reduction(global const float *a, local float *sums, global float *result) {
  const uint item = get_local_id(0), width = get_local_size(0);
  global const float *part = a + get_group_id(0) * 8 * width + item;
  float sum = 0;
  for (uint i = 0; i < 8; ++i)
    sum += part[i * width];
  sums[item] = sum;
  for (uint active = width / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active)
      sums[item] += sums[item + active];
  }
  if (item == 0)
    result[get_group_id(0)] = sums[0];
}

// a has as many elements as there are work-items, b two more.
kernel void stencil(global float *a, global const float *b) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + b[i + 2];
}

kernel void matrix_multiply(global float *a, global const float *b, global const float *c) {
  const size_t column = get_global_id(0), row = get_global_id(1), order = get_global_size(0);
  float sum = 0;
  for (size_t i = 0; i < order; ++i)
    sum += b[row * order + i] * c[i * order + column];
  a[row * order + column] = sum;
}
