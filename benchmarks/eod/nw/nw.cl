// Needleman-Wunsch: the scores of the best global alignments of all beginnings of two sequences,
//
//   score(i, j) = max(score(i-1, j-1) + substitution(first i, second j),
//                     score(i-1, j) - penalty, score(i, j-1) - penalty).
//
// The matrix is cut into blocks of BLOCK by BLOCK. A block needs the ones above, to the left and
// above left of it, so the blocks of an anti-diagonal are independent: the host launches one kernel
// per anti-diagonal, a work-group of BLOCK work-items per block. Inside a block the same holds for
// its elements: it is swept by anti-diagonals in local memory, a work-item per column.
//
// Both sides are padded to whole blocks. What is computed there is not wrong, only not wanted:
// nothing depends on it but more padding. LETTERS is the size of the alphabet.

// Rows of a tile have one element for the edge and another one to be of odd length when BLOCK is
// even: the elements of an anti-diagonal, BLOCK + 1 apart, are then in different banks.
typedef int Row[BLOCK + 2];

static void align_block(global int *restrict scores, const global uchar *restrict first,
                        const global uchar *restrict second, constant char *restrict substitution,
                        const uint stride, const int penalty, const size_t block_row,
                        const size_t block_column, local Row *tile, local uchar *letters) {
  const size_t lane = get_local_id(0);
  const size_t top = block_row * BLOCK;
  const size_t left = block_column * BLOCK;
  global int *block = scores + top * stride + left;

  // The edge: from the neighbours, or, for the empty beginning of a sequence, gaps alone.
  tile[0][lane + 1] = top > 0 ? *(block - stride + lane) : -penalty * (int)(left + lane + 1);
  tile[lane + 1][0] = left > 0 ? *(block + lane * stride - 1) : -penalty * (int)(top + lane + 1);
  if (lane == 0)
    tile[0][0] = top > 0 && left > 0 ? *(block - stride - 1) : -penalty * (int)(top + left);
  letters[lane] = first[top + lane];
  const size_t letter = second[left + lane];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t step = 0; step < 2 * BLOCK - 1; ++step) {
    if (lane <= step && step - lane < BLOCK) {
      const size_t row = step - lane;
      const int match = tile[row][lane] + substitution[letters[row] * LETTERS + letter];
      const int gap = max(tile[row][lane + 1], tile[row + 1][lane]) - penalty;
      tile[row + 1][lane + 1] = max(match, gap);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (size_t row = 0; row < BLOCK; ++row) // by rows: neighbours write neighbouring elements
    block[row * stride + lane] = tile[row + 1][lane + 1];
}

// Anti-diagonals that grow: work-group g has block column g.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void needle_opencl_shared_1(global int *restrict scores, const global uchar *restrict first,
                            const global uchar *restrict second,
                            constant char *restrict substitution, const uint stride,
                            const int penalty, const uint diagonal) {
  local Row tile[BLOCK + 1];
  local uchar letters[BLOCK];
  const size_t column = get_group_id(0);
  align_block(scores, first, second, substitution, stride, penalty, diagonal - column, column,
              tile, letters);
}

// The others, up to the last corner: they begin in block column `first_column`.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void needle_opencl_shared_2(global int *restrict scores, const global uchar *restrict first,
                            const global uchar *restrict second,
                            constant char *restrict substitution, const uint stride,
                            const int penalty, const uint diagonal, const uint first_column) {
  local Row tile[BLOCK + 1];
  local uchar letters[BLOCK];
  const size_t column = first_column + get_group_id(0);
  align_block(scores, first, second, substitution, stride, penalty, diagonal - column, column,
              tile, letters);
}
