__device__ int shared_value = 1;
__device__ int twice(int x) { return 2 * x; }
