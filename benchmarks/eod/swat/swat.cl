// Smith-Waterman with affine gaps (Gotoh): the best alignment of a part of the query with a part of
// the reference. Row i belongs to a letter of the query, column j to one of the reference:
//
//   gap_left(i, j)  = max(score(i, j-1) - FIRST, gap_left(i, j-1) - EXTEND)
//   gap_above(i, j) = max(score(i-1, j) - FIRST, gap_above(i-1, j) - EXTEND)
//   score(i, j)     = max(0, score(i-1, j-1) + substitution, gap_left(i, j), gap_above(i, j))
//
// FIRST is what a gap of one letter costs, EXTEND what each further letter does. The scores are not
// kept: a byte per element says where its score came from, by which the alignment is traced back.
//
// The matrix is cut into blocks of BLOCK by BLOCK. The blocks of an anti-diagonal are independent of
// each other and need the ones before: the host launches the kernel once per anti-diagonal, so that
// no work-group ever waits for another. Both sides are padded to whole blocks with letters that
// count for no best score. LETTERS is the size of the alphabet.

// Directions. Where the score came from:
#define SOURCE 3
#define FROM_NOTHING 0
#define FROM_MATCH 1
#define FROM_LEFT 2
#define FROM_ABOVE 3
// and whether the gaps that end here continue one:
#define LEFT_CONTINUES 4
#define ABOVE_CONTINUES 8

// Worse than any score, and far enough from the smallest integer to have a penalty subtracted.
#define NO_GAP (-(1 << 30))

// The elements of an anti-diagonal of a tile are a multiple of four bytes apart, an odd one where
// BLOCK is a multiple of eight: then they are in different banks.
typedef uchar TileRow[BLOCK + 5];

