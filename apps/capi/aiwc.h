/// C interface to this project's predictions, for programs in C or in any language that can call C.
/// A typical caller is a scheduler. It reads device profiles and kernel profiles once; the kernel
/// profiles may be embedded in the kernels themselves. Then it asks how long a kernel takes on each
/// device, which device is best, and how to divide the kernel's work among devices.
/// docs/library.md has examples.
///
/// Results. A function that can fail returns an aiwc_status and writes its result through pointers;
/// unless the status is AIWC_OK, it writes nothing there. aiwc_error_message() gives the reason in
/// words. No exception leaves the library. A NULL pointer or a value out of range gives
/// AIWC_BAD_ARGUMENT. Behaviour is undefined only for a handle that was freed or never valid.
///
/// Struct sizes. A function that fills in a struct also takes the struct's size, as
/// clGetDeviceInfo does: pass `sizeof` of your struct. Later versions of the library may add
/// members at the end. A program compiled with an older header then gets the members that it knows.
/// A program compiled with a newer header than the library gets zeros in the members that the
/// library does not know. A size smaller than the struct had in version 0.1, or larger than 4096
/// bytes, gives AIWC_BAD_ARGUMENT. So do arrays of more than 2^20 handles, profiles in memory of
/// more than 64 MiB, and kernels in memory of more than 256 MiB.
///
/// Ownership. The caller frees each handle that it gets from a function whose name ends in _open,
/// _read, _parse or _new, and each profile from aiwc_annotations_find; the function's comment names
/// the function that frees it. Everything else that a function returns belongs to the object passed
/// as its first argument and is valid until that object is freed. Freeing NULL does nothing.
///
/// Threads. Device libraries, devices, kernel profiles, annotations and models never change. Any
/// number of threads may use the same ones at the same time, provided that no thread frees them
/// meanwhile. Options may be shared in the same way while no thread sets one. aiwc_error_message()
/// is separate for each thread.
///
/// Units are seconds, bytes, joules, and GFLOP/s (10^9 operations per second).
#ifndef AIWC_H
#define AIWC_H

#include <stddef.h>
#include <stdint.h>

#define AIWC_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library in use at run time, "major.minor.patch". A static string.
AIWC_API const char *aiwc_version(void);

typedef enum aiwc_status {
  AIWC_OK = 0,
  AIWC_BAD_ARGUMENT = 1,      ///< NULL or out of range: an error in the calling program
  AIWC_NOT_FOUND = 2,         ///< no such device id or name, or no profile for that launch
  AIWC_BAD_FILE = 3,          ///< the file cannot be read or its content is invalid
  AIWC_UNUSABLE_PROFILE = 4,  ///< the kernel profile is incomplete: no prediction on any device
  AIWC_MISSING_PARAMETER = 5, ///< the device profile lacks a parameter that the prediction needs
  AIWC_OUT_OF_MEMORY = 6,
  AIWC_INTERNAL = 7 ///< an error in the library itself
} aiwc_status;

/// Describes an `aiwc_status` in a few words; "unknown status" for any other number. A static
/// string.
AIWC_API const char *aiwc_status_text(int status);

/// The reason for the most recent failure in this thread: one line that names the file, field,
/// device or argument. Empty if no function has failed. A successful call does not clear the
/// message, so use the status, not the message, to detect an error. The string is valid until the
/// next call in this thread. Messages are cut after 1023 bytes.
AIWC_API const char *aiwc_error_message(void);

// -- Metrics --------------------------------------------------------------------------------------

/// A metric of profiles (docs/metrics.md). All strings are static.
typedef struct aiwc_metric {
  const char *key;        ///< in JSON and CSV: "fp_ops"
  const char *name;       ///< in the literature; the key if it has none
  const char *unit;       ///< "bits", "instructions"; empty for a number
  const char *category;   ///< "Compute", "Parallelism", "Memory" or "Control"
  const char *definition; ///< one sentence
  int integer;            ///< 1 if it is a count, 0 if it is a real number
  int fraction;           ///< 1 if it is a fraction, from 0 to 1, else 0
} aiwc_metric;

