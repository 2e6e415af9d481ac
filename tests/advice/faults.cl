// Kernels with a fault each, and repaired kernels that do the same work without it.

kernel void rows(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < 64; ++k)
    sum += in[i * 64 + k];
  out[i] = sum;
}

kernel void columns(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < 64; ++k)
    sum += in[k * get_global_size(0) + i];
  out[i] = sum;
}

// Every 32nd work-item works long, or all work alike.
kernel void some_long(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  const uint steps = i % 32 == 0 ? 1024 : 4;
  float sum = in[i];
  for (uint k = 0; k < steps; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

kernel void all_alike(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 0; k < 36; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

// The first work-group works long, or all work alike.
kernel void one_group_long(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  const uint steps = get_group_id(0) == 0 ? 1040 : 16;
  float sum = in[i];
  for (uint k = 0; k < steps; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

kernel void groups_alike(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 0; k < 32; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

// 65536 elements, by as many work-items as there are.
kernel void shares(global float *out, global const float *in) {
  const size_t items = get_global_size(0);
  for (size_t i = get_global_id(0); i < 65536; i += items)
    out[i] = in[i] * 2;
}

kernel void serial(global float *out, global const float *in) {
  for (size_t i = 0; i < 65536; ++i)
    out[i] = in[i] * 2;
}

// Loops of which each iteration needs what the one before has left in a register,
kernel void random_numbers(global float *out, global const float *in) {
  uint x = 1;
  for (size_t i = 0; i < 65536; ++i) {
    x = x * 1664525u + 1013904223u;
    out[i] = x;
  }
}

kernel void running_sums(global float *out, global const float *in) {
  float sum = 0;
  for (size_t i = 0; i < 65536; ++i) {
    sum += in[i];
    out[i] = sum;
  }
}

kernel void merged(global float *out, global const float *in) {
  size_t left = 0, right = 0;
  for (size_t i = 0; i < 65536; ++i) {
    const bool isLeft = right == 32768 || (left < 32768 && in[left] <= in[32768 + right]);
    out[i] = isLeft ? in[left] : in[32768 + right];
    left += isLeft;
    right += !isLeft;
  }
}

kernel void alternating_sum(global float *out, global const float *in) {
  float sum = 0;
  for (size_t i = 0; i < 65536; ++i)
    sum = in[i] - sum;
  out[0] = sum;
}

// in private memory,
kernel void last_seen(global float *out, global const float *in) {
  size_t last[8];
  for (size_t i = 0; i < 8; ++i)
    last[i] = i;
  for (size_t i = 0; i < 65536; ++i) {
    const size_t of = (size_t)in[i] % 8;
    out[i] = last[of];
    last[of] = i;
  }
}

// or nothing: what is summed or compared may come in any order.
kernel void one_sum(global float *out, global const float *in) {
  float sum = 0, rest = 0;
  int largest = 0;
  for (size_t i = 0; i < 65536; ++i) {
    const int value = in[i];
    sum += in[i] * in[i];
    rest -= in[i];
    largest = max(largest, value);
  }
  out[0] = sum;
  out[1] = rest;
  out[2] = largest;
}

kernel void count_each(global uint *count, global const float *in) {
  if (in[get_global_id(0)] > 0)
    atomic_inc(count);
}

kernel void count_bins(global uint *bins, global const float *in) {
  atomic_inc(&bins[((uint)in[get_global_id(0)] + get_global_id(0)) % 16]);
}

kernel void count_remainders(global uint *bins, global const float *in) {
  atomic_inc(&bins[get_global_id(0) % 16]);
}

kernel void count_per_group(global uint *counts, global const float *in) {
  atomic_inc(&counts[get_group_id(0)]);
}

kernel void count_groups(global uint *count, global const float *in) {
  local uint found[128];
  const size_t l = get_local_id(0);
  found[l] = in[get_global_id(0)] > 0;
  for (size_t width = get_local_size(0) / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < width)
      found[l] += found[l + width];
  }
  if (l == 0)
    atomic_add(count, found[0]);
}

// 512 cache lines, 16 times over: all of them each time, or a quarter of them after another.
kernel void all_lines(global float *out, global const float *in) {
  float sum = 0;
  for (size_t r = 0; r < 16; ++r)
    for (size_t line = 0; line < 512; ++line)
      sum += in[line * 16];
  out[get_global_id(0)] = sum;
}

kernel void blocks_of_lines(global float *out, global const float *in) {
  float sum = 0;
  for (size_t block = 0; block < 512; block += 128)
    for (size_t r = 0; r < 16; ++r)
      for (size_t line = block; line < block + 128; ++line)
        sum += in[line * 16];
  out[get_global_id(0)] = sum;
}

kernel void doubles(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  double sum = in[i];
  for (uint k = 0; k < 64; ++k)
    sum = sum * 0.5 + 1.0;
  out[i] = sum;
}

kernel void floats(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 0; k < 64; ++k)
    sum = sum * 0.5f + 1.0f;
  out[i] = sum;
}

kernel void coins(global uint *out) {
  const size_t i = get_global_id(0);
  uint x = i * 2654435761u + 12345u;
  for (uint k = 0; k < 64; ++k) {
    x = x * 1664525u + 1013904223u;
    if (x & 0x40000000u)
      out[i] += x >> 3;
  }
}

kernel void selected_coins(global uint *out) {
  const size_t i = get_global_id(0);
  uint x = i * 2654435761u + 12345u;
  for (uint k = 0; k < 64; ++k) {
    x = x * 1664525u + 1013904223u;
    out[i] += select(0u, x >> 3, x & 0x40000000u);
  }
}

kernel void private_array(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float kept[32];
  for (uint k = 0; k < 32; ++k)
    kept[k] = in[i] + k;
  float sum = 0;
  for (uint k = 0; k < 32; ++k)
    sum += kept[(k * 7 + i) % 32];
  out[i] = sum;
}

kernel void no_array(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float first = 0;
  for (uint k = 0; k < 32; ++k)
    first += in[i] + k;
  float sum = first;
  for (uint k = 0; k < 32; ++k)
    sum += (k * 7 + i) % 32;
  out[i] = sum;
}

kernel void local_columns(global float *out, global const float *in) {
  local float tile[32 * 32];
  const size_t l = get_local_id(0), i = get_global_id(0);
  for (uint k = 0; k < 32; ++k)
    tile[k * 32 + l] = in[i] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 32; ++k)
    sum += tile[l * 32 + k];
  out[i] = sum;
}

kernel void local_stride(global float *out, global const float *in) {
  local float tile[32 * 16];
  const size_t l = get_local_id(0), i = get_global_id(0);
  for (uint k = 0; k < 16; ++k)
    tile[k * 32 + l] = in[i] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 16; ++k)
    sum += tile[l * 16 + k];
  out[i] = sum;
}

kernel void padded_columns(global float *out, global const float *in) {
  local float tile[32 * 33];
  const size_t l = get_local_id(0), i = get_global_id(0);
  for (uint k = 0; k < 32; ++k)
    tile[k * 33 + l] = in[i] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 32; ++k)
    sum += tile[l * 33 + k];
  out[i] = sum;
}

// Products of matrices of 128 x 128 in tiles of 16 x 16: one result for each work-item, or 2 x 2.
kernel void product_by_tiles(global float *out, global const float *in) {
  local float a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int tile = 0; tile < 128; tile += 16) {
    a[y][x] = in[row * 128 + tile + x];
    b[y][x] = in[(tile + y) * 128 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 128 + column] = sum;
}

// The same of integers; with more to do for each value.
kernel void integer_product_by_tiles(global int *out, global const int *in) {
  local int a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  int sum = 0;
  for (int tile = 0; tile < 128; tile += 16) {
    a[y][x] = in[row * 128 + tile + x];
    b[y][x] = in[(tile + y) * 128 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 128 + column] = sum;
}

kernel void hashes_by_tiles(global int *out, global const int *in) {
  local int a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  int hash = 0;
  for (int tile = 0; tile < 128; tile += 16) {
    a[y][x] = in[row * 128 + tile + x];
    b[y][x] = in[(tile + y) * 128 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      hash = (hash ^ a[y][k]) * 16777619;
      hash = (hash ^ b[k][x]) * 16777619;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 128 + column] = hash;
}

// The product with the inner loop unrolled.
kernel void product_by_unrolled_tiles(global float *out, global const float *in) {
  local float a[16][16], b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int tile = 0; tile < 128; tile += 16) {
    a[y][x] = in[row * 128 + tile + x];
    b[y][x] = in[(tile + y) * 128 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 16; ++k)
      sum += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 128 + column] = sum;
}

kernel void product_by_register_tiles(global float *out, global const float *in) {
  local float a[32][16], b[16][32];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_group_id(0) * 32 + x, row = get_group_id(1) * 32 + y;
  float sum00 = 0, sum01 = 0, sum10 = 0, sum11 = 0;
  for (int tile = 0; tile < 128; tile += 16) {
    a[y][x] = in[row * 128 + tile + x];
    a[y + 16][x] = in[(row + 16) * 128 + tile + x];
    b[y][x] = in[(tile + y) * 128 + column];
    b[y][x + 16] = in[(tile + y) * 128 + column + 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      const float a0 = a[y][k], a1 = a[y + 16][k], b0 = b[k][x], b1 = b[k][x + 16];
      sum00 += a0 * b0;
      sum01 += a0 * b1;
      sum10 += a1 * b0;
      sum11 += a1 * b1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 128 + column] = sum00;
  out[row * 128 + column + 16] = sum01;
  out[(row + 16) * 128 + column] = sum10;
  out[(row + 16) * 128 + column + 16] = sum11;
}

// After each barrier, half as many work-items add: every 2 * s-th, or the first ones.
kernel void reduce_by_every(global float *out, global const float *in) {
  local float part[256];
  const uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (l % (2 * s) == 0) {
      part[l] += part[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

kernel void reduce_by_first(global float *out, global const float *in) {
  local float part[256];
  const uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (l < s)
      part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

kernel void idle_barrier(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = x * 2;
}

kernel void no_barrier(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i] * 2;
}

// A work-item reads what another one wrote: the barrier is needed.
kernel void exchange(global float *out, global const float *in) {
  local float part[64];
  const size_t l = get_local_id(0), i = get_global_id(0);
  part[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = part[63 - l];
}

kernel void steps(global float *out, global const float *in, uint count) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 0; k < count; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

// Constants without an f: the distance and its root are double, all that goes in and out is float.
kernel void softened(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) {
    const float d = in[k] - in[i];
    sum += d / sqrt(d * d + 1e-4);
  }
  out[i] = sum - 0.7 * in[i];
}

kernel void softened_floats(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) {
    const float d = in[k] - in[i];
    sum += d / sqrt(d * d + 1e-4f);
  }
  out[i] = sum - 0.7f * in[i];
}

// Weights that depend on the distance only, not on the work-item; the repaired kernel gets them from the host.
kernel void same_weights(global float *out, global const float *in) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int x = i - 4; x <= i + 4; ++x)
    sum += exp(-0.125f * (x - i) * (x - i)) * in[clamp(x, 0, 1023)];
  out[i] = sum;
}

constant float weights[] = {0.135f, 0.325f, 0.607f, 0.882f, 1, 0.882f, 0.607f, 0.325f, 0.135f};

kernel void table_of_weights(global float *out, global const float *in) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int x = i - 4; x <= i + 4; ++x)
    sum += weights[x - i + 4] * in[clamp(x, 0, 1023)];
  out[i] = sum;
}

// A root of each work-item's own value is no repetition.
kernel void own_roots(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 1; k < 9; ++k)
    sum += sqrt(sum * k);
  out[i] = sum;
}

