// Multiply-adds on two streams: work-group g reads PER_ITEM * 256 elements of each of a and b,
// coalesced. A pair of elements starts with v = a - b and does v = v * a - b ITERATIONS times; two
// pairs at a time make two independent chains. The sum of the first work-item is stored.
#define GROUP 256

kernel void fma_stream(global const float *a, global const float *b, global float *sums,
                       int per_item) {
  const size_t first = get_group_id(0) * (size_t)GROUP * per_item + get_local_id(0);
  float sum0 = 0, sum1 = 0;
  for (int i = 0; i < per_item; i += 2) {
    const size_t at = first + (size_t)i * GROUP;
    const float a0 = a[at], a1 = a[at + GROUP], b0 = b[at], b1 = b[at + GROUP];
    float v0 = a0 - b0, v1 = a1 - b1;
#pragma unroll 8
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
      v0 = fma(v0, a0, -b0);
      v1 = fma(v1, a1, -b1);
    }
    sum0 += v0;
    sum1 += v1;
  }
  if (get_local_id(0) == 0 || sum0 + sum1 == -12345.0f)
    sums[get_group_id(0)] = sum0 + sum1;
}
