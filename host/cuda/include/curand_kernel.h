// Random numbers in device code. Philox4_32_10 is the published generator (Salmon et al., SC 2011)
// with the seed as key. XORWOW (Marsaglia, 2003) and MRG32k3a (L'Ecuyer, 1999) are the published
// recurrences, whose states are hashed from seed and subsequence: their numbers are not those of
// cuRAND, and subsequences are not parts of one sequence.
#pragma once
#define CURAND_KERNEL_H_ // programs test it
#pragma GCC system_header
#include "vector_functions.h"

#include <math.h>

namespace aiwc_cuda {
/// The second number of a Box-Muller pair.
struct NormalPair {
  int hasFloat, hasDouble;
  float second;
  double secondDouble;
};
/// SplitMix64 (Steele et al., 2014).
AIWC_BOTH unsigned long long splitMix(unsigned long long &state) {
  unsigned long long z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
AIWC_BOTH unsigned long long hashed(unsigned long long seed, unsigned long long subsequence) {
  unsigned long long state = seed;
  state = splitMix(state) ^ subsequence;
  return splitMix(state);
}
} // namespace aiwc_cuda

struct curandStateXORWOW {
  unsigned int d, v[5];
  aiwc_cuda::NormalPair normal;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  aiwc_cuda::NormalPair normal;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  aiwc_cuda::NormalPair normal;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/// Of generators that can only go from number to number.
template <typename State> AIWC_BOTH void skipahead(unsigned long long n, State *state) {
  while (n-- > 0)
    curand(state);
}

// XORWOW.
AIWC_BOTH unsigned int curand(curandStateXORWOW *state) {
  const unsigned int t = state->v[0] ^ state->v[0] >> 2;
  for (int i = 0; i < 4; ++i)
    state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
  state->d += 362437;
  return state->v[4] + state->d;
}
AIWC_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStateXORWOW *state) {
  unsigned long long hash = aiwc_cuda::hashed(seed, subsequence);
  for (int i = 0; i < 5; ++i)
    state->v[i] = (unsigned int)aiwc_cuda::splitMix(hash) | (unsigned int)(i == 0);
  state->d = (unsigned int)aiwc_cuda::splitMix(hash);
  state->normal = aiwc_cuda::NormalPair();
  skipahead(offset, state);
}

// MRG32k3a.
AIWC_BOTH unsigned int curand(curandStateMRG32k3a *state) {
  const long long m1 = 4294967087ll, m2 = 4294944443ll;
  long long p1 = (1403580ll * state->s1[1] - 810728ll * state->s1[0]) % m1;
  long long p2 = (527612ll * state->s2[2] - 1370589ll * state->s2[0]) % m2;
  p1 += p1 < 0 ? m1 : 0;
  p2 += p2 < 0 ? m2 : 0;
  for (int i = 0; i < 2; ++i) {
    state->s1[i] = state->s1[i + 1];
    state->s2[i] = state->s2[i + 1];
  }
  state->s1[2] = (unsigned int)p1;
  state->s2[2] = (unsigned int)p2;
  return (unsigned int)(p1 > p2 ? p1 - p2 : p1 - p2 + m1);
}
AIWC_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStateMRG32k3a *state) {
  unsigned long long hash = aiwc_cuda::hashed(seed, subsequence);
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = 1 + (unsigned int)(aiwc_cuda::splitMix(hash) % 4294967086ull);
    state->s2[i] = 1 + (unsigned int)(aiwc_cuda::splitMix(hash) % 4294944442ull);
  }
  state->normal = aiwc_cuda::NormalPair();
  skipahead(offset, state);
}

// Philox4_32_10.
namespace aiwc_cuda {
AIWC_BOTH uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = make_uint4((unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                         (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}
AIWC_BOTH void advance(curandStatePhilox4_32_10 *state, unsigned long long blocks) {
  const unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
  const unsigned long long sum = low + blocks;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < low && ++state->ctr.z == 0)
    ++state->ctr.w;
  state->output = philox(state->ctr, state->key);
}
AIWC_BOTH unsigned int part(uint4 x, unsigned int i) {
  return i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w;
}
} // namespace aiwc_cuda
AIWC_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
  state->STATE += (unsigned int)(n & 3);
  unsigned long long blocks = n / 4 + (state->STATE > 3);
  state->STATE &= 3;
  aiwc_cuda::advance(state, blocks);
}
AIWC_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state) {
  const unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned int)sum;
  state->ctr.w = (unsigned int)(sum >> 32);
  state->output = aiwc_cuda::philox(state->ctr, state->key);
}
AIWC_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                           unsigned long long offset, curandStatePhilox4_32_10 *state) {
  state->ctr = make_uint4(0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32));
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->normal = aiwc_cuda::NormalPair();
  skipahead(offset, state);
}
AIWC_BOTH unsigned int curand(curandStatePhilox4_32_10 *state) {
  const unsigned int result = aiwc_cuda::part(state->output, state->STATE++);
  if (state->STATE == 4) {
    state->STATE = 0;
    aiwc_cuda::advance(state, 1);
  }
  return result;
}
/// The next four numbers.
AIWC_BOTH uint4 curand4(curandStatePhilox4_32_10 *state) {
  const uint4 now = state->output;
  const unsigned int first = state->STATE;
  aiwc_cuda::advance(state, 1);
  const uint4 next = state->output;
  uint4 result;
  result.x = aiwc_cuda::part(now, first);
  result.y = first < 3 ? aiwc_cuda::part(now, first + 1) : next.x;
  result.z = first < 2 ? aiwc_cuda::part(now, first + 2) : aiwc_cuda::part(next, first - 2);
  result.w = first < 1 ? now.w : aiwc_cuda::part(next, first - 1);
  return result;
}

