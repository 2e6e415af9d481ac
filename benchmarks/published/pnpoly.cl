// Which points lie in a polygon: the number of its edges that a ray from the point crosses is odd.
// A work-item has TILE points, GROUP apart, and reads the polygon's corners from constant memory.
// The published variants write the same test in several ways; this is one for all of them.
#define CORNERS 600

kernel void pnpoly(global int *inside, global const float2 *points, constant float2 *corners,
                   int n) {
  const int first = get_group_id(0) * GROUP * TILE + get_local_id(0);
  float2 point[TILE];
  int odd[TILE];
#pragma unroll
  for (int t = 0; t < TILE; ++t) {
    point[t] = points[min(first + t * GROUP, n - 1)];
    odd[t] = 0;
  }
  float2 last = corners[CORNERS - 1];
  for (int corner = 0; corner < CORNERS; ++corner) {
    const float2 next = corners[corner];
    const float slope = (last.x - next.x) / (last.y - next.y);
#pragma unroll
    for (int t = 0; t < TILE; ++t)
      if ((next.y > point[t].y) != (last.y > point[t].y) &&
          point[t].x < slope * (point[t].y - next.y) + next.x)
        odd[t] ^= 1;
    last = next;
  }
#pragma unroll
  for (int t = 0; t < TILE; ++t)
    if (first + t * GROUP < n)
      inside[first + t * GROUP] = odd[t];
}
