#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "common/file.h"
#include "inputs.h"
#include "kernel.h"
#include "kernel_launch/variants.h"
#include "launcher.h"
#include "predict/costed_launch.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/report.h"
#include "profile/json.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using kernel_launch::Configuration;
using kernel_launch::TuneParameter;

constexpr std::string_view kTuneName = "aiwc tune";

/// What is characterised of each variant, and where it goes, is this command's to say.
constexpr std::array<std::string_view, 8> kNotOfTune = {"--kernel", "--invocations", "--local-size",
                                                        "--append", "--output",      "--quiet",
                                                        "--embed",  "--csv"};

struct TuneCommand {
  kernel_launch::Command launch;
  RunOptions run;
  std::vector<std::string> parameters, restrictions;
  std::string output;
  std::string devices{kUsualDevices};
  std::vector<std::string> deviceFolders;
  unsigned top = 10;
  bool kernelTuner = false, quiet = false;
};

/// A configuration, and what is predicted of it.
struct Variant {
  Configuration configuration;
  std::vector<double> seconds; ///< on each device; empty if it was refused
  std::string refused;         ///< why
  bool isNotBuilt = false;     ///< refused by the compiler
};

class Tuning {
public:
  explicit Tuning(const TuneCommand &command)
      : command_(command), devices_(loadDevices(command.deviceFolders, command.devices)) {
    kernel_launch::requireSource(command.launch.files);
    for (const std::string &text : command.parameters)
      parameters_.push_back(kernel_launch::tuneParameterOf(text));
    for (Configuration &configuration :
         kernel_launch::configurationsOf(parameters_, command.restrictions))
      variants_.push_back({std::move(configuration), {}, {}});
    // What is wrong with the first is wrong with all.
    kernel_launch::parsed(commandFor(command.launch, parameters_, variants_.front().configuration));
    folder_ =
        fs::absolute(command.output.empty()
                         ? "aiwc-tune-" + fs::path(command.launch.files.front()).stem().string()
                         : command.output);
  }

  void run() {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed)
      throw Error(withReason(folder_.string() + " cannot be made", failed.value()));
    size_t said = 0; // tenths
    for (size_t i = 0; i < variants_.size(); ++i) {
      characterise(variants_[i]);
      if (const size_t tenth = 10 * (i + 1) / variants_.size(); tenth != said && !command_.quiet) {
        said = tenth;
        warn(fmt::format("{}: {} of {} variants", kTuneName, i + 1, variants_.size()));
      }
    }
    if (std::ranges::all_of(variants_,
                            [](const Variant &variant) { return variant.seconds.empty(); }))
      throw Error(fmt::format("no variant can be run: {}: {}",
                              nameOf(parameters_, variants_.front().configuration),
                              variants_.front().refused));
  }

  /// The fastest on each device.
  std::string table() const {
    std::string text;
    for (size_t device = 0; device < devices_.size(); ++device) {
      const std::vector<const Variant *> order = ranked(device);
      const size_t shown = std::min<size_t>(order.size(), command_.top);
      std::vector<std::vector<std::string>> rows = {{"variant", "predicted", "of the best"}};
      for (size_t i = 0; i < shown; ++i)
        rows.push_back(
            {blanks(nameOf(parameters_, order[i]->configuration)),
             predict::duration(order[i]->seconds[device]),
             fmt::format("{:.2f}", order[i]->seconds[device] / order[0]->seconds[device])});
      text += fmt::format("{}{}, the fastest {} of {} variants\n{}", device > 0 ? "\n" : "",
                          devices_[device].id, shown, order.size(),
                          indented(text::textTable(rows, {true})));
    }
    if (work_.size() == 1 && ranked(0).size() > 1)
      text += "\nAll variants have the same code and local size: their parameters change nothing "
              "that the simulator sees\n";
    return text + refusals();
  }

  /// The predictions for a device as a cache file of Kernel Tuner, from which its simulation mode
  /// tunes (its schema 1.1.0). Times are in milliseconds.
  std::string kernelTunerCache(size_t device, const std::string &kernel) const {
    using Json = nlohmann::ordered_json;
    Json keys = Json::array(), values = Json::object(), cache = Json::object();
    for (const TuneParameter &parameter : parameters_) {
      keys.push_back(parameter.name);
      Json &list = values[parameter.name] = Json::array();
      for (const std::string &value : parameter.values)
        list.push_back(asJson(value));
    }
    constexpr double kMillis = 1e3;
    for (const Variant &variant : variants_) {
      Json entry;
      for (size_t i = 0; i < parameters_.size(); ++i)
        entry[parameters_[i].name] = asJson(variant.configuration[i]);
      if (variant.seconds.empty()) {
        entry["time"] = variant.isNotBuilt ? "CompilationFailedConfig" : "RuntimeFailedConfig";
      } else {
        entry["time"] = variant.seconds[device] * kMillis;
        entry["times"] = {variant.seconds[device] * kMillis};
      }
      for (const char *key : {"compile_time", "verification_time", "benchmark_time",
                              "strategy_time", "framework_time"})
        entry[key] = 0;
      entry["timestamp"] = run::timestamp();
      cache[fmt::format("{}", fmt::join(variant.configuration, ","))] = std::move(entry);
    }
    return Json{{"schema_version", "1.1.0"}, {"device_name", devices_[device].id},
                {"kernel_name", kernel},     {"problem_size", problemSize()},
                {"tune_params_keys", keys},  {"tune_params", values},
                {"objective", "time"},       {"cache", cache}}
               .dump(1, ' ', false, Json::error_handler_t::replace) +
           "\n";
  }

  /// Writes a cache for each device. Returns a line for each.
  std::string writeCaches() const {
    std::string lines;
    for (size_t device = 0; device < devices_.size(); ++device) {
      const fs::path file = folder_ / fmt::format("kernel_tuner_{}.json", devices_[device].id);
      replaceFile(file, kernelTunerCache(device, kernel_));
      lines += file.string() + "\n";
    }
    return lines;
  }

