// A work-group fetches its elements to local memory in one copy and writes them in reverse.
kernel void async_copy(global const float *restrict in, global float *restrict out,
                       local float *tile) {
  const size_t w = get_local_size(0), l = get_local_id(0);
  event_t fetched = async_work_group_copy(tile, in + get_group_id(0) * w, w, 0);
  wait_group_events(1, &fetched);
  out[get_global_id(0)] = tile[w - 1 - l];
}

// The same for every second element, there and back.
kernel void async_strided(global float *restrict data, local float *tile) {
  const size_t w = get_local_size(0), l = get_local_id(0);
  global float *mine = data + get_group_id(0) * w * 2;
  event_t fetched = async_work_group_strided_copy(tile, mine, w, 2, 0);
  wait_group_events(1, &fetched);
  tile[l] += 0.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t stored = async_work_group_strided_copy(mine, tile, w, 2, 0);
  wait_group_events(1, &stored);
}
