// A vector addition, a matrix product without blocking and the two long kernels of an n-body
// simulation with the forces of a Lennard-Jones potential.

#if WORDS == 3 // vectors of three packed words
typedef struct {
  float x, y, z;
} Vector;
#else
typedef float4 Vector;
#endif

Vector at(float x, float y, float z);

Vector at(float x, float y, float z) {
#if WORDS == 3
  const Vector vector = {x, y, z};
#else
  const Vector vector = {x, y, z, 0};
#endif
  return vector;
}

kernel void vec_add(global const float *a, global const float *b, global float *c, int n) {
  const int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}

kernel void vec_add_in_place(global const float *a, global float *c, int n) {
  const int i = get_global_id(0);
  if (i < n)
    c[i] += a[i];
}

/// Column-major: consecutive work-items have consecutive rows.
kernel void matmul_naive(global const float *a, global const float *b, global float *c, int n) {
  const int row = get_global_id(0), column = get_global_id(1);
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row + k * n] * b[k + column * n];
  c[row + column * n] = sum;
}

kernel void nbody_positions(global Vector *x, global const Vector *v, global Vector *force,
                            global Vector *old_force, float dt, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const Vector f = force[i], u = v[i], p = x[i];
  const float half_square = 0.5f * dt * dt;
  old_force[i] = f;
  force[i] = at(0, 0, 0);
  x[i] = at(p.x + u.x * dt + f.x * half_square, p.y + u.y * dt + f.y * half_square,
            p.z + u.z * dt + f.z * half_square);
}

kernel void nbody_forces(global const Vector *x, global Vector *force, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const Vector p = x[i];
  float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i)
      continue;
    const Vector other = x[j];
    const float dx = p.x - other.x, dy = p.y - other.y, dz = p.z - other.z;
    const float q = 1 / (dx * dx + dy * dy + dz * dz);
    const float s = q * q * q;
    const float factor = 24 * (s * s + s * s - s) * q;
    fx += factor * dx;
    fy += factor * dy;
    fz += factor * dz;
  }
  const Vector f = force[i];
  force[i] = at(f.x + fx, f.y + fy, f.z + fz);
}