private:
  static nlohmann::ordered_json asJson(const std::string &value) {
    int64_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (read.ec == std::errc() && read.ptr == value.data() + value.size())
      return number;
    return value;
  }
  /// The global size, if all variants have one and the same, as numbers, since Kernel Tuner
  /// compares it with its own; else its text.
  nlohmann::ordered_json problemSize() const {
    std::vector<kernel_launch::Sizes> sizes;
    for (const Variant &variant : variants_)
      if (!variant.seconds.empty())
        for (const kernel_launch::Sizes &size :
             kernel_launch::parsed(commandFor(command_.launch, parameters_, variant.configuration))
                 .sizes)
          sizes.push_back(size);
    const kernel_launch::Sizes &first = sizes.front();
    if (command_.launch.global.size() > 1 ||
        std::ranges::any_of(sizes, [&](const auto &size) { return size.global != first.global; }))
      return fmt::format("{}", fmt::join(command_.launch.global, " "));
    return std::vector<uint64_t>(first.global.begin(), first.global.begin() + first.dimensions);
  }
  static std::string blanks(std::string name) {
    std::ranges::replace(name, ',', ' ');
    return name;
  }
  static std::string indented(const std::string &table) {
    std::string text;
    for (const std::string &line : text::split(table, '\n'))
      if (!line.empty())
        text += "  " + line + "\n";
    return text;
  }

  /// The variants that can run, the fastest first.
  std::vector<const Variant *> ranked(size_t device) const {
    std::vector<const Variant *> order;
    for (const Variant &variant : variants_)
      if (!variant.seconds.empty())
        order.push_back(&variant);
    std::ranges::stable_sort(order, {}, [&](const Variant *v) { return v->seconds[device]; });
    return order;
  }

  std::string refusals() const {
    const auto refused =
        std::ranges::count_if(variants_, [](const Variant &v) { return v.seconds.empty(); });
    if (refused == 0)
      return "";
    const auto first =
        std::ranges::find_if(variants_, [](const Variant &v) { return v.seconds.empty(); });
    return fmt::format("\nleft out: {} variant{} that cannot be run; {}: {}\n", refused,
                       refused == 1 ? "" : "s", blanks(nameOf(parameters_, first->configuration)),
                       first->refused);
  }

  void characterise(Variant &variant) {
    const fs::path folder = folder_ / nameOf(parameters_, variant.configuration);
    const fs::path said = folder.string() + ".txt";
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    std::vector<std::string> options = launcher::wordsOf(command_.run.given());
    if (std::ranges::find(options, "--aiwc-accuracy") == options.end())
      options.insert(options.end(), {"--aiwc-accuracy", "fast"});
    // Nobody reads the results.
    options.insert(options.end(), {"--aiwc-budget", "0", "--aiwc-quiet", "--aiwc-output", folder});
    const int status =
        runAndWait(kTuneName,
                   kernelWords(kTuneName, std::move(options),
                               commandFor(command_.launch, parameters_, variant.configuration)),
                   fs::current_path(), said);
    if (status == 0)
      predictFor(variant, folder);
    else
      refuse(variant, said, status);
  }

  void predictFor(Variant &variant, const fs::path &folder) {
    const predict::FittedCostModel &model = predict::publishedModel();
    variant.seconds.assign(devices_.size(), 0);
    for (const NamedProfile &named : readProfiles({folder.string()})) {
      const profile::KernelProfile &profile = *named.profile;
      kernel_ = profile.provenance.kernel;
      work_.insert(
          fmt::format("{} {}", profile.provenance.codeHash,
                      profile::sizeText(profile.provenance.localSize, profile.provenance.workDim)));
      const predict::CostedLaunch launch(profile, model);
      for (size_t i = 0; i < devices_.size(); ++i)
        variant.seconds[i] += launch.cost(devices_[i]).seconds;
    }
  }

  static void refuse(Variant &variant, const fs::path &said, int status) {
    constexpr std::string_view kPrefix = "aiwc kernel: ";
    variant.refused = fmt::format("it ended with status {}, see {}", status, said.string());
    for (const std::string &line : text::split(readFileIfAny(said).value_or(""), '\n'))
      if (line.starts_with(kPrefix)) {
        variant.refused = line.substr(kPrefix.size());
        break;
      }
    variant.isNotBuilt = variant.refused.find(": cannot be built") != std::string::npos;
  }

  const TuneCommand &command_;
  std::vector<predict::DeviceProfile> devices_;
  std::vector<TuneParameter> parameters_;
  std::vector<Variant> variants_;
  fs::path folder_;
  std::string kernel_;
  std::set<std::string> work_; ///< of the variants: the kernel's code and the local size
};

