// Four elements that are used one by one: the compiler loads each by itself, a device all at once.
kernel void vector_parts(global const float4 *x, global float *y) {
  const size_t i = get_global_id(0);
  const float4 v = x[i];
  y[i] = v.x * v.y + v.z * v.w;
}

// The same of a structure, as CUDA defines its float4.
struct __attribute__((aligned(16))) quad {
  float x, y, z, w;
};
kernel void structure_parts(global const struct quad *x, global float *y) {
  const size_t i = get_global_id(0);
  const struct quad v = x[i];
  y[i] = v.x * v.y + v.z * v.w;
}

// The same in local memory, where neighbours meet in no bank.
kernel void local_parts(global const float4 *x, global float *y) {
  local float4 tile[32];
  const size_t l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 v = tile[31 - l];
  y[get_global_id(0)] = v.x * v.y + v.z * v.w;
}
