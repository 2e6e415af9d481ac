// Work-items that can run several at once although they read what they write, and such as cannot:
// there, one reads or writes what a neighbour has written. `same` holds 0, 1, 2, ..., so that a
// compiler does not know that an index is that of another access.

kernel void in_place(global float *y, global const float *x) {
  const size_t i = get_global_id(0);
  y[i] = y[i] * 1.5f + x[i];
}

// Of a later or an earlier neighbour, `offset` numbers away, for all there is.
kernel void shifted(global int *y, int offset) {
  const int n = get_global_size(0), i = get_global_id(0);
  y[i + 16] += 3 * y[i + 16 + offset];
}

// The first reads its own number again behind the store, the others that of a neighbour.
kernel void again(global int *y, global const int *same, int offset) {
  const size_t i = get_global_id(0);
  y[i + 16] = y[i + 16] * 5 + 1;
  y[i + 16] ^= y[same[i] + 16 + offset] << 3;
}

// Stores of one work-item to one place, in their order, and to that of a neighbour.
kernel void twice(global int *y, global const int *same, int swap) {
  const size_t i = get_global_id(0);
  y[i] += 7;
  y[same[i] ^ swap] *= 3;
}

// Neighbours write to each other's places.
kernel void crossed(global int *y) {
  const size_t n = get_global_size(0), i = get_global_id(0);
  y[i ^ 1] = y[n + i] * 2;
}

kernel void backwards(global int *y) {
  const size_t n = get_global_size(0), i = get_global_id(0);
  y[n - 1 - i] += y[i] * 2 + 1;
}

typedef struct {
  float x, y, speed;
  int hits;
} particle;

// Members of structures lie between those of the neighbours.
kernel void members(global particle *p, global const float *step) {
  const size_t i = get_global_id(0);
  p[i].x += p[i].speed * step[i];
  p[i].y -= p[i].speed * p[i].x;
  p[i].hits = p[i].hits * 3 + (p[i].x > p[i].y);
}

// Values of twice the size, so that one lies in those of two neighbours.
kernel void unequal(global int *y) {
  const size_t i = get_global_id(0);
  global long *wide = (global long *)y;
  y[i] += 5;
  wide[i] += 11;
}

// Some compute a NaN behind a store to what they read.
kernel void late(global float *y, global const float *x, global float *out) {
  const size_t i = get_global_id(0);
  y[i] += 1.0f;
  out[i] = sqrt(x[i]);
  y[i] *= 2.0f;
}

// The neighbours go the same way, or not.
kernel void choosing(global int *y, global const int *same, int bit) {
  const size_t i = get_global_id(0);
  y[i] += 2;
  if (same[i] & bit)
    y[i] *= 5;
  else
    y[i + 1] = 3;
}

// A sum of halves in local memory.
kernel void halves(global int *y, local int *part) {
  const size_t l = get_local_id(0);
  part[l] = y[get_global_id(0)];
  for (size_t size = get_local_size(0) / 2; size > 0; size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < size)
      part[l] += part[l + size];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] += part[l / 2];
}

// Reads a column in a loop, of which it writes the first or another row, or beside it.
kernel void column(global int *y, int width, int rows, int to) {
  const int x = get_global_id(0);
  int sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += y[row * width + x] * (row + 1);
  y[to + x] = sum;
}

// Ids are needed on both sides of a barrier, in rows of several lengths.
kernel void rows(global int *y, local int *tile) {
  const int x = get_local_id(0), l = get_local_id(1) * get_local_size(0) + x;
  const int g = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const int mirrored = get_local_size(0) * (get_local_id(1) + 1) - 1 - x;
  tile[l] = y[g] * 3 + (int)get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[g] += tile[mirrored] * 7 + mirrored - l;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = y[g] - x;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[g] ^= tile[mirrored];
}

// Eight neighbours write two rows of numbers, and then wide ones over both rows: the wide number of
// a work-item lies where neighbours write, of which the later ones write there again.
kernel void joined(global int *y) {
  const size_t i = get_global_id(0), l = i & 7;
  global int *rows = y + (i - l) * 2;
  rows[l] = (int)i;
  rows[l + 8] = -(int)i;
  ((global long *)rows)[l] = (long)i * 1234567890123L;
}

// The same of bytes, as many rows as the host says.
kernel void joined_rows(global uchar *y, int rows) {
  const size_t i = get_global_id(0), l = i & 7;
  global uchar *to = y + (i - l) * 8;
  for (int row = 0; row < rows; ++row)
    to[row * 8 + l] = (uchar)(i + row);
  ((global ulong *)to)[l] = i * 1234567890123UL;
}

// The same of vectors.
kernel void joined_vectors(global int *y) {
  const size_t i = get_global_id(0), l = i & 7;
  global int *rows = y + (i - l) * 4;
  for (int row = 0; row < 4; ++row)
    rows[row * 8 + l] = (int)i * (row + 1);
  ((global int4 *)rows)[l] = (int4)(-1, -2, -3, -4) * (int)i;
}

// Stores of one width to the same places: in the order of the code for each of them.
kernel void repeated(global int *y) {
  const size_t i = get_global_id(0);
  for (int pass = 0; pass < 3; ++pass)
    y[i] = (int)i * pass;
  y[i] = (int)i + 7;
}

// In the first row one work-item goes another way. The next attempt to run several at once begins
// at a row, whatever is left of the one before. Rows of twelve have none: the second eight would be
// in two of them.
kernel void parting(global int *y) {
  const int x = get_local_id(0), row = get_local_id(1);
  const int g = get_global_id(1) * get_global_size(0) + get_global_id(0);
  int value = g * 3 + row * 100 + x;
  if (row == 0 && x == 3)
    value = value / 7 + 1;
  y[g] = value;
}
