#include "run/run.h"

#include "run/launch_texts.h"
#include "text/json_text.h"
#include "text/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <climits>
#include <ctime>
#include <filesystem>
#include <map>
#include <tuple>

namespace aiwc::run {

using text::JsonList;
using text::JsonValue;

namespace {

class RunReader : LaunchReader {
public:
  RunReader(std::string_view text, const std::string &file) : LaunchReader(text, file, "a run") {}

  Run read() const {
    const JsonValue &root = document().root();
    object(root, "");
    requireSchemaVersion(kRunSchemaVersion);
    Run run;
    run.command = texts(root, "command");
    run.options = texts(root, "options");
    run.folder = textOf(root, "", "folder");
    run.started = textOf(root, "", "started");
    const JsonValue &seconds = required(root, "", "seconds");
    if (!std::holds_alternative<std::nullptr_t>(seconds.value))
      run.seconds = secondsOf(seconds, "seconds");
    run.status = countOf(root, "", "status");
    if (find(root, "cut_off_by"))
      run.cutOffBy = countOf(root, "", "cut_off_by");
    run.toolVersion = textOf(root, "", "tool_version");
    run.oclgrindVersion = textOf(root, "", "oclgrind_version");
    if (const JsonValue *as = find(root, "answered_as")) {
      object(*as, "answered_as");
      run.answeredAs = {textOf(*as, "answered_as", "device"), textOf(*as, "answered_as", "class")};
      run.asked = texts(root, "asked");
    }
    run.errors = texts(root, "errors");
    const JsonValue::Array &launches = array(required(root, "", "launches"), "launches");
    run.launches.reserve(launches.size());
    FullLaunches earlier;
    for (size_t i = 0; i < launches.size(); ++i)
      run.launches.push_back(launch(launches[i], fmt::format("launches[{}]", i), earlier));
    return run;
  }

private:
  std::vector<std::string> texts(const JsonValue &parent, const std::string &key) const {
    std::vector<std::string> result;
    for (const JsonValue &value : array(required(parent, "", key), key))
      result.push_back(text(value, key));
    return result;
  }
};

} // namespace

std::string toJson(const Run &run) {
  constexpr auto kTight = JsonList::Layout::kTight;
  std::string text;
  JsonList object(text, JsonList::Kind::kObject, 0);
  object.member("schema_version", uint64_t{kRunSchemaVersion});
  object.texts("command", run.command, kTight);
  object.texts("options", run.options, kTight);
  object.member("folder", run.folder);
  object.member("started", run.started);
  object.next("seconds") += run.seconds ? fmt::format("{:.3f}", *run.seconds) : "null";
  object.member("status", run.status);
  if (run.cutOffBy > 0)
    object.member("cut_off_by", run.cutOffBy);
  object.member("tool_version", run.toolVersion);
  object.member("oclgrind_version", run.oclgrindVersion);
  if (!run.answeredAs.device.empty()) {
    JsonList as(object.next("answered_as"), JsonList::Kind::kObject);
    as.member("device", run.answeredAs.device);
    as.member("class", run.answeredAs.type);
    as.close();
    object.texts("asked", run.asked, kTight);
  }
  object.texts("errors", run.errors, kTight);
  JsonList launches(object.next("launches"), JsonList::Kind::kArray, 2);
  LaunchTexts texts(kLaunchesInFull);
  for (const Launch &launch : run.launches)
    launches.next() += texts.shortened(toJson(launch));
  launches.close();
  object.close();
  return text += '\n';
}

Run runOf(std::string_view text, const std::string &file) {
  return RunReader(text, file).read();
}

bool isKernelHost(const std::vector<std::string> &command) {
  return !command.empty() &&
         std::filesystem::path(command.front()).filename() == "aiwc-kernel-host";
}

void markFirstLaunches(Run &run) {
  struct Launches {
    Launch *first;
    bool alone = true;
  };
  std::map<std::tuple<uint64_t, std::string_view, std::string_view>, Launches> kernels;
  for (Launch &launch : run.launches) {
    if (!launch.measured)
      continue;
    const auto [place, isNew] = kernels.try_emplace(
        {launch.process, launch.kernel, launch.measured->device}, Launches{&launch});
    if (isNew)
      continue;
    place->second.alone = false;
    if (launch.number < place->second.first->number)
      place->second.first = &launch;
  }
  for (auto &[kernel, launches] : kernels)
    launches.first->measured->first = launches.alone ? FirstLaunch::kAlone : FirstLaunch::kWarmUp;
}

std::string timestamp() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(std::time(nullptr)));
}

std::string signalName(uint64_t signal) {
  const char *const name = signal <= INT_MAX ? ::sigabbrev_np(static_cast<int>(signal)) : nullptr;
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string commandLine(const Run &run) {
  std::string line;
  for (const std::string &word : run.command)
    line += line.empty() ? (isKernelHost(run.command) ? "aiwc kernel" : word) : " " + word;
  return text::printable(line, 80);
}

} // namespace aiwc::run
