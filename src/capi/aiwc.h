/// The predictions of this project for programs in C, and in whatever calls C: a scheduler reads
/// device profiles and kernel profiles once, out of the kernels themselves where they carry them,
/// then asks what a kernel costs on each device, which one is best, and how to divide its work.
/// docs/library.md shows it in use.
///
/// Results. Functions that can fail return an aiwc_status and write what they found through
/// pointers; on any other status than AIWC_OK nothing is written there. aiwc_error_message() has
/// the reason in words. No exception leaves the library, and a NULL pointer or a value out of range
/// is AIWC_BAD_ARGUMENT; only a handle that was freed, or never was one, is undefined behaviour.
///
/// Structs that functions fill in come with their size, as in clGetDeviceInfo: pass `sizeof` of
/// yours. Later versions may add members at the end; then a program that was compiled before gets
/// the ones that it knows, and one that is newer than the library gets zeros in those that the
/// library does not know. A size below that of the struct in version 0.1 is AIWC_BAD_ARGUMENT.
///
/// Ownership. Who gets a handle from a function that ends in _open, _read, _parse or _new, or a
/// profile from aiwc_annotations_find, frees it with the function named there. Whatever else a
/// function returns belongs to its first argument and lives as long as that. NULL may be freed.
///
/// Threads. Handles of device libraries, devices, kernel profiles and annotations do not change:
/// any number of threads may use the same ones at the same time, as long as none frees them. The
/// same goes for options while nobody sets one. aiwc_error_message() is of the calling thread.
///
/// Units are seconds, bytes, joules, and GFLOP/s = 10^9 operations per second.
#ifndef AIWC_H
#define AIWC_H

#include <stddef.h>
#include <stdint.h>

#define AIWC_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library that runs, "major.minor.patch". Static.
AIWC_API const char *aiwc_version(void);

typedef enum aiwc_status {
  AIWC_OK = 0,
  AIWC_BAD_ARGUMENT = 1,      ///< NULL, out of range: the calling program is wrong
  AIWC_NOT_FOUND = 2,         ///< no device of that id or name, no profile of that launch
  AIWC_BAD_FILE = 3,          ///< cannot be read, or is not what it should be
  AIWC_UNUSABLE_PROFILE = 4,  ///< the kernel profile is incomplete: no prediction on any device
  AIWC_MISSING_PARAMETER = 5, ///< the device profile lacks a number that this prediction needs
  AIWC_OUT_OF_MEMORY = 6,
  AIWC_INTERNAL = 7 ///< an error of the library
} aiwc_status;

/// What an `aiwc_status` means, in a few words; "unknown status" for another number. Static.
AIWC_API const char *aiwc_status_text(int status);

/// Why the last function that failed in this thread did: one line that names the file, field,
/// device or argument. Empty where none has failed. Functions that succeed leave it as it is, so
/// the status says whether there is an error, not the message. It may change with the next call in
/// this thread. Longer ones than 1023 bytes are cut.
AIWC_API const char *aiwc_error_message(void);

// -- Devices --------------------------------------------------------------------------------------

/// Device profiles (docs/devices.md).
typedef struct aiwc_device_library aiwc_device_library;
/// One of them. Belongs to its library.
typedef struct aiwc_device aiwc_device;

/// Reads all device profiles, `*.json`, of a folder. With NULL those of AIWC_DEVICES (folders
/// separated by ':') where that is set, else those that are installed with the library, wherever it
/// was moved. To be freed by aiwc_device_library_free. AIWC_BAD_FILE for a folder that cannot be
/// read or has none, and where one of them is wrong: all or nothing.
AIWC_API aiwc_status aiwc_device_library_open(const char *folder, aiwc_device_library **library);
AIWC_API void aiwc_device_library_free(aiwc_device_library *library);

/// How many devices there are; 0 for NULL.
AIWC_API size_t aiwc_device_count(const aiwc_device_library *library);
/// The device at `index`, from 0, in the order of their ids. AIWC_BAD_ARGUMENT beyond the last.
AIWC_API aiwc_status aiwc_device_at(const aiwc_device_library *library, size_t index,
                                    const aiwc_device **device);
