/* An application of StarPU whose kernels carry their profiles: three streams of tasks with
 * dependences (the LU decomposition of a matrix in tiles; wavelet, stencil and reduction of the
 * strips of an image; sparse matrix-vector products, one after another), on OpenCL workers and on
 * the CPU, with the predictions of libaiwc_starpu as performance models. Last, it divides one
 * launch between an OpenCL and a CPU worker. It checks its results.
 *
 *     tasks [--models predicted|seeded|measured] [--scale N] [--repeat N] FILE
 *
 * FILE is tasks.cl, or an annotated copy. Prints the time of each repetition in milliseconds. */
#include <aiwc_starpu.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kEdge = 16,  /* of the work-groups of lu_internal */
  kLanes = 64, /* work-items of a group of reduction */
  kMostBuffers = 5,
  kMostScalars = 2
};

/* Sizes of one problem; --scale multiplies the numbers of tiles, strips and blocks. */
static struct {
  uint32_t tile;  /* rows of a tile */
  uint32_t tiles; /* of a row of the matrix */
  uint32_t width, height, strips;
  uint32_t rows, blocks, products; /* rows of a block of the sparse matrix */
} size = {96, 3, 1024, 64, 4, 4096, 3, 3};

static void die(const char *what) {
  fprintf(stderr, "tasks: %s\n", what);
  exit(1);
}

/* -- Kinds of tasks ---------------------------------------------------------------------------- */

typedef struct kind {
  struct starpu_codelet codelet; /* must be the first */
  void (*on_cpu)(float **buffers);
  int (*launch)(struct starpu_task *, aiwc_starpu_launch *);
  uint32_t scalars[kMostScalars];
  int scalar_count;
} kind;

static kind *kind_of(struct starpu_task *task) {
  return (kind *)task->cl;
}

static int launch_1d(aiwc_starpu_launch *launch, size_t global, size_t local) {
  launch->work_dim = 1;
  launch->global_size[0] = global;
  launch->local_size[0] = local;
  return 0;
}

static int launch_2d(aiwc_starpu_launch *launch, size_t x, size_t y, size_t local_x,
                     size_t local_y) {
  launch->work_dim = 2;
  launch->global_size[0] = x;
  launch->global_size[1] = y;
  launch->local_size[0] = local_x;
  launch->local_size[1] = local_y;
  return 0;
}

static int launch_diagonal(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_1d(launch, size.tile, size.tile);
}

static int launch_lines(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_1d(launch, size.tile, 32);
}

static int launch_internal(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_2d(launch, size.tile, size.tile, kEdge, kEdge);
}

/* Also for a part of an image that has another number of rows than a strip. */
static int launch_wavelet(struct starpu_task *task, aiwc_starpu_launch *launch) {
  const size_t pixels = starpu_vector_get_nx(task->handles[0]);
  return launch_2d(launch, size.width / 2, pixels / size.width, 64, 1);
}

static int launch_stencil(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_2d(launch, size.width, size.height, 64, 1);
}

/* Each work-item of a reduction adds `height` pixels. */
static int launch_reduction(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_1d(launch, size.width, kLanes);
}

static int launch_csr(struct starpu_task *task, aiwc_starpu_launch *launch) {
  (void)task;
  return launch_1d(launch, size.rows, 64);
}

static void diagonal_on_cpu(float **buffers) {
  float *tile = buffers[0];
  const size_t n = size.tile;
  for (size_t k = 0; k + 1 < n; ++k)
    for (size_t i = k + 1; i < n; ++i) {
      const float factor = tile[i * n + k] / tile[k * n + k];
      tile[i * n + k] = factor;
      for (size_t j = k + 1; j < n; ++j)
        tile[i * n + j] -= factor * tile[k * n + j];
    }
}

static void row_on_cpu(float **buffers) {
  const float *decomposed = buffers[0];
  float *tile = buffers[1];
  const size_t n = size.tile;
  for (size_t i = 1; i < n; ++i)
    for (size_t k = 0; k < i; ++k)
      for (size_t j = 0; j < n; ++j)
        tile[i * n + j] -= decomposed[i * n + k] * tile[k * n + j];
}

