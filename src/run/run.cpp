#include "run/run.h"

#include "run/launch_fields.h"
#include "text/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace aiwc::run {

using nlohmann::ordered_json;
using text::JsonValue;

namespace {

std::string dumped(const ordered_json &value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

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
    if (const auto *real = std::get_if<double>(&seconds.value); real && *real >= 0)
      run.seconds = *real;
    else if (const auto *whole = std::get_if<uint64_t>(&seconds.value))
      run.seconds = static_cast<double>(*whole);
    else if (!std::holds_alternative<std::nullptr_t>(seconds.value))
      wrong(seconds, "seconds", "a number that is not negative, or null");
    if (const JsonValue *energy = find(root, "energy")) {
      object(*energy, "energy");
      run.energy = {joules(*energy, "processors_j"), joules(*energy, "board_j")};
    }
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
    for (size_t i = 0; i < launches.size(); ++i)
      run.launches.push_back(launch(launches[i], fmt::format("launches[{}]", i)));
    return run;
  }

private:
  std::optional<double> joules(const JsonValue &energy, const char *key) const {
    const JsonValue *const value = find(energy, key);
    if (!value)
      return std::nullopt;
    if (const auto *real = std::get_if<double>(&value->value); real && *real >= 0)
      return *real;
    if (const auto *whole = std::get_if<uint64_t>(&value->value))
      return static_cast<double>(*whole);
    wrong(*value, fmt::format("energy.{}", key), "a number that is not negative");
  }

  std::vector<std::string> texts(const JsonValue &parent, const std::string &key) const {
    std::vector<std::string> result;
    for (const JsonValue &value : array(required(parent, "", key), key))
      result.push_back(text(value, key));
    return result;
  }
};

/// A line of run.json; nothing if no counter was read.
std::string energyLine(const Energy &energy) {
  std::string members;
  for (const auto &[key, joules] :
       {std::pair("processors_j", energy.processors), std::pair("board_j", energy.board)})
    if (joules)
      members += fmt::format("{}\"{}\": {:.3f}", members.empty() ? "" : ", ", key, *joules);
  return members.empty() ? "" : fmt::format("  \"energy\": {{{}}},\n", members);
}

} // namespace

std::string toJson(const Run &run) {
  std::string device;
  if (!run.answeredAs.device.empty())
    device =
        fmt::format("  \"answered_as\": {{\"device\": {}, \"class\": {}}},\n  \"asked\": {},\n",
                    dumped(run.answeredAs.device), dumped(run.answeredAs.type), dumped(run.asked));
  std::string text = fmt::format(
      "{{\n  \"schema_version\": {},\n  \"command\": {},\n  \"options\": {},\n  \"folder\": {},\n"
      "  \"started\": {},\n  \"seconds\": {},\n{}  \"status\": {},\n{}  \"tool_version\": {},\n"
      "  \"oclgrind_version\": {},\n{}  \"errors\": {},\n  \"launches\": [",
      kRunSchemaVersion, dumped(run.command), dumped(run.options), dumped(run.folder),
      dumped(run.started), run.seconds ? fmt::format("{:.3f}", *run.seconds) : "null",
      energyLine(run.energy), run.status,
      run.cutOffBy > 0 ? fmt::format("  \"cut_off_by\": {},\n", run.cutOffBy) : "",
      dumped(run.toolVersion), dumped(run.oclgrindVersion), device, dumped(run.errors));
  for (const Launch &launch : run.launches)
    text += (&launch == run.launches.data() ? "\n    " : ",\n    ") + toJson(launch);
  return text + (run.launches.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Run runOf(std::string_view text, const std::string &file) {
  return RunReader(text, file).read();
}

bool isKernelHost(const std::vector<std::string> &command) {
  return !command.empty() &&
         std::filesystem::path(command.front()).filename() == "aiwc-kernel-host";
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
