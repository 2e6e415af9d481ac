typedef struct {
  float place[3];
  int kind;
} particle;

// Each work-item changes a structure of its own, although one is passed.
kernel void structure(global float *restrict out, particle p) {
  const size_t i = get_global_id(0);
  p.place[i % 3] += 0.5f * i;
  p.kind = (p.kind >> 20) + (int)i;
  out[i] = p.place[0] + 10 * p.place[1] + 100 * p.place[2] + 1000 * p.kind;
}
