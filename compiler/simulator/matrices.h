/// Products of matrices by warps (tensor cores): the lanes of a warp hold the two factors, the
/// summand and the result among them.
#pragma once

#include "decoding/matrix_product.h"

#include <array>
#include <cstdint>
#include <span>

namespace aiwc::simulator {

/// The numbers of the summand and the result.
enum class SumType : uint8_t { kFloat, kHalf, kInteger, kDouble };

/// What a lane holds, packed: its elements of the factors, and of the summand, which the result
/// replaces. Lane l has, of each 8 x 8 block of the sum, elements 2 (l mod 4) and the next of row
/// l / 4; of the left factor, in row l / 4 of 8 rows, and of the right one, in column l / 4 of 8
/// columns, as many neighbours in k as have 4 bytes (a double, 8), the l mod 4th. Blocks follow one
/// another as a matrix by columns, that of the right factor with k down. The layout is that of the
/// registers of PTX's mma.m16n8k16, m16n8k8 and m8n8k4, where these have the shape.
struct Fragments {
  alignas(8) std::array<uint8_t, 32> left, right, sum;
};

/// Replaces the sums of 32 lanes; null for lanes that do not take part, whose elements are 0. Sums
/// of floating-point numbers of up to 32 bits are floats, in the order of k, rounded to `sums` at
/// the end; those of integers wrap, or saturate if `saturates`: then infinities become the largest
/// numbers and NaN 0.
void multiply(const decoding::MatrixProduct &product, SumType sums, bool saturates,
              std::span<Fragments *const> lanes);

/// Replaces the sums of 32 lanes, each of four words: lane l gets, in word i, of matrix i the
/// elements 2 (l mod 4) and the next of row l / 4. Lanes that are null have zeros.
void spread(decoding::Spread how, std::span<Fragments *const> lanes);

} // namespace aiwc::simulator
