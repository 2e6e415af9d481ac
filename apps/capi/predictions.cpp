#include "automatch/automatch_model.h"
#include "boundary.h"
#include "handles.h"
#include "predict/mapping.h"
#include "predict/prediction.h"
#include "predict/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>

namespace {

using namespace aiwc::capi;
namespace predict = aiwc::predict;

/// Returned by value: it is small, and a static default would be destroyed before the last threads
/// of a process end.
aiwc_options orDefaults(const aiwc_options *options) {
  const aiwc_options defaults;
  return options ? *options : defaults;
}

/// The array of handles as a span; throws Failure if it is NULL, empty or longer than any, or if a
/// handle is NULL.
template <typename Handle>
std::span<const Handle *const> givenAll(const Handle *const *handles, size_t count,
                                        const char *what) {
  given(handles, what);
  if (count == 0)
    throw Failure(AIWC_BAD_ARGUMENT, fmt::format("no {}: expected at least one", what));
  requireAtMost(count, kMostHandles, (std::string("the number of ") + what).c_str());
  const std::span all(handles, count);
  for (size_t i = 0; i < count; ++i)
    if (!all[i])
      throw Failure(AIWC_BAD_ARGUMENT, fmt::format("{}[{}] is NULL", what, i));
  return all;
}

/// Runs `body`. An Error that it throws is taken as an error of the profile unless it has a type of
/// its own.
template <typename Body> auto onProfile(const aiwc_profile &profile, Body body) {
  try {
    return body();
  } catch (const predict::MissingParameter &) {
    throw;
  } catch (const aiwc::Error &error) {
    throw aiwc::Error(profile.origin + ": " + error.what());
  }
}

/// If a profile cannot be used on any device, this is reported before any parameters that devices
/// lack.
void requireUsable(const aiwc_profile &profile, const predict::CostModel &model) {
  if (const std::string found = model.whyNot(profile.profile); !found.empty())
    throw aiwc::Error(profile.origin + ": " + found);
}

std::vector<predict::DeviceProfile> copiesOf(std::span<const aiwc_device *const> devices) {
  std::vector<predict::DeviceProfile> copies;
  for (const aiwc_device *device : devices)
    copies.push_back(*device->profile);
  return copies;
}

predict::Transfers transfersOfDivision(const aiwc_options &options) {
  return {.exposed = options.transfers, .wholeInput = options.wholeInput};
}

predict::Entry predicted(const aiwc_profile &profile, const aiwc_device &device,
                         const aiwc_options &options) {
  return onProfile(profile, [&] {
    return predict::predictOne(*profile.launch(options), *device.profile, options.transfers);
  });
}

aiwc_prediction toC(const predict::Entry &entry, const aiwc_device &device,
                    const predict::CostModel &model) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const predict::Cost &cost = entry.cost;
  aiwc_prediction result{};
  result.seconds = entry.seconds;
  result.compute_s = cost.terms[static_cast<size_t>(predict::Term::kCompute)];
  result.cache_s = cost.terms[static_cast<size_t>(predict::Term::kCache)];
  result.dram_s = cost.terms[static_cast<size_t>(predict::Term::kDram)];
  result.latency_s = cost.terms[static_cast<size_t>(predict::Term::kLatency)];
  result.launch_s = cost.terms[static_cast<size_t>(predict::Term::kLaunch)];
  result.transfers_s = entry.transferSeconds;
  result.energy_joules = entry.energyJoules.value_or(kUnknown);
  const auto *const largest = std::ranges::max_element(cost.terms);
  result.bound_by = entry.transferSeconds > *largest
                        ? AIWC_TERM_TRANSFERS
                        : static_cast<aiwc_term>(largest - cost.terms.begin());
  result.low_s = entry.interval ? entry.interval->low : kUnknown;
  result.high_s = entry.interval ? entry.interval->high : kUnknown;
  result.known_device = model.knows(*device.profile) ? 1 : 0;
  static_assert(sizeof result.parts_s == sizeof cost.parts);
  std::ranges::copy(cost.parts, result.parts_s);
  result.largest_part = predict::partName(model.parts(), entry.boundBy()).data(); // a literal
  return result;
}

aiwc_share toC(const predict::Share &share) {
  aiwc_share result{};
  result.work_groups = share.workGroups;
  std::ranges::copy(share.globalOffset, result.global_offset);
  std::ranges::copy(share.globalSize, result.global_size);
  result.finish_s = share.finishSeconds;
  return result;
}

} // namespace

std::shared_ptr<const predict::CostedLaunch>
aiwc_profile::launch(const aiwc_options &options) const {
  const std::lock_guard lock(mutex_);
  if (!launch_ || &launch_->model() != &options.model()) {
    launch_ = std::make_shared<predict::CostedLaunch>(profile, options.model());
    model_ = options.chosenModel;
  }
  return launch_;
}

