// Bandwidth and latency of the levels of memory. Built with -D LANES=N, the integers that a
// work-item loads at once.

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
typedef CAT(uint, LANES) vector;

uint sum_of(vector x) {
  uint lanes[LANES];
  CAT(vstore, LANES)(x, 0, lanes);
  uint sum = 0;
  for (int lane = 0; lane < LANES; ++lane)
    sum += lanes[lane];
  return sum;
}

// Every work-group goes over all of a, `passes` times, each from another place: count vectors, a
// multiple of four times the work-group size.
#define GO_OVER(a)                                                                                 \
  const uint width = get_local_size(0);                                                            \
  const uint part = count / get_num_groups(0) / (4 * width) * (4 * width);                         \
  vector s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                           \
  for (uint pass = 0; pass < passes; ++pass) {                                                     \
    const uint first = (pass + get_group_id(0)) % get_num_groups(0) * part;                        \
    for (uint turn = 0; turn < 2; ++turn) {                                                        \
      const uint end = turn == 0 ? count : first;                                                  \
      for (uint i = (turn == 0 ? first : 0) + get_local_id(0); i < end; i += 4 * width) {          \
        s0 += a[i];                                                                                \
        s1 += a[i + width];                                                                        \
        s2 += a[i + 2 * width];                                                                    \
        s3 += a[i + 3 * width];                                                                    \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  result[get_global_id(0)] = sum_of(s0 + s1 + s2 + s3);

kernel void read_again(global const vector *a, uint count, uint passes, global uint *result) {
  GO_OVER(a)
}

kernel void read_local(local vector *a, uint count, uint passes, global uint *result) {
  for (uint i = get_local_id(0); i < count; i += get_local_size(0))
    a[i] = (vector)(i);
  barrier(CLK_LOCAL_MEM_FENCE);
  GO_OVER(a)
}

// `steps` loads, a multiple of eight, each of which needs the one before.
#define FOLLOW(next, at)                                                                           \
  for (uint i = 0; i < steps; i += 8) {                                                            \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
    at = next[at];                                                                                 \
  }

// Goes on where the launch before arrived, so that few steps in a launch do not stay in a part of the
// cycle that the caches hold.
kernel void chase(global const uint *next, uint steps, global uint *result) {
  uint at = result[0];
  FOLLOW(next, at)
  result[0] = at;
}

kernel void chase_local(local uint *next, uint count, uint stride, uint steps,
                        global uint *result) {
  for (uint i = 0; i < count; ++i)
    next[i] = (i + stride) % count;
  uint at = 0;
  FOLLOW(next, at)
  result[0] = at;
}
