/// Performance models of StarPU 1.3 from the profiles that OpenCL kernels carry. A scheduler of
/// StarPU that uses them (dmda, for example) knows what a task costs on each device before a task
/// of its kind has ever run. examples/starpu/README.md says how an application of StarPU uses them.
///
/// Order of calls: starpu_init, aiwc_starpu_open, the models, tasks, starpu_shutdown,
/// aiwc_starpu_close. Queries by StarPU come from any thread; the functions here may be called by
/// any thread as well, but not while aiwc_starpu_close runs.
#ifndef AIWC_STARPU_H
#define AIWC_STARPU_H

#include <starpu.h>
#include <stddef.h>

#if defined(_WIN32) || defined(__CYGWIN__)
#define AIWC_STARPU_API
#else
#define AIWC_STARPU_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The device profiles of StarPU's workers, and the models made from them.
typedef struct aiwc_starpu aiwc_starpu;

/// Receives one line, without its end, about why a codelet is left to StarPU's own models. Called
/// once for each reason, possibly by a thread of StarPU's.
typedef void (*aiwc_starpu_message)(const char *line, void *data);

/// Matches StarPU's workers to device profiles: those that aiwc_starpu_name_device names; else
/// those whose ids are in the environment variables AIWC_STARPU_CPU (for all CPU workers) and
/// AIWC_STARPU_OPENCL (for all OpenCL workers); else those of OpenCL by the name of their device
/// (CL_DEVICE_NAME). `device_folder`: as for
/// aiwc_device_library_open; NULL is the default. `message` may be NULL: lines then go to standard
/// error. Never returns NULL but where memory runs out: without device profiles, every codelet is
/// left to StarPU, and a line says why.
AIWC_STARPU_API aiwc_starpu *aiwc_starpu_open(const char *device_folder,
                                              aiwc_starpu_message message, void *data);
/// Frees the models as well: no codelet may be submitted any more.
AIWC_STARPU_API void aiwc_starpu_close(aiwc_starpu *starpu);

/// Uses the device profile `id` for the workers of this kind, or, if `devid` is not negative, for
/// those of StarPU's device number `devid` only. Call it before a model is made. Returns 0, or -1
/// and says why if there is no such profile.
AIWC_STARPU_API int aiwc_starpu_name_device(aiwc_starpu *starpu, enum starpu_worker_archtype kind,
                                            int devid, const char *id);

/// An NDRange, as for clEnqueueNDRangeKernel.
typedef struct aiwc_starpu_launch {
  unsigned work_dim;     ///< 1 to 3
  size_t global_size[3]; ///< in work-items; only the first work_dim count
  size_t local_size[3];  ///< all 0: that of the profile
} aiwc_starpu_launch;

/// A codelet's kernel.
typedef struct aiwc_starpu_kernel {
  const char *symbol; ///< names StarPU's own history of the codelet; it must outlive the model
  const char *name;   ///< of the kernel function
  const void *code;   ///< annotated OpenCL C, LLVM bitcode or SPIR-V; not used after the call
  size_t code_bytes;
  /// Fills in the NDRange with which the codelet launches the kernel for this task, from its
  /// buffers and arguments. Returns 0; any other value means that it is not known. Called by
  /// StarPU's threads; it has to give tasks of equal buffers and arguments equal NDRanges.
  int (*launch)(struct starpu_task *task, aiwc_starpu_launch *launch);
} aiwc_starpu_kernel;

/// The model for `starpu_codelet.model`: the time of a task in microseconds on each worker. Where
/// the kernel has no usable annotation, or a worker has no device profile, or `kernel` is
/// incomplete, it is a model of type STARPU_HISTORY_BASED, with which StarPU measures for itself,
/// and a line says why. Of a single task that cannot be predicted, StarPU is told that nothing is
/// known (NAN). Belongs to `starpu`. NULL only where memory runs out.
AIWC_STARPU_API struct starpu_perfmodel *aiwc_starpu_time_model(aiwc_starpu *starpu,
                                                                const aiwc_starpu_kernel *kernel);
/// The model for `starpu_codelet.energy_model`, in joules. Devices whose power is not known have no
/// energy (NAN).
AIWC_STARPU_API struct starpu_perfmodel *aiwc_starpu_energy_model(aiwc_starpu *starpu,
                                                                  const aiwc_starpu_kernel *kernel);

/// A model of type STARPU_HISTORY_BASED for `starpu_codelet.model`, which aiwc_starpu_seed fills
/// with predicted times as if they had been measured. StarPU refines it by what it measures.
AIWC_STARPU_API struct starpu_perfmodel *
aiwc_starpu_history_model(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel);
/// Seeds the history of the codelet's model, which is one of aiwc_starpu_history_model, for tasks
/// with the buffers of `task`, which need not be submitted. Workers without a prediction are left
/// as they are; to a history that StarPU kept of earlier runs, one measurement of the predicted
/// time is added. Returns the number of kinds of workers that were seeded.
AIWC_STARPU_API unsigned aiwc_starpu_seed(struct starpu_task *task);

/// Divides the NDRange of one launch among workers, so that the last of them ends as early as
/// possible: a task for each part, on its worker (`execute_on_a_specific_worker`), computes the
/// whole. `model`: one of aiwc_starpu_time_model or aiwc_starpu_history_model. `dimension`: 0 to
/// work_dim - 1, along which it is divided, in whole work-groups. items[i] receives the work-items
/// of workers[i] in that dimension: 0 for a worker that would not shorten the time, and in all the
/// global size. Parts follow one another in the order of `workers`. Returns 0, or -1 and says why
/// if the launch cannot be predicted on all of these workers; `items` is then unchanged.
AIWC_STARPU_API int aiwc_starpu_split(struct starpu_perfmodel *model,
                                      const aiwc_starpu_launch *launch, unsigned dimension,
                                      const int *workers, unsigned count, size_t *items);

#ifdef __cplusplus
}
#endif

#endif