const char *aiwc_term_text(aiwc_term term) {
  using predict::Term;
  static_assert(static_cast<int>(Term::kCompute) == AIWC_TERM_COMPUTE &&
                static_cast<int>(Term::kCache) == AIWC_TERM_CACHE &&
                static_cast<int>(Term::kDram) == AIWC_TERM_DRAM &&
                static_cast<int>(Term::kLatency) == AIWC_TERM_LATENCY &&
                static_cast<int>(Term::kLaunch) == AIWC_TERM_LAUNCH);
  switch (term) {
  case AIWC_TERM_COMPUTE:
  case AIWC_TERM_CACHE:
  case AIWC_TERM_DRAM:
  case AIWC_TERM_LATENCY:
  case AIWC_TERM_LAUNCH:
    return predict::toString(static_cast<Term>(term)).data(); // of literals
  case AIWC_TERM_TRANSFERS:
    return "transfers";
  }
  return "unknown term";
}

double aiwc_error_correlation(const aiwc_options *options) {
  return (options ? options->model() : predict::publishedModel()).errorCorrelation();
}

size_t aiwc_part_count(const aiwc_options *options) {
  return (options ? options->model() : predict::publishedModel()).parts().size();
}

aiwc_status aiwc_part_at(const aiwc_options *options, size_t index, aiwc_part *part,
                         size_t part_size) {
  return guarded(AIWC_INTERNAL, [&] {
    given(part, "part");
    requireSize<aiwc_part>(part_size, "part_size");
    const aiwc_options chosen = orDefaults(options);
    const std::span<const predict::TermInfo> parts = chosen.model().parts();
    if (index >= parts.size())
      throw Failure(AIWC_BAD_ARGUMENT,
                    fmt::format("index is {}: expected one below {}", index, parts.size()));
    aiwc_part result{};
    result.key = parts[index].key.data(); // literals
    result.name = parts[index].name.data();
    result.term = static_cast<aiwc_term>(parts[index].term);
    copyOut(result, part, part_size);
  });
}

aiwc_status aiwc_predict(const aiwc_profile *profile, const aiwc_device *device,
                         const aiwc_options *options, aiwc_prediction *prediction,
                         size_t prediction_size) {
  return guarded(AIWC_UNUSABLE_PROFILE, [&] {
    const aiwc_profile &kernel = given(profile, "profile");
    const aiwc_device &on = given(device, "device");
    given(prediction, "prediction");
    requireSize<aiwc_prediction>(prediction_size, "prediction_size");
    const aiwc_options chosen = orDefaults(options);
    copyOut(toC(predicted(kernel, on, chosen), on, chosen.model()), prediction, prediction_size);
  });
}

aiwc_status aiwc_rank(const aiwc_profile *profile, const aiwc_device *const *devices, size_t count,
                      const aiwc_options *options, size_t *order, double *seconds, size_t *ranked) {
  return guarded(AIWC_UNUSABLE_PROFILE, [&] {
    const aiwc_profile &kernel = given(profile, "profile");
    const auto all = givenAll(devices, count, "devices");
    const aiwc_options chosen = orDefaults(options);
    given(order, "order");
    std::vector<double> costs(count, std::numeric_limits<double>::infinity()); // where ruled out
    size_t predictable = 0;
    std::string reason;
    for (size_t i = 0; i < count; ++i)
      try {
        costs[i] = predicted(kernel, *all[i], chosen).seconds;
        ++predictable;
      } catch (const predict::MissingParameter &missing) {
        if (reason.empty())
          reason = missing.what();
      }
    if (predictable == 0)
      throw predict::MissingParameter(reason);
    std::vector<size_t> indices(count);
    std::iota(indices.begin(), indices.end(), size_t{0});
    std::ranges::stable_sort(indices, {}, [&](size_t i) { return costs[i]; });
    std::ranges::copy(indices, order);
    if (ranked)
      *ranked = predictable;
    for (size_t i = 0; seconds && i < count; ++i)
      seconds[i] = costs[i] < std::numeric_limits<double>::infinity()
                       ? costs[i]
                       : std::numeric_limits<double>::quiet_NaN();
  });
}

