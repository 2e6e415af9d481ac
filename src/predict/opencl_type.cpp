#include "predict/opencl_type.h"

namespace aiwc::predict {

std::string_view openClType(DeviceType type) {
  return toString(type == DeviceType::kIntegratedGpu ? DeviceType::kGpu : type);
}

bool decidesLaunches(std::string_view question) {
  return question == "CL_DEVICE_TYPE" || question == "CL_DEVICE_MAX_COMPUTE_UNITS" ||
         question == "CL_DEVICE_HOST_UNIFIED_MEMORY" || question.ends_with("_SIZE_MULTIPLE") ||
         question.find("_VECTOR_WIDTH_") != std::string_view::npos;
}

} // namespace aiwc::predict
