// Electrostatic potential of a molecule at the vertices of its surface: a sum over all pairs of a
// vertex and an atom.
//
// A work-item has one vertex, a work-group walks through the atoms in tiles of TILE that it copies
// to local memory: an atom is read from there by every work-item. The global size is the number of
// vertices, rounded up to whole work-groups of any size.
//
// Every work-item adds the atoms in their order, one after the other, so that the result does not
// depend on the local size.

#pragma OPENCL FP_CONTRACT OFF

// An atom: its position and, in w, its charge. The potential is
// coulomb * sum(charge / distance) - shift.
kernel void calc_potential_single_step(const global float4 *restrict atoms,
                                       const uint atom_count, const global float *restrict x,
                                       const global float *restrict y,
                                       const global float *restrict z,
                                       global float *restrict potential,
                                       const uint vertex_count, const float coulomb,
                                       const float shift) {
  local float4 tile[TILE];
  const size_t lane = get_local_id(0);
  const size_t lanes = get_local_size(0);
  const size_t vertex = get_global_id(0);
  // Work-items beyond the last vertex stay for the barriers.
  const size_t at = min(vertex, (size_t)vertex_count - 1);
  const float vertex_x = x[at];
  const float vertex_y = y[at];
  const float vertex_z = z[at];

  float sum = 0.0f;
  for (uint first = 0; first < atom_count; first += TILE) {
    for (size_t i = lane; i < TILE; i += lanes) {
      // Behind the last atom: uncharged ones, far from any vertex. They add an exact zero, and the
      // inner loop has a constant length.
      const float4 nothing = (float4)(1e9f, 0.0f, 0.0f, 0.0f);
      tile[i] = first + i < atom_count ? atoms[first + i] : nothing;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (size_t i = 0; i < TILE; ++i) {
      const float dx = vertex_x - tile[i].x;
      const float dy = vertex_y - tile[i].y;
      const float dz = vertex_z - tile[i].z;
      sum += tile[i].w * rsqrt(dx * dx + dy * dy + dz * dz);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (vertex < vertex_count)
    potential[vertex] = coulomb * sum - shift;
}
