// Peak operations per second.
#include "device_measurement/item.h"
#include "device_measurement/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace aiwc::device_measurement {

namespace {

constexpr size_t kLanes = 16;
constexpr size_t kStepsOfRound = 4;
constexpr size_t kAccumulators = 8;

enum class Number : uint8_t { kFp32, kFp64, kFp16, kInt32 };

struct NumberType {
  Number number;
  std::string_view key, name;
  size_t bytes;
};
constexpr NumberType kTypes[] = {{Number::kFp32, "fp32", "float", 4},
                                 {Number::kFp64, "fp64", "double", 8},
                                 {Number::kFp16, "fp16", "half", 2},
                                 {Number::kInt32, "int32", "int", 4}};

/// The bytes of -1, or of an integer below 16.
void append(const NumberType &type, int value, std::vector<std::byte> &bytes) {
  std::array<std::byte, 8> one = {};
  const auto store = [&](auto number) { std::memcpy(one.data(), &number, sizeof number); };
  switch (type.number) {
  case Number::kFp32:
    store(static_cast<float>(value));
    break;
  case Number::kFp64:
    store(static_cast<double>(value));
    break;
  case Number::kInt32:
    store(int32_t{value});
    break;
  case Number::kFp16: {
    // Sign, exponent + 15, the digits after the leading one.
    uint16_t half = value < 0 ? 0x8000 : 0;
    const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
    if (magnitude > 0) {
      unsigned exponent = 0;
      while (magnitude >> (exponent + 1U) != 0)
        ++exponent;
      half |= static_cast<uint16_t>((exponent + 15U) << 10U);
      half |= static_cast<uint16_t>((magnitude << (10U - exponent)) & 0x3FFU);
    }
    store(half);
    break;
  }
  }
  bytes.insert(bytes.end(), one.begin(), one.begin() + static_cast<std::ptrdiff_t>(type.bytes));
}

double numberAt(const NumberType &type, const std::vector<std::byte> &bytes, size_t index) {
  const std::byte *at = bytes.data() + index * type.bytes;
  const auto load = [&]<typename Value>(Value value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  switch (type.number) {
  case Number::kFp32:
    return load(float{});
  case Number::kFp64:
    return load(double{});
  case Number::kInt32:
    return load(int32_t{});
  case Number::kFp16:
    break;
  }
  uint16_t half = 0; // only zeros are expected
  std::memcpy(&half, at, sizeof half);
  return (half & 0x7FFFU) == 0 ? 0 : 1;
}

std::string optionsFor(const NumberType &type, const DeviceFacts &facts) {
  const bool fuses = type.number == Number::kFp32   ? facts.fusesFp32
                     : type.number == Number::kFp64 ? facts.fusesFp64
                                                    : facts.fusesFp16;
  const std::string_view fma = type.number == Number::kInt32 ? "mad24" : fuses ? "fma" : "mad";
  const std::string_view needs = type.number == Number::kFp64   ? " -D NEEDS=cl_khr_fp64"
                                 : type.number == Number::kFp16 ? " -D NEEDS=cl_khr_fp16"
                                                                : "";
  return fmt::format("-D T={} -D FMA={}{}", type.name, fma, needs);
}

Outcome rate(Device &device, const Effort &effort, const NumberType &type,
             const std::string &kernelName, size_t width) {
  TimedKernel kernel =
      device.kernel(device.build(kComputeSource, optionsFor(type, device.facts())), kernelName);
  const bool cpu = device.facts().isCpu();
  Range range;
  range.group = cpu ? 1 : std::min<size_t>(256, kernel.largestGroup());
  range.items = device.facts().computeUnits * 8 * range.group;
  std::vector<std::byte> seed;
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane)
    append(type, lane, seed);
  const bool half = type.number == Number::kFp16; // has no room to count
  for (size_t lane = 0; lane < kLanes; ++lane)
    append(type, half ? -1 : 1, seed);
  for (size_t lane = 0; lane < kLanes; ++lane)
    append(type, 1, seed);
  const Buffer seeds = device.buffer(seed.size());
  device.write(seeds, seed.data(), seed.size());
  std::vector<std::byte> results(2 * range.items * type.bytes);
  const Buffer result = device.buffer(results.size());
  // 2^20 rounds count to 2^22, which a float and mad24 hold.
  const uint32_t rounds = calibrated(device, kernel, range, 64, 1U << 20U,
                                     [&](uint32_t amount) { kernel.set(seeds, amount, result); });
  const Estimate time = timed(device, kernel, range, effort.patience());
  device.read(result, results.data(), results.size());
  const double steps = half ? 0 : static_cast<double>(rounds) * kStepsOfRound;
  for (size_t i = 0; i < 2 * range.items; ++i)
    requireResult(numberAt(type, results, i) == steps, device, kernelName,
                  fmt::format("{} as the result of {}", steps, type.name));
  const double operations =
      2.0 * kStepsOfRound * kAccumulators * rounds * static_cast<double>(width * range.items);
  return {{{1, operations / time.median / 1e9, time.spread}}};
}

/// Why the device does not have the numbers; empty if it has.
std::string whyNot(const NumberType &type, const DeviceFacts &facts) {
  if (type.number == Number::kFp64 && !facts.fp64)
    return "fp64: the device does not calculate in double precision";
  if (type.number == Number::kFp16 && !facts.fp16)
    return "fp16: the device does not have cl_khr_fp16";
  return "";
}

} // namespace

void addCompute(const DeviceFacts &facts, bool quick, std::vector<Item> &items) {
  for (const NumberType &type : kTypes) {
    const std::string reason = whyNot(type, facts);
    if (!reason.empty()) {
      items.push_back({std::string(type.key), 0, [reason](Device &, const Effort &) {
                         return Outcome{{}, {reason}};
                       }});
      continue;
    }
    for (const std::string_view operation : {"fma", "mul_add"})
      for (const size_t width : {size_t{1}, size_t{4}, size_t{8}, size_t{16}}) {
        if (quick && width == 4)
          continue;
        const std::string kernel = fmt::format("{}_{}", operation, width);
        items.push_back({fmt::format("{}_{}_gops", type.key, kernel), 1,
                         [&type, kernel, width](Device &device, const Effort &effort) {
                           return rate(device, effort, type, kernel, width);
                         }});
      }
  }
}

} // namespace aiwc::device_measurement
