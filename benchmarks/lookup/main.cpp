/// aiwc-lookup-time: embeds profiles into what carries them and prints the time that it takes to
/// find one again and read it, hash of the source included.
#include "common/error.h"
#include "common/file.h"
#include "embed/container.h"
#include "embed/match.h"
#include "embed/sidecar.h"
#include "eod/process/temporary_folder.h"
#include "eod/statistics/quantile.h"
#include "lookup/subjects.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace aiwc;
using lookup::Subject;

struct Settings {
  size_t bytes = 65536;
  size_t kernels = 4;
  size_t rounds = 2000;
  std::string container; ///< empty: all
};

template <typename Action> double microseconds(Action action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Looks `workItems` of kernel `kernel` up. Throws Error where the answer is another than has to
/// be.
void require(const embed::Annotations &annotations, size_t kernel, uint64_t workItems) {
  const auto match = embed::find(annotations, lookup::launchOf(kernel, workItems));
  const bool scaled = workItems != lookup::kWorkItems;
  if (!match || match->stale || match->scaled.has_value() != scaled ||
      match->profile.count("work_items"_metric) != workItems)
    throw Error(fmt::format("k{}: is not found: expected what was embedded", kernel));
}

/// Microseconds, per look-up.
struct Times {
  std::vector<double> memory, scaled, file, hash;
};

Times timesOf(const Subject &subject, const std::filesystem::path &folder,
              const Settings &settings) {
  const std::filesystem::path file = folder / subject.file;
  replaceFile(file, subject.content);
  if (!subject.sidecar.empty())
    replaceFile(embed::sidecarOf(file), subject.sidecar);
  Times times;
  // By turns, so that what disturbs the machine for a while disturbs them alike.
  for (size_t round = 0; round < settings.rounds; ++round) {
    const size_t kernel = round % settings.kernels;
    times.memory.push_back(
        microseconds([&] { require(lookup::read(subject), kernel, lookup::kWorkItems); }));
    times.scaled.push_back(
        microseconds([&] { require(lookup::read(subject), kernel, 4 * lookup::kWorkItems); }));
    times.file.push_back(
        microseconds([&] { require(embed::annotationsOf(file), kernel, lookup::kWorkItems); }));
    times.hash.push_back(microseconds([&] {
      if (profile::sourceHash(subject.content).empty())
        throw Error("no hash: expected one");
    }));
  }
  return times;
}

std::string text(const std::vector<double> &times) {
  return fmt::format("{:.1f}", statistics::median(times));
}

void report(const Settings &settings) {
  const process::TemporaryFolder folder("aiwc-lookup-time");
  std::vector<std::vector<std::string>> rows = {{"container", "annotations, bytes", "memory",
                                                 "90 %", "scaled", "90 %", "file", "90 %",
                                                 "(its hash alone)"}};
  for (const Subject &subject : lookup::subjects(settings.bytes, settings.kernels)) {
    if (!settings.container.empty() && settings.container != subject.container)
      continue;
    const Times times = timesOf(subject, folder.path(), settings);
    std::vector<std::string> row = {subject.container, fmt::format("{}", subject.annotationBytes)};
    for (const auto *each : {&times.memory, &times.scaled, &times.file}) {
      row.push_back(text(*each));
      row.push_back(fmt::format("{:.1f}", statistics::quantile(*each, 0.9)));
    }
    row.push_back(text(times.hash));
    rows.push_back(std::move(row));
  }
  fmt::print("us per look-up of one of {} kernels in {} bytes: median, and what nine of ten are "
             "below\n{}",
             settings.kernels, settings.bytes, text::textTable(rows, {true}));
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("Times looking a profile up in what carries it: from memory, from memory where it "
               "has to be scaled, and from a file");
  app.add_option("--bytes", settings.bytes, "Of the container, without annotations")
      ->check(CLI::Range(1000, 1 << 28))
      ->capture_default_str();
  app.add_option("--kernels", settings.kernels, "Each with one profile")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--rounds", settings.rounds, "Look-ups of each kind that are timed")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--container", settings.container, "This one alone, as the report calls it");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    report(settings);
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
