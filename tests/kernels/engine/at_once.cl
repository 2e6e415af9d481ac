// Work-groups that can run at once on several threads, and such as cannot, which mostly shows late.

// Each has rows of its own.
kernel void apart(global int *restrict out, global const int *restrict in) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (size_t j = 0; j < 16; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = sum;
}

// Each reads what it alone writes.
kernel void in_place(global int *y, global const int *x) {
  const size_t i = get_global_id(0);
  y[i] += 3 * x[i & 4095];
  y[i] *= y[i] - 1;
}

// The numbers of several groups share a granule of memory.
kernel void partial(global int *restrict sums, global const int *restrict in,
                    local int *restrict shared) {
  const size_t l = get_local_id(0), group = get_group_id(0);
  shared[l] = in[get_global_id(0) & 4095];
  for (size_t part = get_local_size(0) / 2; part > 0; part /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < part)
      shared[l] += shared[l + part];
  }
  if (l == 0)
    sums[group] += shared[0] * (int)(group + 1);
}

// Groups of two dimensions, whose rows do not begin with a granule.
kernel void pitch(global int *out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  for (int step = 0; step < 3; ++step)
    out[y * width + x] = out[y * width + x] * 5 + x - y * step;
}

// Neighbours share a granule, and a number of it, which belongs to the later one.
kernel void overlapping(global int *out) {
  const size_t i = get_global_id(0);
  out[i + 5] = (int)i;
  if (get_local_id(0) == 0)
    out[i + 5 + get_local_size(0)] = -1;
}

// Neighbours share a granule, and the later one reads what the other one has written there.
kernel void neighbours(global int *out) {
  const size_t i = get_global_id(0);
  out[i + 5] = get_local_id(0) == 0 ? out[i + 4] + 1 : (int)i;
}

// Each needs what the one before has written.
kernel void chain(global int *out) {
  const size_t i = get_global_id(0), group = get_local_size(0);
  out[i] = i < group ? (int)i : out[i - group] * 3 + 1;
}

// The last reads what an earlier one has written.
kernel void late_reading(global int *out, global const int *in) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < 48; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = i == get_global_size(0) - 1 ? out[i - 2000] - sum : sum;
}

// One reads what the last is going to write.
kernel void early_reading(global int *out, global const int *in) {
  const size_t i = get_global_id(0);
  int sum = i == get_global_size(0) - 2000 ? out[i + 1999] : 0;
  for (int j = 0; j < 48; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = sum;
}

// Two write to one place, from which nobody reads.
kernel void late_writing(global int *out, global const int *in) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < 48; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = sum;
  if (i == get_global_size(0) - 1 || i == get_global_size(0) - 2000)
    out[100] = sum;
}

// A group waits for another one, which has ended if they run in order.
kernel void waiting(global int *out) {
  const size_t i = get_global_id(0), group = get_local_size(0);
  int before = i < group ? 1 : 0;
  while (before == 0) {
    before = out[i - group];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  out[i] = before + 1;
}

// A group waits for what the first one has written, before the last ones write something else. Half
// of the work-items enter the loop in its middle, so no analysis counts it.
kernel void jumping(global int *out) {
  const size_t i = get_global_id(0), group = get_group_id(0), last = get_num_groups(0) * 11 / 16;
  if (group == 0)
    out[0] = 1;
  if (group >= last)
    out[0] = 2;
  if (group == 0 || group >= last)
    goto end;
  if (i & 1)
    goto middle;
begin:
  mem_fence(CLK_GLOBAL_MEM_FENCE);
middle:
  if (out[0] != 1)
    goto begin;
end:
  out[64 + i] = (int)i;
}

kernel void ticket(global int *next, global int *out) {
  out[get_global_id(0)] = atomic_add(next, 3);
}

kernel void volatile_chain(volatile global int *out) {
  const size_t i = get_global_id(0), group = get_local_size(0);
  out[i] = i < group ? (int)i : out[i - group] * 3 + 1;
}

// Pointers in memory, to either buffer.
kernel void choosing(global int *a, global int *b) {
  const size_t i = get_global_id(0);
  global int *of[2] = {a, b};
  of[i & 1][i] += (int)i;
  of[(i >> 1) & 1][i] ^= of[1 - (i & 1)][i];
}

// A late group prints.
kernel void late_printing(global int *out, global const int *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i & 4095] + 2;
  if (i == get_global_size(0) - 40)
    printf("%d of %d\n", out[i], (int)i);
}