static void column_on_cpu(float **buffers) {
  const float *decomposed = buffers[0];
  float *tile = buffers[1];
  const size_t n = size.tile;
  for (size_t row = 0; row < n; ++row)
    for (size_t j = 0; j < n; ++j) {
      float x = tile[row * n + j];
      for (size_t k = 0; k < j; ++k)
        x -= tile[row * n + k] * decomposed[k * n + j];
      tile[row * n + j] = x / decomposed[j * n + j];
    }
}

static void internal_on_cpu(float **buffers) {
  const float *left = buffers[0], *above = buffers[1];
  float *tile = buffers[2];
  const size_t n = size.tile;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
      for (size_t j = 0; j < n; ++j)
        tile[i * n + j] -= left[i * n + k] * above[k * n + j];
}

static float detail_of(const float *row, size_t pair, size_t last) {
  return row[2 * pair + 1] - 0.5f * (row[2 * pair] + row[2 * (pair < last ? pair + 1 : last)]);
}

static void wavelet_of(const float *image, float *coefficients, size_t rows) {
  const size_t half = size.width / 2;
  for (size_t y = 0; y < rows; ++y) {
    const float *row = image + y * size.width;
    float *to = coefficients + y * size.width;
    for (size_t pair = 0; pair < half; ++pair) {
      const float detail = detail_of(row, pair, half - 1);
      to[pair] =
          row[2 * pair] + 0.25f * (detail_of(row, pair > 0 ? pair - 1 : 0, half - 1) + detail);
      to[half + pair] = detail;
    }
  }
}

static void wavelet_on_cpu(void *buffers[], void *unused) {
  (void)unused;
  wavelet_of((float *)STARPU_VECTOR_GET_PTR(buffers[0]), (float *)STARPU_VECTOR_GET_PTR(buffers[1]),
             STARPU_VECTOR_GET_NX(buffers[0]) / size.width);
}

static void stencil_on_cpu(float **buffers) {
  const float *from = buffers[0];
  float *to = buffers[1];
  const size_t width = size.width, height = size.height;
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const float here = from[y * width + x];
      const float west = from[y * width + (x > 0 ? x - 1 : 0)];
      const float east = from[y * width + (x + 1 < width ? x + 1 : x)];
      const float north = from[(y > 0 ? y - 1 : 0) * width + x];
      const float south = from[(y + 1 < height ? y + 1 : y) * width + x];
      to[y * width + x] = here + 0.2f * (west + east + north + south - 4.0f * here);
    }
}

static void reduction_on_cpu(float **buffers) {
  const size_t group = (size_t)kLanes * size.height;
  for (size_t g = 0; g < size.width / kLanes; ++g) {
    float sum = 0;
    for (size_t i = 0; i < group; ++i)
      sum += buffers[0][g * group + i];
    buffers[1][g] = sum;
  }
}

static void csr_on_cpu(float **buffers) {
  const uint32_t *begin = (const uint32_t *)buffers[0], *column = (const uint32_t *)buffers[1];
  for (size_t row = 0; row < size.rows; ++row) {
    float sum = 0;
    for (uint32_t i = begin[row]; i < begin[row + 1]; ++i)
      sum += buffers[2][i] * buffers[3][column[i]];
    buffers[4][row] = sum;
  }
}

static struct starpu_opencl_program program;

static void run_on_cpu(void *buffers[], void *unused) {
  struct starpu_task *const task = starpu_task_get_current();
  float *pointers[kMostBuffers];
  (void)unused;
  for (int b = 0; b < task->cl->nbuffers; ++b)
    pointers[b] = (float *)STARPU_VECTOR_GET_PTR(buffers[b]);
  kind_of(task)->on_cpu(pointers);
}

