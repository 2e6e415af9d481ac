/* The kinds of tasks of this folder's applications: their codelets, each for the CPU and in OpenCL
 * C (tasks.cl), and the performance models of these. */
#ifndef KINDS_H
#define KINDS_H

#include <aiwc_starpu.h>
#include <stdint.h>

enum {
  kEdge = 16,  /* of the work-groups of lu_internal */
  kLanes = 64, /* work-items of a group of reduction */
  kMostBuffers = 5,
  kMostScalars = 2
};
enum { kDiagonal, kRow, kColumn, kInternal, kWavelet, kStencil, kReduction, kCsr, kKinds };

/* Sizes of one problem; scale() multiplies the numbers of tiles, strips and blocks. */
typedef struct {
  uint32_t tile;  /* rows of a tile */
  uint32_t tiles; /* of a row of the matrix */
  uint32_t width, height, strips;
  uint32_t rows, blocks, products; /* rows of a block of the sparse matrix */
} sizes;
extern sizes size;

typedef struct kind {
  struct starpu_codelet codelet; /* must be the first */
  void (*on_cpu)(float **buffers);
  int (*launch)(struct starpu_task *, aiwc_starpu_launch *);
  uint32_t scalars[kMostScalars];
  int scalar_count;
} kind;
extern kind kinds[kKinds];

/* Prints the line and ends the process with status 1. */
void die(const char *what);

/* What the command line says. */
typedef struct {
  const char *models; /* predicted, seeded or measured */
  const char *path;   /* of tasks.cl, or of an annotated copy */
  int repeat;         /* at least 1 */
} options;
/* Also sets `size`, from --scale. */
options read_options(int argc, char **argv);

/* Gives the codelets of the first `count` kinds their models and builds the kernels, after
 * starpu_init. `message` and `data`: as for aiwc_starpu_open. Returns NULL where StarPU measures
 * (--models measured). */
aiwc_starpu *start_kinds(const options *chosen, int count, aiwc_starpu_message message, void *data);
/* Frees the kernels, before starpu_shutdown. */
void stop_kinds(void);

/* Seeds the history of a kind for tasks with these buffers (--models seeded). */
void seed_kind(int which, const starpu_data_handle_t *buffers);

/* Numbers in [0, 1) that are the same in every run. */
float random_number(uint32_t *state);

/* A tile of the matrix that is decomposed: row and column in tiles. The matrix has a dominant
 * diagonal, so that no pivots are needed. */
void fill_tile(float *values, uint32_t row, uint32_t column);

/* The tasks of the LU decomposition of the matrix in their order: calls `task` with the kind of
 * each and with the numbers (row * size.tiles + column) of the tiles that are its buffers. */
void decompose(void (*task)(int kind, const uint32_t *tiles, void *data), void *data);

/* Fills in an NDRange of two dimensions. Returns 0. */
int launch_2d(aiwc_starpu_launch *launch, size_t x, size_t y, size_t local_x, size_t local_y);
/* The wavelet of an image with `rows` rows of size.width pixels, on the CPU. */
void wavelet_of(const float *image, float *coefficients, size_t rows);

#endif
