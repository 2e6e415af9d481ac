#include "boundary.h"
#include "handles.h"
#include "text/text.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>

using aiwc::capi::copyOut;
using aiwc::capi::Failure;
using aiwc::capi::given;
using aiwc::capi::guarded;
using aiwc::capi::requireSize;

namespace {

namespace fs = std::filesystem;

const char insideThisLibrary = 0;

/// The folders of a library that is opened with NULL. The place relative to this shared library is
/// tried before the place relative to the program, which belongs to another project.
std::vector<fs::path> defaultFolders() {
  const char *chosen = std::getenv("AIWC_DEVICES");
  Dl_info self{};
  if ((!chosen || !*chosen) && dladdr(&insideThisLibrary, &self) != 0 && self.dli_fname) {
    std::error_code error;
    const fs::path file = fs::canonical(self.dli_fname, error); // fails for a static program
    const fs::path beside = (file.parent_path() / AIWC_DEVICES_BESIDE_LIBRARY).lexically_normal();
    if (!error && fs::is_directory(beside, error))
      return {beside};
  }
  return aiwc::predict::deviceFolders();
}

const aiwc::predict::ParameterInfo &parameterAt(size_t index) {
  if (index >= aiwc::predict::kParameterCount)
    throw Failure(AIWC_BAD_ARGUMENT, "index is " + std::to_string(index) + ": expected one below " +
                                         std::to_string(aiwc::predict::kParameterCount));
  return aiwc::predict::parameters()[index];
}

} // namespace

aiwc_status aiwc_device_library_open(const char *folder, aiwc_device_library **library) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_device_library *&result = given(library, "library");
    const auto folders = folder ? std::vector<fs::path>{folder} : defaultFolders();
    result = std::make_unique<aiwc_device_library>(folders).release();
  });
}

void aiwc_device_library_free(aiwc_device_library *library) {
  delete library;
}

size_t aiwc_device_count(const aiwc_device_library *library) {
  return library ? library->devices.size() : 0;
}

aiwc_status aiwc_device_at(const aiwc_device_library *library, size_t index,
                           const aiwc_device **device) {
  return guarded(AIWC_INTERNAL, [&] {
    const auto &devices = given(library, "library").devices;
    const aiwc_device *&result = given(device, "device");
    if (index >= devices.size())
      throw Failure(AIWC_BAD_ARGUMENT, "index is " + std::to_string(index) +
                                           ": expected one below " +
                                           std::to_string(devices.size()));
    result = &devices[index];
  });
}

aiwc_status aiwc_device_find(const aiwc_device_library *library, const char *id,
                             const aiwc_device **device) {
  return guarded(AIWC_NOT_FOUND, [&] {
    const aiwc_device_library &from = given(library, "library");
    const aiwc_device *&result = given(device, "device");
    result = from.handleOf(from.library[&given(id, "id")]);
  });
}

aiwc_status aiwc_device_match(const aiwc_device_library *library, const char *name,
                              const aiwc_device **device) {
  return guarded(AIWC_NOT_FOUND, [&] {
    const aiwc_device_library &from = given(library, "library");
    const aiwc_device *&result = given(device, "device");
    const aiwc::predict::DeviceProfile *found = from.library.match(&given(name, "name"));
    if (!found)
      throw aiwc::Error("no device, or several, for the OpenCL device \"" +
                        aiwc::text::printable(name, 100) +
                        "\": expected a name that matches the opencl_names of one device best");
    result = from.handleOf(*found);
  });
}

const char *aiwc_device_id(const aiwc_device *device) {
  return device ? device->profile->id.c_str() : "";
}

const char *aiwc_device_name(const aiwc_device *device) {
  return device ? device->profile->name.c_str() : "";
}

aiwc_status aiwc_device_describe(const aiwc_device *device, aiwc_device_facts *facts,
                                 size_t facts_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::predict::DeviceProfile &profile = *given(device, "device").profile;
    given(facts, "facts");
    requireSize<aiwc_device_facts>(facts_size, "facts_size");
    aiwc_device_facts result{};
    result.id = profile.id.c_str();
    result.name = profile.name.c_str();
    result.vendor = profile.vendor.c_str();
    result.series = profile.series.c_str();
    result.type = aiwc::predict::toString(profile.type).data(); // a literal
    result.year = profile.year;
    result.opencl = profile.opencl ? 1 : 0;
    copyOut(result, facts, facts_size);
  });
}

size_t aiwc_parameter_count(void) {
  return aiwc::predict::kParameterCount;
}

aiwc_status aiwc_parameter_at(size_t index, aiwc_parameter *parameter, size_t parameter_size) {
  return guarded(AIWC_INTERNAL, [&] {
    given(parameter, "parameter");
    requireSize<aiwc_parameter>(parameter_size, "parameter_size");
    const aiwc::predict::ParameterInfo &info = parameterAt(index);
    aiwc_parameter result{};
    result.name = info.name.data(); // literals
    result.key = info.key.data();
    result.unit = info.unit.empty() ? "" : info.unit.data();
    result.description = info.description.data();
    copyOut(result, parameter, parameter_size);
  });
}

aiwc_status aiwc_device_parameter(const aiwc_device *device, size_t index, double *value) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::predict::DeviceProfile &profile = *given(device, "device").profile;
    double &result = given(value, "value");
    const auto &quantity = profile.quantities[static_cast<size_t>(parameterAt(index).parameter)];
    result = quantity ? quantity->value : std::numeric_limits<double>::quiet_NaN();
  });
}