/// The number of metrics. It may grow from version to version, and indices may change: programs
/// remember keys.
AIWC_API size_t aiwc_metric_count(void);
/// The metric at `index`, counted from 0, in the order of `aiwc show --metrics`. AIWC_BAD_ARGUMENT
/// if `index` is not below the number of metrics.
AIWC_API aiwc_status aiwc_metric_at(size_t index, aiwc_metric *metric, size_t metric_size);

// -- Devices --------------------------------------------------------------------------------------

/// A set of device profiles (docs/devices.md).
typedef struct aiwc_device_library aiwc_device_library;
/// One device profile of a library, which owns it.
typedef struct aiwc_device aiwc_device;

/// Reads all device profiles (`*.json`) in `folder`. If `folder` is NULL, reads the folders in the
/// environment variable AIWC_DEVICES (separated by ':') if it is set, and otherwise the profiles
/// installed with the library; these are found even if the installation was moved. Free the result
/// with aiwc_device_library_free. AIWC_BAD_FILE if a folder cannot be read or has no profiles, or
/// if any profile is invalid: then no device is returned.
AIWC_API aiwc_status aiwc_device_library_open(const char *folder, aiwc_device_library **library);
AIWC_API void aiwc_device_library_free(aiwc_device_library *library);

/// The number of devices; 0 for NULL.
AIWC_API size_t aiwc_device_count(const aiwc_device_library *library);
/// The device at `index`, counted from 0. Devices are ordered by id. AIWC_BAD_ARGUMENT if `index`
/// is not below the number of devices.
AIWC_API aiwc_status aiwc_device_at(const aiwc_device_library *library, size_t index,
                                    const aiwc_device **device);
/// The device with this id, such as "h100-sxm5". AIWC_NOT_FOUND if there is none; the error message
/// then lists similar ids.
AIWC_API aiwc_status aiwc_device_find(const aiwc_device_library *library, const char *id,
                                      const aiwc_device **device);
/// The device that best matches `name`, the device name from an OpenCL implementation. Pass
/// CL_DEVICE_NAME; if an AMD implementation returns a chip name for it, such as "gfx803" or "Fiji",
/// pass CL_DEVICE_BOARD_NAME_AMD, the product name. AIWC_NOT_FOUND if no device matches or if two
/// devices match equally well.
AIWC_API aiwc_status aiwc_device_match(const aiwc_device_library *library, const char *name,
                                       const aiwc_device **device);

/// The device's id, and its name for display. Empty for NULL.
AIWC_API const char *aiwc_device_id(const aiwc_device *device);
AIWC_API const char *aiwc_device_name(const aiwc_device *device);

/// What is known of a device beside its parameters. The strings belong to the device.
typedef struct aiwc_device_facts {
  const char *id, *name, *vendor;
  const char *series; ///< such as "Pascal"; may be empty
  const char *type;   ///< "cpu", "gpu", "integrated_gpu" or "accelerator"
  int year;           ///< when it was launched
  int opencl;         ///< 1 if an OpenCL implementation for it exists, else 0
} aiwc_device_facts;

AIWC_API aiwc_status aiwc_device_describe(const aiwc_device *device, aiwc_device_facts *facts,
                                          size_t facts_size);

/// A parameter of devices (docs/devices.md). All strings are static.
typedef struct aiwc_parameter {
  const char *name;        ///< as in `aiwc predict --what-if`: "dram_bandwidth"
  const char *key;         ///< in device profiles, ending in the unit: "dram_bandwidth_gb_per_s"
  const char *unit;        ///< for display: "GB/s"; empty for a number
  const char *description; ///< one line
} aiwc_parameter;