std::string tuned(const TuneCommand &command) {
  try {
    Tuning tuning(command);
    tuning.run();
    return tuning.table() + (command.kernelTuner ? "\n" + tuning.writeCaches() : "");
  } catch (const Error &error) {
    const std::string message = error.what();
    throw Error(message.starts_with(kTuneName) ? message
                                               : fmt::format("{}: {}", kTuneName, message));
  }
}

} // namespace

void addTune(Command app) {
  auto given = std::make_shared<TuneCommand>();
  Command command =
      app.subcommand("tune", "Rank variants of a kernel by their predicted times on devices");
  command.option("FILE", &given->launch.files, "The program: .cl or .cu").type("FILE").required();
  command
      .option("--parameter", &given->parameters,
              "A macro and its values; variants are all combinations, built with -D NAME=VALUE")
      .type("NAME=VALUE,...")
      .required()
      .repeatable();
  command
      .option("--restriction", &given->restrictions,
              "Only variants for which this comparison holds, such as 'TILE % STEP == 0'")
      .type("TEXT")
      .repeatable();
  addLaunchOptions(command, given->launch);
  addDeviceOptions(command, given->devices, given->deviceFolders, "Rank for these devices");
  command.option("--top", &given->top, "Show this many variants").showDefault().type("N");
  command.flag(
      "--kernel-tuner", given->kernelTuner,
      "Also write the predictions as cache files of Kernel Tuner, for its simulation mode");
  command
      .option("--output", &given->output,
              "Keep the runs of the variants in this folder; default: aiwc-tune-<program>")
      .type("DIR");
  command.flag("--quiet", given->quiet, "Show no progress");
  addRunOptions(command, given->run, kNotOfTune);
  command.examples(
      {{"aiwc tune matmul.cl --parameter TILE=4,8,16 --global 1024,1024 --local TILE,TILE --arg "
        "n=gx "
        "--arg auto",
        ""},
       {"aiwc tune blur.cl --parameter X=8,16,32 --parameter Y=1,2,4,8 --restriction 'X*Y <= 64' "
        "--global 1024,1024 --local X,Y --arg auto",
        ""}},
      "Names of parameters stand for their values in restrictions, sizes and arguments; sizes may "
      "be\n"
      "expressions, separated by commas.\n");
  command.details(
      "Each variant is characterised in the simulator, as by `aiwc kernel`; of long launches only "
      "a "
      "sample of the work-groups runs. What the predictions are worth, "
      "`aiwc model evaluate` says. Variants that do not build or cannot be launched are left out.");
  command.action([given] { print(tuned(*given)); });
}

} // namespace aiwc::cli
