// The force between two molecules (Lennard-Jones, in units of its own), divided by their distance,
// whose square is given: repulsive when they are near, attractive when they are not. `core` keeps it
// finite where two molecules coincide.
static float force_per_distance(const float square, const float sigma, const float core) {
  const float s = sigma / (square + core);
  const float cube = s * s * s;
  return s * cube * (2 * cube - 1);
}
