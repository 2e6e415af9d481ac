#include "characterise.h"

#include "profile/json.h"
#include "profile/store.h"
#include "run/folder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>

namespace aiwc::test {

using profile::KernelProfile;

namespace {

bool skipped = false;

/// A profile per characterised launch, under the name that it would have in a file of its own,
/// where launches share files.
std::map<std::string, StoredProfile> perLaunch(const fs::path &output,
                                               std::map<std::string, StoredProfile> files) {
  std::vector<run::Launch> launches;
  for (const fs::path &file : run::contentOf(output).runs)
    for (const run::Launch &launch : run::readRun(file).launches)
      if (launch.characterised() && fs::exists(output / launch.profile))
        launches.push_back(launch);
  if (launches.size() <= files.size())
    return files;
  std::map<std::string, StoredProfile> profiles;
  std::map<std::string, size_t> counts; // by kernel
  std::set<std::string> used;
  for (const run::Launch &launch : launches) {
    const std::string kernel = profile::fileStem(launch.kernel);
    StoredProfile own = files.at(fs::path(launch.profile).stem().string().substr(5));
    if (!used.insert(launch.profile).second) {
      own.profile.provenance.invocation = launch.invocation;
      run::setTransfers(own.profile, launch.hostToDevice, launch.deviceToHost);
      own.json = profile::toJson(own.profile);
    }
    profiles.emplace(kernel + "_" + std::to_string(counts[kernel]++), std::move(own));
  }
  return profiles;
}

} // namespace

std::string application(const std::string &name) {
  return (fs::path(AIWC_TEST_APPS) / name).string();
}

const KernelProfile &Characterised::operator[](const std::string &name) const {
  const auto found = profiles.find(name);
  INFO("of " << Catch::Detail::stringify(names()) << " after: " << outcome.err);
  if (found == profiles.end())
    FAIL("there is no profile " << name);
  return found->second.profile;
}

Words Characterised::names() const {
  Words result;
  for (const auto &entry : profiles)
    result.push_back(entry.first);
  return result;
}

const Characterised &Characterised::succeeded() const {
  INFO("stdout: " << outcome.out << "stderr: " << outcome.err);
  REQUIRE(outcome.signal == 0);
  REQUIRE(outcome.status == 0);
  return *this;
}

Command launch(const Words &application, const Words &options, const Folder &folder,
               bool eachLaunch) {
  for (const char *name : {"out", "tmp", "home"})
    fs::create_directory(folder / name);
  Command command{{"/usr/bin/timeout", "--kill-after=5", "120", AIWC_TEST_LAUNCHER, "--aiwc-output",
                   folder / "out"},
                  {{"PATH", "/usr/bin:/bin"},
                   {"LC_ALL", "C"}, // or counts would have separators
                   {"HOME", folder / "home"},
                   {"TMPDIR", folder / "tmp"}},
                  folder.path()};
  const bool isChosen = std::ranges::any_of(
      options, [](const std::string &option) { return option.starts_with("--aiwc-invocations"); });
  if (eachLaunch && !isChosen)
    command.words.emplace_back("--aiwc-invocations=0-");
  command.words.insert(command.words.end(), options.begin(), options.end());
  command.words.insert(command.words.end(), application.begin(), application.end());
  const std::string preload = AIWC_TEST_PRELOAD;
  if (!preload.empty()) {
    // An instrumented plugin in a simulator that is not: the runtime has to be there, and Oclgrind
    // puts itself in front of it. What the simulator leaks is not ours.
    command.environment["LD_PRELOAD"] = preload;
    command.environment["ASAN_OPTIONS"] =
        "detect_leaks=0:verify_asan_link_order=0:new_delete_type_mismatch=0";
    command.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1";
  }
  return command;
}

std::map<std::string, StoredProfile> readProfiles(const fs::path &output) {
  std::map<std::string, StoredProfile> profiles;
  size_t files = 0;
  for (const auto &entry : fs::directory_iterator(output)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with("kernels_") || file.starts_with("source_") || file.starts_with("run"))
      continue;
    ++files;
    if (entry.path().extension() != ".json")
      continue;
    const std::string prefix = "aiwc_", name = entry.path().stem().string();
    INFO(name);
    CHECK(name.starts_with(prefix));
    StoredProfile written;
    written.json = contents(entry.path());
    written.profile = profile::fromJson(written.json, entry.path().string());
    CHECK(profile::toJson(written.profile) == written.json);
    profiles.emplace(name.substr(prefix.size()), std::move(written));
  }
  CHECK(files == profiles.size());
  return perLaunch(output, std::move(profiles));
}

Characterised characterise(const Words &application, Words options, bool quiet) {
  if (quiet)
    options.insert(options.begin(), "--aiwc-quiet");
  const Folder folder;
  Characterised result;
  result.outcome = run(launch(application, options, folder));
  result.profiles = readProfiles(folder / "out");
  return result;
}

Words KernelFile::enqueue(const Words &words) const {
  Words command = {application("enqueue"), path(), "k"};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

KernelRun runKernel(const std::string &source, const Words &words) {
  INFO(source);
  const Characterised result =
      characterise(KernelFile(source).enqueue(words), {"--inst-counts"}).succeeded();
  CHECK(result.outcome.err == "");
  KernelRun kernel;
  kernel.profile = result["k_0"];
  CHECK(result.profiles.size() == 1);
  CHECK(kernel.profile.complete);
  CHECK(kernel.profile.reason == "");
  CHECK(kernel.profile.simulatorErrors == 0);
  const auto counts = instructionCounts(result.outcome.out);
  CHECK(kernel.profile.histograms.opcodes == counts);
  const uint64_t total =
      std::accumulate(counts.begin(), counts.end(), uint64_t{0},
                      [](uint64_t sum, const auto &opcode) { return sum + opcode.second; });
  CHECK(kernel.profile.count("total_instruction_count"_metric) == total);
  // What the application prints of its buffer is the last line.
  std::string line, last;
  for (std::istringstream lines(result.outcome.out); std::getline(lines, line);)
    last = line;
  std::istringstream numbers(last);
  for (int value = 0; numbers >> value;)
    kernel.values.push_back(value);
  return kernel;
}

std::map<std::string, uint64_t> instructionCounts(const std::string &output) {
  std::map<std::string, uint64_t> counts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) { // "<count> - <opcode>[ <more>]"
    std::istringstream words(line);
    uint64_t count = 0;
    std::string dash, opcode;
    if (words >> count >> dash >> opcode && dash == "-")
      counts[opcode] += count;
  }
  return counts;
}

void expect(const KernelProfile &profile,
            const std::vector<std::pair<std::string, double>> &values) {
  for (const auto &[key, value] : values) {
    const profile::MetricInfo *metric = profile::findMetric(key);
    INFO(key);
    REQUIRE(metric);
    REQUIRE(!std::holds_alternative<std::monostate>(profile[metric->metric]));
    if (metric->type == profile::MetricType::kCount)
      CHECK(profile.count(metric->metric) == static_cast<uint64_t>(value));
    else
      CHECK(profile.real(metric->metric) == Approx(value).margin(1e-12));
  }
}

uint64_t executed(const KernelProfile &profile, const std::string &opcode) {
  const auto found = profile.histograms.opcodes.find(opcode);
  return found == profile.histograms.opcodes.end() ? 0 : found->second;
}

long countOf(const std::string &text, const std::string &part) {
  long count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

void skip(const std::string &reason) {
  skipped = true;
  std::cerr << "SKIPPED: " << reason << "\n";
}

bool somethingWasSkipped() {
  return skipped;
}

} // namespace aiwc::test
