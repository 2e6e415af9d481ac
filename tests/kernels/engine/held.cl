// What is held back until a launch is over is more than the engine holds: a call of printf with 15
// numbers takes about a kilobyte of 64 MiB, so some of the last of 1100 work-groups go too far.
#define FIFTEEN i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9, i + 10, i + 11, \
                i + 12, i + 13, i + 14

kernel void printing(global int *restrict out) {
  const int i = get_global_id(0) & 63;
  out[get_global_id(0)] += i;
  printf("%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c", FIFTEEN);
}

// Beyond 1000 errors the simulator only counts, but still in the order of what is printed.
kernel void reporting(global int *restrict out, global int *restrict in) {
  const int i = get_global_id(0) & 63;
  out[get_global_id(0)] += i;
  printf("%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c", FIFTEEN);
  in[i] = 1;
}
