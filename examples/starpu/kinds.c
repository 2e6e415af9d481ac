#define _GNU_SOURCE /* program_invocation_short_name */
#include "kinds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sizes size = {96, 3, 1024, 64, 4, 4096, 3, 3};

void die(const char *what) {
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
  exit(1);
}

static kind *kind_of(struct starpu_task *task) {
  return (kind *)task->cl;
}

static int launch_1d(aiwc_starpu_launch *launch, size_t global, size_t local) {
  launch->work_dim = 1;
  launch->global_size[0] = global;
  launch->local_size[0] = local;
  return 0;
}

int launch_2d(aiwc_starpu_launch *launch, size_t x, size_t y, size_t local_x, size_t local_y) {
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

void wavelet_of(const float *image, float *coefficients, size_t rows) {
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

#define KIND(kernel, count, ...)                                                                   \
  .codelet = {.name = kernel,                                                                      \
              .cpu_funcs = {run_on_cpu},                                                           \
              .opencl_funcs = {run_on_opencl},                                                     \
              .nbuffers = count,                                                                   \
              .modes = {__VA_ARGS__}}
kind kinds[kKinds] = {
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

static void set_models(aiwc_starpu *starpu, const char *models, const char *source, int count) {
  static struct starpu_perfmodel measured[kKinds];
  for (int k = 0; k < count; ++k) {
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

options read_options(int argc, char **argv) {
  options chosen = {"predicted", NULL, 1};
  int scale = 1;
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--models") == 0 && i + 1 < argc)
      chosen.models = argv[++i];
    else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
      chosen.repeat = atoi(argv[++i]);
    else if (strcmp(argv[i], "--scale") == 0 && i + 1 < argc)
      scale = atoi(argv[++i]);
    else
      chosen.path = argv[i];
  if (!chosen.path || chosen.repeat < 1 || scale < 1 ||
      (strcmp(chosen.models, "predicted") != 0 && strcmp(chosen.models, "seeded") != 0 &&
       strcmp(chosen.models, "measured") != 0))
    die("expected [--models predicted|seeded|measured] [--scale N] [--repeat N] FILE");
  size.tiles *= (uint32_t)scale;
  size.strips *= (uint32_t)scale;
  size.blocks *= (uint32_t)scale;
  set_scalars();
  return chosen;
}

aiwc_starpu *start_kinds(const options *chosen, int count, aiwc_starpu_message message,
                         void *data) {
  char *const source = read_file(chosen->path);
  aiwc_starpu *starpu = NULL;
  if (starpu_opencl_worker_get_count() > 0 &&
      starpu_opencl_load_opencl_from_string(source, &program, NULL) != 0)
    die("the kernels cannot be built");
  if (strcmp(chosen->models, "measured") != 0 && !(starpu = aiwc_starpu_open(NULL, message, data)))
    die("out of memory");
  set_models(starpu, chosen->models, source, count);
  free(source);
  return starpu;
}

void stop_kinds(void) {
  if (starpu_opencl_worker_get_count() > 0)
    starpu_opencl_unload_opencl(&program);
}

void seed_kind(int which, const starpu_data_handle_t *buffers) {
  struct starpu_task *const task = starpu_task_create();
  task->cl = &kinds[which].codelet;
  task->destroy = 0;
  for (int b = 0; b < task->cl->nbuffers; ++b)
    task->handles[b] = buffers[b];
  aiwc_starpu_seed(task);
  starpu_task_destroy(task);
}

float random_number(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (float)(1u << 24);
}

void fill_tile(float *values, uint32_t row, uint32_t column) {
  uint32_t state = row * size.tiles + column;
  for (size_t i = 0; i < (size_t)size.tile * size.tile; ++i)
    values[i] = random_number(&state);
  if (row == column)
    for (size_t i = 0; i < size.tile; ++i)
      values[i * size.tile + i] += (float)(size.tile * size.tiles);
}

void decompose(void (*task)(int kind, const uint32_t *tiles, void *data), void *data) {
  const uint32_t n = size.tiles;
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t diagonal = k * n + k;
    task(kDiagonal, &diagonal, data);
    for (uint32_t i = k + 1; i < n; ++i) {
      task(kRow, (const uint32_t[]){diagonal, k * n + i}, data);
      task(kColumn, (const uint32_t[]){diagonal, i * n + k}, data);
    }
    for (uint32_t i = k + 1; i < n; ++i)
      for (uint32_t j = k + 1; j < n; ++j)
        task(kInternal, (const uint32_t[]){i * n + k, k * n + j, i * n + j}, data);
  }
}