// Distributions, of all generators.
namespace aiwc_cuda {
/// In (0, 1].
AIWC_BOTH float unitFloat(unsigned int x) {
  return (float)x * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
AIWC_BOTH double unitDouble(unsigned int x, unsigned int y) {
  const unsigned long long bits = (unsigned long long)x ^ (unsigned long long)y << 21;
  return (double)bits * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
/// Two independent normal numbers of two uniform ones (Box and Muller, 1958).
AIWC_BOTH float2 boxMuller(float u, float v) {
  const float radius = sqrtf(-2 * logf(u)), angle = v * 6.283185307179586f;
  return make_float2(radius * sinf(angle), radius * cosf(angle));
}
AIWC_BOTH double2 boxMullerDouble(double u, double v) {
  const double radius = sqrt(-2 * log(u)), angle = v * 6.283185307179586;
  return make_double2(radius * sin(angle), radius * cos(angle));
}
} // namespace aiwc_cuda
template <typename State> AIWC_BOTH float curand_uniform(State *state) {
  return aiwc_cuda::unitFloat(curand(state));
}
template <typename State> AIWC_BOTH double curand_uniform_double(State *state) {
  const unsigned int x = curand(state), y = curand(state);
  return aiwc_cuda::unitDouble(x, y);
}
template <typename State> AIWC_BOTH float2 curand_normal2(State *state) {
  const float u = curand_uniform(state), v = curand_uniform(state);
  return aiwc_cuda::boxMuller(u, v);
}
template <typename State> AIWC_BOTH double2 curand_normal2_double(State *state) {
  const double u = curand_uniform_double(state), v = curand_uniform_double(state);
  return aiwc_cuda::boxMullerDouble(u, v);
}
template <typename State> AIWC_BOTH float curand_normal(State *state) {
  state->normal.hasFloat = !state->normal.hasFloat;
  if (!state->normal.hasFloat)
    return state->normal.second;
  const float2 pair = curand_normal2(state);
  state->normal.second = pair.y;
  return pair.x;
}
template <typename State> AIWC_BOTH double curand_normal_double(State *state) {
  state->normal.hasDouble = !state->normal.hasDouble;
  if (!state->normal.hasDouble)
    return state->normal.secondDouble;
  const double2 pair = curand_normal2_double(state);
  state->normal.secondDouble = pair.y;
  return pair.x;
}
template <typename State>
AIWC_BOTH float curand_log_normal(State *state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State>
AIWC_BOTH double curand_log_normal_double(State *state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
/// Small means by products of uniform numbers (Knuth), large ones by the normal approximation.
template <typename State> AIWC_BOTH unsigned int curand_poisson(State *state, double lambda) {
  if (lambda > 64) {
    const double x = lambda + sqrt(lambda) * curand_normal_double(state) + 0.5;
    return x < 0 ? 0 : (unsigned int)x;
  }
  const double limit = exp(-lambda);
  unsigned int count = 0;
  for (double product = curand_uniform_double(state); product > limit;
       product *= curand_uniform_double(state))
    ++count;
  return count;
}
AIWC_BOTH float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return make_float4(aiwc_cuda::unitFloat(x.x), aiwc_cuda::unitFloat(x.y),
                     aiwc_cuda::unitFloat(x.z), aiwc_cuda::unitFloat(x.w));
}
AIWC_BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return make_double2(aiwc_cuda::unitDouble(x.x, x.y), aiwc_cuda::unitDouble(x.z, x.w));
}
AIWC_BOTH float4 curand_normal4(curandStatePhilox4_32_10 *state) {
  const float4 u = curand_uniform4(state);
  const float2 a = aiwc_cuda::boxMuller(u.x, u.y), b = aiwc_cuda::boxMuller(u.z, u.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
