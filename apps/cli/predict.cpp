#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "embedded.h"
#include "inputs.h"
#include "invocations.h"
#include "kernel_launches.h"
#include "measured_times.h"
#include "models.h"
#include "predict/prediction.h"
#include "predict/report.h"
#include "predict/what_if.h"
#include "terminal.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace aiwc::cli {

namespace {

/// Of all devices, a table shows so many.
constexpr size_t kShownOfAll = 10;

struct PredictOptions {
  std::vector<std::string> files;
  LaunchOptions launch;
  std::string devices{"all"};
  bool hasDevices = false; // otherwise the tables show the fastest of all
  double transfers = 0;
  std::string time;
  MeasuredSources measured;
  std::string whatIf;
  bool hasWhatIf = false; // an empty one is refused, not taken for none
  ModelOptions model;
  predict::TableOptions table;
  bool json = false;
  bool csv = false;
};

/// The unmodified devices, each followed by its modified variant.
std::vector<predict::Candidate> candidatesOf(const PredictOptions &options,
                                             const predict::DeviceLibrary &library) {
  std::vector<predict::Change> changes;
  if (options.hasWhatIf)
    changes = predict::parseChanges(options.whatIf, "aiwc predict: --what-if");
  // A device that the user named is not left out silently: if it cannot be predicted, that is an
  // error.
  const bool mayBeOut = predict::namesGroup(options.devices);
  std::vector<predict::Candidate> candidates;
  for (const predict::DeviceProfile *device : library.select(options.devices)) {
    candidates.push_back({*device, "", mayBeOut || !changes.empty()});
    if (!changes.empty())
      candidates.push_back({predict::changed(*device, changes), options.whatIf, mayBeOut});
  }
  return candidates;
}

/// None if the user leaves it open.
std::optional<predict::Clock> clockOf(const PredictOptions &options) {
  const auto *const clock = std::ranges::find(
      predict::kClocks, options.time, [](predict::Clock one) { return predict::toString(one); });
  return clock == predict::kClocks.end() ? std::nullopt : std::optional(*clock);
}

/// The launches of some arguments, and what to say of those that are not among them.
struct Launches {
  std::vector<NamedProfile> profiles; ///< the invocations refer to them and to the model
  std::unique_ptr<predict::CostModel> model;
  std::vector<predict::Invocation> invocations;
  std::vector<predict::DeviceProfile> measuredOn;
  bool whole = false;
  std::vector<std::string> notes;

  Launches(const PredictOptions &options, const std::vector<std::string> &files,
           const predict::DeviceLibrary &library) {
    const std::optional<predict::Clock> wanted = clockOf(options);
    Extent extent;
    profiles = readRuns(files, LaunchFilter(options.launch, "aiwc predict"), &extent);
    const std::string leftOut = leaveIncompleteOut(profiles, "aiwc predict");
    const MeasuredTimes measured(profiles, library, options.measured);
    const predict::Clock clock = wanted.value_or(measured.clock().value_or(predict::kUsualClock));
    model = chosenModel(options.model, clock);
    invocations = invocationsOf(profiles, *model);
    measured.addTo(invocations, profiles, clock);
    measuredOn = devicesOf(invocations, library);
    whole = extent.whole && leftOut.empty();
    notes = extent.notes;
    if (extent.unselected > 0)
      notes.push_back(fmt::format("left out: {} launch{}, which the options do not select",
                                  text::formatReadable(extent.unselected),
                                  extent.unselected == 1 ? "" : "es"));
    if (options.transfers > 0 && std::ranges::all_of(invocations, [](const auto &invocation) {
          return invocation.launch.traffic.isNone();
        }))
      notes.emplace_back(kNoTransfers);
    if (measured.clock() || (options.model.model != "automatch" && options.model.model != "idiom"))
      notes.push_back(noteOnClock(clock, !wanted && measured.clock()));
    for (std::string &note : measured.notesOnOthers(clock))
      notes.push_back(std::move(note));
    if (!leftOut.empty())
      warn(leftOut);
  }

