// Vectors: four data items per instruction and per access.

// saxpy on groups of four elements, through vload4 and vstore4.
kernel void saxpy4(float a, global const float *restrict x, global float *restrict y) {
  const size_t i = get_global_id(0);
  vstore4(a * vload4(i, x) + vload4(i, y), i, y);
}

// A float3 occupies, and is loaded and stored as, four floats; it is computed with as three.
kernel void scale3(global const float3 *restrict x, global float3 *restrict y) {
  const size_t i = get_global_id(0);
  y[i] = x[i] * 3.0f;
}

// Integers, four at a time: 3 x where x is positive, x - 1 elsewhere.
kernel void select4(global const int4 *restrict x, global int4 *restrict y) {
  const size_t i = get_global_id(0);
  const int4 v = x[i];
  y[i] = select(v - 1, v * 3, v > 0);
}

// The middle of a group of three in, the others left out: vload3 reads 12 bytes, not 16.
kernel void middle3(global const float *restrict x, global float *restrict y) {
  const size_t i = get_global_id(0);
  y[i] = vload3(i, x).y;
}

// Half precision in memory only: 2 bytes are read for every float.
kernel void from_half(global const half *restrict x, global float *restrict y) {
  const size_t i = get_global_id(0);
  y[i] = vload_half(i, x) * 2.0f;
}
