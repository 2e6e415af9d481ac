/// Stands for NVIDIA's management library in the tests: two devices, of which the one at
/// 00000000:3b:00.0 has used 1.5 J more at every reading and the other one does not count.
#include <cstring>

namespace {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

int devices[2];
unsigned long long used = 1000000;

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default"))) int

EXPORTED nvmlInit_v2() {
  return kSuccess;
}

EXPORTED nvmlShutdown() {
  return kSuccess;
}

EXPORTED nvmlDeviceGetCount_v2(unsigned *count) {
  *count = 2;
  return kSuccess;
}

EXPORTED nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  *device = &devices[index];
  return kSuccess;
}

EXPORTED nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
  const bool first = std::strcmp(id, "00000000:3b:00.0") == 0;
  const bool second = std::strcmp(id, "00000000:af:00.0") == 0;
  *device = &devices[second];
  return first || second ? kSuccess : kNotFound;
}

EXPORTED nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  if (device != &devices[0])
    return kNotSupported;
  *millijoules = used += 1500;
  return kSuccess;
}
