/* The LU decomposition of tasks.c over several machines: StarPU-MPI executes each task in the
 * process that owns the tile that the task overwrites, and sends the tiles that are read. Each
 * process has workers and predicted performance models of its own. The process of rank 0 compares
 * the result with that of the CPU's functions, called one after another.
 *
 *     mpirun -n N lu_mpi [--models predicted|seeded|measured] [--scale N] [--repeat N] FILE
 *
 * FILE is tasks.cl, or an annotated copy. Prints the time of each repetition in milliseconds, and
 * how many tasks each process executed on which workers. */
#include "kinds.h"

#include <math.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, processes;

/* The processes form a grid that is as square as their number allows. */
static int owner(uint32_t row, uint32_t column) {
  int rows = 1;
  for (int r = 1; r * r <= processes; ++r)
    if (processes % r == 0)
      rows = r;
  const int columns = processes / rows;
  return (int)row % rows * columns + (int)column % columns;
}

typedef struct {
  starpu_data_handle_t handle;
  float *values; /* NULL in processes that do not own the tile */
} tile;

static size_t values_of_a_tile(void) {
  return (size_t)size.tile * size.tile;
}

static size_t number_of_tiles(void) {
  return (size_t)size.tiles * size.tiles;
}

/* Every process knows every tile; only its owner has memory for it. */
static tile *new_matrix(void) {
  tile *const matrix = calloc(number_of_tiles(), sizeof *matrix);
  if (!matrix)
    die("out of memory");
  for (uint32_t t = 0; t < number_of_tiles(); ++t) {
    const uint32_t row = t / size.tiles, column = t % size.tiles;
    const int own = owner(row, column) == rank;
    if (own) {
      if (!(matrix[t].values = malloc(values_of_a_tile() * sizeof(float))))
        die("out of memory");
      fill_tile(matrix[t].values, row, column);
    }
    starpu_vector_data_register(&matrix[t].handle, own ? STARPU_MAIN_RAM : -1,
                                (uintptr_t)matrix[t].values, (uint32_t)values_of_a_tile(),
                                sizeof(float));
    starpu_mpi_data_register(matrix[t].handle, (starpu_mpi_tag_t)t, owner(row, column));
  }
  return matrix;
}

static void delete_matrix(tile *matrix) {
  for (size_t t = 0; t < number_of_tiles(); ++t) {
    starpu_data_unregister(matrix[t].handle);
    free(matrix[t].values);
  }
  free(matrix);
}

/* Tasks that this process executed. Callbacks of several workers run at the same time. */
static unsigned on_opencl, on_cpu;

static void count(void *unused) {
  (void)unused;
  __atomic_add_fetch(
      starpu_worker_get_type(starpu_worker_get_id()) == STARPU_OPENCL_WORKER ? &on_opencl : &on_cpu,
      1, __ATOMIC_RELAXED);
}

/* All processes submit all tasks. StarPU-MPI drops those that do not concern the process. */
static void submit(int kind, const uint32_t *tiles, void *data) {
  const tile *const matrix = data;
  struct starpu_codelet *const codelet = &kinds[kind].codelet;
  struct starpu_data_descr buffers[kMostBuffers];
  for (int b = 0; b < codelet->nbuffers; ++b) {
    buffers[b].handle = matrix[tiles[b]].handle;
    buffers[b].mode = codelet->modes[b];
  }
  if (starpu_mpi_task_insert(MPI_COMM_WORLD, codelet, STARPU_DATA_MODE_ARRAY, buffers,
                             codelet->nbuffers, STARPU_CALLBACK, count, 0) != 0)
    die("no worker can execute a task");
}

static void decompose_here(int kind, const uint32_t *tiles, void *data) {
  float **const matrix = data;
  float *buffers[kMostBuffers];
  for (int b = 0; b < kinds[kind].codelet.nbuffers; ++b)
    buffers[b] = matrix[tiles[b]];
  kinds[kind].on_cpu(buffers);
}

/* Returns the largest relative difference from the sequential result; 0 in processes of other ranks
 * than 0. */
static double check(const tile *matrix) {
  double worst = 0;
  for (size_t t = 0; t < number_of_tiles(); ++t)
    starpu_mpi_get_data_on_node(MPI_COMM_WORLD, matrix[t].handle, 0);
  if (rank != 0)
    return 0;
  float **const expected = calloc(number_of_tiles(), sizeof *expected);
  if (!expected)
    die("out of memory");
  for (uint32_t t = 0; t < number_of_tiles(); ++t) {
    if (!(expected[t] = malloc(values_of_a_tile() * sizeof(float))))
      die("out of memory");
    fill_tile(expected[t], t / size.tiles, t % size.tiles);
  }
  decompose(decompose_here, expected);
  for (size_t t = 0; t < number_of_tiles(); ++t) {
    if (starpu_data_acquire(matrix[t].handle, STARPU_R) != 0)
      die("data cannot be read");
    const float *const got = (const float *)starpu_vector_get_local_ptr(matrix[t].handle);
    for (size_t i = 0; i < values_of_a_tile(); ++i) {
      const double difference = fabs((double)expected[t][i] - (double)got[i]);
      const double relative = difference / (1 + fabs((double)expected[t][i]));
      if (!(relative <= worst)) /* a NaN, too */
        worst = relative;
    }
    starpu_data_release(matrix[t].handle);
    free(expected[t]);
  }
  free(expected);
  return worst;
}

static void seed(const tile *matrix) {
  const starpu_data_handle_t alike[] = {matrix[0].handle, matrix[0].handle, matrix[0].handle};
  for (int k = kDiagonal; k <= kInternal; ++k)
    seed_kind(k, alike); /* a history knows the sizes of buffers, and all tiles have one size */
}

static void say(const char *line, void *unused) {
  (void)unused;
  fprintf(stderr, "rank %d: %s\n", rank, line);
}

int main(int argc, char **argv) {
  const options chosen = read_options(argc, argv);
  int failed = 0;
  if (starpu_mpi_init_conf(&argc, &argv, 1, MPI_COMM_WORLD, NULL) != 0)
    die("StarPU has no workers, or there is no MPI");
  starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank);
  starpu_mpi_comm_size(MPI_COMM_WORLD, &processes);
  aiwc_starpu *const starpu = start_kinds(&chosen, kInternal + 1, say, NULL);
  for (int i = 0; i < chosen.repeat; ++i) {
    tile *const matrix = new_matrix();
    if (i == 0 && strcmp(chosen.models, "seeded") == 0)
      seed(matrix);
    starpu_mpi_barrier(MPI_COMM_WORLD);
    const double begin = starpu_timing_now();
    decompose(submit, matrix);
    starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    starpu_mpi_barrier(MPI_COMM_WORLD);
    if (rank == 0)
      printf("%.3f ms\n", (starpu_timing_now() - begin) / 1000);
    const double error = check(matrix);
    if (!(error < 1e-3)) {
      fprintf(stderr, "rank %d: wrong results: a relative error of %g\n", rank, error);
      failed = 1;
    }
    delete_matrix(matrix);
  }
  printf("rank %d of %d: %u tasks on OpenCL workers, %u on CPU workers\n", rank, processes,
         on_opencl, on_cpu);
  stop_kinds();
  starpu_mpi_shutdown();
  if (starpu)
    aiwc_starpu_close(starpu);
  return failed;
}
