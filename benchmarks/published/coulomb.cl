// The electrostatic potential of atoms at the points of a cubic grid, by direct summation. A work-item
// computes Z_ITERATIONS points above each other. USE_SOA: whether the atoms are four arrays or one of
// vectors (x, y, z, charge). INNER_UNROLL_FACTOR: how far the loop over these points is unrolled; 0
// leaves it to the compiler, and compilers for GPUs unroll it wholly. In a loop that remains, the sums
// are an array in private memory.
#if INNER_UNROLL_FACTOR == 0
#define UNROLLED Z_ITERATIONS
#else
#define UNROLLED INNER_UNROLL_FACTOR
#endif

kernel void coulomb(
#if USE_SOA
    global const float *restrict atomX, global const float *restrict atomY,
    global const float *restrict atomZ, global const float *restrict atomCharge,
#else
    global const float4 *restrict atoms,
#endif
    const int atomCount, const float spacing, const int gridSize, global float *restrict energies) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int z = get_global_id(2) * Z_ITERATIONS;
  const float positionX = spacing * x;
  const float positionY = spacing * y;
  const float positionZ = spacing * z;
  float energy[Z_ITERATIONS];
#pragma unroll
  for (int i = 0; i < Z_ITERATIONS; i++)
    energy[i] = 0;

  for (int atom = 0; atom < atomCount; atom++) {
#if USE_SOA
    const float dx = positionX - atomX[atom];
    const float dy = positionY - atomY[atom];
    float dz = positionZ - atomZ[atom];
    const float charge = atomCharge[atom];
#else
    const float4 values = atoms[atom];
    const float dx = positionX - values.x;
    const float dy = positionY - values.y;
    float dz = positionZ - values.z;
    const float charge = values.w;
#endif
    const float squareXY = dx * dx + dy * dy;
#if UNROLLED < Z_ITERATIONS
#pragma unroll 1
    for (int first = 0; first < Z_ITERATIONS; first += UNROLLED)
#else
    const int first = 0;
#endif
#pragma unroll
      for (int i = first; i < first + UNROLLED; i++) {
        energy[i] += charge * rsqrt(squareXY + dz * dz);
        dz += spacing;
      }
  }

  int index = (z * gridSize + y) * gridSize + x;
#pragma unroll
  for (int i = 0; i < Z_ITERATIONS; i++) {
    energies[index] += energy[i];
    index += gridSize * gridSize;
  }
}
