/// What `aiwc tune` found of the variants of a kernel, as text and JSON.
#pragma once

#include "advice/findings.h"
#include "predict/cost_model.h"
#include "predict/device_profile.h"
#include "predict/fitted/variant_odds.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::cli {

struct TunedVariant {
  enum class Outcome : uint8_t {
    kRanked,
    kNotRun, ///< the compiler or the simulated device refuses it, or it has errors
    kWrong,  ///< its results differ
  };

  std::string name;
  Outcome outcome = Outcome::kRanked;
  std::string reason; ///< why it is not ranked
  // Of ranked variants, a value for each device:
  std::vector<predict::Cost> costs;
  std::vector<predict::VariantOdds> odds;
  std::vector<advice::Finding> findings; ///< their gains have a value for each device
};

struct TunedKernel {
  std::vector<predict::DeviceProfile> devices;
  std::vector<TunedVariant> variants;
  std::string reference; ///< the variant whose results the others have to have; empty: any results
  bool areAlike = false; ///< whether all have the same code and sizes
};

/// The variants that are ranked, the fastest on the device first.
std::vector<const TunedVariant *> rankedOn(const TunedKernel &kernel, size_t device);

/// A table of the `top` fastest for each device, and why others are not ranked.
std::string asText(const TunedKernel &kernel, size_t top);
/// All of it; docs/start.md has the keys.
std::string asJson(const TunedKernel &kernel);

} // namespace aiwc::cli