// All pairs of 1024 values: from global memory, or by tiles of a work-group.
kernel void all_pairs(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  const float mine = in[i];
  float sum = 0;
  for (uint k = 0; k < 1024; ++k)
    sum += fabs(mine - in[k]);
  out[i] = sum;
}

kernel void pairs_by_tiles(global float *out, global const float *in) {
  local float tile[64];
  const size_t i = get_global_id(0), l = get_local_id(0);
  const float mine = in[i];
  float sum = 0;
  for (uint k = 0; k < 1024; k += 64) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = in[k + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 64; ++j)
      sum += fabs(mine - tile[j]);
  }
  out[i] = sum;
}

// Work for every eighth work-item, or for all of an eighth as many.
kernel void every_eighth(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  if (i % 8 != 0)
    return;
  float sum = in[i / 8];
  for (uint k = 0; k < 64; ++k)
    sum = sum * 0.5f + 1;
  out[i / 8] = sum;
}

kernel void all_of_them(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  for (uint k = 0; k < 64; ++k)
    sum = sum * 0.5f + 1;
  out[i] = sum;
}

// Work for those of 256 work-items that a number in memory tells, or for all of as many.
kernel void every_256th(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = in[i];
  if ((int)sum % 256 != 0)
    return;
  for (uint k = 0; k < 8; ++k)
    sum = sum * 0.5f + 1;
  out[i / 256] = sum;
}

