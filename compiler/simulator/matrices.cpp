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

/// A factor, by its rows of `depth` elements along k: rows of the left one, columns of the right.
template <typename Number>
std::vector<Number> gathered(const MatrixProduct &product, uint32_t rows, bool isLeft,
                             std::span<Fragments *const> lanes) {
  const size_t size = bytesOf(product.type);
  const size_t together = std::max<size_t>(1, 4 / size); // neighbours in k
  const size_t blocksInK = product.k / (4 * together);
  std::vector<Number> matrix(rows * product.k);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t i = 0; lanes[lane] && i < rows * product.k / lanes.size(); ++i) {
      const size_t block = i / together;
      const size_t inRows = isLeft ? block % (rows / 8) : block / blocksInK;
      const size_t inK = isLeft ? block / (rows / 8) : block % blocksInK;
      const size_t k = (4 * inK + lane % 4) * together + i % together;
      const auto &bytes = isLeft ? lanes[lane]->left : lanes[lane]->right;
      matrix[(8 * inRows + lane / 4) * product.k + k] =
          static_cast<Number>(factor(product.type, bytes.data(), i));
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

/// `Sum`: in which products are added.
template <typename Sum, typename Load, typename Store>
void multiplyIn(const MatrixProduct &product, std::span<Fragments *const> lanes, Load load,
                Store store) {
  const std::vector<Sum> left = gathered<Sum>(product, product.m, true, lanes);
  const std::vector<Sum> right = gathered<Sum>(product, product.n, false, lanes);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (size_t i = 0; lanes[lane] && i < product.m * product.n / lanes.size(); ++i) {
      const size_t block = i / 2;
      const size_t row = 8 * (block % (product.m / 8)) + lane / 4;
      const size_t column = 8 * (block / (product.m / 8)) + 2 * (lane % 4) + i % 2;
      uint8_t *const bytes = lanes[lane]->sum.data();
      Sum sum = load(bytes, i);
      for (size_t k = 0; k < product.k; ++k)
        sum += left[row * product.k + k] * right[column * product.k + k];
      store(bytes, i, sum);
    }
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

} // namespace aiwc::simulator
