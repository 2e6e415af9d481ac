/// compare_embedded FOLDER DEVICES: every launch of FOLDER's profiles is found in the annotated
/// programs beside them, and what is embedded predicts what the profile does on every device, to
/// within what docs/embedding.md promises. What `oclgrind --aiwc --aiwc-embed` leaves is compared,
/// so nothing here says what the costs have to be. Ends with status 1 and a line for each that is
/// not.
#include "automatch/automatch_model.h"
#include "embed/file.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/prediction.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace {

using namespace aiwc;
namespace fs = std::filesystem;
using predict::Term;

/// Of docs/embedding.md, "What compaction changes", by Term, and of a cost.
constexpr std::array<double, predict::kTermCount> kTermBounds = {0.002, 0.0065, 0.0055, 0, 0};
constexpr double kCostBound = 0.0065;
/// Of the published model's times, which look the reuse distances up likewise.
constexpr double kTimeBound = 0.0065;
/// A program of the suite needs no more than this; else a bound that nothing comes near proves
/// nothing about the comparison.
constexpr size_t kFewestComparisons = 20;

using Key = std::pair<std::string, uint64_t>; ///< kernel and invocation: those of one process

class Comparison {
public:
  explicit Comparison(const fs::path &devices) : devices_({devices}) {}

  void compare(const std::string &what, const profile::KernelProfile &exact,
               const profile::KernelProfile &embedded) {
    for (const predict::DeviceProfile &device : devices_.devices()) {
      if (!predict::CostedLaunch(exact, model_).missing(device).empty())
        continue;
      const predict::Cost from = predict::CostedLaunch(exact, model_).cost(device);
      const predict::Cost to = predict::CostedLaunch(embedded, model_).cost(device);
      const std::string where = fmt::format("{} on {}", what, device.id);
      for (size_t term = 0; term < from.terms.size(); ++term)
        check(fmt::format("{}: {}", where, predict::toString(static_cast<Term>(term))),
              from.terms[term], to.terms[term], kTermBounds[term]);
      check(where, from.seconds, to.seconds, kCostBound);
      const predict::FittedCostModel &fitted = predict::publishedModel();
      if (predict::CostedLaunch(exact, fitted).missing(device).empty())
        check(where + ", published model",
              predict::CostedLaunch(exact, fitted).cost(device).seconds,
              predict::CostedLaunch(embedded, fitted).cost(device).seconds, kTimeBound);
      largest_ = std::max(largest_, std::abs(to.seconds / from.seconds - 1));
      ++compared_;
    }
    for (const profile::MetricInfo &metric : profile::catalogue())
      if (exact[metric.metric] != embedded[metric.metric])
        fail(fmt::format("{}: {} is not what it was", what, metric.key));
  }

  void fail(const std::string &message) {
    fmt::print(stderr, "{}\n", message);
    failed_ = true;
  }

  int end(size_t launches) {
    if (compared_ < kFewestComparisons)
      fail(fmt::format("only {} predictions were compared", compared_));
    fmt::print("{} launches, {} predictions, which differ by {:.4f} % at most\n", launches,
               compared_, 100 * largest_);
    return failed_ ? 1 : 0;
  }

private:
  void check(const std::string &what, double from, double to, double bound) {
    if (!(std::abs(to - from) <= bound * from))
      fail(fmt::format("{}: {} s instead of {} s: expected {} of it at most", what, to, from,
                       bound));
  }

  predict::DeviceLibrary devices_;
  automatch::AutomatchModel model_;
  size_t compared_ = 0;
  double largest_ = 0;
  bool failed_ = false;
};

int run(const fs::path &folder, const fs::path &devices) {
  Comparison comparison(devices);
  std::map<Key, profile::KernelProfile> profiles;
  std::map<std::tuple<std::string, profile::Size3, profile::Size3>, bool> launches; // found
  const auto launchOf = [](const profile::KernelProfile &profile) {
    const profile::Provenance &of = profile.provenance;
    return std::tuple(of.kernel, of.globalSize, of.localSize);
  };
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("aiwc_") &&
        entry.path().extension() == ".json") {
      auto profile = profile::readProfile(entry.path());
      launches[launchOf(profile)] = false;
      profiles.emplace(Key(profile.provenance.kernel, profile.provenance.invocation),
                       std::move(profile));
    }
  for (const auto &entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("kernels_"))
      continue;
    const embed::Annotations annotations = embed::annotationsOf(entry.path());
    for (const std::string &reason : annotations.reasons)
      comparison.fail(reason);
    for (const embed::Annotation &annotation : annotations.found) {
      const auto embedded = annotation.profile();
      const auto exact =
          profiles.find(Key(embedded.provenance.kernel, embedded.provenance.invocation));
      if (annotation.stale || exact == profiles.end()) {
        comparison.fail(annotation.place + ": is of no profile here");
        continue;
      }
      launches[launchOf(embedded)] = true;
      comparison.compare(annotation.place, exact->second, embedded);
    }
  }
  for (const auto &[launch, found] : launches)
    if (!found)
      comparison.fail(std::get<0>(launch) + ": a launch is not embedded");
  return comparison.end(launches.size());
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: compare_embedded FOLDER DEVICES\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
