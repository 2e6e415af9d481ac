#include "simulator/matrices.h"

#include "common/half_precision.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace aiwc::simulator {

using decoding::FactorType;
using decoding::MatrixProduct;
using decoding::Spread;

namespace {

template <typename T> T at(const uint8_t *bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof value);
  return value;
}

float floatOfBits(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// An element of a factor as the number that is multiplied.
double factor(FactorType type, const uint8_t *bytes, size_t index) {
  switch (type) {
  case FactorType::kHalf:
    return fromHalf(at<uint16_t>(bytes, index));
  case FactorType::kBfloat:
    return floatOfBits(uint32_t{at<uint16_t>(bytes, index)} << 16);
  case FactorType::kTf32: // the unit ignores the other bits
    return floatOfBits(at<uint32_t>(bytes, index) & 0xffffe000);
  case FactorType::kSigned:
    return at<int8_t>(bytes, index);
  case FactorType::kUnsigned:
    return at<uint8_t>(bytes, index);
  case FactorType::kDouble:
    return at<double>(bytes, index);
  }
  return 0;
}

size_t bytesOf(FactorType type) {
  return type == FactorType::kDouble ? 8
         : type == FactorType::kTf32 ? 4
         : type < FactorType::kTf32  ? 2
                                     : 1;
}

/// A factor, row by row.
template <typename Number>
std::vector<Number> gathered(const MatrixProduct &product, bool isLeft,
                             std::span<Fragments *const> lanes) {
  const size_t together = std::max<size_t>(1, 4 / bytesOf(product.type)); // neighbours in k
  const size_t blocksInK = product.k / (4 * together);
  const size_t blocksInRows = (isLeft ? product.m : product.n) / 8; // in columns of the right one
  std::vector<Number> matrix(8 * blocksInRows * product.k);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t block = 0; lanes[lane] && block < blocksInK * blocksInRows; ++block) {
      const size_t down = isLeft ? blocksInRows : blocksInK, right = block / down;
      const size_t inRows = isLeft ? block - right * down : right;
      const size_t inK = isLeft ? right : block - right * down;
      const size_t row = 8 * inRows + lane / 4, k = (4 * inK + lane % 4) * together;
      const uint8_t *bytes = (isLeft ? lanes[lane]->left : lanes[lane]->right).data();
      for (size_t i = 0; i < together; ++i)
        matrix[isLeft ? row * product.k + k + i : (k + i) * product.n + row] =
            static_cast<Number>(factor(product.type, bytes, block * together + i));
    }
  return matrix;
}

template <typename Sum> Sum limited(Sum sum) {
  if constexpr (std::is_floating_point_v<Sum>)
    return std::isnan(sum) ? 0
                           : std::clamp(sum, std::numeric_limits<Sum>::lowest(),
                                        std::numeric_limits<Sum>::max());
  else
    return std::clamp<Sum>(sum, INT32_MIN, INT32_MAX);
}

/// Calls act(bytes, index, place) for each element of the sum: where its lane has it, and its place
/// in the matrix, row by row.
template <typename Act>
void forEachOfSum(const MatrixProduct &product, std::span<Fragments *const> lanes, Act act) {
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t columns = 0, i = 0; lanes[lane] && columns < product.n; columns += 8)
      for (size_t rows = 0; rows < product.m; rows += 8, i += 2) {
        const size_t place = (rows + lane / 4) * product.n + columns + 2 * (lane % 4);
        act(lanes[lane]->sum.data(), i, place);
        act(lanes[lane]->sum.data(), i + 1, place + 1);
      }
}

/// `Sum`: in which products are added.
template <typename Sum, typename Load, typename Store>
void multiplyIn(const MatrixProduct &product, std::span<Fragments *const> lanes, Load load,
                Store store) {
  const std::vector<Sum> left = gathered<Sum>(product, true, lanes);
  const std::vector<Sum> right = gathered<Sum>(product, false, lanes);
  std::vector<Sum> sums(size_t{product.m} * product.n);
  forEachOfSum(product, lanes,
               [&](const uint8_t *bytes, size_t i, size_t place) { sums[place] = load(bytes, i); });
  for (size_t row = 0; row < product.m; ++row) // columns side by side, for the vector units
    for (size_t k = 0; k < product.k; ++k)
      for (size_t column = 0; column < product.n; ++column)
        sums[row * product.n + column] += left[row * product.k + k] * right[k * product.n + column];
  forEachOfSum(product, lanes,
               [&](uint8_t *bytes, size_t i, size_t place) { store(bytes, i, sums[place]); });
}

} // namespace

void multiply(const MatrixProduct &product, SumType sums, bool saturates,
              std::span<Fragments *const> lanes) {
  const auto loadOf = [](auto number) {
    using Number = decltype(number);
    return [](const uint8_t *bytes, size_t i) { return at<Number>(bytes, i); };
  };
  const auto put = [](uint8_t *bytes, size_t i, auto value) {
    std::memcpy(bytes + i * sizeof value, &value, sizeof value);
  };
  switch (sums) {
  case SumType::kFloat:
    return multiplyIn<float>(product, lanes, loadOf(float()),
                             [&](uint8_t *bytes, size_t i, float sum) {
                               put(bytes, i, saturates ? limited(sum) : sum);
                             });
  case SumType::kHalf: {
    constexpr float kLargest = 65504;
    return multiplyIn<float>(
        product, lanes,
        [](const uint8_t *bytes, size_t i) {
          return static_cast<float>(fromHalf(at<uint16_t>(bytes, i)));
        },
        [&](uint8_t *bytes, size_t i, float sum) {
          put(bytes, i, toHalf(saturates ? std::clamp(limited(sum), -kLargest, kLargest) : sum));
        });
  }
  case SumType::kInteger:
    return multiplyIn<int64_t>(
        product, lanes, loadOf(int32_t()), [&](uint8_t *bytes, size_t i, int64_t sum) {
          put(bytes, i, static_cast<int32_t>(saturates ? limited(sum) : sum));
        });
  case SumType::kDouble:
    return multiplyIn<double>(product, lanes, loadOf(double()), put);
  }
}

void spread(Spread how, std::span<Fragments *const> lanes) {
  constexpr size_t kSide = 8, kMatrices = 4;
  uint16_t matrices[kMatrices][kSide][kSide] = {};
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t i = 0; lanes[lane] && i < kSide; ++i) {
      const auto element = at<uint16_t>(lanes[lane]->sum.data(), i);
      const size_t line = lane % kSide;
      if (how == Spread::kRows)
        matrices[lane / kSide][line][i] = element;
      else if (how == Spread::kColumns)
        matrices[lane / kSide][i][line] = element;
      else
        matrices[i / 2][2 * (lane % 4) + i % 2][lane / 4] = element;
    }
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t i = 0; lanes[lane] && i < kMatrices; ++i)
      std::memcpy(lanes[lane]->sum.data() + 4 * i, &matrices[i][lane / 4][2 * (lane % 4)], 4);
}

} // namespace aiwc::simulator