/// The number of parameters, and the one at `index`, counted from 0. AIWC_BAD_ARGUMENT if `index`
/// is not below the number.
AIWC_API size_t aiwc_parameter_count(void);
AIWC_API aiwc_status aiwc_parameter_at(size_t index, aiwc_parameter *parameter,
                                       size_t parameter_size);
/// The device's value of the parameter at `index`, in that parameter's unit; NAN if it is not
/// known.
AIWC_API aiwc_status aiwc_device_parameter(const aiwc_device *device, size_t index, double *value);

// -- Kernels --------------------------------------------------------------------------------------

/// The device-independent profile of one kernel invocation (docs/formats.md). The functions below
/// treat profiles from files, memory and annotations alike.
typedef struct aiwc_profile aiwc_profile;

/// Reads a profile from a JSON file, as written by `oclgrind --aiwc`. If the file lies in the
/// folder of its run, costs contain what launches before left in caches. Free it with
/// aiwc_profile_free. AIWC_BAD_FILE if the file cannot be read, is not a profile, or has a newer
/// schema.
AIWC_API aiwc_status aiwc_profile_read(const char *path, aiwc_profile **profile);
/// The same for `length` bytes of JSON in memory. They need no terminating NUL and are not used
/// after the call. `origin` is the name that error messages give them; it may be NULL.
AIWC_API aiwc_status aiwc_profile_parse(const char *json, size_t length, const char *origin,
                                        aiwc_profile **profile);
AIWC_API void aiwc_profile_free(aiwc_profile *profile);

/// What a host transfers to and from the memory of a device for one launch.
typedef struct aiwc_transfers {
  uint64_t host_to_device_bytes, host_to_device_transfers;
  uint64_t device_to_host_bytes, device_to_host_transfers;
} aiwc_transfers;

/// Makes the profile of a launch that the profiled one represents, but for its transfers: same
/// kernel, NDRange and arguments (`alike_to` in run.json, docs/formats.md). Free it with
/// aiwc_profile_free; it stays valid after `profile` is freed.
AIWC_API aiwc_status aiwc_profile_new(const aiwc_profile *profile, const aiwc_transfers *transfers,
                                      size_t transfers_size, aiwc_profile **alike);

/// The kernel's name. Empty for NULL.
AIWC_API const char *aiwc_profile_kernel(const aiwc_profile *profile);

/// Sizes are in work-items, as for clEnqueueNDRangeKernel. In the dimensions beyond work_dim,
/// offsets are 0 and sizes are 1.
typedef struct aiwc_ndrange {
  size_t work_dim; ///< 1 to 3; 0 if the profile does not record it
  size_t global_offset[3];
  size_t global_size[3];
  size_t local_size[3];
} aiwc_ndrange;

/// The NDRange that was profiled. Predictions from this profile hold for this NDRange; another size
/// needs another profile.
AIWC_API aiwc_status aiwc_profile_ndrange(const aiwc_profile *profile, aiwc_ndrange *ndrange,
                                          size_t ndrange_size);

/// What a profile was made of, and how. The strings belong to the profile.
typedef struct aiwc_provenance {
  uint64_t invocation; ///< number of the launch of this kernel name in its process, from 0
  const char *source_hash, *build_options;
  const char *engine;        ///< "interpreter" or "compiled"; empty if it is not known
  const char *reason;        ///< why the profile is not complete; empty if it is
  uint64_t simulator_errors; ///< errors that the simulator reported in this launch
  /// The work-groups that were characterised, and those of the launch, if these were a sample; else
  /// both are 0.
  uint64_t sampled_groups, total_groups;
  uint64_t line_bytes; ///< size of the cache lines; 0 if reuse distances were not measured
  int complete;        ///< 1 if the launch ran to its end, else 0
  int floating_point;  ///< 1 if there is a floating-point operation per 100 integer ones, else 0
  /// The hash of the code that the kernel executes, whatever its names, comments and the rest of
  /// its source; empty if the profile does not tell.
  const char *code_hash;
} aiwc_provenance;

