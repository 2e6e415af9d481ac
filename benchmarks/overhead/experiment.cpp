#include "experiment.h"

#include "common/error.h"
#include "eod/process/temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace aiwc::overhead {
namespace {

/// What the caller has set for itself must not change what is measured.
bool belongsToTheSimulator(std::string_view setting) {
  return setting.starts_with("OCLGRIND_") || setting.starts_with("AIWC_") ||
         setting == "LD_PRELOAD";
}

std::string withOutput(std::string text, const std::filesystem::path &output) {
  constexpr std::string_view kPlace = "{output}";
  if (const size_t at = text.find(kPlace); at != std::string::npos)
    text.replace(at, kPlace.size(), output.string());
  return text;
}

std::map<std::string, std::string> environmentOf(const Variant &variant,
                                                 const std::filesystem::path &output) {
  std::map<std::string, std::string> result = process::currentEnvironment();
  std::erase_if(result, [](const auto &setting) { return belongsToTheSimulator(setting.first); });
  result["OCLGRIND_NUM_THREADS"] = "1";
  for (const auto &[name, value] : variant.environment)
    result[name] = withOutput(value, output);
  return result;
}

bool hasProfile(const std::filesystem::path &folder) {
  return std::ranges::any_of(std::filesystem::directory_iterator(folder),
                             [](const std::filesystem::path &file) {
                               return file.filename().string().starts_with("aiwc_");
                             });
}

/// Oclgrind says that it could not load a plugin, and runs on without it.
void checkPluginLoaded(const std::filesystem::path &errors) {
  std::ifstream stream(errors);
  for (std::string line; std::getline(stream, line);)
    if (line.find("Loading Oclgrind plugin failed") != std::string::npos)
      throw Error(line);
}

std::vector<std::string> commandOf(const Workload &workload, const Variant &variant,
                                   const Settings &settings, const std::filesystem::path &output) {
  std::vector<std::string> command = workload.command;
  if (variant.simulated)
    command.insert(command.begin(), settings.oclgrind);
  for (const std::string &argument : variant.arguments)
    command.push_back(withOutput(argument, output));
  return command;
}

std::optional<KernelTimes> kernelTimes(const Variant &variant,
                                       const std::filesystem::path &output) {
  switch (variant.kernels) {
  case Variant::Kernels::kClock:
    return readClock(output / kClockFile);
  case Variant::Kernels::kSamples:
    return readSamples(output / kSamplesFile);
  case Variant::Kernels::kUnknown:
    break;
  }
  return std::nullopt;
}

Usage runOnce(const Workload &workload, const Variant &variant, const Settings &settings) {
  const process::TemporaryFolder folder("aiwc-overhead");
  const auto output = folder.path() / "profiles";
  std::filesystem::create_directory(output);
  process::Child child;
  child.command = commandOf(workload, variant, settings, output);
  child.environment = environmentOf(variant, output);
  child.errors = folder.path() / "stderr";
  child.cpuLimitS = settings.cpuLimitS;
  Usage usage;
  static_cast<process::Usage &>(usage) = process::run(child);
  checkPluginLoaded(child.errors);
  if (variant.writesProfiles && !hasProfile(output))
    throw Error(fmt::format("{} with {}: it wrote no profile", workload.name, variant.name));
  usage.kernels = kernelTimes(variant, output);
  return usage;
}

} // namespace

Usages measure(const Workload &workload, const std::vector<Variant> &variants,
               const Settings &settings, const Announce &announce) {
  Usages usages(variants.size());
  std::vector<bool> overLimit(variants.size());
  for (unsigned round = 0; round < settings.rounds; ++round) {
    for (size_t i = 0; i < variants.size(); ++i) {
      const size_t v = round % 2 == 0 ? i : variants.size() - 1 - i;
      if (overLimit[v])
        continue;
      announce(fmt::format("{}, {}, round {} of {}", workload.name, variants[v].name, round + 1,
                           settings.rounds));
      try {
        usages[v].push_back(runOnce(workload, variants[v], settings));
      } catch (const process::ChildOverLimit &) {
        if (!settings.leavesOutWhatIsOverLimit)
          throw;
        overLimit[v] = true;
        usages[v].clear();
      }
    }
  }
  return usages;
}

} // namespace aiwc::overhead
