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
