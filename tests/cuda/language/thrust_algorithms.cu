// Vectors, a sort by keys, and a reduction of a transformation.
#include "right.h"
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
struct Square { __host__ __device__ int operator()(int x) const { return x * x; } };
bool isRight() {
  thrust::device_vector<int> keys(100), values(100);
  thrust::sequence(keys.begin(), keys.end());
  thrust::transform(keys.begin(), keys.end(), values.begin(), Square());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<int>());
  return values[0] == 9801 && thrust::transform_reduce(keys.begin(), keys.end(), Square(), 0, thrust::plus<int>()) == 328350;
}
