// Blurs an image with a Gaussian of 5 x 5 pixels: blur.cl after all changes of docs/start.md.
constant float weights[5] = {0.13533528f, 0.60653066f, 1, 0.60653066f, 0.13533528f};

kernel __attribute__((reqd_work_group_size(32, 8, 1))) void
blur(global const float *in, global float *out, int width, int height) {
  local float tile[12][36]; // what the work-group reads
  int i = get_local_id(0), j = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  for (int row = j; row < 12; row += 8)
    for (int column = i; column < 36; column += 32)
      tile[row][column] = in[clamp(y - j + row - 2, 0, height - 1) * width +
                             clamp(x - i + column - 2, 0, width - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int dy = 0; dy < 5; dy++)
    for (int dx = 0; dx < 5; dx++)
      sum += weights[dx] * weights[dy] * tile[j + dy][i + dx];
  out[y * width + x] = sum * 0.16210282f; // over the sum of all weights
}
