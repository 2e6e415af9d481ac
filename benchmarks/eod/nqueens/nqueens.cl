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
// The stack of a work-item is in local memory, where a private array that is indexed at run time
// would be in global memory on a GPU. Only rows with another choice left go there: fewer than there
// are rows to fill. Numbers of the same kind of all work-items lie side by side.

#define LAST (BOARD - 1u)
#define ALL ((1u << BOARD) - 1u)
#define SIDES (1u | 1u << LAST) // the first and the last column

// The state of the row at work: columns taken, attacked to the left and to the right, and those of
// the open columns that are still to be tried.
#define PUSH() \
  do { \
    stack[0] = columns; \
    stack[lanes] = left; \
    stack[2 * lanes] = right; \
    stack[3 * lanes] = open; \
    stack += 4 * lanes; \
  } while (0)
#define POP() \
  do { \
    stack -= 4 * lanes; \
    columns = stack[0]; \
    left = stack[lanes]; \
    right = stack[2 * lanes]; \
    open = stack[3 * lanes]; \
  } while (0)

static uint open_columns(const uint columns, const uint left, const uint right) {
  return ALL & ~(columns | left | right);
}

// Counts all solutions.
kernel void nqueen(const global uint4 *restrict prefixes, global ulong *restrict solutions,
                   local uint *restrict stack, const uint prefix_count) {
  const size_t id = get_global_id(0);
  if (id >= prefix_count)
    return;
  const size_t lanes = get_local_size(0);
  stack += get_local_id(0);

  const uint4 prefix = prefixes[id];
  uint columns = prefix.x;
  uint left = prefix.y;
  uint right = prefix.z;
  uint open = open_columns(columns, left, right);
  uint waiting = 0; // rows on the stack
  ulong found = 0;
  while (open != 0 || waiting > 0) {
    if (open == 0) {
      POP();
      --waiting;
    }
    const uint queen = open & -open; // the lowest bit
    open ^= queen;
    if ((columns | queen) == ALL) {
      ++found;
      continue;
    }
    const uint next_left = (left | queen) << 1;
    const uint next_right = (right | queen) >> 1;
    const uint next_open = open_columns(columns | queen, next_left, next_right);
    if (next_open == 0)
      continue;
    if (open != 0) {
      PUSH();
      ++waiting;
    }
    columns |= queen;
    left = next_left;
    right = next_right;
    open = next_open;
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
static uint open_columns_of_class(const uint columns, const uint left, const uint right,
                                  const uint row, const uint first) {
  uint open = open_columns(columns, left, right);
  if (row < first)
    open &= ~SIDES;
  if (row > LAST - first)
    open = (columns & SIDES) == SIDES ? open : 0u;
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
                    global ulong *restrict classes, local uint *restrict stack,
                    const uint prefix_count) {
  const size_t id = get_global_id(0);
  if (id >= prefix_count)
    return;
  const size_t lanes = get_local_size(0);
  stack += get_local_id(0);

  const uint4 prefix = prefixes[id];
  uint columns = prefix.x;
  uint left = prefix.y;
  uint right = prefix.z;
  uint row = popcount(columns); // as many queens as rows
  uchar board[BOARD];
  for (uint above = 0; above < row; ++above)
    board[above] = prefix.w >> 5 * above & 31u;
  const uint first = board[0];
  uint open = open_columns_of_class(columns, left, right, row, first);
  uint waiting = 0;
  ulong found = 0;
  ulong found_classes = 0;
  while (open != 0 || waiting > 0) {
    if (open == 0) {
      POP();
      --waiting;
      row = popcount(columns);
    }
    const uint queen = open & -open;
    open ^= queen;
    board[row] = 31 - clz(queen);
    if ((columns | queen) == ALL) {
      const uint size = size_of_class(board);
      found += size;
      found_classes += size > 0;
      continue;
    }
    const uint next_left = (left | queen) << 1;
    const uint next_right = (right | queen) >> 1;
    const uint next_open =
        open_columns_of_class(columns | queen, next_left, next_right, row + 1, first);
    if (next_open == 0)
      continue;
    if (open != 0) {
      PUSH();
      ++waiting;
    }
    columns |= queen;
    left = next_left;
    right = next_right;
    open = next_open;
    ++row;
  }
  solutions[id] = found;
  classes[id] = found_classes;
}
