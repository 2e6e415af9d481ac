// bins[v] := number of elements with the value v < BINS.
#define BINS 8

// Every work-item of the NDRange adds to the same bins in global memory.
kernel void histogram_global(global const uchar *restrict data, global uint *restrict bins) {
  atomic_inc(&bins[data[get_global_id(0)]]);
}

// Work-groups count in local memory and add their bins to the global ones once. The work-group
// has at least BINS work-items.
kernel void histogram_local(global const uchar *restrict data, global uint *restrict bins) {
  local uint mine[BINS];
  const uint l = get_local_id(0);
  if (l < BINS)
    mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&mine[data[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < BINS)
    atomic_add(&bins[l], mine[l]);
}