/// The device of this id: "h100-sxm5". AIWC_NOT_FOUND, with ids that are close in the message.
AIWC_API aiwc_status aiwc_device_find(const aiwc_device_library *library, const char *id,
                                      const aiwc_device **device);
/// The device that an OpenCL implementation calls `name` (CL_DEVICE_NAME; where AMD's
/// implementations give a chip's name there, such as "gfx803" or "Fiji", that of the product is
/// CL_DEVICE_BOARD_NAME_AMD). AIWC_NOT_FOUND where nothing matches, and where two devices do
/// equally well.
AIWC_API aiwc_status aiwc_device_match(const aiwc_device_library *library, const char *name,
                                       const aiwc_device **device);

/// Its id, and its name for people. Empty for NULL.
AIWC_API const char *aiwc_device_id(const aiwc_device *device);
AIWC_API const char *aiwc_device_name(const aiwc_device *device);

// -- Kernels --------------------------------------------------------------------------------------

/// What one kernel invocation needs of any device (docs/profile.md). The functions below do not
/// care where it came from.
typedef struct aiwc_profile aiwc_profile;

/// The profile in a JSON file, as `oclgrind --aiwc` writes them. To be freed by aiwc_profile_free.
/// AIWC_BAD_FILE for a file that cannot be read, is no profile, or has a newer schema.
AIWC_API aiwc_status aiwc_profile_read(const char *path, aiwc_profile **profile);
/// The same from `length` bytes of memory, which need not end in a NUL nor outlive the call.
/// `origin` names them in messages; may be NULL.
AIWC_API aiwc_status aiwc_profile_parse(const char *json, size_t length, const char *origin,
                                        aiwc_profile **profile);
AIWC_API void aiwc_profile_free(aiwc_profile *profile);

/// The kernel's name. Empty for NULL.
AIWC_API const char *aiwc_profile_kernel(const aiwc_profile *profile);

/// In work-items, as clEnqueueNDRangeKernel takes them. From work_dim on offsets are 0, sizes 1.
typedef struct aiwc_ndrange {
  size_t work_dim; ///< 1 to 3; 0 where the profile does not tell
  size_t global_offset[3];
  size_t global_size[3];
  size_t local_size[3];
} aiwc_ndrange;

/// The NDRange that was profiled. Predictions are for it: another size is another profile.
AIWC_API aiwc_status aiwc_profile_ndrange(const aiwc_profile *profile, aiwc_ndrange *ndrange,
                                          size_t ndrange_size);

// -- Annotations ----------------------------------------------------------------------------------

/// The profiles that a kernel's source or binary carries, or a sidecar beside it, as `aiwc embed`
/// and `oclgrind --aiwc-embed` put them there (docs/embedding.md).
typedef struct aiwc_annotations aiwc_annotations;

/// What a file and its sidecar hold. To be freed by aiwc_annotations_free. Annotations that are
/// missing or damaged, or of another version, are no failure: there are fewer of them then, or
/// none, and aiwc_annotations_reason says why. AIWC_BAD_FILE where the file itself cannot be read.
AIWC_API aiwc_status aiwc_annotations_read(const char *path, aiwc_annotations **annotations);
/// What `length` bytes of memory carry themselves, such as the source that an application is about
/// to build. They need not end in a NUL nor outlive the call. `origin` is a file's name, for
/// messages and for what content alone does not tell apart (`.cl`, `.ll`); may be NULL.
AIWC_API aiwc_status aiwc_annotations_parse(const void *content, size_t length, const char *origin,
                                            aiwc_annotations **annotations);
AIWC_API void aiwc_annotations_free(aiwc_annotations *annotations);

/// How many there are; 0 for NULL.
AIWC_API size_t aiwc_annotations_count(const aiwc_annotations *annotations);

typedef struct aiwc_annotation {
  const char *kernel;    ///< belongs to the annotations
  size_t work_dim;       ///< 1 to 3
  size_t global_size[3]; ///< in work-items; from work_dim on 1
  size_t local_size[3];
  int stale; ///< 1 where the source is another one now than was characterised, else 0
} aiwc_annotation;

/// The annotation at `index`, from 0, in the order of the file, a sidecar's behind it.
/// AIWC_BAD_ARGUMENT beyond the last.
AIWC_API aiwc_status aiwc_annotations_at(const aiwc_annotations *annotations, size_t index,
                                         aiwc_annotation *annotation, size_t annotation_size);

