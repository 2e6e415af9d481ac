// Breadth-first search, level by level: the level of a node is its distance from the source. The
// graph is a list of neighbours per node, those of node v from edge_begin[v] up to
// edge_begin[v + 1].
//
// The host launches the two kernels for every level, until one finds no new node. Both have a
// work-item per node; the global size is rounded up to whole work-groups of any size.
//
// No two work-items access the same number without an atomic function where one of them writes:
// kernel1 reads levels and marks nodes, kernel2 reads marks and writes levels, each of its own
// node.

#define UNREACHED UINT_MAX

// Top-down: the nodes of this level, the frontier, mark their neighbours that have no level yet.
// Several of them may reach the same node at once, hence the atomic function.
kernel void kernel1(const global uint *restrict edge_begin, const global uint *restrict target,
                    const global uint *restrict level, global uint *restrict reached,
                    global uint *restrict again, const uint nodes, const uint depth) {
  const size_t node = get_global_id(0);
  if (node == 0)
    *again = 0; // kernel2 of this level sets it
  if (node >= nodes || level[node] != depth)
    return;

  const uint end = edge_begin[node + 1];
  for (uint i = edge_begin[node]; i < end; ++i) {
    const uint neighbour = target[i];
    if (level[neighbour] == UNREACHED)
      atomic_xchg(&reached[neighbour], 1u);
  }
}

// The marked nodes are the next frontier. A work-group joins what it found in local memory, so
// that only one of its work-items asks for the flag that all of them share.
kernel void kernel2(global uint *restrict level, global uint *restrict reached,
                    global uint *restrict again, const uint nodes, const uint depth) {
  local uint found;
  const size_t node = get_global_id(0);
  const size_t lane = get_local_id(0);
  if (lane == 0)
    found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  if (node < nodes && reached[node]) {
    reached[node] = 0;
    level[node] = depth + 1;
    atomic_or(&found, 1u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (lane == 0 && found)
    atomic_or(again, 1u);
}
