#include "simulated_device.h"

#include "device_questions.h"
#include "opencl_api/definition.h"
#include "replaced.h"
#include "sub_groups.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::plugin {
namespace {

/// The bytes of a number, as an answer of OpenCL has them.
template <typename T> std::string bytesOf(T value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

std::string named(std::string_view name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  std::memcpy(entry.name, name.data(), std::min(name.size(), sizeof entry.name - 1));
  return bytesOf(entry);
}

/// Whether SPIR-V can be translated (compiler/opencl/device/main.cpp). Found once: programs that
/// come later count at the build.
bool hasTranslator() {
  static const bool found = [] {
    const char *path = std::getenv("PATH");
    const std::string folders = path ? path : "/usr/bin:/bin";
    for (size_t begin = 0; begin <= folders.size();) {
      const size_t end = std::min(folders.find(':', begin), folders.size());
      if (access((folders.substr(begin, end - begin) + "/llvm-spirv-14").c_str(), X_OK) == 0)
        return true;
      begin = end + 1;
    }
    return false;
  }();
  return found;
}

constexpr unsigned kMostSpirvMinor = 4; // that llvm-spirv-14 reads

/// As text, or with version numbers.
std::string intermediateLanguages(bool withNumbers) {
  std::string list;
  for (unsigned minor = 0; minor <= kMostSpirvMinor && hasTranslator(); ++minor)
    if (withNumbers)
      list += named("SPIR-V", CL_MAKE_VERSION(1, minor, 0));
    else
      list += (list.empty() ? "SPIR-V_1." : " SPIR-V_1.") + std::to_string(minor);
  return withNumbers ? list : list + '\0';
}

std::string features(bool hasDouble) {
  std::string list;
  for (const char *name :
       {"3d_image_writes", "atomic_order_acq_rel", "atomic_order_seq_cst",
        "atomic_scope_all_devices", "atomic_scope_device", "fp64", "generic_address_space",
        "images", "int64", "integer_dot_product_input_4x8bit",
        "integer_dot_product_input_4x8bit_packed", "program_scope_global_variables", "subgroups",
        "work_group_collective_functions"})
    if (hasDouble || std::strcmp(name, "fp64") != 0)
      list += named(std::string("__opencl_c_") + name, CL_MAKE_VERSION(3, 0, 0));
  return list;
}

/// Whether the device says that it has OpenCL 3.0 (session/option_table.h).
bool saysThree() {
  static const bool says = [] {
    const char *version = std::getenv("AIWC_OPENCL");
    return version && std::strcmp(version, "3.0") == 0;
  }();
  return says;
}

std::string extensions(std::string_view oclgrinds) {
  std::string list(oclgrinds);
  if (saysThree())
    list += (list.empty() ? "" : " ") +
            std::string("cl_khr_subgroups cl_khr_subgroup_ballot "
                        "cl_khr_subgroup_clustered_reduce cl_khr_subgroup_extended_types "
                        "cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_non_uniform_vote "
                        "cl_khr_subgroup_rotate cl_khr_subgroup_shuffle "
                        "cl_khr_subgroup_shuffle_relative cl_khr_integer_dot_product");
  if (hasTranslator())
    list += (list.empty() ? "" : " ") + std::string("cl_khr_il_program");
  list += (list.empty() ? "" : " ") + std::string("cl_intel_unified_shared_memory");
  return list + '\0';
}

/// Of a list of names.
std::string withVersions(std::string_view names) {
  std::string list;
  for (size_t begin = 0; begin < names.size();) {
    const size_t end =
        std::min(names.find_first_of(std::string_view(" \0", 2), begin), names.size());
    if (end > begin)
      list += named(names.substr(begin, end - begin), CL_MAKE_VERSION(1, 0, 0));
    begin = end + 1;
  }
  return list;
}

/// With its terminating zero, as OpenCL counts it.
const std::string kVersionText("OpenCL 3.0 (Oclgrind 21.10)", sizeof "OpenCL 3.0 (Oclgrind 21.10)");

constexpr cl_device_atomic_capabilities kAtomics =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
    CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

/// The bytes of the answer to clGetDeviceInfo; none if Oclgrind's answer is right. `oclgrinds`:
/// Oclgrind's answer to CL_DEVICE_EXTENSIONS. `hasDouble`: whether the device that the application
/// sees computes with double.
std::optional<std::string> featureAnswer(cl_device_info parameter, std::string_view oclgrinds,
                                         bool hasDouble) {
  switch (parameter) {
  case CL_DEVICE_VERSION:
    return saysThree() ? std::optional(kVersionText) : std::nullopt;
  case CL_DEVICE_NUMERIC_VERSION:
    return saysThree() ? std::optional(bytesOf(cl_version{CL_MAKE_VERSION(3, 0, 0)}))
                       : std::nullopt;
  case CL_DEVICE_IL_VERSION:
    return intermediateLanguages(false);
  case CL_DEVICE_ILS_WITH_VERSION:
    return intermediateLanguages(true);
  case CL_DEVICE_EXTENSIONS:
    return extensions(oclgrinds);
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return withVersions(extensions(oclgrinds));
  case CL_DEVICE_SVM_CAPABILITIES:
    return bytesOf(cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER});
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    return bytesOf(
        cl_device_unified_shared_memory_capabilities_intel{CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL});
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    return bytesOf(cl_device_unified_shared_memory_capabilities_intel{0});
  case CL_DEVICE_OPENCL_C_FEATURES:
    return features(hasDouble);
  case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
    return bytesOf(cl_device_integer_dot_product_capabilities_khr{
        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR});
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
    return bytesOf(cl_device_integer_dot_product_acceleration_properties_khr{});
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    return bytesOf(cl_bool{CL_TRUE});
  case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    return bytesOf(
        static_cast<cl_uint>(std::max<unsigned long>(mostWorkItems() / subGroupSize(), 1)));
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    return bytesOf(kAtomics);
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    return bytesOf(kAtomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
  default:
    return std::nullopt;
  }
}

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

AIWC_OPENCL_FUNCTION(clGetPlatformInfo, platform, parameter, bytes, value, valueBytes) {
  using namespace aiwc::plugin;
  const cl_device_info same = parameter == CL_PLATFORM_VERSION           ? CL_DEVICE_VERSION
                              : parameter == CL_PLATFORM_NUMERIC_VERSION ? CL_DEVICE_NUMERIC_VERSION
                                                                         : 0;
  const auto answer = same != 0 ? featureAnswer(same, "", true) : std::nullopt;
  size_t unused = 0;
  if (!answer ||
      oclgrindApi().clGetPlatformInfo(platform, parameter, 0, nullptr, &unused) != CL_SUCCESS)
    return oclgrindApi().clGetPlatformInfo(platform, parameter, bytes, value, valueBytes);
  return copyAnswer(*answer, bytes, value, valueBytes);
}

/// The sub-groups that a launch would have. Oclgrind has no such function.
AIWC_OPENCL_FUNCTION(clGetKernelSubGroupInfo, kernel, device, parameter, inputBytes, input, bytes,
                     value, valueBytes) {
  using namespace aiwc::plugin;
  if (!kernel)
    return CL_INVALID_KERNEL;
  const size_t size = subGroupSize();
  size_t items = 1;
  const size_t dimensions = inputBytes / sizeof(size_t);
  const bool hasSizes = parameter == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ||
                        parameter == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
  if (hasSizes && (!input || dimensions < 1 || dimensions > 3))
    return CL_INVALID_VALUE;
  for (size_t i = 0; hasSizes && i < dimensions; ++i)
    items *= static_cast<const size_t *>(input)[i];
  size_t answer[3] = {0, 1, 1};
  size_t numbers = 1;
  switch (parameter) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    answer[0] = std::min(size, items);
    break;
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    answer[0] = (items + size - 1) / size;
    break;
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
    if (!input || inputBytes != sizeof(size_t))
      return CL_INVALID_VALUE;
    answer[0] = *static_cast<const size_t *>(input) * size;
    numbers = bytes / sizeof(size_t);
    if (answer[0] > mostWorkItems())
      answer[0] = answer[1] = answer[2] = 0;
    break;
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    answer[0] = std::max<size_t>(mostWorkItems() / size, 1);
    break;
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: // no kernel asks for a number
    break;
  default:
    return CL_INVALID_VALUE;
  }
  const size_t used = std::clamp<size_t>(numbers, 1, 3) * sizeof(size_t);
  return copyAnswer({reinterpret_cast<const char *>(answer), used}, bytes, value, valueBytes);
}