// A late group writes what is read-only.
kernel void late_reporting(global int *out, global int *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i & 4095] + 2;
  if (i == get_global_size(0) - 40)
    in[7] = 1;
}

// Work-items wait for each other, and the last group reads what others have written.
kernel void late_synchronised(global int *out, global const int *in, local int *shared) {
  const size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  int sum = i == get_global_size(0) - 3 ? out[i - 1700] : 0;
  for (int j = 0; j < 16; ++j) {
    shared[l] = in[(i + 61 * j) & 4095] + sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}

// A copy of work-groups, which are carried out at the end of the group.
kernel void copies(global int *out, global const int *in, local int *row) {
  const size_t n = get_local_size(0);
  event_t event = async_work_group_copy(row, in + (get_group_id(0) * n & 4095), n, 0);
  wait_group_events(1, &event);
  row[get_local_id(0)] += (int)get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(out + get_group_id(0) * n, row, n, 0);
  wait_group_events(1, &event);
}

// Writes a number to each granule of memory, which takes compiled code a long time.
void delay(global int *granules, int count) {
  for (int granule = 0; granule < count; ++granule)
    granules[granule * 16] = granule;
}

// Groups iterate as often as the sixth one says, which takes some time. Those from `from` on would
// iterate nearly without end if they read the number before that.
kernel void bound(global long *count, global int *out, global int *granules, int from) {
  const size_t i = get_global_id(0), group = get_group_id(0);
  int x = (int)i;
  if (group == 5) {
    if (get_local_id(0) == 0)
      delay(granules, 131072);
    count[0] = 3;
  } else if (group >= from) {
    for (long a = 0; a < count[0]; ++a)
      x = x * 1664525 + 1013904223;
  }
  out[i] = x;
}

int iterated(int x) {
  for (int r = 0; r < 5; ++r)
    x = x * 22695477 + 1;
  return x;
}

// The loop calls a function with a loop of its own.
kernel void bound_calls(global long *count, global int *out, global int *granules, int from) {
  const size_t i = get_global_id(0), group = get_group_id(0);
  int x = (int)i;
  if (group == 5) {
    if (get_local_id(0) == 0)
      delay(granules, 131072);
    count[0] = 3;
  } else if (group >= from) {
    for (long a = 0; a < count[0]; ++a)
      x = iterated(x);
  }
  out[i] = x;
}

// The loop has a barrier, at which a group is cut.
kernel void bound_synchronised(global long *count, global int *out, global int *granules, int from,
                               local int *shared) {
  const size_t i = get_global_id(0), group = get_group_id(0), l = get_local_id(0);
  int x = (int)i;
  if (group == 5) {
    if (get_local_id(0) == 0)
      delay(granules, 131072);
    count[0] = 3;
  } else if (group >= from) {
    const long most = count[0];
    for (long a = 0; a < most; ++a) {
      shared[l] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x += shared[get_local_size(0) - 1 - l] * 3;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[i] = x;
}

// Groups follow a chain, which is closed until the sixth one has written its end.
kernel void bound_chain(global long *next, global int *out, global int *granules, int from) {
  const size_t i = get_global_id(0), group = get_group_id(0);
  int x = (int)i;
  if (group == 5) {
    if (get_local_id(0) == 0)
      delay(granules, 131072);
    next[0] = 1;
  } else if (group >= from) {
    for (long at = 0; at != 1; at = next[at])
      ++x;
  }
  out[i] = x;
}

// One group executes so much that it is asked whether it may go on, and may.
kernel void long_group(global int *y, int rounds) {
  const size_t i = get_global_id(0);
  int x = y[i];
  if (get_group_id(0) == 60)
    for (int r = 0; r < rounds; ++r)
      x = x * 1664525 + 1013904223;
  y[i] = x;
}
