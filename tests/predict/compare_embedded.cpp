/// compare_embedded FOLDER DEVICES: what annotations keep of FOLDER's profiles predicts what the
/// profiles do on every device, to within what docs/embedding.md promises. The profiles are what
/// `oclgrind --aiwc` leaves, so nothing here says what the costs have to be. Ends with status 1 and
/// a line for each that is not.
#include "automatch/automatch_model.h"
#include "embed/annotation.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/prediction.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

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
  size_t launches = 0;
  for (const auto &entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("aiwc_") && entry.path().extension() == ".json") {
      const auto profile = profile::readProfile(entry.path());
      comparison.compare(name, profile, embed::annotationOf(profile).profile());
      ++launches;
    }
  return comparison.end(launches);
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