// Takes an index apart by the width of the matrix, which is an argument, or by a constant.
kernel void taken_apart(global float *out, global const float *in, uint width) {
  const uint i = get_global_id(0);
  out[i] = in[i % width * 64 + i / width];
}

kernel void taken_apart_at_64(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  out[i] = in[i % 64 * 64 + i / 64];
}

// `columns`, but the sum is in memory all the time: the compiler keeps what it reads, not what it
// writes, in a register.
kernel void sum_in_memory(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  out[i] = 0;
  for (size_t k = 0; k < 64; ++k)
    out[i] += in[k * get_global_size(0) + i];
}

// Five points of a grid of 64 x 64: from global memory, or from a tile of a work-group of 32 x 8.
kernel void five_points(global float *out, global const float *in) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = max(x - 1, 0), right = min(x + 1, 63), up = max(y - 1, 0), down = min(y + 1, 63);
  out[y * 64 + x] = in[y * 64 + x] + in[y * 64 + left] + in[y * 64 + right] + in[up * 64 + x] +
                    in[down * 64 + x];
}

kernel void five_points_by_tiles(global float *out, global const float *in) {
  local float tile[10][34];
  const int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  for (int row = j; row < 10; row += 8)
    for (int column = i; column < 34; column += 32)
      tile[row][column] =
          in[clamp(y - j + row - 1, 0, 63) * 64 + clamp(x - i + column - 1, 0, 63)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 64 + x] = tile[j + 1][i + 1] + tile[j + 1][i] + tile[j + 1][i + 2] + tile[j][i + 1] +
                    tile[j + 2][i + 1];
}

