// Asynchronous copies that are waited for one by one, out of order, and several with one event. The
// simulator makes a copy when it is waited for: reads before that see what was there.

kernel void apart(global const int *restrict in, global int *restrict out, local int *restrict first,
                  local int *restrict second) {
  const size_t l = get_local_id(0), g = get_global_id(0), n = get_global_size(0);
  const size_t begin = get_group_id(0) * get_local_size(0);
  first[l] = -1;
  second[l] = -2;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t a = async_work_group_copy(first, in + begin, get_local_size(0), 0);
  event_t b = async_work_group_strided_copy(second, in + begin, get_local_size(0), 2, 0);
  wait_group_events(1, &b);
  out[g] = first[l];
  out[n + g] = second[l];
  wait_group_events(1, &a);
  out[2 * n + g] = first[l];
  first[l] *= 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t back[2];
  back[0] = async_work_group_copy(out + 3 * n + begin, first, get_local_size(0), 0);
  back[1] = async_work_group_strided_copy(out + 4 * n + 2 * begin, second, get_local_size(0), 2, 0);
  wait_group_events(2, back);
}

kernel void together(global const int *restrict in, global int *restrict out,
                     local int *restrict first, local int *restrict second) {
  const size_t l = get_local_id(0), g = get_global_id(0), n = get_global_size(0);
  const size_t begin = get_group_id(0) * get_local_size(0);
  event_t a = async_work_group_copy(first, in + begin, get_local_size(0), 0);
  event_t other = async_work_group_copy(out + 2 * n + begin, second, get_local_size(0), 0);
  async_work_group_copy(second, in + n + begin, get_local_size(0), a);
  wait_group_events(1, &a);
  out[g] = first[l];
  out[n + g] = second[l];
  wait_group_events(1, &other);
}
