#define CATCH_CONFIG_RUNNER
#include "runtime.h"

#include <CL/cl.h>
#include <starpu_opencl.h>

#include <array>
#include <catch2/catch.hpp>
#include <vector>

namespace aiwc::test {
namespace {

std::vector<aiwc_starpu *> toClose;

} // namespace

bool hasWorker(starpu_worker_archtype kind) {
  return starpu_worker_get_count_by_type(kind) > 0;
}

std::string openclDeviceName() {
  cl_device_id device = nullptr;
  starpu_opencl_get_device(0, &device);
  std::array<char, 1024> name{};
  clGetDeviceInfo(device, CL_DEVICE_NAME, name.size() - 1, name.data(), nullptr);
  return name.data();
}

void closeAtEnd(aiwc_starpu *starpu) {
  toClose.push_back(starpu);
}

} // namespace aiwc::test

int main(int argc, char **argv) {
  if (starpu_init(nullptr) != 0)
    return 1;
  const int failed = Catch::Session().run(argc, argv);
  starpu_shutdown();
  for (aiwc_starpu *starpu : aiwc::test::toClose)
    aiwc_starpu_close(starpu);
  return failed;
}