kernel void transposed(global float *out, global const float *in) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * 64 + y] = in[y * 64 + x];
}

kernel void copied_by_columns(global float *out, global const float *in) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * 64 + y] = in[x * 64 + y];
}

kernel void copied_by_rows(global float *out, global const float *in) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[y * 64 + x] = in[y * 64 + x];
}

// The sum of the fields of a structure of eight: together, or each in an array of its own.
typedef struct { float a, b, c, d, e, f, g, h; } Fields;

kernel void of_structures(global float *out, global const Fields *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i].a + in[i].b + in[i].c + in[i].d + in[i].e + in[i].f + in[i].g + in[i].h;
}

kernel void of_arrays(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  const size_t n = 65536;
  out[i] = in[i] + in[n + i] + in[2 * n + i] + in[3 * n + i] + in[4 * n + i] + in[5 * n + i] +
           in[6 * n + i] + in[7 * n + i];
}

// Bytes, one or four of them for each work-item.
kernel void by_bytes(global uchar *out, global const uchar *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i] / 2;
}

kernel void by_words(global uchar4 *out, global const uchar4 *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i] / (uchar4)(2);
}

// 96 elements for each work-item pass through local memory: all at once, or a half of them at a time.
kernel void large_tile(global float *out, global const float *in) {
  local float tile[96 * 64];
  const int l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 96; ++k)
    tile[k * 64 + l] = in[k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 96; ++k)
    sum += tile[k * 64 + 63 - l];
  out[i] = sum;
}

kernel void small_tile(global float *out, global const float *in) {
  local float tile[48 * 64];
  const int l = get_local_id(0), i = get_global_id(0);
  float sum = 0;
  for (int part = 0; part < 96; part += 48) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 48; ++k)
      tile[k * 64 + l] = in[(part + k) * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 48; ++k)
      sum += tile[k * 64 + 63 - l];
  }
  out[i] = sum;
}