  void tell(predict::Prediction &prediction) const {
    prediction.whole = whole;
    prediction.notes = notes;
  }
  predict::Prediction predicted(const std::vector<predict::Candidate> &candidates,
                                double transfers) const {
    auto prediction = predict::predict(invocations, candidates, transfers, measuredOn);
    tell(prediction);
    return prediction;
  }
};

std::string predicted(const PredictOptions &options) {
  if (!(options.transfers >= 0 && options.transfers <= 1))
    throw Error(
        fmt::format("aiwc predict: --transfers is {:g}: expected 0 to 1", options.transfers));
  const predict::DeviceLibrary library = loadDevices();
  const auto candidates = candidatesOf(options, library);
  predict::TableOptions table = options.table;
  if (!options.hasDevices && table.top == SIZE_MAX)
    table.top = kShownOfAll;
  table.terminal = standardOutput();
  const bool isText = !options.json && !options.csv;
  if (isText && areAlternatives(options.files)) {
    std::vector<predict::Prediction> alternatives;
    for (const std::string &file : options.files)
      alternatives.push_back(
          Launches(options, {file}, library).predicted(candidates, options.transfers));
    return predict::alternativesTable(namesOfFolders(options.files), alternatives, table);
  }
  const Launches launches(options, options.files, library);
  const auto prediction = launches.predicted(candidates, options.transfers);
  return options.json  ? predict::toJson(prediction)
         : options.csv ? predict::toCsv(prediction)
                       : predict::toTable(prediction, table);
}

} // namespace

void addPredict(Command app) {
  auto options = std::make_shared<PredictOptions>();
  Command command =
      app.subcommand("predict", "Predict the time of kernels on devices, and rank the devices");
  addRuns(command, options->files).required();
  addLaunchOptions(command, options->launch);
  Option devices =
      addDevicesOption(command, options->devices, "Predict the times on these devices");
  command
      .option("--transfers", &options->transfers,
              "Share of the host transfers' time to add: 0 (all hidden) to 1 (all exposed)")
      .type("RATIO")
      .showDefault();
  command
      .option("--time", &options->time,
              "kernel: from a kernel's start to its end; pipelined: of launches queued one after "
              "another; queued: from queueing it, with none before it; default: as measured times "
              "beside the profiles, or pipelined")
      .oneOf({"kernel", "pipelined", "queued"});
  command
      .option("--measured", &options->measured.runs,
              "A run of aiwc attach of the same application on your device: times on "
              "others follow from its times")
      .type("RUN")
      .repeatable();
  command
      .option("--measured-on", &options->measured.device,
              "The device that was measured; default: the one of its name")
      .type("ID");
  Option whatIf = command
                      .option("--what-if", &options->whatIf,
                              "Also predict with changed parameters: cores=128 or "
                              "dram_bandwidth=2x, separated by commas")
                      .type("CHANGES");
  addModelOptions(command, options->model);
  command
      .option("--top", &options->table.top,
              "Show only the N fastest devices of each table (default: 10 without --devices)")
      .type("N")
      .positive();
  Option json = command.flag("--json", options->json, "Print JSON");
  command.flag("--csv", options->csv, "Print a CSV row per kernel and device").excludes(json);
  command.examples(
      {{"aiwc predict profiles", "the ten fastest of all devices"},
       {"aiwc predict profiles --devices gpu --top 5", "the five fastest GPUs"},
       {"aiwc predict profiles --devices rtx4090,i9-13900k", "how far these two are apart"},
       {"aiwc predict profiles --devices rtx4090 --what-if dram_bandwidth=2x",
        "with twice the memory bandwidth"},
       {"aiwc predict blur.cl --kernel blur --global 4096x4096", "from profiles in the source"}});
  command.action([options, devices, whatIf] {
    options->hasDevices = devices.given();
    options->hasWhatIf = whatIf.given();
    print(predicted(*options));
  });
}

} // namespace aiwc::cli
