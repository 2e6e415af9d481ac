/// What a call says that has a warp multiply matrices.
#pragma once

#include "trace/program.h"

#include <cstdint>

namespace aiwc::decoding {

/// The numbers of the factors; host/cuda/include/mma.h has the same values.
enum class FactorType : uint32_t { kHalf, kBfloat, kTf32, kSigned, kUnsigned, kDouble };

/// An M x K matrix times a K x N matrix, added to an M x N matrix.
struct MatrixProduct {
  FactorType type{};
  uint32_t m = 0, n = 0, k = 0;

  /// The first argument of a call: the type, m, n and k, a byte each.
  static MatrixProduct of(uint32_t word) {
    return {static_cast<FactorType>(word & 0xff), word >> 8 & 0xff, word >> 16 & 0xff, word >> 24};
  }
  trace::MatrixType matrixType() const {
    return type == FactorType::kDouble   ? trace::MatrixType::kDouble
           : type == FactorType::kTf32   ? trace::MatrixType::kTf32
           : type <= FactorType::kBfloat ? trace::MatrixType::k16Bits
                                         : trace::MatrixType::kInt8;
  }
  /// Multiplications and additions of one of the 32 lanes.
  uint16_t operationsOfLane() const { return static_cast<uint16_t>(2 * m * n * k / 32); }
};

/// How a warp spreads up to four 8 x 8 matrices of 16 bits among its lanes (simulator::spread):
/// what lanes have before.
enum class Spread : uint32_t {
  kRows,      ///< lane 8 i + j has row j of matrix i
  kColumns,   ///< column j
  kTransposed ///< lanes have the transposed matrices as they get matrices
};

} // namespace aiwc::decoding