AIWC_API aiwc_status aiwc_profile_provenance(const aiwc_profile *profile,
                                             aiwc_provenance *provenance, size_t provenance_size);

typedef enum aiwc_value_kind {
  AIWC_VALUE_NONE = 0, ///< not measured, or undefined, such as a ratio to zero
  AIWC_VALUE_COUNT = 1,
  AIWC_VALUE_REAL = 2
} aiwc_value_kind;

/// The value of a metric.
typedef struct aiwc_value {
  aiwc_value_kind kind;
  uint64_t count; ///< the value of a count; else 0
  double real;    ///< the value of a count or a real; NAN if there is none
  /// The absolute standard error, in the metric's unit, if work-groups were sampled; NAN if the
  /// metric is exact, or the error is not known (docs/metrics.md, "Sampled work-groups").
  double standard_error;
} aiwc_value;

/// The profile's value of the metric at `index` (aiwc_metric_at). Profiles from annotations have
/// only those metrics that the compact form has (docs/embedding.md). AIWC_BAD_ARGUMENT if `index`
/// is not below the number of metrics.
AIWC_API aiwc_status aiwc_profile_value(const aiwc_profile *profile, size_t index,
                                        aiwc_value *value, size_t value_size);

/// How `count` caches would serve the kernel: misses[i] receives the accesses of cache lines that
/// miss a fully associative LRU cache of cache_bytes[i] bytes, which is empty when the launch
/// begins, and *accesses all accesses of cache lines; it may be NULL. Exact at powers of two.
AIWC_API aiwc_status aiwc_profile_misses(const aiwc_profile *profile, const uint64_t *cache_bytes,
                                         size_t count, uint64_t *misses, uint64_t *accesses);

/// What one source line did, as `aiwc show --lines` counts.
typedef struct aiwc_line {
  uint64_t line;         ///< 1 for the first line of the source; 0 for what has no known line
  uint64_t instructions; ///< that machines have: without phi and markers for compilers
  uint64_t fp_ops;
  uint64_t bytes;                        ///< read and written in global, constant and local memory
  uint64_t cache_accesses, cache_misses; ///< of lines of global and constant memory
  uint64_t idle_lanes;
  uint64_t branches, mispredictions;
} aiwc_line;

/// The source lines of a kernel by increasing number, line 0 at the end, each with the sums over
/// `profile_count` launches of this kernel. Misses are those of a cache of `cache_bytes`, which is
/// empty when a launch begins; idle lanes those of groups of `lanes` lanes: 8, 16, 32 or 64.
/// *count receives the number of lines, and `lines`, an array of `capacity` structs of line_size
/// bytes, the first `capacity` of them; `lines` may be NULL if `capacity` is 0.
AIWC_API aiwc_status aiwc_lines(const aiwc_profile *const *profiles, size_t profile_count,
                                uint64_t cache_bytes, unsigned lanes, aiwc_line *lines,
                                size_t line_size, size_t capacity, size_t *count);

// -- Annotations ----------------------------------------------------------------------------------

/// The profiles embedded in a kernel's source or binary, or in a sidecar (a JSON file next to it).
/// `aiwc annotate embed` writes them (docs/embedding.md).
typedef struct aiwc_annotations aiwc_annotations;

/// Reads the annotations of a file and of its sidecar. Free them with aiwc_annotations_free.
/// Missing annotations, damaged ones and those of an unknown version are not errors: they are left
/// out, so the result may be empty, and aiwc_annotations_reason gives the reasons. AIWC_BAD_FILE if
/// the file itself cannot be read.
AIWC_API aiwc_status aiwc_annotations_read(const char *path, aiwc_annotations **annotations);
/// Reads the annotations in `length` bytes of memory, such as the source that an application is
/// about to build; no sidecar is read. The bytes need no terminating NUL and are not used after the
/// call. `origin` is a file name. It is used in messages, and its extension identifies the formats
/// that the content does not (`.cl`, `.ll`). It may be NULL.
AIWC_API aiwc_status aiwc_annotations_parse(const void *content, size_t length, const char *origin,
                                            aiwc_annotations **annotations);