aiwc_status aiwc_split(const aiwc_profile *profile, const aiwc_device *const *devices, size_t count,
                       const aiwc_options *options, aiwc_share *shares, size_t share_size,
                       aiwc_division *division, size_t division_size) {
  return guarded(AIWC_UNUSABLE_PROFILE, [&] {
    const aiwc_profile &kernel = given(profile, "profile");
    const auto all = givenAll(devices, count, "devices");
    const aiwc_options chosen = orDefaults(options);
    given(shares, "shares");
    requireSize<aiwc_share>(share_size, "share_size");
    if (division)
      requireSize<aiwc_division>(division_size, "division_size");
    if (chosen.dimension && *chosen.dimension >= kernel.profile.provenance.workDim)
      throw Failure(AIWC_BAD_ARGUMENT,
                    fmt::format("dimension is {}: expected one of the {} of the NDRange of {}",
                                *chosen.dimension, kernel.profile.provenance.workDim,
                                kernel.profile.provenance.kernel));
    requireUsable(kernel, chosen.model());
    const predict::Split split = onProfile(kernel, [&] {
      return predict::split(
          *kernel.launch(chosen), copiesOf(all),
          {.transfers = transfersOfDivision(chosen), .dimension = chosen.dimension});
    });
    for (size_t i = 0; i < count; ++i)
      copyOut(toC(split.best.shares[i]), reinterpret_cast<char *>(shares) + i * share_size,
              share_size);
    if (!division)
      return;
    aiwc_division result{};
    result.makespan_s = split.best.makespanSeconds;
    result.even_makespan_s = split.even.makespanSeconds;
    result.single_s = split.singleSeconds;
    result.single = split.bestSingle;
    result.dimension = split.dimension;
    copyOut(result, division, division_size);
  });
}

aiwc_status aiwc_map(const aiwc_profile *const *profiles, size_t profile_count,
                     const aiwc_device *const *devices, size_t device_count,
                     const aiwc_options *options, size_t *device_of, double *seconds) {
  return guarded(AIWC_UNUSABLE_PROFILE, [&] {
    const auto kernels = givenAll(profiles, profile_count, "profiles");
    const auto candidates = copiesOf(givenAll(devices, device_count, "devices"));
    const aiwc_options chosen = orDefaults(options);
    given(device_of, "device_of");
    std::vector<predict::CostedLaunch> sequence;
    for (const aiwc_profile *kernel : kernels) {
      // The error names the profile that cannot be predicted. Twice: data moves only between
      // kernels.
      requireUsable(*kernel, chosen.model());
      onProfile(*kernel, [&] {
        sequence.push_back(*kernel->launch(chosen));
        predict::mapKernels(std::vector(2, sequence.back()), candidates,
                            transfersOfDivision(chosen));
      });
    }
    const predict::Mapping best =
        predict::mapKernels(sequence, candidates, transfersOfDivision(chosen)).best;
    for (size_t k = 0; k < profile_count; ++k)
      device_of[k] = best.steps[k].device;
    if (seconds)
      *seconds = best.seconds;
  });
}

aiwc_status aiwc_model_read(const char *path, aiwc_model **model) {
  return guarded(AIWC_BAD_FILE, [&] {
    const char &first = given(path, "path");
    aiwc_model *&result = given(model, "model");
    auto read = std::make_unique<aiwc_model>();
    read->model =
        std::make_shared<aiwc::predict::FittedCostModel>(&first, aiwc::predict::readModel(&first));
    result = read.release();
  });
}

void aiwc_model_free(aiwc_model *model) {
  delete model;
}

aiwc_status aiwc_options_new(aiwc_options **options) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options *&result = given(options, "options"); // looked at before there is one to lose
    result = std::make_unique<aiwc_options>().release();
  });
}

void aiwc_options_free(aiwc_options *options) {
  delete options;
}

aiwc_status aiwc_options_set_transfers(aiwc_options *options, double exposed) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options &chosen = given(options, "options");
    if (!(exposed >= 0 && exposed <= 1))
      throw Failure(
          AIWC_BAD_ARGUMENT,
          fmt::format("exposed is {:g}: expected 0 (hidden) to 1 (all exposed)", exposed));
    chosen.transfers = exposed;
  });
}

aiwc_status aiwc_options_set_whole_input(aiwc_options *options, int whole) {
  return guarded(AIWC_INTERNAL, [&] { given(options, "options").wholeInput = whole != 0; });
}

aiwc_status aiwc_options_set_model(aiwc_options *options, const aiwc_model *model) {
  return guarded(AIWC_INTERNAL,
                 [&] { given(options, "options").chosenModel = model ? model->model : nullptr; });
}

aiwc_status aiwc_options_set_automatch(aiwc_options *options) {
  return guarded(AIWC_INTERNAL, [&] {
    given(options, "options").chosenModel = std::make_shared<aiwc::automatch::AutomatchModel>();
  });
}

aiwc_status aiwc_options_set_dimension(aiwc_options *options, int dimension) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options &chosen = given(options, "options");
    if (dimension < -1 || dimension > 2)
      throw Failure(AIWC_BAD_ARGUMENT, fmt::format("dimension is {}: expected -1 to 2", dimension));
    if (dimension < 0)
      chosen.dimension.reset();
    else
      chosen.dimension = static_cast<size_t>(dimension);
  });
}
