// Direct convolutions in NCHW, one element of the result at a time, sums in double.
//
// A work-group makes one image of one channel of the result, whatever its size: work-item i makes the pixels i, i + L,
// i + 2 L, ..., L being the local size. Launch groups * channels_per_group * batch work-groups; the channel changes
// fastest, then the image, then the group. Sizes are per group of channels where the name says so.

// result[n][k][y][x] = sum over c, v, u of
//     image[n][c][y * stride_y - pad_y + v * dilation_y][x * stride_x - pad_x + u * dilation_x] * filter[k][c][v][u]
kernel void convolution_forward(global const float *image, global const float *filter, global float *result,
                                int batch, int groups, int channels_per_group, int results_per_group,
                                int height, int width, int result_height, int result_width,
                                int filter_height, int filter_width, int pad_y, int pad_x,
                                int stride_y, int stride_x, int dilation_y, int dilation_x) {
  int number = get_group_id(0);
  int k = number % results_per_group;
  int n = number / results_per_group % batch;
  int g = number / (results_per_group * batch);

  image += ((size_t)n * groups + g) * channels_per_group * height * width;
  filter += ((size_t)g * results_per_group + k) * channels_per_group * filter_height * filter_width;
  result += (((size_t)n * groups + g) * results_per_group + k) * result_height * result_width;

  for (int pixel = get_local_id(0); pixel < result_height * result_width; pixel += get_local_size(0)) {
    int top = pixel / result_width * stride_y - pad_y;
    int left = pixel % result_width * stride_x - pad_x;
    double sum = 0;
    for (int c = 0; c < channels_per_group; c++)
      for (int v = 0; v < filter_height; v++) {
        int y = top + v * dilation_y;
        bool row_inside = y >= 0 && y < height;
        for (int u = 0; u < filter_width; u++) {
          int x = left + u * dilation_x;
          if (row_inside && x >= 0 && x < width)
            sum += (double)image[((size_t)c * height + y) * width + x] *
                   (double)filter[((size_t)c * filter_height + v) * filter_width + u];
        }
      }
    result[pixel] = (float)sum;
  }
}

// The gradient of the image: every pixel gathers from the results that it went into. Only positions that are a
// multiple of the stride were results.
kernel void convolution_backward(global float *image, global const float *filter, global const float *result,
                                 int batch, int groups, int channels_per_group, int results_per_group,
                                 int height, int width, int result_height, int result_width,
                                 int filter_height, int filter_width, int pad_y, int pad_x,
                                 int stride_y, int stride_x, int dilation_y, int dilation_x) {
  int number = get_group_id(0);
  int c = number % channels_per_group;
  int n = number / channels_per_group % batch;
  int g = number / (channels_per_group * batch);

  int taps = filter_height * filter_width;
  image += (((size_t)n * groups + g) * channels_per_group + c) * height * width;
  filter += ((size_t)g * results_per_group * channels_per_group + c) * taps;
  result += ((size_t)n * groups + g) * results_per_group * result_height * result_width;

  for (int pixel = get_local_id(0); pixel < height * width; pixel += get_local_size(0)) {
    int bottom = pixel / width + pad_y;
    int right = pixel % width + pad_x;
    double sum = 0;
    for (int k = 0; k < results_per_group; k++)
      for (int v = 0; v < filter_height; v++) {
        int y = bottom - v * dilation_y;
        bool row_inside = y >= 0 && y % stride_y == 0 && y / stride_y < result_height;
        for (int u = 0; u < filter_width; u++) {
          int x = right - u * dilation_x;
          bool inside = x >= 0 && x % stride_x == 0 && x / stride_x < result_width;
          if (row_inside && inside)
            sum += (double)result[((size_t)k * result_height + y / stride_y) * result_width + x / stride_x] *
                   (double)filter[(size_t)k * channels_per_group * taps + v * filter_width + u];
        }
      }
    image[pixel] = (float)sum;
  }
}
