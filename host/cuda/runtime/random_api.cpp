// cuRAND's functions for the host: generated here by Philox and copied to the device.
#include "cuda/runtime/runtime.h"
#include "curand.h"
#include "curand_kernel.h"

#include <vector>

using namespace aiwc::cuda;

struct curandGenerator_st {
  explicit curandGenerator_st(bool isOnHost) : isOnHost(isOnHost) { begin(0, 0); }
  void begin(unsigned long long newSeed, unsigned long long offset) {
    seed = newSeed;
    curand_init(seed, 0, offset, &state);
  }
  bool isOnHost;
  unsigned long long seed = 0;
  curandStatePhilox4_32_10_t state;
};

namespace {

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool isOnHost) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (type >= CURAND_RNG_QUASI_DEFAULT) {
    say("curandCreateGenerator: the simulator has no quasi-random generators");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new (std::nothrow) curandGenerator_st(isOnHost);
  return *generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

/// Writes `count` numbers that `next` makes of the generator's state.
template <typename Number, typename Next>
curandStatus_t generate(curandGenerator_t generator, Number *to, size_t count, Next next) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  try {
    std::vector<Number> numbers(count);
    for (Number &number : numbers)
      number = next(generator->state);
    const cudaMemcpyKind kind = generator->isOnHost ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    const cudaError_t status = cudaMemcpy(to, numbers.data(), count * sizeof(Number), kind);
    return status == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
}

using State = curandStatePhilox4_32_10_t;

} // namespace

AIWC_CUDA_API curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                                   curandRngType_t type) {
  return create(generator, type, false);
}
AIWC_CUDA_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                                       curandRngType_t type) {
  return create(generator, type, true);
}
AIWC_CUDA_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
AIWC_CUDA_API curandStatus_t curandGetVersion(int *version) {
  if (version)
    *version = 10300;
  return version ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
/// No generator is quasi-random.
AIWC_CUDA_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                     unsigned int) {
  return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}
AIWC_CUDA_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
AIWC_CUDA_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                                unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->begin(seed, 0);
  return CURAND_STATUS_SUCCESS;
}
AIWC_CUDA_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                      unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->begin(generator->seed, offset);
  return CURAND_STATUS_SUCCESS;
}
AIWC_CUDA_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                        curandOrdering_t) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
AIWC_CUDA_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

AIWC_CUDA_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *to,
                                            size_t count) {
  return generate(generator, to, count, [](State &state) { return curand(&state); });
}
AIWC_CUDA_API curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                                    unsigned long long *to, size_t count) {
  return generate(generator, to, count, [](State &state) {
    const unsigned long long high = curand(&state);
    return high << 32 | curand(&state);
  });
}
AIWC_CUDA_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to,
                                                   size_t count) {
  return generate(generator, to, count, [](State &state) { return curand_uniform(&state); });
}
AIWC_CUDA_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *to,
                                                         size_t count) {
  return generate(generator, to, count, [](State &state) { return curand_uniform_double(&state); });
}
AIWC_CUDA_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to,
                                                  size_t count, float mean, float deviation) {
  return generate(generator, to, count,
                  [=](State &state) { return mean + deviation * curand_normal(&state); });
}
AIWC_CUDA_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *to,
                                                        size_t count, double mean,
                                                        double deviation) {
  return generate(generator, to, count,
                  [=](State &state) { return mean + deviation * curand_normal_double(&state); });
}
AIWC_CUDA_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *to,
                                                     size_t count, float mean, float deviation) {
  return generate(generator, to, count,
                  [=](State &state) { return curand_log_normal(&state, mean, deviation); });
}
AIWC_CUDA_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *to,
                                                           size_t count, double mean,
                                                           double deviation) {
  return generate(generator, to, count,
                  [=](State &state) { return curand_log_normal_double(&state, mean, deviation); });
}
AIWC_CUDA_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *to,
                                                   size_t count, double lambda) {
  return generate(generator, to, count,
                  [=](State &state) { return curand_poisson(&state, lambda); });
}
