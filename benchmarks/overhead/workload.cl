// The synthetic workloads of the overhead benchmark: each one puts its weight on one thing that
// characterisation has to pay for. `words` is the size of `data`, a power of two.

// Few instructions per access: copies the lower half of the data to the upper half, again and
// again, with a stride of the whole NDRange between the accesses of a work-item.
kernel void stream(global uint *data, uint words, uint steps) {
  const uint middle = words / 2;
  const uint stride = get_global_size(0);
  global const uint *from = data;
  global uint *to = data + middle;
  uint at = get_global_id(0);
  for (uint step = 0; step < steps; ++step) {
    to[at] = from[at];
    to[at + stride] = from[at + stride];
    to[at + 2 * stride] = from[at + 2 * stride];
    to[at + 3 * stride] = from[at + 3 * stride];
    at = (at + 4 * stride) & (middle - 1);
  }
}

// Few instructions per branch, and each branch a fair coin: the upper bits of a linear congruential
// generator, flipped until one of them says stop.
kernel void coin(global uint *data, uint words, uint steps) {
  uint state = get_global_id(0);
  uint flips = 0;
  for (uint step = 0; step < steps; ++step) {
    do {
      state = state * 1664525u + 1013904223u;
      ++flips;
    } while (state & 0x80000000u);
  }
  data[get_global_id(0) & (words - 1)] = flips;
}

// Next to nothing, for what a work-group or an invocation costs by itself.
kernel void touch(global uint *data, uint words, uint steps) {
  data[get_global_id(0) & (words - 1)] += steps;
}

// Sequential code, for a single work-item: 1024 columns, each row from the one before it and from
// its own left neighbour, so that both loops carry a dependence through memory.
kernel void rows(global uint *data, uint words, uint steps) {
  for (uint row = 1; row <= steps; ++row) {
    global const uint *above = data + ((row - 1) * 1024 & (words - 1));
    global uint *current = data + (row * 1024 & (words - 1));
    for (uint column = 1; column < 1024; ++column)
      current[column] = 3 * above[column] + current[column - 1];
  }
}

// A filter as those of FFmpeg: the mean of the 3 x 3 pixels around each, of an image of 1024 columns
// of four bytes, once with the functions of images and once without.
kernel void filter_image(read_only image2d_t from, write_only image2d_t to) {
  const sampler_t nearest =
      CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 here = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int row = -1; row <= 1; ++row)
    for (int column = -1; column <= 1; ++column)
      sum += read_imagef(from, nearest, here + (int2)(column, row));
  write_imagef(to, here, sum / 9);
}

kernel void filter_buffer(global const uchar4 *from, global uchar4 *to) {
  const int width = get_global_size(0), height = get_global_size(1);
  const int2 here = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int row = -1; row <= 1; ++row)
    for (int column = -1; column <= 1; ++column)
      sum += convert_float4(from[clamp(here.y + row, 0, height - 1) * width +
                                 clamp(here.x + column, 0, width - 1)]) /
             255;
  to[here.y * width + here.x] = convert_uchar4_sat_rte(sum / 9 * 255);
}