// Rows of 1 to 64 elements, as in a sparse matrix: the longest ones anywhere, or by their length.
kernel void rows_anywhere(global float *out, global const float *in) {
  const int row = get_global_id(0) * 1237 % 4096;
  float sum = 0;
  for (int k = 0; k < row / 64 + 1; ++k)
    sum += in[row] * 0.5f;
  out[row] = sum;
}

kernel void rows_sorted(global float *out, global const float *in) {
  const int row = get_global_id(0) % 4096;
  float sum = 0;
  for (int k = 0; k < row / 64 + 1; ++k)
    sum += in[row] * 0.5f;
  out[row] = sum;
}

// Two branches for neighbours, no loop: no order of the work helps more than another.
kernel void two_ways(global float *out, global const float *in) {
  const int i = get_global_id(0);
  float sum = in[i];
  if (i % 2 == 0)
    for (int k = 0; k < 64; ++k)
      sum = sum * 0.5f + 1;
  else
    for (int k = 0; k < 48; ++k)
      sum = sqrt(fabs(sum) + k);
  out[i] = sum;
}

// A matrix of 1024 columns.
kernel void transposed_wide(global float *out, global const float *in) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  out[x * 1024 + y] = in[y * 1024 + x];
}

// The first element of each row of 64, or as many elements of an array.
kernel void firsts_of_rows(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i * 64];
}

kernel void firsts_of_array(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
}

// Takes indices apart by the width of a matrix, in the 64 bits of size_t or in 32.
kernel void apart_in_64(global float *out, global const float *in, int width) {
  const size_t items = get_global_size(0);
  for (size_t i = get_global_id(0); i < 4096; i += items)
    out[i % width * 64 + i / width] = in[i];
}

kernel void apart_in_32(global float *out, global const float *in, int width) {
  const int items = get_global_size(0);
  for (int i = get_global_id(0); i < 4096; i += items)
    out[i % width * 64 + i / width] = in[i];
}

kernel void id_apart_in_64(global float *out, global const float *in, int width) {
  const int x = get_global_id(0) % width, y = get_global_id(0) / width;
  out[x * 64 + y] = in[y * width + x];
}

// Rows that a table names, of a width of 64 bits or of 32.
kernel void rows_by_table_in_64(global float *out, global const float *in, global const int *rows,
                                ulong width) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k)
    sum += in[rows[k] * width + i];
  out[i] = sum;
}

kernel void rows_by_table_in_32(global float *out, global const float *in, global const int *rows,
                                uint width) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k)
    sum += in[rows[k] * width + i];
  out[i] = sum;
}

// `columns` with a width of 64 bits: a compiler adds it in each iteration.
kernel void columns_in_64(global float *out, global const float *in, ulong width) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < 64; ++k)
    sum += in[k * width + i];
  out[i] = sum;
}

// Each work-group steps through a part of an array, 4 KiB in a step, in which its work-items exchange
// values.
kernel void chunks(global float *out, global const float4 *in) {
  local float values[256];
  const size_t l = get_local_id(0);
  float sum = 0;
  for (size_t k = 0; k < 64; ++k) {
    values[l] = in[(get_group_id(0) * 64 + k) * 256 + l].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += values[255 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// Random numbers of 64 bits, which 32 do not hold.
kernel void random_in_64(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  ulong seed = i + 1;
  float sum = 0;
  for (uint k = 0; k < 64; ++k) {
    seed = seed * 16807 % 2147483647;
    sum += in[seed % 4093];
  }
  out[i] = sum;
}

kernel void hashed_in_64(global float *out, global const float *in) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k)
    sum += in[((i + k) * 0x9E3779B97F4A7C15u >> 40) % 4093];
  out[i] = sum;
}

// Products of two numbers of 32 bits, which need not fit into 32.
kernel void rows_of_any_size(global float *out, global const float *in, global const int *rows,
                             uint width) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k)
    sum += in[(size_t)rows[k] * width + i];
  out[i] = sum;
}

