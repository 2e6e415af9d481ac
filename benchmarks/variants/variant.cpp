#include "variant.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace aiwc::variants {

std::string toString(Problem problem) {
  return problem == Problem::kProduct ? "product" : "convolution";
}

std::string Variant::name() const {
  return fmt::format("{}_{}x{}_v{}_r{}_t{}_u{}", toString(problem), groupWidth, groupHeight, vector,
                     rows, tile, unroll);
}

std::string Variant::buildOptions() const {
  return fmt::format("-D{} -DKERNEL={} -DSIZE={} -DWX={} -DWY={} -DVEC={} -DROWS={} -DTILE={} "
                     "-DUNROLL={} -DRADIUS={}",
                     problem == Problem::kProduct ? "PRODUCT" : "CONVOLUTION", name(), size,
                     groupWidth, groupHeight, vector, rows, tile, unroll, kRadius);
}

size_t Variant::localBytes() const {
  if (tile == 0)
    return 0;
  const size_t width = size_t{groupWidth} * vector;
  const size_t height = size_t{groupHeight} * rows;
  return sizeof(float) * (problem == Problem::kProduct
                              ? (width + height) * tile
                              : (width + size_t{2} * kRadius) * (height + size_t{2} * kRadius));
}

bool Variant::legal() const {
  constexpr size_t kLocalBytes = 32768;
  constexpr uint32_t kWorkItems = 256;
  return size % (groupWidth * vector) == 0 && size % (groupHeight * rows) == 0 &&
         groupWidth * groupHeight <= kWorkItems && localBytes() <= kLocalBytes;
}

std::vector<Variant> chooseVariants(Problem problem, uint32_t size, size_t count) {
  using Group = std::pair<uint32_t, uint32_t>;
  constexpr std::array<Group, 12> kGroups = {{{1, 1},
                                              {1, 64},
                                              {4, 16},
                                              {8, 8},
                                              {16, 4},
                                              {16, 16},
                                              {32, 1},
                                              {32, 8},
                                              {64, 1},
                                              {64, 4},
                                              {128, 1},
                                              {256, 1}}};
  const bool product = problem == Problem::kProduct;
  const std::vector<uint32_t> tiles =
      product ? std::vector<uint32_t>{0, 8, 16, 32} : std::vector<uint32_t>{0, 1};
  const std::vector<uint32_t> unrolls =
      product ? std::vector<uint32_t>{1, 4, 8} : std::vector<uint32_t>{1, 2 * kRadius + 1};
  std::vector<Variant> variants;
  for (const auto &[width, height] : kGroups)
    for (const uint32_t vector : {1U, 2U, 4U, 8U})
      for (const uint32_t rows : {1U, 2U, 4U})
        for (const uint32_t tile : tiles)
          for (const uint32_t unroll : unrolls) {
            const Variant variant{problem, size, width, height, vector, rows, tile, unroll};
            if (variant.legal())
              variants.push_back(variant);
          }
  eod::Random random(1);
  for (size_t i = 0; i + 1 < variants.size(); ++i)
    std::swap(variants[i], variants[i + random.below(static_cast<uint32_t>(variants.size() - i))]);
  if (variants.size() > count)
    variants.resize(count);
  return variants;
}

} // namespace aiwc::variants