static void run_on_opencl(void *buffers[], void *unused) {
  struct starpu_task *const task = starpu_task_get_current();
  const kind *const made = kind_of(task);
  const int device = starpu_worker_get_devid(starpu_worker_get_id());
  aiwc_starpu_launch launch;
  cl_kernel kernel;
  cl_command_queue queue;
  cl_int status = 0;
  cl_uint argument = 0;
  (void)unused;
  starpu_opencl_load_kernel(&kernel, &queue, &program, task->cl->name, device);
  for (int b = 0; b < task->cl->nbuffers; ++b) {
    cl_mem memory = (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(buffers[b]);
    status |= clSetKernelArg(kernel, argument++, sizeof memory, &memory);
  }
  for (int s = 0; s < made->scalar_count; ++s)
    status |= clSetKernelArg(kernel, argument++, sizeof(cl_uint), &made->scalars[s]);
  made->launch(task, &launch);
  status |= clEnqueueNDRangeKernel(queue, kernel, launch.work_dim, NULL, launch.global_size,
                                   launch.local_size, 0, NULL, NULL);
  status |= clFinish(queue);
  starpu_opencl_release_kernel(kernel);
  if (status != CL_SUCCESS)
    die("a kernel could not be launched");
}

enum { kDiagonal, kRow, kColumn, kInternal, kWavelet, kStencil, kReduction, kCsr, kKinds };

#define KIND(kernel, count, ...)                                                                   \
  .codelet = {.name = kernel,                                                                      \
              .cpu_funcs = {run_on_cpu},                                                           \
              .opencl_funcs = {run_on_opencl},                                                     \
              .nbuffers = count,                                                                   \
              .modes = {__VA_ARGS__}}
static kind kinds[kKinds] = {
    {KIND("lu_diagonal", 1, STARPU_RW), diagonal_on_cpu, launch_diagonal, {0}, 1},
    {KIND("lu_row", 2, STARPU_R, STARPU_RW), row_on_cpu, launch_lines, {0}, 1},
    {KIND("lu_column", 2, STARPU_R, STARPU_RW), column_on_cpu, launch_lines, {0}, 1},
    {KIND("lu_internal", 3, STARPU_R, STARPU_R, STARPU_RW),
     internal_on_cpu,
     launch_internal,
     {0},
     1},
    {KIND("wavelet", 2, STARPU_R, STARPU_W), NULL, launch_wavelet, {0}, 1},
    {KIND("stencil", 2, STARPU_R, STARPU_W), stencil_on_cpu, launch_stencil, {0}, 2},
    {KIND("reduction", 2, STARPU_R, STARPU_W), reduction_on_cpu, launch_reduction, {0}, 1},
    {KIND("csr", 5, STARPU_R, STARPU_R, STARPU_R, STARPU_R, STARPU_W),
     csr_on_cpu,
     launch_csr,
     {0},
     0},
};

static void set_scalars(void) {
  for (int k = kDiagonal; k <= kInternal; ++k)
    kinds[k].scalars[0] = size.tile;
  kinds[kWavelet].scalars[0] = kinds[kStencil].scalars[0] = size.width;
  kinds[kStencil].scalars[1] = size.height;
  kinds[kReduction].scalars[0] = size.height;
  kinds[kWavelet].codelet.cpu_funcs[0] = wavelet_on_cpu;
}

/* -- Data -------------------------------------------------------------------------------------- */

typedef struct {
  starpu_data_handle_t handle;
  void *bytes;
  size_t count; /* elements of 4 bytes */
} vector;

static vector new_vector(size_t count) {
  vector made = {NULL, malloc(count * 4), count};
  if (!made.bytes)
    die("out of memory");
  starpu_vector_data_register(&made.handle, STARPU_MAIN_RAM, (uintptr_t)made.bytes, (uint32_t)count,
                              4);
  return made;
}

static void delete_vector(vector *old) {
  starpu_data_unregister(old->handle);
  free(old->bytes);
}

/* Numbers in [0, 1) that are the same in every run. */
static float random_number(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (float)(1u << 24);
}

typedef struct {
  vector *tiles, *original;                     /* of the matrix */
  vector *image, *coefficients, *smooth, *sums; /* of each strip */
  vector *begin, *column, *value;               /* of each block of the sparse matrix */
  vector *x;                                    /* before and after each product, for each block */
} problem;

static vector *new_vectors(size_t number, size_t count) {
  vector *made = malloc(number * sizeof *made);
  if (!made)
    die("out of memory");
  for (size_t i = 0; i < number; ++i)
    made[i] = new_vector(count);
  return made;
}

static void delete_vectors(vector *old, size_t number) {
  for (size_t i = 0; i < number; ++i)
    delete_vector(&old[i]);
  free(old);
}

/* The rows of a block have 2 to 63 elements, few rows many. Block b reads block b of x: the sparse
 * matrix is block-diagonal, and shifts x by one block from product to product. */
static void fill_sparse(problem *p, uint32_t block, uint32_t *state) {
  uint32_t *begin = p->begin[block].bytes;
  begin[0] = 0;
  for (uint32_t row = 0; row < size.rows; ++row) {
    const float skew = random_number(state);
    begin[row + 1] = begin[row] + 2 + (uint32_t)(61 * skew * skew * skew * skew);
  }
  p->column[block] = new_vector(begin[size.rows]);
  p->value[block] = new_vector(begin[size.rows]);
  for (uint32_t i = 0; i < begin[size.rows]; ++i) {
    ((uint32_t *)p->column[block].bytes)[i] = (uint32_t)(random_number(state) * (float)size.rows);
    ((float *)p->value[block].bytes)[i] = random_number(state) / 16;
  }
}

static problem new_problem(void) {
  uint32_t state = 1;
  const size_t tiles = (size_t)size.tiles * size.tiles, tile = (size_t)size.tile * size.tile;
  const size_t pixels = (size_t)size.width * size.height;
  problem p;
  p.tiles = new_vectors(tiles, tile);
  p.original = new_vectors(tiles, tile);
  for (size_t t = 0; t < tiles; ++t) {
    float *values = p.tiles[t].bytes;
    for (size_t i = 0; i < tile; ++i)
      values[i] = random_number(&state);
    if (t % (size.tiles + 1) == 0) /* dominant diagonal: no pivots needed */
      for (size_t i = 0; i < size.tile; ++i)
        values[i * size.tile + i] += (float)(size.tile * size.tiles);
    memcpy(p.original[t].bytes, values, tile * 4);
  }
  p.image = new_vectors(size.strips, pixels);
  p.coefficients = new_vectors(size.strips, pixels);
  p.smooth = new_vectors(size.strips, pixels);
  p.sums = new_vectors(size.strips, size.width / kLanes);
  for (uint32_t s = 0; s < size.strips; ++s)
    for (size_t i = 0; i < pixels; ++i)
      ((float *)p.image[s].bytes)[i] = random_number(&state);
  p.begin = new_vectors(size.blocks, size.rows + 1);
  p.column = malloc(size.blocks * sizeof(vector));
  p.value = malloc(size.blocks * sizeof(vector));
  if (!p.column || !p.value)
    die("out of memory");
  for (uint32_t b = 0; b < size.blocks; ++b)
    fill_sparse(&p, b, &state);
  p.x = new_vectors((size_t)size.blocks * (size.products + 1), size.rows);
  for (uint32_t b = 0; b < size.blocks; ++b)
    for (uint32_t i = 0; i < size.rows; ++i)
      ((float *)p.x[b].bytes)[i] = random_number(&state);
  return p;
}

static void delete_problem(problem *p) {
  delete_vectors(p->tiles, (size_t)size.tiles * size.tiles);
  delete_vectors(p->original, (size_t)size.tiles * size.tiles);
  delete_vectors(p->image, size.strips);
  delete_vectors(p->coefficients, size.strips);
  delete_vectors(p->smooth, size.strips);
  delete_vectors(p->sums, size.strips);
  delete_vectors(p->begin, size.blocks);
  delete_vectors(p->column, size.blocks);
  delete_vectors(p->value, size.blocks);
  delete_vectors(p->x, (size_t)size.blocks * (size.products + 1));
}

/* -- Tasks ------------------------------------------------------------------------------------- */

static void submit(int which, const vector **buffers) {
  struct starpu_task *const task = starpu_task_create();
  task->cl = &kinds[which].codelet;
  for (int b = 0; b < task->cl->nbuffers; ++b)
    task->handles[b] = buffers[b]->handle;
  if (starpu_task_submit(task) != 0)
    die("no worker can execute a task");
}
#define SUBMIT(which, ...) submit(which, (const vector *[]){__VA_ARGS__})

static void submit_decomposition(problem *p) {
  const uint32_t n = size.tiles;
  for (uint32_t k = 0; k < n; ++k) {
    vector *const diagonal = &p->tiles[k * n + k];
    SUBMIT(kDiagonal, diagonal);
    for (uint32_t i = k + 1; i < n; ++i) {
      SUBMIT(kRow, diagonal, &p->tiles[k * n + i]);
      SUBMIT(kColumn, diagonal, &p->tiles[i * n + k]);
    }
    for (uint32_t i = k + 1; i < n; ++i)
      for (uint32_t j = k + 1; j < n; ++j)
        SUBMIT(kInternal, &p->tiles[i * n + k], &p->tiles[k * n + j], &p->tiles[i * n + j]);
  }
}

static void submit_all(problem *p) {
  submit_decomposition(p);
  for (uint32_t s = 0; s < size.strips; ++s) {
    SUBMIT(kWavelet, &p->image[s], &p->coefficients[s]);
    SUBMIT(kStencil, &p->coefficients[s], &p->smooth[s]);
    SUBMIT(kReduction, &p->smooth[s], &p->sums[s]);
  }
  for (uint32_t product = 0; product < size.products; ++product)
    for (uint32_t b = 0; b < size.blocks; ++b) {
      const uint32_t next = (b + 1) % size.blocks;
      SUBMIT(kCsr, &p->begin[b], &p->column[b], &p->value[b], &p->x[product * size.blocks + b],
             &p->x[(product + 1) * size.blocks + next]);
    }
}

/* -- Checks ------------------------------------------------------------------------------------ */

static float element(const vector *tiles, uint32_t row, uint32_t column) {
  const uint32_t n = size.tile;
  const float *tile = tiles[(row / n) * size.tiles + column / n].bytes;
  return tile[(row % n) * n + column % n];
}

/* The largest relative difference of L U from the matrix, in every 7th row and column. */
static double error_of_decomposition(const problem *p) {
  const uint32_t n = size.tile * size.tiles;
  double worst = 0;
  for (uint32_t row = 0; row < n; row += 7)
    for (uint32_t column = 0; column < n; column += 7) {
      double product = 0;
      for (uint32_t k = 0; k <= (row < column ? row : column); ++k)
        product += (k == row ? 1.0 : (double)element(p->tiles, row, k)) *
                   (double)element(p->tiles, k, column);
      const double expected = element(p->original, row, column);
      worst = fmax(worst, fabs(product - expected) / (1 + fabs(expected)));
    }
  return worst;
}

/* The same for everything else, against what the CPU's functions compute one after another. */
static double error_of_the_rest(const problem *p) {
  const size_t pixels = (size_t)size.width * size.height;
  float *coefficients = malloc(pixels * 4), *smooth = malloc(pixels * 4);
  float *sums = malloc(size.width / kLanes * 4), *y = malloc(size.rows * 4);
  double worst = 0;
  if (!coefficients || !smooth || !sums || !y)
    die("out of memory");
  for (uint32_t s = 0; s < size.strips; ++s) {
    wavelet_of(p->image[s].bytes, coefficients, size.height);
    stencil_on_cpu((float *[]){coefficients, smooth});
    reduction_on_cpu((float *[]){smooth, sums});
    for (size_t g = 0; g < size.width / kLanes; ++g)
      worst = fmax(worst, fabs((double)sums[g] - (double)((float *)p->sums[s].bytes)[g]) /
                              (1 + fabs((double)sums[g])));
  }
  for (uint32_t product = 0; product < size.products; ++product)
    for (uint32_t b = 0; b < size.blocks; ++b) {
      const float *got = p->x[(product + 1) * size.blocks + (b + 1) % size.blocks].bytes;
      csr_on_cpu((float *[]){p->begin[b].bytes, p->column[b].bytes, p->value[b].bytes,
                             p->x[product * size.blocks + b].bytes, y});
      for (uint32_t row = 0; row < size.rows; ++row)
        worst = fmax(worst, fabs((double)y[row] - (double)got[row]) / (1 + fabs((double)y[row])));
    }
  free(coefficients);
  free(smooth);
  free(sums);
  free(y);
  return worst;
}

static void acquire(const vector *vectors, size_t number, int release) {
  for (size_t i = 0; i < number; ++i)
    if (release)
      starpu_data_release(vectors[i].handle);
    else if (starpu_data_acquire(vectors[i].handle, STARPU_R) != 0)
      die("data cannot be read");
}

/* Returns the largest relative error. */
static double check(problem *p) {
  double error = 0;
  for (int release = 0; release <= 1; ++release) {
    acquire(p->tiles, (size_t)size.tiles * size.tiles, release);
    acquire(p->sums, size.strips, release);
    acquire(p->x, (size_t)size.blocks * (size.products + 1), release);
    if (!release)
      error = fmax(error_of_decomposition(p), error_of_the_rest(p));
  }
  return error;
}

/* -- One launch on two workers ------------------------------------------------------------------
 */

static void submit_part(int worker, starpu_data_handle_t from, starpu_data_handle_t to) {
  struct starpu_task *const task = starpu_task_create();
  task->cl = &kinds[kWavelet].codelet;
  task->handles[0] = from;
  task->handles[1] = to;
  task->execute_on_a_specific_worker = 1;
  task->workerid = (unsigned)worker;
  if (starpu_task_submit(task) != 0)
    die("no worker can execute a task");
}

/* The wavelet of an image whose rows are divided between an OpenCL and a CPU worker, if there are
 * both. Returns the largest relative error. */
static double divide_launch(void) {
  const int workers[2] = {starpu_worker_get_by_type(STARPU_OPENCL_WORKER, 0),
                          starpu_worker_get_by_type(STARPU_CPU_WORKER, 0)};
  const size_t rows = (size_t)size.height * size.strips * 8;
  size_t part[2];
  uint32_t pixels[2], state = 2;
  int parts = 0, of[2] = {0, 0};
  double worst = 0;
  aiwc_starpu_launch launch;
  launch_2d(&launch, size.width / 2, rows, 64, 1);
  if (workers[0] < 0 || workers[1] < 0 ||
      aiwc_starpu_split(kinds[kWavelet].codelet.model, &launch, 1, workers, 2, part) != 0)
    return 0;
  vector image = new_vector(rows * size.width), coefficients = new_vector(rows * size.width);
  float *const expected = malloc(rows * size.width * sizeof *expected);
  if (!expected)
    die("out of memory");
  for (size_t i = 0; i < rows * size.width; ++i)
    ((float *)image.bytes)[i] = random_number(&state);
  for (int i = 0; i < 2; ++i)
    if (part[i] > 0) {
      of[parts] = i;
      pixels[parts++] = (uint32_t)(part[i] * size.width);
    }
  struct starpu_data_filter filter = {.filter_func = starpu_vector_filter_list,
                                      .nchildren = (unsigned)parts,
                                      .filter_arg_ptr = pixels};
  starpu_data_partition(image.handle, &filter);
  starpu_data_partition(coefficients.handle, &filter);
  const double begin = starpu_timing_now();
  for (int i = 0; i < parts; ++i)
    submit_part(workers[of[i]], starpu_data_get_sub_data(image.handle, 1, i),
                starpu_data_get_sub_data(coefficients.handle, 1, i));
  starpu_task_wait_for_all();
  printf("one launch, %zu rows on OpenCL and %zu on the CPU: %.3f ms\n", part[0], part[1],
         (starpu_timing_now() - begin) / 1000);
  starpu_data_unpartition(image.handle, STARPU_MAIN_RAM);
  starpu_data_unpartition(coefficients.handle, STARPU_MAIN_RAM);
  starpu_data_acquire(coefficients.handle, STARPU_R);
  wavelet_of(image.bytes, expected, rows);
  for (size_t i = 0; i < rows * size.width; ++i)
    worst = fmax(worst, fabs((double)expected[i] - (double)((float *)coefficients.bytes)[i]) /
                            (1 + fabs((double)expected[i])));
  starpu_data_release(coefficients.handle);
  delete_vector(&image);
  delete_vector(&coefficients);
  free(expected);
  return worst;
}

/* -- Models ------------------------------------------------------------------------------------ */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long length = 0;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
    die("the file of the kernels cannot be read");
  rewind(file);
  text = calloc((size_t)length + 1, 1);
  if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
    die("the file of the kernels cannot be read");
  fclose(file);
  return text;
}

