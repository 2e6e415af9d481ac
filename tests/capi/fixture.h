/// Devices and kernels for the tests of the C API, as files and as what the C++ library makes of
/// the same.
#pragma once

#include "aiwc.h"
#include "predict/device_library.h"
#include "profile/kernel_profile.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::test {

struct Freed {
  void operator()(aiwc_device_library *library) const { aiwc_device_library_free(library); }
  void operator()(aiwc_profile *profile) const { aiwc_profile_free(profile); }
  void operator()(aiwc_options *options) const { aiwc_options_free(options); }
  void operator()(aiwc_annotations *annotations) const { aiwc_annotations_free(annotations); }
};
using LibraryHandle = std::unique_ptr<aiwc_device_library, Freed>;
using ProfileHandle = std::unique_ptr<aiwc_profile, Freed>;
using AnnotationsHandle = std::unique_ptr<aiwc_annotations, Freed>;
using OptionsHandle = std::unique_ptr<aiwc_options, Freed>;

/// The devices that come with the project.
std::filesystem::path deviceFolder();

LibraryHandle openLibrary(const std::filesystem::path &folder = deviceFolder());
ProfileHandle parse(const profile::KernelProfile &kernel);
OptionsHandle options();

/// All of them, by id.
std::vector<const aiwc_device *> devicesOf(const aiwc_device_library *library);

/// A hundred work-groups that compute, touch memory, and whose data the host writes and reads.
profile::KernelProfile streaming();
/// The same without a floating-point operation.
profile::KernelProfile counting();

/// `id`.json in `folder`: a device with all parameters, or all but one.
void writeDevice(const std::filesystem::path &folder, const std::string &id,
                 const std::string &openclName,
                 std::optional<predict::Parameter> without = std::nullopt);

} // namespace aiwc::test
