/// aiwc-measured-devices: predictions for a device of which no, some and all other applications
/// were measured, against the measured times of the applications that were not.
#include "common/error.h"
#include "idiom_model/idiom_model.h"
#include "predict/costed_launch.h"
#include "predict/device_library.h"
#include "train/eod_run.h"
#include "train/fit.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace aiwc;

struct Options {
  std::string model, profiles, device;
  std::vector<std::string> measured, deviceFolders, sizes;
  std::vector<size_t> counts = {0, 1, 2, 4, 8};
  size_t draws = 60;
  bool least = false, kernels = false, asIs = false;
};

/// Which applications are measured, in one draw.
using Draw = std::set<std::string>;

/// `count` of the applications: every choice of one, or all but one, else random ones, always the
/// same.
std::vector<Draw> drawsOf(const std::vector<std::string> &applications, size_t count,
                          size_t draws) {
  std::vector<Draw> result;
  if (count == 0)
    return {{}};
  if (count == 1 || count + 1 == applications.size()) {
    const Draw all(applications.begin(), applications.end());
    for (const std::string &one : applications) {
      Draw others = all;
      others.erase(one);
      result.push_back(count == 1 ? Draw{one} : others);
    }
    return result;
  }
  std::mt19937 random(1); // the standard fixes its numbers, not those of std::shuffle
  std::vector<std::string> order = applications;
  for (size_t i = 0; i < draws; ++i) {
    for (size_t k = 0; k < count; ++k)
      std::swap(order[k], order[k + random() % (order.size() - k)]);
    result.emplace_back(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return result;
}

/// The times of the applications of `draw`, without the profiles that `set` owns.
train::TrainingSet only(const train::TrainingSet &set, const Draw &draw) {
  train::TrainingSet part;
  part.devices = set.devices;
  part.workloads = set.workloads;
  for (const train::MeasuredTime &time : set.times)
    if (draw.contains(set.workloads[time.workload].application))
      part.times.push_back(time);
  return part;
}

/// Errors of predictions for applications that were not measured, over all draws.
class Errors {
public:
  Errors(const train::TrainingSet &set, const std::vector<train::FitRow> &rows)
      : set_(set), rows_(rows) {}

  void add(const predict::FittedModel &model, const Draw &draw) {
    const predict::ErrorFactors &errorFactors = model.errorFactorsFor(set_.devices[0].profile);
    add([&](size_t i) { return train::lnPredicted(model, set_, rows_[i]); },
        [&](size_t i) {
          return predict::intervalOf(train::predictedParts(model, set_, rows_[i]), errorFactors);
        },
        draw);
  }
  /// `lnPredicted(i)` is the prediction for the i-th time; `interval(i)` its interval in
  /// microseconds.
  template <typename LnPredicted, typename IntervalOf>
  void add(const LnPredicted &lnPredicted, const IntervalOf &interval, const Draw &draw) {
    for (size_t i = 0; i < rows_.size(); ++i) {
      const train::Workload &workload = set_.workloads[set_.times[i].workload];
      if (draw.contains(workload.application))
        continue;
      const double predicted = lnPredicted(i);
      const double residual = rows_[i].lnMicros - predicted;
      auto &[sum, count] = applications_[workload.application];
      sum += std::abs(residual);
      ++count;
      const std::optional<predict::Interval> ends = interval(i);
      hasInterval_ = ends.has_value();
      const double micros = std::exp(rows_[i].lnMicros);
      within_ += ends && micros >= ends->low && micros <= ends->high ? 1 : 0;
      kernels_ += fmt::format("{},{},{},{:.4g},{:.4g}\n", workload.application, workload.size,
                              workload.kernel, set_.times[i].micros, std::exp(predicted));
    }
  }

  /// Columns from ln_error on.
  std::string row() const {
    double sum = 0;
    double count = 0;
    double means = 0;
    for (const auto &[name, total] : applications_) {
      sum += total.first;
      count += total.second;
      means += total.first / total.second;
    }
    return fmt::format("{:.3f},{:.2f},{:.3f},{}\n", sum / count, std::exp(sum / count),
                       means / static_cast<double>(applications_.size()),
                       hasInterval_ ? fmt::format("{:.2f}", within_ / count) : "");
  }
  const std::string &kernels() const { return kernels_; }

private:
  const train::TrainingSet &set_;
  const std::vector<train::FitRow> &rows_;
  std::map<std::string, std::pair<double, double>> applications_; ///< sum of |ln error|, times
  double within_ = 0;
  bool hasInterval_ = false;
  std::string kernels_;
};

/// The device with a launch overhead that was measured: the shortest launch of all, as a launch of
/// an empty kernel would be.
void giveLaunchOverhead(train::TrainingSet &set) {
  double least = std::numeric_limits<double>::infinity();
  for (const train::MeasuredTime &time : set.times)
    least = std::min(least, *time.shortestLaunchMicros);
  set.devices[0].profile.set(predict::Parameter::kLaunchOverhead, least,
                             std::string(predict::kShortestLaunchSource));
}

/// ln of the time of the i-th launches by the idiom model, us.
double lnByIdioms(const train::TrainingSet &set, size_t i) {
  const idiom_model::IdiomModel model;
  double seconds = 0;
  for (const train::LaunchCount &launch : set.workloads[set.times[i].workload].launches)
    seconds += launch.launches *
               predict::CostedLaunch(*launch.profile, model).cost(set.devices[0].profile).seconds;
  return std::log(seconds * 1e6);
}

constexpr std::string_view kHeader =
    "launch_overhead,measured_applications,draws,ln_error,factor,by_application,coverage\n";
constexpr std::string_view kKernelHeader = "application,size,kernel,measured_us,predicted_us\n";

std::string studied(const Options &options) {
  const predict::DeviceLibrary library(
      predict::deviceFolders({options.deviceFolders.begin(), options.deviceFolders.end()}));
  train::TrainingSet set;
  train::addMeasured(train::readMeasured({options.measured.begin(), options.measured.end()}),
                     train::readCharacterised(options.profiles), library[options.device],
                     std::string(predict::kOwnMeasurements),
                     options.least ? train::Reference::kMinimum : train::Reference::kMedian, set);
  std::set<std::string> names;
  if (!options.sizes.empty())
    std::erase_if(set.times, [&](const train::MeasuredTime &time) {
      return std::ranges::find(options.sizes, set.workloads[time.workload].size) ==
             options.sizes.end();
    });
  for (const train::MeasuredTime &time : set.times)
    names.insert(set.workloads[time.workload].application);
  if (names.size() < 2)
    throw Error(fmt::format("{}: times of {} application{}: expected two or more",
                            options.measured.front(), names.size(), names.size() == 1 ? "" : "s"));
  const std::vector<std::string> applications(names.begin(), names.end());
  const std::vector<train::FitRow> rows = train::fitRows(set);
  if (options.model == "idiom") {
    Errors errors(set, rows);
    errors.add([&](size_t i) { return lnByIdioms(set, i); },
               [](size_t) { return std::optional<predict::Interval>(); }, {});
    return options.kernels ? std::string(kKernelHeader) + errors.kernels()
                           : fmt::format("{}profile's,0,1,{}", kHeader, errors.row());
  }
  const predict::FittedModel model = predict::readModel(options.model);
  std::vector<size_t> counts;
  for (const size_t count : options.counts)
    if (count + 1 < applications.size())
      counts.push_back(count);
  counts.push_back(applications.size() - 1);
  std::string text(kHeader);
  std::string kernels;
  const std::vector<std::string> overheads = options.asIs
                                                 ? std::vector<std::string>{"profile's"}
                                                 : std::vector<std::string>{"unknown", "known"};
  for (const std::string &overhead : overheads) {
    if (overhead == "known")
      giveLaunchOverhead(set);
    for (const size_t count : counts) {
      const std::vector<Draw> draws = drawsOf(applications, count, options.draws);
      Errors errors(set, rows);
      for (const Draw &draw : draws)
        errors.add(draw.empty() ? model : train::update(model, only(set, draw)), draw);
      text += fmt::format("{},{},{},{}", overhead, count, draws.size(), errors.row());
      kernels = errors.kernels();
    }
  }
  return options.kernels ? std::string(kKernelHeader) + kernels : text;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Shows what measured applications of a device do to predictions of the others");
  app.add_option(
         "MODEL", options.model,
         "A model that aiwc-model train wrote, or `idiom`: the idiom model, which learns nothing")
      ->required();
  app.add_option("--measured", options.measured, "Folder that eod run wrote; repeatable")
      ->type_name("DIR")
      ->required();
  app.add_option("--profiles", options.profiles, "Folder that eod characterise wrote")
      ->type_name("DIR")
      ->required();
  app.add_option("--device", options.device, "The profile of the device")
      ->type_name("ID")
      ->required();
  app.add_option("--device-dir", options.deviceFolders, "Folder of device profiles, repeatable")
      ->type_name("DIR");
  app.add_option("--sizes", options.sizes, "Judge these problem sizes only, separated by commas")
      ->delimiter(',');
  app.add_option("--count", options.counts,
                 "So many measured applications, separated by commas; all but one are added")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--draws", options.draws, "Random choices of them, where there are many")
      ->check(CLI::Range(size_t{1}, size_t{100'000}))
      ->capture_default_str();
  app.add_flag("--least", options.least, "Use the fastest sample, not the median");
  app.add_flag("--as-is", options.asIs,
               "Use the launch overhead of the profile, instead of none and the shortest launch");
  app.add_flag("--kernels", options.kernels,
               "Print each kernel instead, as predicted from all other applications");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const std::string text = studied(options);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error("standard output: cannot be written: expected room for the table");
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
