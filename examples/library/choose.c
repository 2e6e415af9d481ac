/* Which device for this kernel, and how much of it for each of the best two: what a scheduler asks
   of the library.

     choose PROFILE.json [DEVICE-FOLDER] */
#include <aiwc.h>
#include <stdio.h>
#include <stdlib.h>

/* Status 2 for what the user can mend, as the commands of the project have it. */
static void check(aiwc_status status) {
  if (status == AIWC_OK)
    return;
  fprintf(stderr, "choose: %s\n", aiwc_error_message());
  exit(2);
}

static void print_share(const aiwc_device *device, const aiwc_share *share) {
  printf("%-26s from %zu %zu %zu, %zu x %zu x %zu work-items, %.3f us\n", aiwc_device_id(device),
         share->global_offset[0], share->global_offset[1], share->global_offset[2],
         share->global_size[0], share->global_size[1], share->global_size[2],
         share->finish_s * 1e6);
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: choose PROFILE.json [DEVICE-FOLDER]\n");
    return 2;
  }
  aiwc_device_library *library = NULL;
  aiwc_profile *profile = NULL;
  check(aiwc_device_library_open(argc == 3 ? argv[2] : NULL, &library));
  check(aiwc_profile_read(argv[1], &profile));

  /* All that is known; a scheduler asks aiwc_device_match for those of its platform. */
  const size_t count = aiwc_device_count(library);
  const aiwc_device **devices = malloc(count * sizeof *devices);
  size_t *order = malloc(count * sizeof *order);
  if (!devices || !order)
    return 1;
  for (size_t i = 0; i < count; ++i)
    check(aiwc_device_at(library, i, &devices[i]));

  size_t ranked = 0;
  check(aiwc_rank(profile, devices, count, NULL, order, NULL, &ranked));
  printf("%s on %zu of %zu devices\n", aiwc_profile_kernel(profile), ranked, count);
  for (size_t k = 0; k < ranked; ++k) {
    const aiwc_device *device = devices[order[k]];
    aiwc_prediction time;
    check(aiwc_predict(profile, device, NULL, &time, sizeof time));
    printf("%-26s %10.1f us (%.1f to %.1f), most of it %s\n", aiwc_device_id(device),
           time.seconds * 1e6, time.low_s * 1e6, time.high_s * 1e6, time.largest_part);
  }

  /* Over the best two. */
  const aiwc_device *pair[2] = {devices[order[0]], devices[order[ranked > 1]]};
  aiwc_share shares[2];
  aiwc_division division;
  check(aiwc_split(profile, pair, 2, NULL, shares, sizeof shares[0], &division, sizeof division));
  printf("divided, %.1f us instead of %.1f us\n", division.makespan_s * 1e6,
         division.single_s * 1e6);
  for (size_t i = 0; i < 2; ++i)
    print_share(pair[i], &shares[i]);

  free(order);
  free(devices);
  aiwc_profile_free(profile);
  aiwc_device_library_free(library);
  return 0;
}
