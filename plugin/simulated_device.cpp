#include "simulated_device.h"

#include "opencl_features.h"

#include <algorithm>
#include <cstdlib>

namespace aiwc::plugin {
namespace {

std::string variable(const char *name) {
  const char *text = std::getenv(name);
  return text ? text : "";
}

/// Oclgrind's list of extensions without the one that a device lacks.
std::string without(std::string_view extension, std::string_view list) {
  std::string result;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(' ', begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    begin = end + 1;
    if (!word.empty() && word != extension)
      result += (result.empty() ? "" : " ") + std::string(word);
  }
  return result;
}

} // namespace

SimulatedDevice::SimulatedDevice()
    : numbers_(" " + variable("AIWC_DEVICE")), name_(variable("AIWC_DEVICE_NAME")) {}

std::optional<uint64_t> SimulatedDevice::number(std::string_view key) const {
  const size_t at = numbers_.find(" " + std::string(key) + "=");
  if (at == std::string::npos)
    return std::nullopt;
  return std::strtoull(numbers_.c_str() + at + key.size() + 2, nullptr, 10);
}

/// An application that looks for one type only has found a device of it, and may ask to be sure.
cl_device_type SimulatedDevice::type() const {
  constexpr cl_device_type kTypes =
      CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR;
  const cl_device_type own = *number("type"), sought = sought_;
  const bool otherOnly = (sought & kTypes) != 0 && !(sought & (own | CL_DEVICE_TYPE_DEFAULT));
  return otherOnly ? sought & kTypes : own;
}

std::optional<std::string> SimulatedDevice::lanes(uint64_t elementBytes) const {
  const auto bytes = number("vector");
  constexpr uint64_t kMost = 16; // elements of a vector in OpenCL C
  return bytes
             ? std::optional(bytesOf(static_cast<cl_uint>(std::min(*bytes / elementBytes, kMost))))
             : std::nullopt;
}

std::optional<std::string> SimulatedDevice::answer(cl_uint parameter, std::string_view oclgrinds) {
  for (size_t i = 0; i < kQuestions.size(); ++i)
    if (kQuestions[i].parameter == parameter)
      asked_ |= uint64_t{1} << i;
  const bool hasDouble = number("fp64") != 0, hasHalf = number("fp16") != 0;
  std::string extensions = hasDouble ? std::string(oclgrinds) : without("cl_khr_fp64", oclgrinds);
  if (hasHalf)
    extensions += " cl_khr_fp16";
  if (auto feature = featureAnswer(parameter, extensions, hasDouble))
    return feature;
  if (parameter == CL_DEVICE_HALF_FP_CONFIG && hasHalf)
    return bytesOf(
        cl_device_fp_config{CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA});
  if (parameter == CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF ||
      parameter == CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) {
    if (!hasHalf)
      return bytesOf(cl_uint{0});
    constexpr uint64_t kHalfBytes = 2;
    return number("vector") ? lanes(kHalfBytes) : bytesOf(cl_uint{1});
  }
  if (!number("type"))
    return std::nullopt;
  const auto as = [this](std::string_view key, auto type) -> std::optional<std::string> {
    const auto value = number(key);
    return value ? std::optional(bytesOf(static_cast<decltype(type)>(*value))) : std::nullopt;
  };
  switch (parameter) {
  case CL_DEVICE_TYPE:
    return bytesOf(type());
  case CL_DEVICE_NAME:
    return name_.empty() ? std::nullopt : std::optional(name_ + '\0');
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return as("clock", cl_uint{});
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return as("multiple", size_t{});
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return as("local_type", cl_device_local_mem_type{});
  case CL_DEVICE_GLOBAL_MEM_SIZE: // Oclgrind's own options have 32 bits
    return std::getenv("OCLGRIND_GLOBAL_MEM_SIZE") ? std::nullopt : as("memory", cl_ulong{});
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return std::getenv("OCLGRIND_GLOBAL_MEM_SIZE") ? std::nullopt : as("allocation", cl_ulong{});
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
    return number("cache") ? std::optional(bytesOf(cl_device_mem_cache_type{CL_READ_WRITE_CACHE}))
                           : std::nullopt;
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return as("cache", cl_ulong{});
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return as("line", cl_uint{});
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return as("unified", cl_bool{});
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return hasDouble ? std::nullopt : std::optional(bytesOf(cl_device_fp_config{0}));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    return lanes(sizeof(cl_char));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    return lanes(sizeof(cl_short));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    return lanes(sizeof(cl_int));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    return lanes(sizeof(cl_long));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    return hasDouble ? lanes(sizeof(cl_double)) : bytesOf(cl_uint{0});
  default:
    return std::nullopt;
  }
}

} // namespace aiwc::plugin
