/* An application of StarPU whose kernels carry their profiles: three streams of tasks with
 * dependences (the LU decomposition of a matrix in tiles; wavelet, stencil and reduction of the
 * strips of an image; sparse matrix-vector products, one after another), on OpenCL workers and on
 * the CPU, with the predictions of libaiwc_starpu as performance models. Last, it divides one
 * launch between an OpenCL and a CPU worker. It checks its results.
 *
 *     tasks [--models predicted|seeded|measured] [--scale N] [--repeat N] FILE
 *
 * FILE is tasks.cl, or an annotated copy. Prints the time of each repetition in milliseconds. */
#include "kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    fill_tile(p.tiles[t].bytes, (uint32_t)t / size.tiles, (uint32_t)t % size.tiles);
    memcpy(p.original[t].bytes, p.tiles[t].bytes, tile * 4);
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

static void submit_decomposing(int kind, const uint32_t *tiles, void *data) {
  const problem *const p = data;
  const vector *buffers[kMostBuffers];
  for (int b = 0; b < kinds[kind].codelet.nbuffers; ++b)
    buffers[b] = &p->tiles[tiles[b]];
  submit(kind, buffers);
}

static void submit_all(problem *p) {
  decompose(submit_decomposing, p);
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
    kinds[kStencil].on_cpu((float *[]){coefficients, smooth});
    kinds[kReduction].on_cpu((float *[]){smooth, sums});
    for (size_t g = 0; g < size.width / kLanes; ++g)
      worst = fmax(worst, fabs((double)sums[g] - (double)((float *)p->sums[s].bytes)[g]) /
                              (1 + fabs((double)sums[g])));
  }
  for (uint32_t product = 0; product < size.products; ++product)
    for (uint32_t b = 0; b < size.blocks; ++b) {
      const float *got = p->x[(product + 1) * size.blocks + (b + 1) % size.blocks].bytes;
      kinds[kCsr].on_cpu((float *[]){p->begin[b].bytes, p->column[b].bytes, p->value[b].bytes,
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
      const vector *const csr[] = {&p->begin[b], &p->column[b], &p->value[b], &p->x[b], &p->x[b]};
      starpu_data_handle_t buffers[kMostBuffers];
      for (int i = 0; i < kinds[k].codelet.nbuffers; ++i)
        buffers[i] = (k == kCsr ? csr[i] : of[k][i])->handle;
      seed_kind(k, buffers);
    }
}

int main(int argc, char **argv) {
  const options chosen = read_options(argc, argv);
  int failed = 0;
  if (starpu_init(NULL) != 0)
    die("StarPU has no workers");
  aiwc_starpu *const starpu = start_kinds(&chosen, kKinds, NULL, NULL);
  for (int i = 0; i < chosen.repeat; ++i) {
    problem p = new_problem();
    if (i == 0 && strcmp(chosen.models, "seeded") == 0)
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
  stop_kinds();
  starpu_shutdown();
  if (starpu)
    aiwc_starpu_close(starpu);
  return failed;
}
