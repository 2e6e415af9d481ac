/// The types behind the handles of aiwc.h.
#pragma once

#include "aiwc.h"
#include "embed/annotation.h"
#include "predict/costed_launch.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct aiwc_options;

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
      : profile(std::move(read)), origin(std::move(from)) {}

  /// The launch as the model of `options` sees it. The last one is kept, so that predictions by one
  /// model prepare the profile once. It is valid as long as the options' model. Thread-safe.
  std::shared_ptr<const aiwc::predict::CostedLaunch> launch(const aiwc_options &options) const;

  aiwc::profile::KernelProfile profile;
  std::string origin; ///< for messages

private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const aiwc::predict::CostModel> model_; // keeps its address taken
  mutable std::shared_ptr<const aiwc::predict::CostedLaunch> launch_;
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