// Each iteration reads the work-item's element again: the compiler cannot know that `out` is another array.
kernel void read_again(global float *out, global const float *in, uint trips) {
  const size_t i = get_global_id(0);
  for (uint k = 0; k < trips; ++k)
    out[k * get_global_size(0) + i] = in[i] * k;
}

kernel void read_once(global float *out, global const float *in, uint trips) {
  const size_t i = get_global_id(0);
  const float value = in[i];
  for (uint k = 0; k < trips; ++k)
    out[k * get_global_size(0) + i] = value * k;
}

// The same array is also written in the loop: what is read again may have changed.
kernel void read_and_written(global float *out, global float *in, uint trips) {
  const size_t i = get_global_id(0);
  for (uint k = 0; k < trips; ++k) {
    out[k * get_global_size(0) + i] = in[i] * k;
    in[i] = k;
  }
}

// Vectors of four, each of whose elements the compiler loads by itself.
kernel void vectors(global float *out, global const float4 *in) {
  local float4 tile[64];
  const size_t l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 v = tile[63 - l];
  const float4 u = in[get_global_id(0)];
  out[get_global_id(0)] = v.x * v.y + v.z * v.w + u.x * u.y + u.z * u.w;
}

kernel void first_elements(global float *out, global const float4 *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i].x;
}

// Sums of groups in a tree whose stride doubles: neighbours are 2, 4, 8, ... elements apart. And with
// a stride that halves.
kernel void sums_by_doubling(global float *out, global const float *in) {
  local float sums[128];
  const uint l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  for (uint stride = 1; stride < 128; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (2 * stride * l < 128)
      sums[2 * stride * l] += sums[2 * stride * l + stride];
  }
  if (l == 0)
    out[get_group_id(0)] = sums[0];
}

kernel void sums_by_halving(global float *out, global const float *in) {
  local float sums[128];
  const uint l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  for (uint stride = 64; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < stride)
      sums[l] += sums[l + stride];
  }
  if (l == 0)
    out[get_group_id(0)] = sums[0];
}

// A stage of a transform, in place: each work-item has four elements of its own, a quarter of the array
// apart.
kernel void butterflies(global float *out, global const float *in) {
  const uint i = get_global_id(0), quarter = get_global_size(0);
  const float a = out[i];
  const float b = out[i + quarter];
  const float c = out[i + 2 * quarter];
  const float d = out[i + 3 * quarter];
  out[i] = a + b + c + d;
  out[i + quarter] = a - b + c - d;
  out[i + 2 * quarter] = a + b - c - d;
  out[i + 3 * quarter] = a - b - c + d;
}

// Powers that are products, on two lines, one that is none, and a power of a value.
kernel void powers(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 16; ++k) {
    const float d = in[i] - in[i + k];
    sum += pow(in[i] - in[i + k], 2.0f) + pow(d, 3.f);
    sum += pow(d, 0.5f);
  }
  out[i] = sum;
}

kernel void products(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 16; ++k) {
    const float d = in[i] - in[i + k];
    sum += ((in[i] - in[i + k]) * (in[i] - in[i + k])) + (d * d * d);
    sum += sqrt(d);
  }
  out[i] = sum;
}

kernel void other_powers(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  out[i] = pow(in[i], 2.4f) + pow(in[i], in[i + 1]) + native_powr(in[i], 2.0f);
}

// Each work-item writes a row of its own, or a column.
kernel void written_rows(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  const float value = in[i];
  for (uint k = 0; k < 64; ++k)
    out[i * 64 + k] = value * k;
}

kernel void written_columns(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  const float value = in[i];
  for (uint k = 0; k < 64; ++k)
    out[k * get_global_size(0) + i] = value * k;
}

// One element of each row, read or written.
kernel void read_firsts(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  out[i] = in[i * 64];
}

kernel void written_firsts(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  out[i * 64] = in[i];
}

kernel void copied(global float *out, global const float *in) {
  const uint i = get_global_id(0);
  out[i] = in[i];
}

// Structures of 20 bytes, with a line for each field.
kernel void fields_on_lines(global float *p, global const float *in) {
  const uint i = get_global_id(0);
  p[5 * i] += in[i];
  p[5 * i + 1] += 2;
  p[5 * i + 3] = 3;
  p[5 * i + 4] = i;
}