// One work-group per block; a work-item per column of the block, which goes down, one row behind its
// left neighbour. From one launch to the next, `row_edge` and `row_gap` hold score and gap_above of
// the last row that is known of each column, `column_edge` and `column_gap` score and gap_left of
// the last column that is known of each row, `corner` the score above left of each block row's next
// block; `best` and `best_row` the highest score in each column so far and the first row that has it.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void MatchStringGPUSync(global uchar *restrict directions, const global uchar *restrict query,
                        const global uchar *restrict reference,
                        constant char *restrict substitution, global int *restrict row_edge,
                        global int *restrict row_gap, global int *restrict column_edge,
                        global int *restrict column_gap, global int *restrict corner,
                        global int *restrict best, global uint *restrict best_row,
                        const uint rows, const uint columns, const uint stride,
                        const uint diagonal, const uint first_column) {
  local TileRow tile[BLOCK];
  local uchar letters[BLOCK];
  local int above_left[BLOCK + 1]; // the row above the block, from its corner on
  local int edge_score[BLOCK];     // the column beside the block: at first to the left of it,
  local int edge_gap[BLOCK];       // in the end its last one
  local int passed_score[2][BLOCK];
  local int passed_gap[2][BLOCK];

  const size_t lane = get_local_id(0);
  const size_t block_column = first_column + get_group_id(0);
  const size_t block_row = diagonal - block_column;
  const size_t top = block_row * BLOCK;
  const size_t left = block_column * BLOCK;
  const size_t column = left + lane;

  int score = top > 0 ? row_edge[column] : 0;
  int gap_above = top > 0 ? row_gap[column] : NO_GAP;
  int highest = top > 0 ? best[column] : 0;
  uint highest_row = top > 0 ? best_row[column] : 0;
  const size_t letter = reference[column];
  letters[lane] = query[top + lane];
  edge_score[lane] = left > 0 ? column_edge[top + lane] : 0;
  edge_gap[lane] = left > 0 ? column_gap[top + lane] : NO_GAP;
  above_left[lane + 1] = score;
  if (lane == BLOCK - 1) { // the work-item that also writes it
    above_left[0] = top > 0 && left > 0 ? corner[block_row] : 0;
    corner[block_row] = score;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  int score_above_left = above_left[lane];
  for (size_t step = 0; step < 2 * BLOCK - 1; ++step) {
    if (lane <= step && step - lane < BLOCK) {
      const size_t row = step - lane;
      const size_t now = step % 2;
      const int score_left = lane == 0 ? edge_score[row] : passed_score[1 - now][lane - 1];
      const int further_left =
          (lane == 0 ? edge_gap[row] : passed_gap[1 - now][lane - 1]) - EXTEND;
      const int new_left = score_left - FIRST;
      const int gap_left = max(new_left, further_left);
      const int new_above = score - FIRST;
      const int further_above = gap_above - EXTEND;
      gap_above = max(new_above, further_above);
      const int match = score_above_left + substitution[letters[row] * LETTERS + letter];
      score = max(max(match, 0), max(gap_left, gap_above));

      uint direction = score == 0          ? FROM_NOTHING
                       : score == match    ? FROM_MATCH
                       : score == gap_left ? FROM_LEFT
                                           : FROM_ABOVE;
      if (further_left > new_left)
        direction |= LEFT_CONTINUES;
      if (further_above > new_above)
        direction |= ABOVE_CONTINUES;
      tile[row][lane] = direction;

      if (score > highest && top + row < rows && column < columns) {
        highest = score;
        highest_row = top + row;
      }
      score_above_left = score_left;
      passed_score[now][lane] = score;
      passed_gap[now][lane] = gap_left;
      if (lane == BLOCK - 1) { // work-item 0 is done with this row
        edge_score[row] = score;
        edge_gap[row] = gap_left;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (size_t row = 0; row < BLOCK; ++row) // by rows: neighbours write neighbouring bytes
    directions[(top + row) * stride + column] = tile[row][lane];
  row_edge[column] = score;
  row_gap[column] = gap_above;
  column_edge[top + lane] = edge_score[lane];
  column_gap[top + lane] = edge_gap[lane];
  best[column] = highest;
  best_row[column] = highest_row;
}

// What trace_back2 writes about the alignment, besides its steps.
#define SCORE 0
#define QUERY_BEGIN 1
#define QUERY_END 2
#define REFERENCE_BEGIN 3
#define REFERENCE_END 4
#define STEPS 5

// Follows the directions from the highest score to the beginning of the alignment. Of several
// highest scores it takes the one in the first column. A single work-group: all of it looks for that
// column, then one work-item goes back, step by step, each of which depends on the one before.
// Writes the steps, last one first, as FROM_MATCH, FROM_LEFT and FROM_ABOVE.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void trace_back2(const global uchar *restrict directions, const global int *restrict best,
                 const global uint *restrict best_row, global uchar *restrict steps,
                 global uint *restrict alignment, const uint columns, const uint stride) {
  local int highest[BLOCK];
  local uint highest_column[BLOCK];
  const size_t lane = get_local_id(0);

  int own = 0;
  uint own_column = 0;
  for (uint column = lane; column < columns; column += BLOCK)
    if (best[column] > own) {
      own = best[column];
      own_column = column;
    }
  highest[lane] = own;
  highest_column[lane] = own_column;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane != 0)
    return;

  for (size_t other = 1; other < BLOCK; ++other)
    if (highest[other] > own || (highest[other] == own && highest_column[other] < own_column)) {
      own = highest[other];
      own_column = highest_column[other];
    }

  // How many letters of both are still to be looked at.
  uint row = own > 0 ? best_row[own_column] + 1 : 0;
  uint column = own > 0 ? own_column + 1 : 0;
  alignment[SCORE] = own;
  alignment[QUERY_END] = row;
  alignment[REFERENCE_END] = column;
  uint count = 0;
  uint gap = FROM_NOTHING; // the kind of gap that the last step continues
  while (row > 0 && column > 0) {
    const uint direction = directions[(row - 1) * (size_t)stride + column - 1];
    const uint step = gap != FROM_NOTHING ? gap : direction & SOURCE;
    if (step == FROM_NOTHING)
      break;
    steps[count++] = step;
    gap = FROM_NOTHING;
    if (step == FROM_LEFT && (direction & LEFT_CONTINUES))
      gap = FROM_LEFT;
    if (step == FROM_ABOVE && (direction & ABOVE_CONTINUES))
      gap = FROM_ABOVE;
    if (step != FROM_LEFT)
      --row;
    if (step != FROM_ABOVE)
      --column;
  }
  alignment[QUERY_BEGIN] = row;
  alignment[REFERENCE_BEGIN] = column;
  alignment[STEPS] = count;
}
