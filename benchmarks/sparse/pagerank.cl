// An iteration of PageRank that pulls: a non-zero (i, j) is a link from node j to node i.
//
// A work-item per row. `shares` has for each node its rank divided by the number of its links, so
// that a non-zero takes one read. The work-item writes the rank of its node and the share for the
// next iteration, which reads the other of two arrays: no work-group may see a share of this one.
// The rank of a node without links goes nowhere.
kernel void pagerank(const global uint *restrict row_begins, const global uint *restrict columns,
                     const global float *restrict per_link, const global float *restrict shares,
                     global float *restrict next_shares, global float *restrict ranks,
                     const uint nodes, const float damping) {
  const size_t node = get_global_id(0);
  if (node >= nodes)
    return;
  const uint end = row_begins[node + 1];
  float sum = 0;
  for (uint i = row_begins[node]; i < end; ++i)
    sum += shares[columns[i]];
  const float rank = (1 - damping) / nodes + damping * sum;
  ranks[node] = rank;
  next_shares[node] = rank * per_link[node];
}
