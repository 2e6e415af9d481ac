// Classes with operators, partial specialisations and variadic templates in device code.
#include "right.h"
template <typename T, int n> struct Vector {
  T values[n];
  __host__ __device__ T &operator[](int i) { return values[i]; }
  __host__ __device__ friend Vector operator+(Vector a, const Vector &b) {
    for (int i = 0; i < n; ++i)
      a.values[i] += b.values[i];
    return a;
  }
};
template <typename... Ts> __device__ int sum(Ts... values) { return (0 + ... + values); }
template <int n> __global__ void k(Vector<int, n> a, Vector<int, n> *out) {
  auto b = a + a;
  b[0] = sum(b[0], b[1], n);
  *out = b;
}
bool isRight() {
  Vector<int, 3> *out = managed<Vector<int, 3>>(1);
  k<<<1, 1>>>(Vector<int, 3>{{1, 2, 3}}, out);
  return synchronised() && (*out)[0] == 9 && (*out)[2] == 6;
}
