// The sums of the columns of a square matrix that is stored row by row: a work-item adds up one column.
kernel void column_sums(global const float *matrix, global float *sums, int size) {
  int column = get_global_id(0);
  float sum = 0;
  for (int row = 0; row < size; row++)
    sum += matrix[row * size + column];
  sums[column] = sum;
}