/// How many were passed over, and why: one line for each of the first 16, `FILE: PLACE: what is
/// wrong: what was expected`; empty beyond the last, and for NULL.
AIWC_API size_t aiwc_annotations_rejected(const aiwc_annotations *annotations);
AIWC_API const char *aiwc_annotations_reason(const aiwc_annotations *annotations, size_t index);

/// How a profile matches the launch that was asked for. Where neither `stale` nor `scaled` is 1,
/// the launch itself was characterised, and the source has not changed since.
typedef struct aiwc_match {
  int stale;  ///< 1 where the source is another one now than was characterised
  int scaled; ///< 1 where the profile was made of those of other launches; stale ones are not used
  /// Of a scaled one, 1 where these had work-groups of another size than was asked for: then what
  /// depends on work-groups is assumed to be as it was.
  int other_local_size;
  /// Of a scaled one: on the benchmark suite, the costs of computation and memory traffic that
  /// follow from such profiles were within this factor of those that follow from measured ones, in
  /// half of all cases and in nine of ten. Otherwise 1.
  double typical_factor, most_factor;
} aiwc_match;

/// The profile for a launch of `kernel` with the sizes that clEnqueueNDRangeKernel takes:
/// global_size and local_size have work_dim elements, and a local_size of NULL leaves it open there
/// and here. It is that of the launch itself; where this was not characterised, one scaled from the
/// nearest launches (docs/embedding.md); where there are none, that of the launch itself though it
/// is stale. To be freed by aiwc_profile_free; it does not need the annotations any more. `match`,
/// where not NULL, says how far to trust it. Takes some microseconds and does no input or output.
/// AIWC_NOT_FOUND where nothing of the kernel is there, AIWC_BAD_FILE where what there is turns out
/// to be damaged, or cannot be scaled so far: in either case there is nothing to predict from, and
/// nothing else is wrong.
AIWC_API aiwc_status aiwc_annotations_find(const aiwc_annotations *annotations, const char *kernel,
                                           size_t work_dim, const size_t *global_size,
                                           const size_t *local_size, aiwc_profile **profile,
                                           aiwc_match *match, size_t match_size);

// -- Options --------------------------------------------------------------------------------------

/// How to predict. All functions below take NULL for the defaults.
typedef struct aiwc_options aiwc_options;

typedef enum aiwc_precision {
  AIWC_PRECISION_PROFILED = 0, ///< 64-bit operations as such, all others as 32-bit ones
  AIWC_PRECISION_SINGLE = 1,   ///< all as if written in single precision
  AIWC_PRECISION_DOUBLE = 2    ///< all as if written in double precision
} aiwc_precision;

/// Options with their defaults. To be freed by aiwc_options_free.
AIWC_API aiwc_status aiwc_options_new(aiwc_options **options);
AIWC_API void aiwc_options_free(aiwc_options *options);
/// Share of the time of transfers between host and device that nothing hides: 0 (overlapped) to 1
/// (all exposed). Where not set, aiwc_predict and aiwc_rank take 0, aiwc_split and aiwc_map 1.
AIWC_API aiwc_status aiwc_options_set_transfers(aiwc_options *options, double exposed);
/// Whether each device of a division needs all that the host writes (not 0), or its share of it
/// alone (0, the default).
AIWC_API aiwc_status aiwc_options_set_whole_input(aiwc_options *options, int whole);
/// Default: AIWC_PRECISION_PROFILED.
AIWC_API aiwc_status aiwc_options_set_precision(aiwc_options *options, aiwc_precision precision);
/// The dimension to divide an NDRange along: 0 (x) to 2 (z), or -1 for the best one, the default.
AIWC_API aiwc_status aiwc_options_set_dimension(aiwc_options *options, int dimension);

// -- Predictions ----------------------------------------------------------------------------------

typedef enum aiwc_term {
  AIWC_TERM_COMPUTE = 0,
  AIWC_TERM_FAST_MEMORY = 1,
  AIWC_TERM_SLOW_MEMORY = 2,
  AIWC_TERM_LATENCY = 3,
  AIWC_TERM_SYNCHRONIZATION = 4,
  AIWC_TERM_TRANSFERS = 5
} aiwc_term;

