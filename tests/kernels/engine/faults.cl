// What only the interpreter does or reports.
kernel void diverging(global int *restrict out) {
  if (get_local_id(0) < 2)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += 1;
}

// All reach a barrier, but not the same one.
kernel void parting(global int *restrict out) {
  const size_t i = get_global_id(0);
  if (get_local_id(0) < 2) {
    out[i] += 2;
    barrier(CLK_LOCAL_MEM_FENCE);
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] += 1;
  }
}

kernel void talking(global const int *restrict in) {
  const size_t i = get_global_id(0);
  printf("%d\n", in[i]); // what is printed before the fault is not printed twice
  printf("and %d\n", *(global const int *)((global const char *)in + 4 * i - (i & 4) / 2));
}

kernel void saying(global int *restrict out) {
  const size_t i = get_global_id(0);
  printf(i & 1 ? "odd %d\n" : "even %d\n", out[i]); // what it reads is not known beforehand
}

kernel void misaligned(global char *restrict data) {
  global int *odd = (global int *)(data + 1 + 4 * get_global_id(0));
  *odd += 1;
}

kernel void outside(global int *restrict which, global int *restrict out) {
  int table[4] = {1, 2, 3, 4};
  const size_t i = get_global_id(0);
  table[which[i] & 3] += (int)i;
  out[i] = table[which[i]];
}

void store_misaligned(global int *to) {
  *(global int *)((global char *)to + 2) = 1;
}

// Of many work-groups the last but a few makes a misaligned access, when the others have long been
// analysed: they share their lines with other groups, and each has lines of its own.
kernel void late(global int *restrict out, global const int *restrict in) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (size_t j = 0; j < 16; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = sum;
  if (i == get_global_size(0) - 50)
    store_misaligned(out + i);
}

// One that has stored across the borders of pages, and so of granules, of which nothing, the first
// or the second had been stored to: what was there is added to, so that whatever is not restored counts twice.
void add_across(global float *border) {
  vstore4(vload4(0, border - 2) + 1, 0, border - 2);
}

kernel void late_crossing(global float *restrict data, global const int *restrict in) {
  const size_t i = get_global_id(0), page = 1024;
  int sum = 0;
  for (size_t j = 0; j < 16; ++j)
    sum += in[(i + 61 * j) & 4095];
  if (sum >= 0 && i == 0) {
    add_across(data + page);
    data[3 * page - 100] += 1;
    add_across(data + 3 * page);
    data[5 * page + 100] += 1;
    add_across(data + 5 * page);
    __builtin_memmove(data + 6 * page + 1, data + 6 * page, 1500 * sizeof(float));
  }
  if (i == get_global_size(0) - 50)
    store_misaligned((global int *)data + i);
}

// The same of a group that synchronises.
kernel void late_diverging(global int *restrict out, global const int *restrict in,
                           local int *restrict shared) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  int sum = 0;
  for (size_t j = 0; j < 8; ++j) {
    shared[l] = in[(i + 61 * j) & 4095];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared[get_local_size(0) - 1 - l];
    if (i != get_global_size(0) - 50)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}

// Strided copies, of which the last element alone is outside of the buffer.
kernel void striding(global int *x, local int *row) {
  event_t copied = async_work_group_strided_copy(row, x, get_local_size(0), 6, 0);
  wait_group_events(1, &copied);
  x[get_global_id(0)] += row[get_local_id(0)];
}

kernel void striding_out(global int *x, local int *row) {
  row[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t copied = async_work_group_strided_copy(x, row, get_local_size(0), 6, 0);
  wait_group_events(1, &copied);
}

// Work-items that ask for different copies.
kernel void differing(global int *x, local int *row) {
  event_t copied = async_work_group_copy(row, x + get_local_id(0) / 2, 2, 0);
  wait_group_events(1, &copied);
  x[get_global_id(0)] += row[get_local_id(0) % 2];
}

// A copy that no work-item ever waits for.
kernel void unwaited(global int *x, local int *row) {
  async_work_group_copy(row, x, get_local_size(0), 0);
  x[get_global_id(0)] += 1;
}

// Fills and copies whose first bytes are in the buffer, and whose last bytes are behind it.
kernel void filling(global int *out) {
  __builtin_memset(out + 8 + get_global_id(0), 3, 32);
}

kernel void copying(global const int *in, global int *out) {
  __builtin_memcpy(out, in + 8 + get_global_id(0), 32);
}

kernel void copying_out(global const int *in, global int *out) {
  __builtin_memcpy(out + 8 + get_global_id(0), in, 32);
}

// An address that is computed from one buffer and lies in another.
kernel void elsewhere(global char *one, global char *other) {
  volatile long distance = other - one;
  global int *place = (global int *)(one + distance);
  place[get_global_id(0)] += 1;
}

// Work-items that meet at one barrier with different fences, or that wait for different events.
kernel void fencing(global int *x) {
  barrier(get_local_id(0) & 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  x[get_global_id(0)] += 1;
}

// The same, in the last of eight groups.
kernel void fencing_later(global int *x) {
  const bool other = get_group_id(0) == 7 && get_local_id(0) & 1;
  barrier(other ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  x[get_global_id(0)] += 1;
}

kernel void choosing(global int *x, local int *row) {
  const size_t l = get_local_id(0), n = get_local_size(0);
  event_t events[2];
  events[0] = async_work_group_copy(row, x, n, 0);
  events[1] = async_work_group_copy(row + n, x, n, 0);
  wait_group_events(1, &events[l & 1]);
  wait_group_events(1, &events[1 - (l & 1)]); // after that, none is left
  x[get_global_id(0)] += 1;
}

// A copy that not all work-items ask for, with the event that all of them wait for.
kernel void joining(global int *x, local int *row) {
  const size_t l = get_local_id(0), n = get_local_size(0);
  event_t event = async_work_group_copy(row, x, n, 0);
  if (l < n / 2)
    async_work_group_copy(row + n, x, n, event);
  wait_group_events(1, &event);
  x[get_global_id(0)] += 1;
}

// A misaligned place in an array in local memory, which the compiler knows; of many work-groups the
// last but a few reads it.
kernel void late_constant(global int *restrict out) {
  local int table[4];
  const size_t i = get_global_id(0);
  table[get_local_id(0)] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = table[3];
  if (i == get_global_size(0) - 50)
    sum += *(local int *)((local char *)table + 6);
  out[i] = sum;
}

__attribute__((noinline)) static int element(const int *values, int at) {
  return values[at];
}

kernel void late_private(global int *restrict out) {
  const size_t i = get_global_id(0);
  int table[4];
  for (int k = 0; k < 4; ++k)
    table[k] = (int)i * k;
  const bool isBehind = i == get_global_size(0) - 50;
  const int value = element(table, isBehind ? 5 : (int)(i & 3));
  out[i] = isBehind ? value == -123456789 : value;
}

// Of many work-groups, which write numbers of their own, the last but a few make misaligned reads,
// as memory says.
kernel void late_gathering(global int *restrict out, global const int *restrict in,
                           global const int *restrict where) {
  const size_t i = get_global_id(0);
  const int bytes = 4 * where[i] - (where[i] > 8141 ? 2 : 0);
  out[i] = out[i] * 3 + *(global const int *)((global const char *)in + bytes);
}