static void set_models(aiwc_starpu *starpu, const char *models, const char *source) {
  static struct starpu_perfmodel measured[kKinds];
  for (int k = 0; k < kKinds; ++k) {
    const char *const name = kinds[k].codelet.name;
    const aiwc_starpu_kernel kernel = {name, name, source, strlen(source), kinds[k].launch};
    if (strcmp(models, "predicted") == 0) {
      kinds[k].codelet.model = aiwc_starpu_time_model(starpu, &kernel);
    } else if (strcmp(models, "seeded") == 0) {
      kinds[k].codelet.model = aiwc_starpu_history_model(starpu, &kernel);
    } else {
      measured[k].type = STARPU_HISTORY_BASED;
      measured[k].symbol = name;
      kinds[k].codelet.model = &measured[k];
    }
    if (!kinds[k].codelet.model)
      die("out of memory");
  }
}

static void seed(problem *p) {
  const uint32_t second = size.tiles > 1;
  const vector *const of[kKinds][kMostBuffers] = {
      [kDiagonal] = {&p->tiles[0]},
      [kRow] = {&p->tiles[0], &p->tiles[second]},
      [kColumn] = {&p->tiles[0], &p->tiles[second]},
      [kInternal] = {&p->tiles[0], &p->tiles[second], &p->tiles[size.tiles]},
      [kWavelet] = {&p->image[0], &p->coefficients[0]},
      [kStencil] = {&p->coefficients[0], &p->smooth[0]},
      [kReduction] = {&p->smooth[0], &p->sums[0]}};
  for (int k = 0; k < kKinds; ++k)
    for (uint32_t b = 0; b < (k == kCsr ? size.blocks : 1); ++b) {
      struct starpu_task *const task = starpu_task_create();
      const vector *const csr[] = {&p->begin[b], &p->column[b], &p->value[b], &p->x[b], &p->x[b]};
      task->cl = &kinds[k].codelet;
      task->destroy = 0;
      for (int i = 0; i < task->cl->nbuffers; ++i)
        task->handles[i] = (k == kCsr ? csr[i] : of[k][i])->handle;
      aiwc_starpu_seed(task);
      starpu_task_destroy(task);
    }
}