/// "compute", "fast memory", ...; "unknown term" for another number. Static.
AIWC_API const char *aiwc_term_text(aiwc_term term);

/// What one invocation costs on one device (docs/prediction.md).
typedef struct aiwc_prediction {
  double seconds; ///< the sum of the terms
  double compute_s, fast_memory_s, slow_memory_s, latency_s, synchronization_s;
  double transfers_s; ///< the exposed part
  double operations;  ///< floating-point ones, or all where the kernel does hardly any
  double slow_bytes;  ///< to and from memory
  double fast_bytes;  ///< to and from the fast memory, local memory included
  double upper_bound_gflops;
  double intensity;       ///< operations per byte of slow memory; INFINITY without any
  double roofline_gflops; ///< what compute and slow memory alone would allow
  double energy_joules;   ///< NAN where the device's power is not known
  aiwc_term bound_by;     ///< the largest term
  int floating_point;     ///< 1 where `operations` are floating-point ones, else 0
  /// 1 where single precision was costed at the double-precision rate, the only one known of the
  /// device: an upper bound. Else 0.
  int double_rate_for_single;
} aiwc_prediction;

/// What the kernel costs on the device. Takes some microseconds and does no input or output.
/// AIWC_UNUSABLE_PROFILE and AIWC_MISSING_PARAMETER say what is missing.
AIWC_API aiwc_status aiwc_predict(const aiwc_profile *profile, const aiwc_device *device,
                                  const aiwc_options *options, aiwc_prediction *prediction,
                                  size_t prediction_size);

/// Orders `count` devices by what the kernel costs on them: order[0] is the index of the best one
/// in `devices`; equals stay as given. Devices that lack a parameter are ruled out: they come last,
/// and *ranked, where not NULL, is the number of the others. seconds, where not NULL, gets the cost
/// on devices[i] at [i], NAN for one that is ruled out. `order` and `seconds` have `count`
/// elements. AIWC_MISSING_PARAMETER where all are ruled out, with the first one's reason.
AIWC_API aiwc_status aiwc_rank(const aiwc_profile *profile, const aiwc_device *const *devices,
                               size_t count, const aiwc_options *options, size_t *order,
                               double *seconds, size_t *ranked);

/// What one device gets of an NDRange.
typedef struct aiwc_share {
  uint64_t work_groups;    ///< 0: nothing, and all below is 0
  size_t global_offset[3]; ///< work-items, with the profiled launch's own offset
  size_t global_size[3];   ///< work-items
  double finish_s;         ///< from the common start to the end of this device
} aiwc_share;

/// A division beside what it competes with.
typedef struct aiwc_division {
  double makespan_s;      ///< when the last device ends
  double even_makespan_s; ///< the same with equal shares
  double single_s;        ///< all of it on one device, the one that is fastest so:
  size_t single;          ///< its index
  size_t dimension;       ///< along which the NDRange is divided: 0 is x
} aiwc_division;

/// Divides the NDRange among `count` devices, in whole work-groups, so that the last one ends as
/// early as possible; launch overhead and transfers are in the times. shares[i], each of share_size
/// bytes, is that of devices[i], in the order of their offsets; a device that does not pay for
/// itself gets none. The same device may be there several times. `division` may be NULL. Takes
/// longer than aiwc_predict: milliseconds for many devices and work-groups.
/// AIWC_MISSING_PARAMETER where any of the devices lacks one.
AIWC_API aiwc_status aiwc_split(const aiwc_profile *profile, const aiwc_device *const *devices,
                                size_t count, const aiwc_options *options, aiwc_share *shares,
                                size_t share_size, aiwc_division *division, size_t division_size);

/// Chooses a device for each of `profile_count` kernel invocations that run one after the other, so
/// that their total time is least, with what has to move where the device changes: device_of[k] is
/// the index of that of profiles[k]. *seconds, the total, where not NULL.
AIWC_API aiwc_status aiwc_map(const aiwc_profile *const *profiles, size_t profile_count,
                              const aiwc_device *const *devices, size_t device_count,
                              const aiwc_options *options, size_t *device_of, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
