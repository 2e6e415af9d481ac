// The four kernels of STREAM (McCalpin 1995), as BabelStream has them (Deakin et al. 2018), and an
// update in place: a CPU also reads what a kernel only writes. Built with -D LANES=N, the floats that
// a work-item takes at once. All numbers are integers that a float holds exactly.

#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#if LANES == 1
typedef float vector;
#else
typedef CAT(float, LANES) vector;
#endif

// a[i] = i mod 1024 + more
kernel void fill(global float *a, uint more) {
  const size_t i = get_global_id(0);
  a[i] = i % 1024 + more;
}

kernel void copy(global vector *to, global const vector *a, global const vector *b) {
  const size_t i = get_global_id(0);
  to[i] = a[i];
}

kernel void scale(global vector *to, global const vector *a, global const vector *b) {
  const size_t i = get_global_id(0);
  to[i] = 3.0f * a[i];
}

kernel void add(global vector *to, global const vector *a, global const vector *b) {
  const size_t i = get_global_id(0);
  to[i] = a[i] + b[i];
}

kernel void triad(global vector *to, global const vector *a, global const vector *b) {
  const size_t i = get_global_id(0);
  to[i] = a[i] + 3.0f * b[i];
}

kernel void update(global vector *to, global const vector *a, global const vector *b) {
  const size_t i = get_global_id(0);
  to[i] += a[i];
}
