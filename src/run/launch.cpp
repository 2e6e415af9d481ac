#include "run/launch.h"

#include "run/launch_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aiwc::run {

using nlohmann::ordered_json;
using profile::childPath;
using profile::JsonMember;
using profile::JsonValue;
using profile::Size3;

namespace {

constexpr std::array<std::pair<Argument::Kind, std::string_view>, 4> kKinds = {
    {{Argument::Kind::kValue, "value"},
     {Argument::Kind::kBuffer, "buffer"},
     {Argument::Kind::kImage, "image"},
     {Argument::Kind::kLocal, "local"}}};

ordered_json sizeJson(const Size3 &size, uint32_t dimensions) {
  ordered_json array = ordered_json::array();
  for (uint32_t i = 0; i < std::min<uint32_t>(dimensions, 3); ++i)
    array.push_back(size[i]);
  return array;
}

ordered_json json(const Argument &argument) {
  ordered_json object = {{"name", argument.name}, {"type", argument.type}};
  object["kind"] =
      std::ranges::find(kKinds, argument.kind, &std::pair<Argument::Kind, std::string_view>::first)
          ->second;
  if (argument.kind == Argument::Kind::kValue)
    object["value"] = argument.value;
  object["bytes"] = argument.bytes;
  if (argument.allocation)
    object["allocation"] = *argument.allocation;
  return object;
}

ordered_json json(const Transfers &transfers) {
  return {{"bytes", transfers.bytes}, {"transfers", transfers.transfers}};
}

} // namespace

ordered_json json(const Launch &launch) {
  ordered_json object = {{"process", launch.process},
                         {"number", launch.number},
                         {"kernel", launch.kernel},
                         {"invocation", launch.invocation},
                         {"global_size", sizeJson(launch.globalSize, launch.workDim)},
                         {"local_size", sizeJson(launch.localSize, launch.workDim)}};
  if (launch.globalOffset != Size3{})
    object["global_offset"] = sizeJson(launch.globalOffset, launch.workDim);
  object["arguments"] = ordered_json::array();
  for (const Argument &argument : launch.arguments)
    object["arguments"].push_back(json(argument));
  object["host_to_device"] = json(launch.hostToDevice);
  object["device_to_host"] = json(launch.deviceToHost);
  object["engine"] = launch.engine;
  if (!launch.engineReason.empty())
    object["engine_reason"] = launch.engineReason;
  if (!launch.hasProfile()) {
    object["profile"] = nullptr;
    return object;
  }
  object["profile"] = launch.profile;
  if (launch.alikeTo)
    object["alike_to"] = *launch.alikeTo;
  object["source_hash"] = launch.sourceHash;
  object["build_options"] = launch.buildOptions;
  if (!launch.source.empty())
    object["source"] = launch.source;
  object["complete"] = launch.complete;
  object["simulator_errors"] = launch.simulatorErrors;
  object["instructions"] = launch.instructions;
  if (launch.sampledGroups > 0)
    object["sampled_groups"] = launch.sampledGroups;
  return object;
}

const JsonValue *LaunchReader::find(const JsonValue &parent, std::string_view key) {
  const auto *members = std::get_if<JsonValue::Object>(&parent.value);
  if (!members)
    return nullptr;
  const auto found = std::ranges::find(*members, key, &JsonMember::key);
  return found == members->end() ? nullptr : &found->value;
}

uint64_t LaunchReader::countOf(const JsonValue &parent, const std::string &path,
                               std::string_view key) const {
  return count(required(parent, path, key), childPath(path, key));
}

const std::string &LaunchReader::textOf(const JsonValue &parent, const std::string &path,
                                        std::string_view key) const {
  return text(required(parent, path, key), childPath(path, key));
}

/// One to three sizes; those that are missing are `rest`.
Size3 LaunchReader::size(const JsonValue &parent, const std::string &path, std::string_view key,
                         uint32_t dimensions, uint64_t rest) const {
  const JsonValue &value = required(parent, path, key);
  const std::string where = childPath(path, key);
  const JsonValue::Array &values = array(value, where);
  if (values.empty() || values.size() > 3 || (dimensions > 0 && values.size() != dimensions))
    wrong(value, where, "one to three sizes, as many as global_size has");
  Size3 sizes = {rest, rest, rest};
  for (size_t i = 0; i < values.size(); ++i)
    sizes[i] = count(values[i], where);
  return sizes;
}

Transfers LaunchReader::transfers(const JsonValue &parent, const std::string &path,
                                  std::string_view key) const {
  const JsonValue &value = required(parent, path, key);
  const std::string where = childPath(path, key);
  return {countOf(value, where, "bytes"), countOf(value, where, "transfers")};
}

