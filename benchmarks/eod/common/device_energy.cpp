#include "eod/common/device_energy.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <string>

namespace aiwc::eod {
namespace {

/// "0000:3b:00.0", by the attributes of NVIDIA's extension; empty where the driver has them not.
std::string pciBusIdOf(cl_device_id device) {
  constexpr cl_device_info kBus = 0x4008;    // CL_DEVICE_PCI_BUS_ID_NV
  constexpr cl_device_info kSlot = 0x4009;   // CL_DEVICE_PCI_SLOT_ID_NV
  constexpr cl_device_info kDomain = 0x400A; // CL_DEVICE_PCI_DOMAIN_ID_NV
  cl_uint bus = 0;
  cl_uint slot = 0;
  cl_uint domain = 0;
  if (clGetDeviceInfo(device, kBus, sizeof bus, &bus, nullptr) != CL_SUCCESS ||
      clGetDeviceInfo(device, kSlot, sizeof slot, &slot, nullptr) != CL_SUCCESS)
    return "";
  clGetDeviceInfo(device, kDomain, sizeof domain, &domain, nullptr);    // 0 where it is not known
  return fmt::format("{:08x}:{:02x}:{:02x}.0", domain, bus, slot >> 3); // the lowest bits: function
}

} // namespace

std::unique_ptr<EnergyCounter> counterFor(cl_device_id device) {
  constexpr cl_uint kNvidia = 0x10de, kOclgrind = 0x42;
  const auto vendor =
      info<cl_uint>("clGetDeviceInfo", clGetDeviceInfo, CL_DEVICE_VENDOR_ID, device);
  if (vendor == kOclgrind) // what a simulator consumes is not what a kernel does
    return nullptr;
  const auto type =
      info<cl_device_type>("clGetDeviceInfo", clGetDeviceInfo, CL_DEVICE_TYPE, device);
  if (type & CL_DEVICE_TYPE_CPU)
    return raplCounter();
  if (vendor == kNvidia)
    return nvmlCounter(pciBusIdOf(device));
  return nullptr;
}

} // namespace aiwc::eod