AIWC_API void aiwc_annotations_free(aiwc_annotations *annotations);

/// The number of annotations; 0 for NULL.
AIWC_API size_t aiwc_annotations_count(const aiwc_annotations *annotations);

typedef struct aiwc_annotation {
  const char *kernel;    ///< belongs to the annotations
  size_t work_dim;       ///< 1 to 3
  size_t global_size[3]; ///< in work-items; 1 in dimensions beyond work_dim
  size_t local_size[3];
  int stale; ///< 1 if the source has changed since it was characterised, else 0
} aiwc_annotation;

/// The annotation at `index`, counted from 0: those in the file in its order, then those in the
/// sidecar. AIWC_BAD_ARGUMENT if `index` is not below the number of annotations.
AIWC_API aiwc_status aiwc_annotations_at(const aiwc_annotations *annotations, size_t index,
                                         aiwc_annotation *annotation, size_t annotation_size);

/// The number of annotations that were rejected, and the reason for each of the first 16, one line
/// each: `FILE: PLACE: what is wrong: what was expected`. The reason is empty for an `index` beyond
/// the last one, and for NULL.
AIWC_API size_t aiwc_annotations_rejected(const aiwc_annotations *annotations);
AIWC_API const char *aiwc_annotations_reason(const aiwc_annotations *annotations, size_t index);

/// How well a profile matches the requested launch. If `stale` and `scaled` are both 0, this launch
/// itself was characterised and the source has not changed since.
typedef struct aiwc_match {
  int stale;  ///< 1 if the source has changed since it was characterised
  int scaled; ///< 1 if the profile was scaled from other launches' profiles, none of them stale
  /// 1 if the profile was scaled from launches whose work-group size differs from the requested
  /// one. Metrics that depend on the work-group size are then assumed not to change with it.
  int other_local_size;
  /// The expected error of a scaled profile, measured on the benchmark suite: predicted costs of
  /// computation and memory traffic from scaled profiles were within typical_factor of those from
  /// measured profiles in half of all cases, and within most_factor in nine of ten. 1 if the
  /// profile is not scaled.
  double typical_factor, most_factor;
} aiwc_match;

/// Finds the profile for a launch of `kernel`. Pass the sizes as to clEnqueueNDRangeKernel:
/// global_size and local_size have work_dim elements, and a local_size of NULL accepts any
/// work-group size. The result is the first of these that exists:
/// - the profile of this launch, if the source has not changed since;
/// - a profile scaled from the nearest characterised launches (docs/embedding.md);
/// - the profile of this launch although the source has changed (stale).
/// Free it with aiwc_profile_free; it stays valid after the annotations are freed. `match` receives
/// how far to trust the profile; it may be NULL. Takes some microseconds and does no input or
/// output. AIWC_NOT_FOUND if there is no usable annotation of the kernel, AIWC_BAD_FILE if the
/// kernel's annotations are damaged or cannot be scaled to this launch. Either status only means
/// that there is no profile to predict from.
AIWC_API aiwc_status aiwc_annotations_find(const aiwc_annotations *annotations, const char *kernel,
                                           size_t work_dim, const size_t *global_size,
                                           const size_t *local_size, aiwc_profile **profile,
                                           aiwc_match *match, size_t match_size);

// -- Models ---------------------------------------------------------------------------------------

/// A model that was fitted to measured times (docs/evaluation.md).
typedef struct aiwc_model aiwc_model;

