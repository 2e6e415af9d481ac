// A branch whose direction is data: what the flags say, the branch does. (A store in one arm only
// keeps the compiler from turning the branch into a select.)
kernel void branchy(global const int *restrict flag, global const int *restrict in,
                    global int *restrict out) {
  const size_t i = get_global_id(0);
  if (flag[i])
    out[i] = in[i];
}
