/// The types behind the handles of aiwc.h.
#pragma once

#include "aiwc.h"
#include "embed/annotation.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/split.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct aiwc_device {
  const aiwc::predict::DeviceProfile *profile; // owned by the library
};

struct aiwc_device_library {
  explicit aiwc_device_library(const std::vector<std::filesystem::path> &folders)
      : library(folders) {
    devices.reserve(library.devices().size());
    for (const aiwc::predict::DeviceProfile &device : library.devices())
      devices.push_back({&device});
  }
  aiwc_device_library(const aiwc_device_library &) = delete;
  aiwc_device_library &operator=(const aiwc_device_library &) = delete;

  const aiwc_device *handleOf(const aiwc::predict::DeviceProfile &device) const {
    return &devices[static_cast<size_t>(&device - library.devices().data())];
  }

  const aiwc::predict::DeviceLibrary library;
  std::vector<aiwc_device> devices; // in the library's order
};

struct aiwc_profile {
  aiwc_profile(aiwc::profile::KernelProfile read, std::string from)
      : profile(std::move(read)), work(aiwc::predict::KernelWork::from(profile)),
        origin(std::move(from)) {}

  aiwc::profile::KernelProfile profile;
  aiwc::predict::KernelWork work; // derived from it once, for all predictions
  std::string origin;             ///< for messages
};

struct aiwc_annotations {
  aiwc::embed::Annotations all;
  std::string origin; ///< for messages
};

struct aiwc_model {
  std::shared_ptr<const aiwc::predict::CostModel> model;
};

struct aiwc_options {
  /// None: the published model, which is read when it is first used.
  std::shared_ptr<const aiwc::predict::CostModel> chosenModel;
  const aiwc::predict::CostModel &model() const {
    return chosenModel ? *chosenModel : aiwc::predict::publishedModel();
  }

  double transfers = 0;
  bool wholeInput = false;
  std::optional<size_t> dimension;
};
