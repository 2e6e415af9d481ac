#include "command.h"
#include "command_line/output.h"
#include "diff_output.h"
#include "embedded.h"
#include "invocations.h"
#include "kernel_launches.h"
#include "predict/costed_launch.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/opencl_type.h"
#include "text/text.h"
#include "views/compare.h"
#include "views/condition.h"
#include "views/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>

namespace aiwc::cli {

namespace {

using profile::KernelProfile;
using profile::Value;
using views::Condition;
using views::KernelComparison;
using views::Quantity;

constexpr std::string_view kFailOn = "aiwc diff: --fail-on";
constexpr std::string_view kTime = "time";

struct DiffOptions {
  std::string before;
  std::string after;
  std::string devices{kUsualDevices};
  std::vector<std::string> failOn;
  LaunchOptions launch;
  bool json = false;
  bool all = false;
};

/// Predicted times by the published model, each computed once.
class Times {
public:
  explicit Times(std::vector<predict::DeviceProfile> devices) : devices_(std::move(devices)) {}

  const std::vector<predict::DeviceProfile> &devices() const { return devices_; }
  /// Throws Error for a device that the model cannot predict.
  void add(const std::vector<NamedProfile> &profiles) {
    const predict::FittedCostModel &model = predict::publishedModel();
    for (const NamedProfile &named : profiles) {
      std::vector<Value> &seconds = seconds_[&*named.profile];
      std::vector<predict::Cost> &costs = costs_[&*named.profile];
      seconds.resize(devices_.size());
      costs.resize(devices_.size());
      if (!model.whyNot(*named.profile).empty())
        continue;
      const predict::CostedLaunch launch(*named.profile, model);
      for (size_t i = 0; i < devices_.size(); ++i) {
        costs[i] = launch.cost(devices_[i]);
        seconds[i] = costs[i].seconds;
      }
    }
  }
  /// The time on the device with this index.
  Quantity on(size_t device) const {
    return {fmt::format("{}@{}", kTime, devices_[device].id), "s", true,
            [this, device](const KernelProfile &launch) { return seconds_.at(&launch)[device]; }};
  }

  /// The part of the time on the device that changes most, and by how many seconds.
  std::pair<std::string_view, double> changedPart(size_t device, const views::Launches &before,
                                                  const views::Launches &after) const {
    std::pair<std::string_view, double> largest{"", 0};
    const auto parts = predict::publishedModel().parts();
    for (size_t part = 0; part < parts.size(); ++part) {
      double change = 0;
      for (const KernelProfile *launch : after)
        change += costs_.at(launch)[device].parts[part];
      for (const KernelProfile *launch : before)
        change -= costs_.at(launch)[device].parts[part];
      if (std::abs(change) > std::abs(largest.second))
        largest = {parts[part].name, change};
    }
    return largest;
  }

private:
  std::vector<predict::DeviceProfile> devices_;
  std::unordered_map<const KernelProfile *, std::vector<Value>> seconds_;
  std::unordered_map<const KernelProfile *, std::vector<predict::Cost>> costs_;
};

/// A condition, and the number that it is about: one for each device if it is about the time on all
/// of them.
struct Check {
  Condition condition;
  std::vector<size_t> timesOn; ///< devices
  std::optional<Quantity> quantity;
};

/// The conditions of --fail-on. Adds devices that they name to `devices`; the first `usual` are
/// those of --devices.
std::vector<Check> checksOf(const DiffOptions &options, const predict::DeviceLibrary &library,
                            std::vector<predict::DeviceProfile> &devices) {
  const size_t usual = devices.size();
  std::vector<Check> checks;
  for (const std::string &list : options.failOn)
    for (Condition &condition : views::parseConditions(list, kFailOn)) {
      Check check{std::move(condition), {}, {}};
      const std::string_view key = check.condition.key;
      std::string_view unit = "s";
      if (key == kTime) {
        for (size_t i = 0; i < usual; ++i)
          check.timesOn.push_back(i);
      } else if (key.starts_with("time@")) {
        const predict::DeviceProfile &device = library[key.substr(kTime.size() + 1)];
        const auto known = std::ranges::find(devices, device.id, &predict::DeviceProfile::id);
        check.timesOn.push_back(static_cast<size_t>(known - devices.begin()));
        if (known == devices.end())
          devices.push_back(device);
      } else {
        check.quantity = views::quantityOf(key, kFailOn);
        unit = check.quantity->unit;
      }
      if (!check.condition.unit.empty() && check.condition.unit != unit)
        throw Error(fmt::format("{} \"{}\": is an amount in {}: expected one in {}", kFailOn,
                                text::printable(check.condition.text, 100), check.condition.unit,
                                unit.empty() ? "no unit" : unit));
      checks.push_back(std::move(check));
    }
  return checks;
}

/// What is read of a run: the launches that --kernel selects, which may be none, as a kernel may be
/// in one run only.
struct ReadRun {
  ReadRun(const std::string &argument, const LaunchFilter &filter)
      : profiles(readRuns({argument}, LaunchFilter())), seen(profiles) {
    for (const NamedProfile &named : profiles)
      if (std::vector<std::string> stoodFor = seen.stoodForBy(named);
          std::ranges::find(types, stoodFor) == types.end())
        types.push_back(std::move(stoodFor));
    std::erase_if(profiles,
                  [&](const NamedProfile &named) { return !filter.selects(named.launch); });
  }