int main(int argc, char **argv) {
  const char *models = "predicted", *path = NULL;
  int repeat = 1, scale = 1, failed = 0;
  aiwc_starpu *starpu = NULL;
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--models") == 0 && i + 1 < argc)
      models = argv[++i];
    else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
      repeat = atoi(argv[++i]);
    else if (strcmp(argv[i], "--scale") == 0 && i + 1 < argc)
      scale = atoi(argv[++i]);
    else
      path = argv[i];
  if (!path || repeat < 1 || scale < 1 ||
      (strcmp(models, "predicted") != 0 && strcmp(models, "seeded") != 0 &&
       strcmp(models, "measured") != 0))
    die("expected [--models predicted|seeded|measured] [--scale N] [--repeat N] FILE");
  size.tiles *= (uint32_t)scale;
  size.strips *= (uint32_t)scale;
  size.blocks *= (uint32_t)scale;
  set_scalars();
  char *const source = read_file(path);
  if (starpu_init(NULL) != 0)
    die("StarPU has no workers");
  if (starpu_opencl_worker_get_count() > 0 &&
      starpu_opencl_load_opencl_from_string(source, &program, NULL) != 0)
    die("the kernels cannot be built");
  if (strcmp(models, "measured") != 0 && !(starpu = aiwc_starpu_open(NULL, NULL, NULL)))
    die("out of memory");
  set_models(starpu, models, source);
  for (int i = 0; i < repeat; ++i) {
    problem p = new_problem();
    if (i == 0 && strcmp(models, "seeded") == 0)
      seed(&p);
    const double begin = starpu_timing_now();
    submit_all(&p);
    starpu_task_wait_for_all();
    printf("%.3f ms\n", (starpu_timing_now() - begin) / 1000);
    const double error = check(&p);
    if (!(error < 1e-3)) {
      fprintf(stderr, "tasks: wrong results: a relative error of %g\n", error);
      failed = 1;
    }
    delete_problem(&p);
  }
  if (starpu && !(divide_launch() < 1e-3)) {
    fprintf(stderr, "tasks: wrong results of the divided launch\n");
    failed = 1;
  }
  if (starpu_opencl_worker_get_count() > 0)
    starpu_opencl_unload_opencl(&program);
  starpu_shutdown();
  if (starpu)
    aiwc_starpu_close(starpu);
  free(source);
  return failed;
}