/// Reads a model that `aiwc-model train` wrote. Free it with aiwc_model_free. AIWC_BAD_FILE if the
/// file cannot be read or is not a model of this version.
AIWC_API aiwc_status aiwc_model_read(const char *path, aiwc_model **model);
AIWC_API void aiwc_model_free(aiwc_model *model);

// -- Options --------------------------------------------------------------------------------------

/// Settings for predictions. Every function below that takes options accepts NULL for the defaults.
typedef struct aiwc_options aiwc_options;

/// Makes options with default values. Free them with aiwc_options_free.
AIWC_API aiwc_status aiwc_options_new(aiwc_options **options);
AIWC_API void aiwc_options_free(aiwc_options *options);
/// Chooses the model that predicts: one that was read from a file, or, if `model` is NULL, the
/// published model, which comes with the library (the default). The options keep what they need of
/// the model: it may be freed before them.
AIWC_API aiwc_status aiwc_options_set_model(aiwc_options *options, const aiwc_model *model);
/// Chooses the equations of AutoMatch instead, which are not fitted to measured times.
AIWC_API aiwc_status aiwc_options_set_automatch(aiwc_options *options);
/// Sets the fraction of the time of host-device transfers that does not overlap with other work:
/// 0 (fully overlapped, the default) to 1 (fully exposed).
AIWC_API aiwc_status aiwc_options_set_transfers(aiwc_options *options, double exposed);
/// Sets whether aiwc_split transfers the whole input to each device (`whole` not 0), or only the
/// part in proportion to the device's share of the NDRange (0, the default).
AIWC_API aiwc_status aiwc_options_set_whole_input(aiwc_options *options, int whole);
/// Sets the dimension along which aiwc_split divides an NDRange: 0 (x) to 2 (z), or -1 (the
/// default) to choose the best one.
AIWC_API aiwc_status aiwc_options_set_dimension(aiwc_options *options, int dimension);

// -- Predictions ----------------------------------------------------------------------------------

typedef enum aiwc_term {
  AIWC_TERM_COMPUTE = 0,
  AIWC_TERM_CACHE = 1, ///< and local memory
  AIWC_TERM_DRAM = 2,
  AIWC_TERM_LATENCY = 3,
  AIWC_TERM_LAUNCH = 4, ///< also the dispatch of work-groups, barriers and atomics
  AIWC_TERM_TRANSFERS = 5
} aiwc_term;

/// The term's name: "compute", "cache", "DRAM", ...; "unknown term" for any other number. A static
/// string.
AIWC_API const char *aiwc_term_text(aiwc_term term);

/// A part that a model computes by itself. Several parts may belong to one term. The strings are
/// static.
typedef struct aiwc_part {
  const char *key;  ///< as in `aiwc predict --json`, without the unit: "instructions"
  const char *name; ///< for people
  aiwc_term term;
} aiwc_part;

/// No model has more parts.
#define AIWC_MOST_PARTS 16

/// The number of parts of the model that `options` chooses, and the one at `index`, counted from 0.
/// AIWC_BAD_ARGUMENT if `index` is not below the number.
AIWC_API size_t aiwc_part_count(const aiwc_options *options);
AIWC_API aiwc_status aiwc_part_at(const aiwc_options *options, size_t index, aiwc_part *part,
                                  size_t part_size);

/// The correlation, in [0, 1), of the errors of the times that the model of `options` predicts for
/// one kernel on two devices: what makes it slower than predicted on one mostly does so on the
/// other. 0 for AutoMatch's equations.
AIWC_API double aiwc_error_correlation(const aiwc_options *options);

