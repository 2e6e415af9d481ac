/// The variants of the two kernels of variants.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::variants {

enum class Problem : uint8_t { kProduct, kConvolution };
std::string toString(Problem problem); ///< "product", "convolution"

inline constexpr uint32_t kRadius = 2; ///< of the convolution's filter

struct Variant {
  Problem problem = Problem::kProduct;
  uint32_t size = 256;                      ///< edge of the result
  uint32_t groupWidth = 8, groupHeight = 8; ///< in work-items
  uint32_t vector = 1, rows = 1;            ///< columns and rows of the result per work-item
  uint32_t tile = 0;                        ///< in local memory; 0: none
  uint32_t unroll = 1;

  /// An identifier that says all of it but the size: "product_8x8_v1_r1_t0_u1".
  std::string name() const;
  std::string buildOptions() const;
  size_t localBytes() const;
  /// Whether the groups cover the result, and group and tile fit into what any device has.
  bool legal() const;
};

/// `count` of all legal variants of a problem at a size, by chance, always the same ones; all of
/// them where there are no more.
std::vector<Variant> chooseVariants(Problem problem, uint32_t size, size_t count);

} // namespace aiwc::variants
