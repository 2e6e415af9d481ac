// A list whose nodes are in managed memory, and a matrix passed with its pointer.
#include "right.h"
struct Node { int value; Node *next; };
struct Matrix { float *values; int columns; __device__ float &at(int r, int c) { return values[r * columns + c]; } };
__global__ void k(Node *list, Matrix m, int *sum) {
  for (const Node *node = list; node; node = node->next)
    *sum += node->value;
  m.at(1, 2) = m.at(0, 1) + *sum;
}
bool isRight() {
  Node *nodes = managed<Node>(3);
  int *sum = managed<int>(1);
  for (int i = 0; i < 3; ++i)
    nodes[i] = {i + 1, i < 2 ? &nodes[i + 1] : nullptr};
  Matrix m{managed<float>(6), 3};
  m.values[1] = 0.5f;
  k<<<1, 1>>>(nodes, m, sum);
  return synchronised() && *sum == 6 && m.values[5] == 6.5f;
}
