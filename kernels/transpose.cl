// out := transpose of in, both n x n, row-major, n = get_global_size(0).
#define TILE 4

// Reads along rows, writes along columns.
kernel void transpose_naive(global const float *restrict in, global float *restrict out) {
  const size_t n = get_global_size(0);
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}

// Reads and writes along rows; the turn happens in local memory. One column more than the tile
// has keeps the columns in different banks of a real device.
kernel void transpose_tiled(global const float *restrict in, global float *restrict out) {
  local float tile[TILE][TILE + 1];
  const size_t n = get_global_size(0);
  const size_t lx = get_local_id(0), ly = get_local_id(1);
  const size_t left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  tile[ly][lx] = in[(top + ly) * n + left + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + ly) * n + top + lx] = tile[lx][ly];
}