Argument LaunchReader::argument(const JsonValue &value, const std::string &path) const {
  Argument argument;
  argument.name = textOf(value, path, "name");
  argument.type = textOf(value, path, "type");
  const JsonValue &kind = required(value, path, "kind");
  const auto *const known =
      std::ranges::find(kKinds, std::string_view(text(kind, childPath(path, "kind"))),
                        &std::pair<Argument::Kind, std::string_view>::second);
  if (known == kKinds.end())
    wrong(kind, childPath(path, "kind"), "value, buffer, image or local");
  argument.kind = known->first;
  if (argument.kind == Argument::Kind::kValue)
    argument.value = textOf(value, path, "value");
  argument.bytes = countOf(value, path, "bytes");
  if (const JsonValue *allocation = find(value, "allocation"))
    argument.allocation = count(*allocation, childPath(path, "allocation"));
  return argument;
}

Launch LaunchReader::launch(const JsonValue &value, const std::string &path) const {
  Launch launch;
  launch.process = countOf(value, path, "process");
  launch.number = countOf(value, path, "number");
  launch.kernel = textOf(value, path, "kernel");
  launch.invocation = countOf(value, path, "invocation");
  launch.globalSize = size(value, path, "global_size", 0, 1);
  launch.workDim = static_cast<uint32_t>(array(required(value, path, "global_size"), path).size());
  launch.localSize = size(value, path, "local_size", launch.workDim, 1);
  if (find(value, "global_offset"))
    launch.globalOffset = size(value, path, "global_offset", launch.workDim, 0);
  const std::string where = childPath(path, "arguments");
  const JsonValue::Array &arguments = array(required(value, path, "arguments"), where);
  for (size_t i = 0; i < arguments.size(); ++i)
    launch.arguments.push_back(argument(arguments[i], fmt::format("{}[{}]", where, i)));
  launch.hostToDevice = transfers(value, path, "host_to_device");
  launch.deviceToHost = transfers(value, path, "device_to_host");
  launch.engine = textOf(value, path, "engine");
  if (find(value, "engine_reason"))
    launch.engineReason = textOf(value, path, "engine_reason");
  if (std::holds_alternative<std::nullptr_t>(required(value, path, "profile").value))
    return launch;
  launch.profile = textOf(value, path, "profile");
  if (find(value, "alike_to"))
    launch.alikeTo = countOf(value, path, "alike_to");
  launch.sourceHash = textOf(value, path, "source_hash");
  launch.buildOptions = textOf(value, path, "build_options");
  if (find(value, "source"))
    launch.source = textOf(value, path, "source");
  launch.complete = truth(required(value, path, "complete"), childPath(path, "complete"));
  launch.simulatorErrors = countOf(value, path, "simulator_errors");
  launch.instructions = countOf(value, path, "instructions");
  if (find(value, "sampled_groups"))
    launch.sampledGroups = countOf(value, path, "sampled_groups");
  return launch;
}

std::string workOf(const Launch &launch) {
  // JSON, so that no name can end where another text begins.
  ordered_json work = {launch.kernel,       launch.sourceHash, launch.buildOptions, launch.workDim,
                       launch.globalOffset, launch.globalSize, launch.localSize};
  for (const Argument &argument : launch.arguments)
    work.push_back({static_cast<int>(argument.kind), argument.bytes, argument.value});
  return work.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

void setTransfers(profile::KernelProfile &profile, const Transfers &hostToDevice,
                  const Transfers &deviceToHost) {
  using namespace aiwc::literals;
  profile.setCount("host_to_device_bytes"_metric, hostToDevice.bytes);
  profile.setCount("host_to_device_transfers"_metric, hostToDevice.transfers);
  profile.setCount("device_to_host_bytes"_metric, deviceToHost.bytes);
  profile.setCount("device_to_host_transfers"_metric, deviceToHost.transfers);
}

std::string toJson(const Launch &launch) {
  return json(launch).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Launch launchOf(std::string_view text, const std::string &file) {
  return LaunchReader(text, file, "a launch").root();
}

Launch launchOf(const profile::KernelProfile &profile, std::string file) {
  using namespace aiwc::literals;
  const profile::Provenance &provenance = profile.provenance;
  Launch launch;
  launch.kernel = provenance.kernel;
  launch.invocation = provenance.invocation;
  launch.workDim = provenance.workDim;
  launch.globalOffset = provenance.globalOffset;
  launch.globalSize = provenance.globalSize;
  launch.localSize = provenance.localSize;
  launch.hostToDevice = {profile.count("host_to_device_bytes"_metric),
                         profile.count("host_to_device_transfers"_metric)};
  launch.deviceToHost = {profile.count("device_to_host_bytes"_metric),
                         profile.count("device_to_host_transfers"_metric)};
  launch.engine = provenance.engine;
  launch.engineReason = provenance.engineReason;
  launch.profile = std::move(file);
  launch.sourceHash = provenance.sourceHash;
  launch.buildOptions = provenance.buildOptions;
  launch.complete = profile.complete;
  launch.simulatorErrors = profile.simulatorErrors;
  launch.instructions = profile.count("total_instruction_count"_metric);
  launch.sampledGroups = provenance.sampledGroups;
  return launch;
}

} // namespace aiwc::run
