// The forces of molecular dynamics from a list of interactions: the pairs that were near when the
// list was made. Those that are nearer than the cut-off now act on each other, with opposite forces.
//
// A work-item per pair. It reads two positions; whether it goes on depends on them, so lanes part.
// Pairs that share a molecule add atomically. A position and a force take 3 numbers; `forces` is 0
// before the launch; `cut_off`, `sigma` and `core` are squares of lengths.
kernel void moldyn(const global uint *restrict firsts, const global uint *restrict seconds,
                   const global float *restrict positions, volatile global uint *restrict forces,
                   const uint pairs, const float cut_off, const float sigma, const float core) {
  const size_t pair = get_global_id(0);
  if (pair >= pairs)
    return;
  const size_t first = (size_t)3 * firsts[pair];
  const size_t second = (size_t)3 * seconds[pair];
  const float x = positions[first] - positions[second];
  const float y = positions[first + 1] - positions[second + 1];
  const float z = positions[first + 2] - positions[second + 2];
  const float square = x * x + y * y + z * z;
  if (square >= cut_off)
    return;
  const float force = force_per_distance(square, sigma, core);
  atomic_add_float(forces + first, force * x);
  atomic_add_float(forces + first + 1, force * y);
  atomic_add_float(forces + first + 2, force * z);
  atomic_add_float(forces + second, -force * x);
  atomic_add_float(forces + second + 1, -force * y);
  atomic_add_float(forces + second + 2, -force * z);
}
