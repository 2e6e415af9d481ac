// Speckle reducing anisotropic diffusion: an iteration is srad_cuda_1, then srad_cuda_2.
//
// The image is row-major; a work-item is a pixel, a work-group a tile of TILE by TILE pixels. Beyond
// the edges the image goes on with the pixel at the edge, so that nothing flows out of it.
//
// Both kernels stage their tile in local memory with the neighbours that they need, because most
// pixels are read by several work-items. Work-items outside the image read the nearest pixel inside
// and write nothing. The work of a pixel does not depend on the tile that it is in.

#pragma OPENCL FP_CONTRACT OFF

// The diffusion coefficient of every pixel from its gradients, which the second kernel needs, too:
// the differences from the neighbours to the north, south, west and east. `noise` is the squared
// coefficient of variation of the speckle.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void srad_cuda_1(const global float *restrict image, global float *restrict north,
                 global float *restrict south, global float *restrict west,
                 global float *restrict east, global float *restrict coefficient,
                 const uint rows, const uint columns, const float noise) {
  local float tile[TILE + 2][TILE + 2];
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t column = min(get_global_id(0), (size_t)columns - 1);
  const size_t row = min(get_global_id(1), (size_t)rows - 1);
  const size_t pixel = row * columns + column;

  const float here = image[pixel];
  tile[y + 1][x + 1] = here;
  if (y == 0)
    tile[0][x + 1] = row == 0 ? here : image[pixel - columns];
  if (y == TILE - 1)
    tile[TILE + 1][x + 1] = row == rows - 1 ? here : image[pixel + columns];
  if (x == 0)
    tile[y + 1][0] = column == 0 ? here : image[pixel - 1];
  if (x == TILE - 1)
    tile[y + 1][TILE + 1] = column == columns - 1 ? here : image[pixel + 1];
  barrier(CLK_LOCAL_MEM_FENCE);

  if (get_global_id(0) >= columns || get_global_id(1) >= rows)
    return;
  const float to_north = tile[y][x + 1] - here;
  const float to_south = tile[y + 2][x + 1] - here;
  const float to_west = tile[y + 1][x] - here;
  const float to_east = tile[y + 1][x + 2] - here;

  // The instantaneous coefficient of variation q: 1 + laplacian / 4 is the mean of the neighbours
  // relative to the pixel, which is positive like the image.
  const float gradient = (to_north * to_north + to_south * to_south + to_west * to_west +
                          to_east * to_east) / (here * here);
  const float laplacian = (to_north + to_south + to_west + to_east) / here;
  const float mean = 1.0f + 0.25f * laplacian;
  const float q_squared =
      (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (mean * mean);

  // 1 / (1 + (q^2 - q0^2) / (q0^2 (1 + q0^2))) as one fraction: no difference of close numbers.
  const float c = noise * (1.0f + noise) / (q_squared + noise * noise);

  north[pixel] = to_north;
  south[pixel] = to_south;
  west[pixel] = to_west;
  east[pixel] = to_east;
  coefficient[pixel] = clamp(c, 0.0f, 1.0f);
}

// Moves the image by a step along the divergence of coefficient times gradient. The coefficient
// between two pixels is that of the southern or eastern one. `step` is lambda / 4.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void srad_cuda_2(global float *restrict image, const global float *restrict north,
                 const global float *restrict south, const global float *restrict west,
                 const global float *restrict east, const global float *restrict coefficient,
                 const uint rows, const uint columns, const float step) {
  local float tile[TILE + 1][TILE + 1];
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t column = min(get_global_id(0), (size_t)columns - 1);
  const size_t row = min(get_global_id(1), (size_t)rows - 1);
  const size_t pixel = row * columns + column;

  const float here = coefficient[pixel];
  tile[y][x] = here;
  if (y == TILE - 1)
    tile[TILE][x] = row == rows - 1 ? here : coefficient[pixel + columns];
  if (x == TILE - 1)
    tile[y][TILE] = column == columns - 1 ? here : coefficient[pixel + 1];
  barrier(CLK_LOCAL_MEM_FENCE);

  if (get_global_id(0) >= columns || get_global_id(1) >= rows)
    return;
  const float divergence = here * north[pixel] + tile[y + 1][x] * south[pixel] +
                           here * west[pixel] + tile[y][x + 1] * east[pixel];
  image[pixel] += step * divergence;
}
