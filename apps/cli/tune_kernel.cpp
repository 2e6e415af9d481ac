#include "advice/findings.h"
#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "inputs.h"
#include "invocations.h"
#include "kernel_launch/variants.h"
#include "kernel_launches.h"
#include "launcher.h"
#include "predict/cost_model.h"
#include "predict/costed_launch.h"
#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/fitted/variant_odds.h"
#include "predict/prediction.h"
#include "predict/report.h"
#include "profile/json.h"
#include "rerun.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::cli {

namespace {

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

using Json = nlohmann::ordered_json;
using Outcome = TunedVariant::Outcome;

/// So many names stand in a sentence.
constexpr size_t kNamed = 5;
constexpr size_t kReasonBytes = 1000;

/// A name of several words, "v1.cl A=1,B=2", for people.
std::string forPeople(std::string name) {
  std::ranges::replace(name, ',', ' ');
  return text::printable(name, 100);
}

std::string indentedRows(const std::string &table) {
  std::string text;
  for (const std::string &line : text::split(table, '\n'))
    if (!line.empty())
      text += "  " + line + "\n";
  return text;
}

/// The finding that is expected to save most of the variant's time on the device; nullptr if none
/// saves enough to be worth one.
const advice::Finding *costliestOn(const TunedVariant &variant, size_t device) {
  const advice::Finding *most = nullptr;
  double gain = advice::kLeastGain;
  for (const advice::Finding &finding : variant.findings)
    if (!finding.gains.empty() && finding.gains[device].expected() >= gain) {
      most = &finding;
      gain = finding.gains[device].expected();
    }
  return most;
}

std::string inWords(const advice::Finding *finding) {
  if (!finding)
    return "";
  const uint64_t line = finding->line();
  return finding->title + (line > 0 ? fmt::format(", line {}", line) : "");
}

/// Whether the model cannot tell which of it and the first is faster.
bool isTie(const TunedVariant &variant, size_t device) {
  return variant.odds[device].fasterThanFirst >= predict::kTieProbability;
}

std::vector<const TunedVariant *> withOutcome(const TunedKernel &kernel, Outcome outcome) {
  std::vector<const TunedVariant *> found;
  for (const TunedVariant &variant : kernel.variants)
    if (variant.outcome == outcome)
      found.push_back(&variant);
  return found;
}

/// The variants that are ranked, the fastest on the device first.
std::vector<const TunedVariant *> rankedOn(const TunedKernel &kernel, size_t device) {
  std::vector<const TunedVariant *> order = withOutcome(kernel, Outcome::kRanked);
  std::ranges::stable_sort(
      order, {}, [&](const TunedVariant *variant) { return variant->costs[device].seconds; });
  return order;
}

std::string tableOn(const TunedKernel &kernel, size_t device, size_t top) {
  const std::vector<const TunedVariant *> order = rankedOn(kernel, device);
  const size_t shown = std::min(order.size(), top);
  std::vector<std::vector<std::string>> rows = {
      {"variant", "predicted", "of the best", "within 10 %", "costs most"}};
  std::vector<std::string> ties;
  for (size_t i = 0; i < order.size(); ++i) {
    const TunedVariant &variant = *order[i];
    if (i > 0 && isTie(variant, device))
      ties.push_back(forPeople(variant.name));
    if (i >= shown)
      continue;
    const double seconds = variant.costs[device].seconds;
    rows.push_back({forPeople(variant.name), predict::duration(seconds),
                    fmt::format("{:.2f}", seconds / order[0]->costs[device].seconds),
                    fmt::format("{:.0f} %", 100 * variant.odds[device].nearBest),
                    inWords(costliestOn(variant, device))});
  }
  std::string text = fmt::format("{}, the fastest {} of {} variants\n{}", kernel.devices[device].id,
                                 shown, order.size(), indentedRows(text::textTable(rows, {true})));
  if (!ties.empty())
    text += text::wrapped(
        fmt::format("Cannot be told apart from the first: {}.", text::someOf(ties, kNamed)), 2,
        100);
  return text;
}

Json asJson(const advice::Finding *finding, size_t device) {
  if (!finding)
    return nullptr;
  const uint64_t line = finding->line();
  const advice::Gain &gain = finding->gains[device];
  return {{"rule", advice::info(finding->rule).key},
          {"title", finding->title},
          {"line", line > 0 ? Json(line) : Json(nullptr)},
          {"problem", finding->problem},
          {"remedy", finding->remedy},
          {"gain", gain.expected()}};
}

Json reasons(const std::vector<const TunedVariant *> &variants) {
  Json list = Json::array();
  for (const TunedVariant *variant : variants)
    list.push_back({{"variant", variant->name}, {"reason", variant->reason}});
  return list;
}

/// A table of the `top` fastest for each device, and why others are not ranked.
std::string asText(const TunedKernel &kernel, size_t top) {
  std::string text;
  for (size_t device = 0; device < kernel.devices.size(); ++device)
    text += (device > 0 ? "\n" : "") + tableOn(kernel, device, top);
  if (rankedOn(kernel, 0).size() > 1) {
    if (kernel.areAlike)
      text += "\nAll variants have the same code and sizes: the simulator sees no "
              "difference between them\n";
    text += "\nwithin 10 %: the probability of taking at most 10 % longer than the fastest of "
            "them\n";
  }
  const auto wrong = withOutcome(kernel, Outcome::kWrong);
  for (size_t i = 0; i < std::min(wrong.size(), kNamed); ++i)
    text += fmt::format("{}wrong: {}: {}\n", i == 0 ? "\n" : "", forPeople(wrong[i]->name),
                        text::printable(wrong[i]->reason, kReasonBytes));
  if (wrong.size() > kNamed)
    text += fmt::format("and {} more with other results\n", wrong.size() - kNamed);
  if (const auto left = withOutcome(kernel, Outcome::kNotRun); !left.empty())
    text += fmt::format("\nleft out: {} variant{} that cannot be run; {}: {}\n", left.size(),
                        left.size() == 1 ? "" : "s", forPeople(left.front()->name),
                        text::printable(left.front()->reason, kReasonBytes));
  return text;
}

/// All of it; docs/start.md has the keys.
std::string asJson(const TunedKernel &kernel) {
  Json devices = Json::array();
  for (size_t device = 0; device < kernel.devices.size(); ++device) {
    const std::vector<const TunedVariant *> order = rankedOn(kernel, device);
    Json ranking = Json::array();
    for (const TunedVariant *variant : order) {
      const predict::VariantOdds &odds = variant->odds[device];
      const double seconds = variant->costs[device].seconds;
      ranking.push_back({{"variant", variant->name},
                         {"seconds", seconds},
                         {"of_best", seconds / order[0]->costs[device].seconds},
                         {"within_10_percent", odds.nearBest},
                         {"faster_than_first", odds.fasterThanFirst},
                         {"tie", isTie(*variant, device)},
                         {"finding", asJson(costliestOn(*variant, device), device)}});
    }
    devices.push_back({{"device", kernel.devices[device].id}, {"ranking", std::move(ranking)}});
  }
  return Json{{"results_of", kernel.reference.empty() ? Json(nullptr) : Json(kernel.reference)},
              {"devices", std::move(devices)},
              {"wrong", reasons(withOutcome(kernel, Outcome::kWrong))},
              {"left_out", reasons(withOutcome(kernel, Outcome::kNotRun))}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

namespace fs = std::filesystem;
using kernel_launch::TuneParameter;

constexpr std::string_view kTuneName = "aiwc tune";

/// What is characterised of each variant, and where it goes, is this command's to say.
constexpr std::array<std::string_view, 3> kOfTune = {"--accuracy", "--as", "--targets"};

struct TuneCommand {
  kernel_launch::Command launch; ///< its files are variants
  RunOptions run;
  std::vector<std::string> variants, parameters, restrictions;
  std::string output;
  std::string devices{kUsualDevices};
  unsigned top = 10;
  bool check = false, json = false;
};

using Outcome = TunedVariant::Outcome;

/// How a variant is launched.
struct VariantLaunch {
  kernel_launch::Command command;
  std::string folder; ///< of its run
};

/// Why the launches are not of the same input, of a variant that is the same kernel; empty if they
/// are.
std::string otherInput(const run::Launch &launch, const run::Launch &reference,
                       const std::string &referenceName) {
  using Kind = run::Argument::Kind;
  const auto isMemory = [](const run::Argument &argument) {
    return argument.kind == Kind::kBuffer || argument.kind == Kind::kImage;
  };
  const auto &expected = reference.arguments;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const run::Argument &argument = launch.arguments[i];
    const auto same = std::ranges::find(expected, argument.name, &run::Argument::name);
    if (argument.name.empty() || same == expected.end())
      continue;
    const auto place = static_cast<size_t>(same - expected.begin());
    const std::string name = text::printable(argument.name, 60);
    if ((isMemory(argument) || isMemory(*same)) && place != i)
      return fmt::format(
          "{} is its argument {}, and argument {} of {}: expected memory at the same "
          "places, to give both the same input",
          name, i, place, referenceName);
    if (argument.assumed && argument.kind == Kind::kValue && argument.value != same->value)
      return fmt::format("{} is assumed to be {}, and {} for {}: expected --arg {}=VALUE", name,
                         argument.value, same->value, referenceName, name);
  }
  return "";
}

class Tuning {
public:
  explicit Tuning(const TuneCommand &command) : command_(command) {
    kernel_.devices = loadDevices(command.devices);
    for (const std::string &text : command.parameters)
      parameters_.push_back(kernel_launch::tuneParameterOf(text));
    addVariants();
    checks_ = command.check || !isOfOneFile();
    folder_ = fs::absolute(command.output.empty() ? "aiwc-tune-" + stemOf(launches_.front().command)
                                                  : command.output);
  }

  void run() {
    makeFolder(kTuneName, folder_);
    size_t said = 0; // tenths
    for (size_t i = 0; i < launches_.size(); ++i) {
      characterise(launches_[i], kernel_.variants[i]);
      if (const size_t tenth = 10 * (i + 1) / launches_.size();
          tenth != said && isatty(STDERR_FILENO)) {
        said = tenth;
        warn(fmt::format("{}: {} of {} variants", kTuneName, i + 1, launches_.size()));
      }
    }
    std::error_code ignored;
    fs::remove_all(folder_ / kResults, ignored); // buffers may be large
    if (std::ranges::none_of(kernel_.variants, [](const TunedVariant &variant) {
          return variant.outcome == Outcome::kRanked;
        }))
      throw Error(fmt::format("no variant can be run: {}: {}", kernel_.variants.front().name,
                              kernel_.variants.front().reason));
    predictAll();
    kernel_.areAlike = work_.size() == 1;
    addOdds();
  }

  const TunedKernel &kernel() const { return kernel_; }

private:
  static constexpr std::string_view kResults = "results";

  bool isOfOneFile() const { return command_.launch.files.size() + command_.variants.size() == 1; }
  static std::string stemOf(const kernel_launch::Command &command) {
    return fs::path(command.files.front()).stem().string();
  }

  /// All files, with all combinations of macros.
  void addVariants() {
    std::vector<std::pair<std::string, kernel_launch::Command>> programs; // by name
    for (const std::string &file : command_.launch.files) {
      programs.emplace_back(file, command_.launch);
      programs.back().second.files = {file};
    }
    for (const std::string &text : command_.variants)
      programs.emplace_back(text, kernel_launch::variantOf(command_.launch, text));
    if (programs.empty())
      throw Error("no program: expected files .cl or .cu, or --variant");
    if (programs.size() == 1 && parameters_.empty())
      throw Error(fmt::format("{} is the only variant: expected several files, --variant or "
                              "--parameter",
                              text::printable(programs.front().first)));
    std::vector<kernel_launch::Configuration> configurations =
        kernel_launch::configurationsOf(parameters_, command_.restrictions);
    for (size_t i = 0; i < programs.size(); ++i) {
      const auto &[name, command] = programs[i];
      if (!parameters_.empty())
        kernel_launch::requireSource(command.files);
      else if (kernel_launch::fileKindOf(command.files.front()) ==
               kernel_launch::FileKind::kCapture)
        throw Error(fmt::format("{}: is a folder: expected a program",
                                text::printable(command.files.front(), 4096)));
      for (const kernel_launch::Configuration &configuration : configurations) {
        const std::string macros = nameOf(parameters_, configuration);
        const bool isNamed = programs.size() > 1;
        std::string whole = isNamed ? name : macros;
        if (isNamed && !macros.empty())
          whole += " " + macros;
        if (std::ranges::find(kernel_.variants, whole, &TunedVariant::name) !=
            kernel_.variants.end())
          throw Error(
              fmt::format("{} is given twice: expected each variant once", text::printable(whole)));
        const std::string separator = macros.empty() ? "" : "-";
        launches_.push_back(
            {commandFor(command, parameters_, configuration),
             isNamed ? fmt::format("{}-{}{}{}", i + 1, stemOf(command), separator, macros)
                     : macros});
        kernel_.variants.emplace_back();
        kernel_.variants.back().name = std::move(whole);
      }
      // What is wrong with the first is wrong with all.
      kernel_launch::parsed(commandFor(command, parameters_, configurations.front()));
    }
  }

  void characterise(const VariantLaunch &launch, TunedVariant &variant) {
    const fs::path folder = folder_ / launch.folder;
    const fs::path said = folder.string() + ".txt";
    const fs::path results = folder_ / kResults;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    std::vector<std::string> options = launcher::wordsOf(command_.run.given());
    if (std::ranges::find(options, "--aiwc-accuracy") == options.end())
      options.insert(options.end(), {"--aiwc-accuracy", "fast"});
    options.insert(options.end(), {"--aiwc-quiet", "--aiwc-output", folder});
    kernel_launch::Command command = launch.command;
    if (!checks_) { // nobody reads the results
      options.insert(options.end(), {"--aiwc-budget", "0"});
    } else if (kernel_.reference.empty()) {
      fs::remove_all(results, ignored); // of one that failed
      makeFolder(kTuneName, results);
      command.writtenResults = results;
    } else {
      command.expectedResults = results;
      takeBuffers(command);
    }
    const int status = runAndWait(kTuneName, kernelWords(kTuneName, std::move(options), command),
                                  fs::current_path(), said);
    requireSameInput(folder, variant);
    if (variant.outcome != Outcome::kRanked)
      return;
    if (status != 0) {
      refuse(variant, said, status);
      return;
    }
    if (checks_ && kernel_.reference.empty()) {
      kernel_.reference = variant.name;
      referenceLaunches_ = run::readRun(folder / "run.json").launches;
    }
  }

  /// CUDA has no types of pointers, so that nothing can be assumed of them: they are given what was
  /// assumed for the reference, unless the user says what.
  void takeBuffers(kernel_launch::Command &command) const {
    if (referenceLaunches_.empty() ||
        kernel_launch::fileKindOf(command.files.front()) != kernel_launch::FileKind::kCuda)
      return;
    for (const run::Argument &argument : referenceLaunches_.front().arguments) {
      const std::string type = argument.type.substr(0, argument.type.find('*'));
      const auto values = kernel_launch::valueTypeOf(type);
      const bool isGiven = std::ranges::any_of(command.arguments, [&](const std::string &text) {
        return text.starts_with(argument.name + "=");
      });
      if (argument.kind == run::Argument::Kind::kBuffer && argument.assumed && values && !isGiven)
        command.arguments.push_back(fmt::format("{}=buffer:{}:{}:{}", argument.name, values->name(),
                                                argument.bytes / values->valueBytes(),
                                                argument.contents));
    }
  }

  /// Refuses a variant whose results cannot be compared.
  void requireSameInput(const fs::path &folder, TunedVariant &variant) const {
    if (referenceLaunches_.empty())
      return;
    const std::optional<run::Run> run = endedRun(folder);
    for (size_t i = 0; run && i < std::min(run->launches.size(), referenceLaunches_.size()); ++i)
      if (std::string reason =
              otherInput(run->launches[i], referenceLaunches_[i], kernel_.reference);
          !reason.empty()) {
        variant.outcome = Outcome::kNotRun;
        variant.reason = std::move(reason);
        return;
      }
  }

  void predictAll() {
    std::vector<std::vector<NamedProfile>> profiles(launches_.size());
    std::vector<NamedProfile> all;
    for (size_t i = 0; i < launches_.size(); ++i)
      if (kernel_.variants[i].outcome == Outcome::kRanked) {
        profiles[i] = readProfiles({(folder_ / launches_[i].folder).string()});
        all.insert(all.end(), profiles[i].begin(), profiles[i].end());
      }
    leaveOut(kernel_.devices, command_.devices, all);
    for (size_t i = 0; i < launches_.size(); ++i)
      if (!profiles[i].empty())
        predictFor(kernel_.variants[i], profiles[i]);
  }

  void predictFor(TunedVariant &variant, const std::vector<NamedProfile> &profiles) {
    const predict::FittedCostModel &model = predict::publishedModel();
    variant.costs.resize(kernel_.devices.size());
    std::string work;
    for (const NamedProfile &named : profiles) {
      const profile::KernelProfile &profile = *named.profile;
      const uint32_t dimensions = profile.provenance.workDim;
      work += fmt::format("{} {} {} ", profile.provenance.codeHash,
                          profile::sizeText(profile.provenance.globalSize, dimensions),
                          profile::sizeText(profile.provenance.localSize, dimensions));
      const predict::CostedLaunch launch(profile, model);
      for (size_t i = 0; i < kernel_.devices.size(); ++i) {
        const predict::Cost cost = launch.cost(kernel_.devices[i]);
        for (size_t part = 0; part < cost.parts.size(); ++part)
          variant.costs[i].parts[part] += cost.parts[part];
      }
    }
    work_.insert(std::move(work));
    for (predict::Cost &cost : variant.costs)
      cost.sumParts(model.parts());
    const std::vector<KernelLaunches> kernels = launchesByKernel(profiles); // one
    variant.findings = advice::findingsOf(kernels.front().kinds(), kernel_.devices, model);
  }

  void addOdds() {
    for (size_t device = 0; device < kernel_.devices.size(); ++device) {
      std::vector<predict::Cost> costs;
      for (const TunedVariant &variant : kernel_.variants)
        if (variant.outcome == Outcome::kRanked)
          costs.push_back(variant.costs[device]);
      const auto odds =
          predict::variantOddsOf(predict::publishedModel(), kernel_.devices[device], costs);
      auto next = odds.begin();
      for (TunedVariant &variant : kernel_.variants)
        if (variant.outcome == Outcome::kRanked)
          variant.odds.push_back(*next++);
    }
  }

  void refuse(TunedVariant &variant, const fs::path &said, int status) const {
    variant.outcome = Outcome::kNotRun;
    variant.reason = kernelError(said).value_or(
        fmt::format("it ended with status {}, see {}", status, said.string()));
    if (status == 1 && variant.reason.starts_with("argument ")) {
      variant.outcome = Outcome::kWrong;
      variant.reason =
          fmt::format("its results are not those of {}: {}", kernel_.reference, variant.reason);
    }
  }

  const TuneCommand &command_;
  std::vector<TuneParameter> parameters_;
  std::vector<VariantLaunch> launches_; ///< of the kernel's variants
  TunedKernel kernel_;
  bool checks_ = false; ///< whether results are compared
  std::vector<run::Launch> referenceLaunches_;
  fs::path folder_;
  std::set<std::string> work_; ///< of the variants: the kernel's code and sizes
};

std::string tuned(const TuneCommand &command) {
  try {
    Tuning tuning(command);
    tuning.run();
    return command.json ? asJson(tuning.kernel()) : asText(tuning.kernel(), command.top);
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
  command
      .option("FILE", &given->launch.files,
              "The program, .cl or .cu; several are variants of one kernel")
      .type("FILE");
  command
      .option("--variant", &given->variants,
              "A variant with options of its own for its launch, such as 'tiled.cl --global "
              "256x1024'")
      .type("'FILE OPTION...'")
      .repeatable();
  command
      .option("--parameter", &given->parameters,
              "A macro and its values; variants are all combinations, built with -D NAME=VALUE")
      .type("NAME=VALUE,...")
      .repeatable();
  command
      .option("--restriction", &given->restrictions,
              "Only variants for which this comparison holds, such as 'TILE % STEP == 0'")
      .type("TEXT")
      .repeatable();
  addLaunchOptions(command, given->launch);
  addDevicesOption(command, given->devices, "Rank for these devices");
  command.option("--top", &given->top, "Show this many variants").showDefault().type("N");
  command.flag("--check", given->check,
               "Compare the results of combinations of macros, too; those of several files always "
               "are");
  command.flag("--json", given->json, "Print JSON");
  command
      .option("--output", &given->output,
              "Keep the runs of the variants in this folder; default: aiwc-tune-<program>")
      .type("DIR");
  addRunOptions(command, given->run, kOfTune);
  command.examples(
      {{"aiwc tune matmul.cl --parameter TILE=4,8,16 --global 1024,1024 --local TILE,TILE --arg "
        "n=gx "
        "--arg auto",
        ""},
       {"aiwc tune blur.cl --parameter X=8,16,32 --parameter Y=1,2,4,8 --restriction 'X*Y <= 64' "
        "--global 1024,1024 --local X,Y --arg auto",
        ""},
       {"aiwc tune matmul.cl matmul.cu --variant 'rows.cl --global 64x16' --global 64x64 --local "
        "8x8 --arg auto",
        "three variants, whose results must be those of matmul.cl"}},
      "Names of parameters stand for their values in restrictions, sizes and arguments; sizes may "
      "be\n"
      "expressions, separated by commas.\n");
  command.details(
      "Each variant is characterised in the simulator, as by `aiwc kernel`. Several files are "
      "variants of one kernel: their launches run as a whole on the same input, and a variant "
      "whose results are not those of the first is not ranked, but called wrong, with the element "
      "that differs. Floating-point numbers may differ by roundings. Of combinations of macros "
      "alone, results are compared with --check only; otherwise only a sample of the work-groups "
      "of long launches runs. Variants that do not build or cannot be launched are left out.\n\n"
      "\"within 10 %\" is the probability that a variant takes at most 10 % longer than the "
      "fastest of them. What the predictions are worth, `aiwc-model evaluate` says.");
  command.action([given] { print(tuned(*given)); });
}

} // namespace aiwc::cli
