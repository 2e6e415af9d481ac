// Accesses against the flags of their buffers, which Oclgrind reports and carries out. Every
// kernel writes to `ro`, which is read-only, and reads from `wo`, which is write-only.
int through(global int *at, int value) { // too long to become part of its callers
  for (int i = 0; i < value; ++i)
    if (at[0] == i)
      value += at[0] ^ 5;
  at[0] = value;
  return value;
}

kernel void plain(global int *ro, global int *wo, global int *out) {
  const size_t i = get_global_id(0);
  out[i] = wo[i] + ro[i];
  ro[i] = out[i] * 3;
  wo[i] = 7;
  if (i % 3 == 0)
    printf("%d of %v4hld\n", out[i], (int4)(i));
  for (int j = 0; j < 3; ++j)
    out[i] += through(j == 1 ? wo + i : ro + i, j + 2);
}

kernel void vectors(global float *ro, global float *wo, global float *out) {
  const size_t i = get_global_id(0);
  const float4 read = vload4(i, wo);
  const float3 three = vload3(i, wo);
  vstore4(read + 1, i, ro);
  vstore2(three.xy, i, ro);
  out[i] = ((global float4 *)wo)[i].z + vload_half(i, (global half *)wo);
  vstore_half(out[i], i + 64, (global half *)ro);
  vstorea_half4_rtz(read, i + 16, (global half *)ro);
}

// Two, three and four elements: a store for each of them.
kernel void second_results(global float *ro, global float *wo, global float *out) {
  const size_t i = get_global_id(0);
  out[i] = fract(wo[i] + 1.75f, ro + i);
  const float4 parts = modf((float4)(out[i] * 3), (global float4 *)ro + i);
  int2 exponent;
  const float2 mantissa = frexp(parts.xy, (global int2 *)ro + i);
  out[i] +=
      parts.z + mantissa.y + sincos(out[i], wo + i) + remquo(parts.w, 0.3f, (global int *)ro + i);
}

kernel void atomics(global int *ro, global int *wo, global int *out) {
  const size_t i = get_global_id(0);
  out[i] = atomic_add(ro + (i & 3), 2) + atomic_xchg(wo + (i & 7), (int)i);
  out[i] += atomic_cmpxchg(ro + 8, 8, 9);      // stores at most once
  out[i] += atomic_cmpxchg(wo + 9 + i, 0, 10); // stores where it finds 0
  out[i] += atomic_dec(out + 20) + atomic_max(ro, 30);
}

typedef struct {
  int numbers[12];
} Block;

// The compiler makes copies and fills of whole blocks of these.
kernel void blocks(global Block *ro, global Block *wo, global Block *out) {
  const size_t i = get_global_id(0);
  Block own;
  __builtin_memcpy(&own, wo + i, sizeof own);
  own.numbers[i & 7] += 3;
  __builtin_memcpy(ro + i, &own, sizeof own);
  __builtin_memmove(out + i, wo + i, sizeof own);
  __builtin_memset(ro + i, (int)i, 20);
  __builtin_memcpy(ro + i, wo + i, out[i].numbers[0] & 1); // 0 bytes are reported, too
}

// The work-group makes the copies, not a work-item.
kernel void group_copies(global int *ro, global int *wo, global int *out, local int *scratch) {
  const size_t l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
  event_t event = async_work_group_copy(scratch, wo + g * n, n, 0);
  event = async_work_group_strided_copy(scratch + n, wo + g, n, 2, event);
  wait_group_events(1, &event);
  out[get_global_id(0)] = scratch[l] + scratch[n + l] + wo[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(ro + g * n, scratch + 1, n, 0);
  wait_group_events(1, &event);
  ro[get_global_id(0)] ^= 1;
}

// More than Oclgrind shows, in loops, among output, and of several work-groups.
kernel void many(global int *ro, global int *wo, global int *out) {
  const size_t i = get_global_id(0);
  for (int j = 0; j < 30; ++j) {
    ro[i] += wo[(i + j) & 63];
    if (j % 10 == (int)i % 10)
      printf("%d %d\n", (int)i, j);
  }
  out[i] = ro[i];
}

// Many errors before an access that only the interpreter can report.
kernel void late(global int *ro, global int *wo, global int *out) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (size_t j = 0; j < 16; ++j)
    sum += out[(i + 61 * j) & 4095];
  if (i % 100 == 0) {
    ro[i] = wo[i] + sum;
    printf("%d\n", sum);
  }
  if (i == get_global_size(0) - 50)
    *(global int *)((global char *)(out + i) + 2) = 1;
}