  /// The kernels of the launches that represent these types of device, one of `types`.
  std::vector<views::Launches> kernelsFor(const std::vector<std::string> &of) const {
    std::vector<views::Launches> kernels;
    for (const KernelLaunches &launches : seen.apart(launchesByKernel(profiles)))
      if (seen.stoodForBy(*launches.profiles.front()) == of)
        kernels.push_back(launches.read());
    return kernels;
  }
  /// "gpu, cpu and accelerator": of each of `types`.
  std::string typesText() const {
    std::vector<std::string> parts;
    for (const std::vector<std::string> &of : types)
      parts.push_back(of.empty() ? "all types of device"
                                 : fmt::format("{}", fmt::join(of, " and ")));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  bool isOneProfile() const { return profiles.size() == 1 && !profiles.front().fromFolder; }

  std::vector<NamedProfile> profiles;
  SeenTypes seen;
  /// The types of device that launches of the run represent: one row, empty for all, unless the
  /// application saw several types.
  std::vector<std::vector<std::string>> types;
};

/// Compares what an application launched on devices of the same types. Throws Error if one of the
/// runs has a type that the other has not.
void compareByTypes(const ReadRun &before, const ReadRun &after, Diff &diff) {
  const auto sorted = [](std::vector<std::vector<std::string>> types) {
    std::ranges::sort(types);
    return types;
  };
  if (sorted(before.types) != sorted(after.types))
    throw Error(fmt::format("aiwc diff: {} has launches for {}; {} for {}: expected runs in which "
                            "the application saw the same types of device (aiwc run --as)",
                            text::printable(diff.before, 4096), before.typesText(),
                            text::printable(diff.after, 4096), after.typesText()));
  for (const std::vector<std::string> &types : before.types)
    for (KernelComparison &kernel :
         views::compareRuns(before.kernelsFor(types), after.kernelsFor(types))) {
      diff.kernels.push_back(std::move(kernel));
      diff.types.push_back(types);
    }
}

/// A number that is missing must not pass for one that did not change.
void requireValues(const Quantity &quantity, const Condition &condition,
                   const std::vector<NamedProfile> &profiles) {
  for (const NamedProfile &named : profiles) {
    if (!named.profile->complete)
      throw Error(fmt::format("{}: complete is false: expected complete profiles for --fail-on",
                              text::printable(named.file, 4096)));
    if (quantity.addsUp && std::holds_alternative<std::monostate>(quantity.of(*named.profile)))
      throw Error(fmt::format("{}: has no {}: expected one for --fail-on {}",
                              text::printable(named.file, 4096), quantity.key,
                              text::printable(condition.text, 100)));
  }
}

/// Whether what represents these types of device is launched on this one.
bool isLaunchedOn(const std::vector<std::string> &types, const predict::DeviceProfile &device) {
  return types.empty() || std::ranges::find(types, predict::openClType(device.type)) != types.end();
}

TimeChange timeOn(const Times &times, size_t device, const views::Launches &before,
                  const views::Launches &after) {
  const Quantity time = times.on(device);
  const auto [part, seconds] = times.changedPart(device, before, after);
  return {times.devices()[device].id, time.sum(before), time.sum(after), std::string(part),
          seconds};
}

/// What the runs differ in, and, in `violations`, which limits of --fail-on they exceed.
std::string compared(const DiffOptions &options, std::vector<std::string> &violations) {
  const predict::DeviceLibrary library = loadDevices();
  std::vector<predict::DeviceProfile> devices = loadDevices(options.devices);
  const LaunchFilter filter(options.launch, "aiwc diff");
  const ReadRun before(options.before, filter);
  const ReadRun after(options.after, filter);
  if (before.profiles.empty() && after.profiles.empty())
    throw Error(fmt::format("aiwc diff: --kernel {}: no kernel of either run has such a name",
                            text::printable(options.launch.kernel, 100)));
  std::vector<NamedProfile> both = before.profiles;
  both.insert(both.end(), after.profiles.begin(), after.profiles.end());
  leaveOut(devices, options.devices, both);
  const size_t usual = devices.size();
  const std::vector<Check> checks = checksOf(options, library, devices);
  const std::vector<std::string> notes =
      otherTypeNotes(both, {devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(usual)});
  Times times(std::move(devices));
  times.add(before.profiles);
  times.add(after.profiles);

  Diff diff;
  diff.before = options.before;
  diff.after = options.after;
  if (before.isOneProfile() && after.isOneProfile()) {
    diff.kernels = {
        views::compareLaunches(*before.profiles.front().profile, *after.profiles.front().profile)};
    diff.types = {{}};
  } else {
    compareByTypes(before, after, diff);
  }
  diff.times.resize(diff.kernels.size());
  for (size_t device = 0; device < usual; ++device) {
    views::Launches allBefore;
    views::Launches allAfter;
    for (size_t i = 0; i < diff.kernels.size(); ++i) {
      const KernelComparison &kernel = diff.kernels[i];
      TimeChange change = timeOn(times, device, kernel.before, kernel.after);
      change.isLaunchedThere = isLaunchedOn(diff.types[i], times.devices()[device]);
      diff.times[i].push_back(std::move(change));
      if (kernel.before.empty() || kernel.after.empty() || !diff.times[i].back().isLaunchedThere)
        continue; // only what both have is compared
      allBefore.insert(allBefore.end(), kernel.before.begin(), kernel.before.end());
      allAfter.insert(allAfter.end(), kernel.after.begin(), kernel.after.end());
    }
    diff.application.push_back(timeOn(times, device, allBefore, allAfter));
  }

  diff.conditions = checks.size();
  for (const Check &check : checks) {
    const auto apply = [&](const Quantity &quantity, const predict::DeviceProfile *device) {
      requireValues(quantity, check.condition, before.profiles);
      requireValues(quantity, check.condition, after.profiles);
      for (size_t i = 0; i < diff.kernels.size(); ++i)
        if (!device || isLaunchedOn(diff.types[i], *device))
          if (auto change = views::violation(diff.kernels[i], quantity, check.condition))
            diff.violations.push_back({&check.condition, &diff.kernels[i], std::move(*change)});
    };
    if (check.quantity)
      apply(*check.quantity, nullptr);
    for (const size_t device : check.timesOn)
      apply(times.on(device), &times.devices()[device]);
  }
  for (const Violation &violation : diff.violations)
    violations.push_back(inWords(violation));
  if (options.json)
    return asJson(diff);
  const bool isSame = std::ranges::all_of(diff.kernels, &KernelComparison::same);
  return asText(diff, options.all) + (isSame ? "" : inParagraphs(notes, {}));
}

void compareRuns(const DiffOptions &options) {
  std::vector<std::string> violations;
  print(compared(options, violations));
  if (violations.empty())
    return;
  for (const std::string &violation : violations)
    warn("aiwc diff: " + violation);
  throw Unsatisfied(fmt::format(
      "aiwc diff: {} beyond the limits of --fail-on",
      violations.size() == 1 ? "one change is" : fmt::format("{} changes are", violations.size())));
}

} // namespace

std::string differenceOfRuns(const std::string &before, const std::string &after,
                             const std::string &devices) {
  DiffOptions options;
  options.before = before;
  options.after = after;
  options.devices = devices;
  std::vector<std::string> none;
  return compared(options, none);
}

void addDiff(Command app) {
  auto options = std::make_shared<DiffOptions>();
  Command command = app.subcommand(
      "diff",
      "Show what changed between two runs, or two profiles: time, cost, and what is behind it");
  constexpr std::string_view kRun = "The folder of a run, a JSON profile, or an annotated kernel";
  command.option("A", &options->before, fmt::format("{}, to start from", kRun)).required();
  command.option("B", &options->after, fmt::format("{}, to compare with it", kRun)).required();
  command
      .option("--fail-on", &options->failOn,
              "Exit with status 1 if this holds of a kernel: 'dram_bytes>5%', "
              "'time@rtx4090>3%', 'coalescing_32<0.1', 'fp_ops!='; separated by commas, may "
              "be repeated")
      .type("CONDITIONS")
      .repeatable();
  addKernelOption(command, options->launch);
  addDevicesOption(command, options->devices, "Predict times on these devices");
  command.flag("--all", options->all,
               "Print all metrics that changed, also those that sampling explains, and histograms");
  command.flag("--json", options->json, "Print JSON");
  command.examples({{"aiwc diff before after", "two runs, kernel by kernel"},
                    {"aiwc diff before after --fail-on 'dram_bytes>5%'", "a performance test"}});
  command.action([options] { compareRuns(*options); });
}

} // namespace aiwc::cli
