// What is live across a barrier, and where a work-item goes on.

// Values of all kinds live across barriers, in a loop that swaps two of them.
kernel void waiting_values(global int *out, global const int *in, local int *tile) {
  const size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  const size_t l = x + get_local_size(0) * (y + get_local_size(1) * z);
  const size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const size_t g = get_global_id(0) +
                   get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  int a = in[g], b = a * 3 + 1;
  float4 f = (float4)(a, b, a - b, 0.5f);
  bool odd = a & 1;
  char narrow = a;
  long sum = g;
  local int *mine = tile + l;
  for (int round = 0; round < 5; ++round) {
    *mine = a + narrow;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int other = tile[(l + round + 1) % items];
    const int swapped = a;
    a = b + other;
    b = swapped;
    f = f.yzwx + (float)other;
    odd ^= other > 3;
    narrow = (char)(narrow * 5 + round);
    sum += odd ? other : -round;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  out[g] = a ^ b ^ (int)sum ^ as_int(f.x + f.w) ^ odd ^ narrow;
}

// Which barriers there are depends on the group, as does whether its work-items get there.
kernel void waiting_branches(global int *out, local int *tile) {
  const int l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
  int sum = l;
  tile[l] = l * group;
  if (group % 5 == 4) {
    out[get_global_id(0)] = -1;
    return;
  }
  if (group & 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[n - 1 - l];
  } else if (group & 2) {
    for (int i = 0; i < group; ++i) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int seen = tile[(l + i) % n];
      for (int k = 0; k <= i % 3; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = seen + k;
        sum += i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[n - 1 - l];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  if (l % 3 == 1 && group == 6)
    sum *= 2;
  out[get_global_id(0)] = sum;
}

// The output of work-items between barriers is in their order, region by region.
kernel void waiting_printing(global int *out, local int *tile) {
  const int l = get_local_id(0), n = get_local_size(0);
  tile[l] = l * 3;
  printf("%d of %d writes\n", l, (int)get_group_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  const int read = tile[n - 1 - l];
  printf("%d of %d reads %d\n", (int)get_global_id(0), (int)get_group_id(0), read);
  out[get_global_id(0)] = read;
}

// The compiler makes copies of the barriers in the loop.
kernel void waiting_unrolled(global int *out, local int *tile) {
  const int l = get_local_id(0), n = get_local_size(0);
  tile[l] = get_global_id(0);
#pragma unroll
  for (int step = 4; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int sum = l < step ? tile[l] + tile[l + step] : tile[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = sum;
  }
  out[get_global_id(0)] = tile[l] * n;
}

// Only barriers, in a function of the program.
__attribute__((noinline)) static int exchanged(local int *tile, int l, int value) {
  tile[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = tile[l ^ 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}
kernel void waiting_within(global int *out, local int *tile) {
  const int l = get_local_id(0);
  int value = exchanged(tile, l, l + (int)get_group_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = exchanged(tile, l, value * 2) + value;
}

// A sum over pairs: a long region between short ones.
#define PAIR(i) \
  { \
    const float dx = mine.x - tile[i].x, dy = mine.y - tile[i].y, dz = mine.z - tile[i].z; \
    sum += tile[i].w * rsqrt(dx * dx + dy * dy + dz * dz + 1); \
  }
#define PAIRS4(i) PAIR(i) PAIR(i + 1) PAIR(i + 2) PAIR(i + 3)
#define PAIRS16(i) PAIRS4(i) PAIRS4(i + 4) PAIRS4(i + 8) PAIRS4(i + 12)
kernel void waiting_tiles(global float *out, const global float4 *bodies) {
  local float4 tile[64];
  const int l = get_local_id(0), n = get_local_size(0);
  const float4 mine = bodies[get_global_id(0)];
  float sum = 0;
  for (int first = 0; first < (int)get_global_size(0); first += 64) {
    for (int i = l; i < 64; i += n)
      tile[i] = bodies[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    PAIRS16(0) PAIRS16(16) PAIRS16(32) PAIRS16(48)
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// Parts of a structure in local memory at places that the compiler knows.
struct parts {
  char first;
  int3 vectors[2];
  struct {
    short pair[2];
    long last;
  } pairs[3];
};
kernel void waiting_parts(global long *out) {
  local struct parts parts;
  const int l = get_local_id(0), group = get_group_id(0);
  if (l == 0) {
    parts.first = group - 7;
    parts.vectors[1] = (int3)(group, 2, 3);
    parts.pairs[2].pair[1] = group * 3;
  } else if (l == 1) {
    parts.vectors[0].y = 5;
    parts.pairs[0].last = group + 100;
    parts.pairs[2].last = group - 100;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = parts.first + parts.vectors[1].x * parts.vectors[0].y +
                          parts.vectors[1].z + parts.pairs[2].pair[1] * parts.pairs[0].last +
                          parts.pairs[2].last * l;
}

// Barriers in functions that are called from several places, by each other and in loops.
__attribute__((noinline)) static int from_neighbour(local int *tile, int value) {
  const int l = get_local_id(0), n = get_local_size(0);
  tile[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = tile[(l + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}
__attribute__((noinline)) static int around(local int *tile, int value, int times) {
  for (int i = 0; i < times; ++i)
    value = from_neighbour(tile, value) * 3 - from_neighbour(tile, i + value);
  return times == 2 ? from_neighbour(tile, value) : value;
}
kernel void waiting_calls(global int *out, local int *tile) {
  const int group = get_group_id(0);
  int value = around(tile, get_global_id(0), group % 4);
  if (group > 0)
    value -= from_neighbour(tile, around(tile, value, 2));
  out[get_global_id(0)] = value;
}

// Work-items that meet at the same barrier by different calls.
kernel void meeting(global int *out, local int *tile) {
  const int l = get_local_id(0);
  int value = 0;
  if (l & 1)
    value = from_neighbour(tile, l);
  else
    value = from_neighbour(tile, 2 * l) + 1;
  out[get_global_id(0)] = value;
}

// An array without elements in local memory, in front of others.
__attribute__((noinline)) static void put_beyond(local int *array, int at) {
  if (at > 77)
    array[at] = 1;
}
kernel void waiting_empty(global int *out, const int k) {
  local int empty[0];
  local int counts[4], places[8];
  const int l = get_local_id(0);
  put_beyond(empty, k);
  places[l] = l * k;
  if (l < 4)
    counts[l] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[l % 2], l);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = counts[1] + places[l ^ 1] + vload4(l % 2, places).z + counts[l / 2];
}
