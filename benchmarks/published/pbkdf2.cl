// Iterations of PBKDF2 (RFC 8018) with HMAC (FIPS 198) and SHA-1 or SHA-256 (FIPS 180): two
// compressions each, from the states after the padded key, which are computed once per password.
//
// A profile counts a rotate and the logical functions of a round as the compiler's intermediate
// code has them. NVIDIA GPUs execute a rotate as one funnel shift and a function of three values as
// one LOP3, so that they need fewer instructions than the profile has.
#ifdef SHA256
#define WORDS 8
#define ROUNDS 64

constant uint kAdded[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The compression function: `state` takes in the block `w`, which it overwrites.
inline void compress(uint *state, uint *w) __attribute__((always_inline));

inline void compress(uint *state, uint *w) {
  uint a = state[0], b = state[1], c = state[2], d = state[3];
  uint e = state[4], f = state[5], g = state[6], h = state[7];
#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    const int at = round % 16;
    if (round >= 16) {
      const uint x = w[(round + 1) % 16], y = w[(round + 14) % 16];
      w[at] += (rotate(x, 25u) ^ rotate(x, 14u) ^ (x >> 3)) + w[(round + 9) % 16] +
               (rotate(y, 15u) ^ rotate(y, 13u) ^ (y >> 10));
    }
    const uint one = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + (g ^ (e & (f ^ g))) +
                     kAdded[round] + w[at];
    const uint two = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & b) | (c & (a | b)));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}
#else
#define WORDS 5
#define ROUNDS 80

inline void compress(uint *state, uint *w) __attribute__((always_inline));

inline void compress(uint *state, uint *w) {
  uint a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    const int at = round % 16;
    if (round >= 16)
      w[at] = rotate(w[(round + 13) % 16] ^ w[(round + 8) % 16] ^ w[(round + 2) % 16] ^ w[at], 1u);
    uint mixed = b ^ c ^ d, added = round < 40 ? 0x6ed9eba1 : 0xca62c1d6;
    if (round < 20)
      mixed = d ^ (b & (c ^ d)), added = 0x5a827999;
    else if (round >= 40 && round < 60)
      mixed = (b & c) | (d & (b | c)), added = 0x8f1bbcdc;
    const uint next = rotate(a, 5u) + mixed + e + added + w[at];
    e = d, d = c, c = rotate(b, 30u), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}
#endif

/// HMAC's inner or outer hash of a digest: a padded block after the key's.
inline void hash_digest(uint *digest, const uint *after_key) __attribute__((always_inline));

inline void hash_digest(uint *digest, const uint *after_key) {
  uint w[16];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    w[i] = i < WORDS ? digest[i] : 0;
  w[WORDS] = 0x80000000;
  w[15] = 512 + 32 * WORDS; // bits hashed
#pragma unroll
  for (int i = 0; i < WORDS; ++i)
    digest[i] = after_key[i];
  compress(digest, w);
}

/// Arrays have WORDS words per work-item: states after the inner and the outer key, the digest of
/// the iteration before, and the sum of all digests.
kernel void pbkdf2(global const uint *inner_states, global const uint *outer_states,
                   global uint *digests, global uint *sums, int iterations) {
  const size_t first = get_global_id(0) * WORDS;
  uint inner[WORDS], outer[WORDS], digest[WORDS], sum[WORDS];
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    inner[i] = inner_states[first + i];
    outer[i] = outer_states[first + i];
    digest[i] = digests[first + i];
    sum[i] = sums[first + i];
  }
  for (int iteration = 0; iteration < iterations; ++iteration) {
    hash_digest(digest, inner);
    hash_digest(digest, outer);
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
      sum[i] ^= digest[i];
  }
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    digests[first + i] = digest[i];
    sums[first + i] = sum[i];
  }
}
