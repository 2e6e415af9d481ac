// Blurs an image with a Gaussian of 5 x 5 pixels: blur.cl after the change of docs/start.md.
kernel void blur(global const float *in, global float *out, int width, int height) {
  int y = get_global_id(1);
  int x = get_global_id(0);
  float sum = 0;
  float weights = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      float weight = exp(-0.5f * (dx * dx + dy * dy));
      int row = clamp(y + dy, 0, height - 1);
      int column = clamp(x + dx, 0, width - 1);
      sum += weight * in[row * width + column];
      weights += weight;
    }
  out[y * width + x] = sum / weights;
}
