// Sequential loops across functions that the compiler leaves as calls.
__attribute__((noinline)) void next_row(global float *row, uint n) {
  for (uint j = 0; j < n; j++)
    row[j + n] = row[j] + 2;
}

// A loop in a function that a loop calls, and a barrier in the outer one: n rows of n elements.
kernel void loop_calls_rows(global float *a, uint n) {
  for (uint i = 1; i < n; i++) {
    next_row(a + (i - 1) * n, n);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

__attribute__((noinline)) void next_element(global float *x) { x[1] = x[0] + 1; }

// The loop's dependence is in the function that it calls.
kernel void loop_calls_chain(global float *x, uint n) {
  for (uint i = 1; i < n; i++)
    next_element(x + i - 1);
}
