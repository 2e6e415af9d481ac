#include "fixture.h"

#include "predict/device_json.h"
#include "predict/machines.h"
#include "profile/json.h"
#include "profile/random_profile.h"
#include "support/ndrange.h"

#include <catch2/catch.hpp>

namespace aiwc::test {

std::filesystem::path deviceFolder() {
  return AIWC_TEST_DEVICES;
}

LibraryHandle openLibrary(const std::filesystem::path &folder) {
  aiwc_device_library *library = nullptr;
  const aiwc_status status = aiwc_device_library_open(folder.c_str(), &library);
  INFO(aiwc_error_message());
  REQUIRE(status == AIWC_OK);
  return LibraryHandle(library);
}

ProfileHandle parse(const profile::KernelProfile &kernel) {
  const std::string json = profile::toJson(kernel);
  aiwc_profile *profile = nullptr;
  const aiwc_status status = aiwc_profile_parse(json.data(), json.size(), "test.json", &profile);
  INFO(aiwc_error_message());
  REQUIRE(status == AIWC_OK);
  return ProfileHandle(profile);
}

OptionsHandle options() {
  aiwc_options *options = nullptr;
  REQUIRE(aiwc_options_new(&options) == AIWC_OK);
  return OptionsHandle(options);
}

std::vector<const aiwc_device *> devicesOf(const aiwc_device_library *library) {
  std::vector<const aiwc_device *> devices(aiwc_device_count(library));
  for (size_t i = 0; i < devices.size(); ++i)
    REQUIRE(aiwc_device_at(library, i, &devices[i]) == AIWC_OK);
  return devices;
}

profile::KernelProfile streaming() {
  profile::KernelProfile kernel = kernelOf(triad());
  setNdrange(kernel, 2, {640, 10, 1}, {64, 1, 1});
  kernel.provenance.globalOffset = {64, 0, 0};
  kernel.setCount("footprint_bytes"_metric, 1 << 20);
  kernel.setCount("host_to_device_bytes"_metric, 1 << 20);
  kernel.setCount("host_to_device_transfers"_metric, 2);
  kernel.setCount("device_to_host_bytes"_metric, 1 << 19);
  kernel.setCount("device_to_host_transfers"_metric, 1);
  return kernel;
}

profile::KernelProfile counting() {
  using profile::Metric;
  Work work = factorisation();
  work.name = "counting";
  work.levels = {};
  work.intOps = 100000;
  work.depth = 50;
  work.nodes = 150000;
  work.accesses = 40000;
  profile::KernelProfile kernel = kernelOf(work);
  kernel.setCount("footprint_bytes"_metric, 4096);
  return kernel;
}

void writeDevice(const std::filesystem::path &folder, const std::string &id,
                 const std::string &openclName, std::optional<predict::Parameter> without) {
  predict::DeviceProfile device = namedDevice(id, {openclName});
  for (const predict::ParameterInfo &row : predict::parameters())
    if (row.parameter != without)
      device.set(row.parameter, row.minimum * 4, "test");
  write(folder / (id + ".json"), predict::toJson(device));
}

} // namespace aiwc::test
