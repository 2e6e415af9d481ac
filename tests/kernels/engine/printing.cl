// What work-items print, in the order in which they do.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void printing(global const int *restrict in, global const float4 *restrict rows,
                     global uint *restrict out) {
  const int i = get_global_id(0), l = get_local_id(0);
  const char c = (char)('a' + i);
  const long wide = (long)in[i] * 1000000007L;
  printf("work-item %d of group %u: %5d|%-5d|%+d|%05i%%\n", i, (uint)get_group_id(0), in[i], in[i], in[i],
         -in[i]);
  printf("%c %x %#X %o %ld %lu\n", c, in[i] * 255, in[i], in[i], wide, (ulong)wide);
  printf("%f %.3f %e %G %a %g %s\n", rows[i].x, rows[i].y, rows[i].z, rows[i].w, 1.5f, (double)i / 3,
         i & 1 ? "" : "");
  printf("%v4f and %v4.2hlg and %v2d and %v4hhd and %v3hlx\n", rows[i], rows[i] * 0.5f,
         (int2)(i, in[i]), (char4)(c, 1, -1, i), (uint3)(1u, 20u, 300u));
  printf("%s, %10s|%-4s|%s\n", "hello", "there", "x", "");
  if (l == 1)
    printf("no conversion\n");
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < l; k++)
    printf("%v16hd\n", (short16)((short)(k - i)));
  out[i] = 1;
  printf("50%% done, last %d", i);
  printf("\n");
}
