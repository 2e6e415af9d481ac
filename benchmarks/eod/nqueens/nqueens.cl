// The n queens: in how many ways can BOARD queens stand on a board of BOARD by BOARD squares so that
// none attacks another? Backtracking, row by row. The host gives the legal placements of the first
// rows; every work-item counts the ways to complete one of them.
//
// A placement is three sets of columns, a bit each: those that have a queen, and those that the
// queens above attack in the present row along the diagonals to either side, which move one column
// per row. The host also packs the columns of the placement's queens, five bits per row.
//
// Placements take different times, which nobody knows beforehand. There are many more of them than
// a device has lanes, and neighbours, which share their first queens, are alike: work-groups that
// finish early make room for others.
//
// The stack of a work-item is its column of `stack` in local memory, where a private array that is
// indexed at run time would be in global memory on a GPU. Only rows with another choice left go
// there: fewer than there are rows to fill.

#define LAST (BOARD - 1u)
#define ALL ((1u << BOARD) - 1u)
#define SIDES (1u | 1u << LAST) // the first and the last column

// x: columns taken, y: attacked to the left, z: attacked to the right, w: choices left in the row
typedef uint4 State;

static State with_queen(const State state, const uint queen) {
  return (State)(state.x | queen, (state.y | queen) << 1, (state.z | queen) >> 1, 0u);
}

static uint open_columns(const State state) { return ALL & ~(state.x | state.y | state.z); }

// Counts all solutions.
kernel void nqueen(const global uint4 *restrict prefixes, global ulong *restrict solutions,
                   local State *restrict stack, const uint prefix_count) {
  const size_t id = get_global_id(0);
  if (id >= prefix_count)
    return;
  const size_t lanes = get_local_size(0);
  stack += get_local_id(0);

  State state = prefixes[id];
  state.w = open_columns(state);
  ulong found = 0;
  for (size_t level = 0;;) {
    if (state.w == 0) {
      if (level == 0)
        break;
      state = stack[--level * lanes];
    }
    const uint queen = state.w & -state.w; // the lowest bit
    state.w ^= queen;
    State next = with_queen(state, queen);
    if (next.x == ALL) {
      ++found;
      continue;
    }
    next.w = open_columns(next);
    if (next.w == 0)
      continue;
    if (state.w != 0)
      stack[level++ * lanes] = state;
    state = next;
  }
  solutions[id] = found;
}

// With symmetry: the eight rotations and reflections of a solution are solutions. Of those, the one
// whose list of columns, from the first row on, is the smallest stands for its class, and only it
// is searched for.
//
// Its first queen's column, `first`, is not above the distance of any other edge's queen from either
// end of that edge: each of these eight numbers is the first column of one of the images. So the
// outer columns are closed to the first and last `first` rows, the last row is closed to as many
// columns at either end, and where the outer columns did not get their queens in between, they will
// not get them.
static uint open_columns_of_class(const State state, const uint row, const uint first) {
  uint open = open_columns(state);
  if (row < first)
    open &= ~SIDES;
  if (row > LAST - first)
    open = (state.x & SIDES) == SIDES ? open : 0u;
  if (row == LAST)
    open &= (ALL >> first) & (ALL << first);
  return open;
}

// How many different images a solution has if it stands for its class, otherwise 0.
static uint size_of_class(const uchar *board) {
  uchar transposed[BOARD];
  for (uint row = 0; row < BOARD; ++row)
    transposed[board[row]] = row;
  uint same = 0;
  for (uint image = 0; image < 8; ++image) { // bits: transposed, upside down, mirrored
    int difference = 0;
    for (uint row = 0; row < BOARD && difference == 0; ++row) {
      const uint from = image & 2 ? LAST - row : row;
      const uint column = image & 1 ? transposed[from] : board[from];
      difference = (int)(image & 4 ? LAST - column : column) - (int)board[row];
    }
    if (difference < 0)
      return 0;
    same += difference == 0;
  }
  return 8 / same;
}

// Counts the classes, and all solutions by the sizes of the classes.
kernel void nqueen1(const global uint4 *restrict prefixes, global ulong *restrict solutions,
                    global ulong *restrict classes, local State *restrict stack,
                    const uint prefix_count) {
  const size_t id = get_global_id(0);
  if (id >= prefix_count)
    return;
  const size_t lanes = get_local_size(0);
  stack += get_local_id(0);

  State state = prefixes[id];
  uint row = popcount(state.x); // as many queens as rows
  uchar board[BOARD];
  for (uint above = 0; above < row; ++above)
    board[above] = state.w >> 5 * above & 31u;
  const uint first = board[0];
  state.w = open_columns_of_class(state, row, first);
  ulong found = 0;
  ulong found_classes = 0;
  for (size_t level = 0;;) {
    if (state.w == 0) {
      if (level == 0)
        break;
      state = stack[--level * lanes];
      row = popcount(state.x);
    }
    const uint queen = state.w & -state.w;
    state.w ^= queen;
    board[row] = 31 - clz(queen);
    State next = with_queen(state, queen);
    if (next.x == ALL) {
      const uint size = size_of_class(board);
      found += size;
      found_classes += size > 0;
      continue;
    }
    next.w = open_columns_of_class(next, row + 1, first);
    if (next.w == 0)
      continue;
    if (state.w != 0)
      stack[level++ * lanes] = state;
    state = next;
    ++row;
  }
  solutions[id] = found;
  classes[id] = found_classes;
}