/// The predicted time of one kernel invocation on one device, of launches that are queued one after
/// another (docs/prediction.md).
typedef struct aiwc_prediction {
  double seconds; ///< the sum of the terms
  double compute_s, cache_s, dram_s, latency_s, launch_s;
  double transfers_s; ///< the part that does not overlap with other work
  /// The 80 % interval of the time; NAN with AutoMatch's equations, which have none.
  double low_s, high_s;
  double energy_joules;     ///< NAN if the device's power is not known
  aiwc_term bound_by;       ///< the largest term
  int known_device;         ///< 1 if the model was fitted to times of this device, else 0
  const char *largest_part; ///< the largest part of the time in words; a static string
  /// The seconds that each part of the model takes (aiwc_part_at), 0 beyond the last one. They and
  /// transfers_s add up to `seconds`.
  double parts_s[AIWC_MOST_PARTS];
} aiwc_prediction;

/// Predicts the time of the kernel on the device. Takes some microseconds and does no input or
/// output. After AIWC_UNUSABLE_PROFILE or AIWC_MISSING_PARAMETER, the error message names what is
/// missing.
AIWC_API aiwc_status aiwc_predict(const aiwc_profile *profile, const aiwc_device *device,
                                  const aiwc_options *options, aiwc_prediction *prediction,
                                  size_t prediction_size);

/// Orders `count` devices by the predicted time of the kernel, fastest first: order[0] is the index
/// of the best device in `devices`. Devices of equal time keep the order of `devices`. The same
/// device may be listed several times. A device whose profile lacks a needed parameter is ruled out
/// and comes last; *ranked receives the number of devices that are not ruled out. seconds[i]
/// receives the time on devices[i], NAN if it is ruled out. `order` and `seconds` have `count`
/// elements; `seconds` and `ranked` may be NULL. AIWC_MISSING_PARAMETER if all devices are ruled
/// out; the message gives the first one's reason.
AIWC_API aiwc_status aiwc_rank(const aiwc_profile *profile, const aiwc_device *const *devices,
                               size_t count, const aiwc_options *options, size_t *order,
                               double *seconds, size_t *ranked);

/// The part of an NDRange that one device computes.
typedef struct aiwc_share {
  uint64_t work_groups;    ///< 0 if the device gets nothing; all members below are then 0
  size_t global_offset[3]; ///< in work-items, including the profiled launch's own offset
  size_t global_size[3];   ///< in work-items
  double finish_s;         ///< when this device ends, counted from the common start
} aiwc_share;

/// The time of a division, and of two alternatives: equal shares and a single device.
typedef struct aiwc_division {
  double makespan_s;      ///< when the last device ends
  double even_makespan_s; ///< when the last device ends if all get equal shares
  double single_s;        ///< the whole NDRange on the one fastest device
  size_t single;          ///< the index of that device
  size_t dimension;       ///< the NDRange is divided along this one; 0 is x
} aiwc_division;

/// Divides the NDRange among `count` devices, in whole work-groups, so that the last device ends as
/// early as possible. The times include the launch and the exposed transfers. shares[i], a struct
/// of share_size bytes, receives the part of devices[i]. Of the devices that get work-groups, a
/// later one in `devices` gets higher offsets. A device that would not shorten the total time gets
/// no work-groups. The same device may be listed several times. `division` may be NULL. Takes
/// milliseconds for many devices and work-groups, so longer than aiwc_predict.
/// AIWC_MISSING_PARAMETER if any device's profile lacks a needed parameter.
AIWC_API aiwc_status aiwc_split(const aiwc_profile *profile, const aiwc_device *const *devices,
                                size_t count, const aiwc_options *options, aiwc_share *shares,
                                size_t share_size, aiwc_division *division, size_t division_size);

/// Chooses a device for each of `profile_count` kernel invocations that run one after another, so
/// that their total time is least. The total includes the transfers needed whenever the next kernel
/// runs on another device. device_of[k] receives the index of the device for profiles[k], and
/// *seconds the total time; `seconds` may be NULL. The same device may be listed several times.
AIWC_API aiwc_status aiwc_map(const aiwc_profile *const *profiles, size_t profile_count,
                              const aiwc_device *const *devices, size_t device_count,
                              const aiwc_options *options, size_t *device_of, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
