/// aiwc-evaluate: how good the predictions are, against measured times.
#include "common/error.h"
#include "evaluation/report.h"
#include "predict/device_library.h"
#include "predict/execution_cost.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

struct Options {
  std::string profiles;
  std::string published;
  std::string features;
  std::vector<std::string> measured;
  std::string device;
  std::vector<std::string> deviceFolders;
  std::vector<std::string> sizes;
  std::vector<std::string> devices;
  double factor = 4;
  bool doubted = false;
  bool least = false;
  bool json = false;
};

std::string againstPublished(const Options &options, const predict::DeviceLibrary &library,
                             const predict::CostModel &model) {
  evaluation::PublishedTimes times = evaluation::readPublished(options.published);
  if (!options.devices.empty())
    times = evaluation::only(times, options.devices);
  evaluation::PublishedWorks works;
  if (!options.features.empty())
    works = evaluation::readPublishedWork(options.features);
  std::vector<const predict::DeviceProfile *> devices;
  for (const std::string &id : times.devices)
    devices.push_back(&library[id]);
  const auto predicted = evaluation::predictCases(options.profiles, options.sizes, devices, model);
  const evaluation::Joined joined = evaluation::join(
      predicted, times,
      {options.doubted, options.features.empty() ? nullptr : &works, options.factor});
  if (joined.cases.empty())
    throw Error(fmt::format("{}: no kernel and size of {}: expected at least one",
                            options.published, options.profiles));
  const evaluation::Heading heading{std::string(model.name()),
                                    "own kernels, times published by others"};
  return options.json ? evaluation::publishedJson(heading, joined, times.devices)
                      : evaluation::publishedTable(heading, joined, times.devices);
}

std::string againstMeasured(const Options &options, const predict::DeviceLibrary &library,
                            const predict::CostModel &model) {
  const evaluation::MeasuredTimes times =
      evaluation::readMeasured({options.measured.begin(), options.measured.end()});
  const predict::DeviceProfile *device = &library[options.device];
  const auto predicted =
      evaluation::predictCases(options.profiles, options.sizes, std::span(&device, 1), model);
  const evaluation::Comparisons comparisons = evaluation::compare(
      predicted, times,
      options.least ? evaluation::Reference::kMinimum : evaluation::Reference::kMedian);
  if (comparisons.cases.empty())
    throw Error(fmt::format("{}: no kernel and size of {}: expected at least one",
                            options.measured.front(), options.profiles));
  const evaluation::Heading heading{
      std::string(model.name()),
      fmt::format("predicted for {}, against the {} of the samples on {}", device->id,
                  options.least ? "least" : "median", times.device)};
  return options.json ? evaluation::measuredJson(heading, comparisons)
                      : evaluation::measuredTable(heading, comparisons);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Compares predicted with measured times of the benchmark suite");
  app.add_option("PROFILES", options.profiles, "Folder that eod characterise wrote")->required();
  CLI::Option *published =
      app.add_option("--published", options.published,
                     "CSV of times per application, size, kernel and device (median_us)")
          ->type_name("FILE");
  CLI::Option *measured = app.add_option("--measured", options.measured,
                                         "Folder that eod run wrote, of one device; repeatable")
                              ->type_name("DIR")
                              ->excludes(published);
  app.add_option("--device", options.device, "The profile of the device of --measured")
      ->type_name("ID")
      ->needs(measured);
  CLI::Option *features =
      app.add_option("--features", options.features,
                     "CSV of the published characterisation: leave out kernels that do other work")
          ->type_name("FILE")
          ->needs(published);
  app.add_option("--factor", options.factor,
                 "Other work: instructions or work-items off by more than this")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str()
      ->needs(features);
  app.add_option("--devices", options.devices, "Of --published these alone, separated by commas")
      ->type_name("IDS")
      ->delimiter(',')
      ->needs(published);
  app.add_option("--device-dir", options.deviceFolders, "Folder of device profiles, repeatable")
      ->type_name("DIR");
  app.add_option("--sizes", options.sizes, "Of these sizes alone, separated by commas")
      ->delimiter(',');
  app.add_flag("--doubted", options.doubted,
               "Also the published times that are not the kernel's own")
      ->needs(published);
  app.add_flag("--least", options.least,
               "Compare with the fastest sample, not the median: on a machine with other work")
      ->needs(measured);
  app.add_flag("--json", options.json, "Print JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (options.published.empty() == options.measured.empty())
      throw Error("aiwc-evaluate: expected --published or --measured");
    if (!options.measured.empty() && options.device.empty())
      throw Error("aiwc-evaluate: --measured without --device: expected the id of its profile");
    const std::vector<std::filesystem::path> folders(options.deviceFolders.begin(),
                                                     options.deviceFolders.end());
    const predict::DeviceLibrary library(predict::deviceFolders(folders));
    const predict::ExecutionCostModel model;
    const std::string text = options.measured.empty() ? againstPublished(options, library, model)
                                                      : againstMeasured(options, library, model);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error("standard output: cannot be written: expected room for the report");
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
