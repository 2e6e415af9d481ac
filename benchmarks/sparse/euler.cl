// The loop over the edges of an unstructured mesh in a flow solver: the flux through an edge leaves
// one node and enters the other.
//
// A work-item per edge, which reads two states and adds to two residuals. The nodes come from an
// indirection array, so neighbouring work-items read and add anywhere; edges that share a node add
// atomically. `residuals` is 0 before the launch.
kernel void euler(const global uint *restrict firsts, const global uint *restrict seconds,
                  const global float *restrict areas, const global float *restrict states,
                  volatile global uint *restrict residuals, const uint edges) {
  const size_t edge = get_global_id(0);
  if (edge >= edges)
    return;
  const uint first = firsts[edge];
  const uint second = seconds[edge];
  const float flux = edge_flux(states[first], states[second], areas[edge]);
  atomic_add_float(residuals + first, flux);
  atomic_add_float(residuals + second, -flux);
}
