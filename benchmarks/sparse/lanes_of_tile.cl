// Tiling and grouping (Chen, Jiang, Agrawal, CGO 2016): a work-group of LANES work-items does a tile
// of the matrix, one conflict-free group of non-zeros after the other, a non-zero per lane. A lane
// without a non-zero is idle.
#define LANES 16
#define IDLE 0xFFFFFFFFu
