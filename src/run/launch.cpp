#include "run/launch.h"

#include "run/launch_fields.h"
#include "text/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aiwc::run {

using profile::Size3;
using text::childPath;
using text::JsonMember;
using text::JsonValue;

namespace {

constexpr std::array<std::pair<Argument::Kind, std::string_view>, 4> kKinds = {
    {{Argument::Kind::kValue, "value"},
     {Argument::Kind::kBuffer, "buffer"},
     {Argument::Kind::kImage, "image"},
     {Argument::Kind::kLocal, "local"}}};

using Kind = text::JsonList::Kind;

constexpr auto kTight = text::JsonList::Layout::kTight;

void appendSize(std::string &to, const Size3 &size, uint32_t dimensions) {
  text::JsonList array(to, Kind::kArray, kTight);
  for (uint32_t i = 0; i < std::min<uint32_t>(dimensions, 3); ++i)
    text::appendJsonCount(array.next(), size[i]);
  array.close();
}

void appendArgument(std::string &to, const Argument &argument) {
  text::JsonList object(to, Kind::kObject, kTight);
  object.member("name", argument.name);
  object.member("type", argument.type);
  object.member("kind", std::ranges::find(kKinds, argument.kind,
                                          &std::pair<Argument::Kind, std::string_view>::first)
                            ->second);
  if (argument.kind == Argument::Kind::kValue)
    object.member("value", argument.value);
  object.member("bytes", argument.bytes);
  if (argument.allocation)
    object.member("allocation", *argument.allocation);
  object.close();
}

void appendTransfers(std::string &to, const Transfers &transfers) {
  text::JsonList object(to, Kind::kObject, kTight);
  object.member("bytes", transfers.bytes);
  object.member("transfers", transfers.transfers);
  object.close();
}

void appendCharacterised(text::JsonList &object, const Launch &launch) {
  object.member("profile", launch.profile);
  if (launch.alikeTo)
    object.member("alike_to", *launch.alikeTo);
  object.member("source_hash", launch.sourceHash);
  if (!launch.codeHash.empty())
    object.member("code_hash", launch.codeHash);
  object.member("build_options", launch.buildOptions);
  if (launch.builtFromBinary)
    object.member("built_from_binary", true);
  if (!launch.source.empty())
    object.member("source", launch.source);
  object.member("complete", launch.complete);
  object.member("simulator_errors", launch.simulatorErrors);
  object.member("instructions", launch.instructions);
  if (launch.sampledGroups > 0)
    object.member("sampled_groups", launch.sampledGroups);
}

} // namespace

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
  if (const JsonValue *leftOpen = find(value, "local_size_left_open"))
    launch.localSizeLeftOpen = truth(*leftOpen, childPath(path, "local_size_left_open"));
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
  if (find(value, "code_hash"))
    launch.codeHash = textOf(value, path, "code_hash");
  launch.buildOptions = textOf(value, path, "build_options");
  if (const JsonValue *binary = find(value, "built_from_binary"))
    launch.builtFromBinary = truth(*binary, childPath(path, "built_from_binary"));
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
  std::string text;
  text::JsonList work(text, Kind::kArray, kTight);
  for (const std::string *part : {&launch.kernel, &launch.sourceHash, &launch.buildOptions})
    text::appendJsonString(work.next(), *part);
  text::appendJsonCount(work.next(), uint64_t{launch.workDim});
  for (const Size3 *size : {&launch.globalOffset, &launch.globalSize, &launch.localSize})
    appendSize(work.next(), *size, 3);
  for (const Argument &argument : launch.arguments) {
    text::JsonList of(work.next(), Kind::kArray, kTight);
    text::appendJsonCount(of.next(), static_cast<uint64_t>(argument.kind));
    text::appendJsonCount(of.next(), argument.bytes);
    text::appendJsonString(of.next(), argument.value);
    of.close();
  }
  work.close();
  return text;
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
  std::string text;
  text::JsonList object(text, Kind::kObject, kTight);
  object.member("process", launch.process);
  object.member("number", launch.number);
  object.member("kernel", launch.kernel);
  object.member("invocation", launch.invocation);
  appendSize(object.next("global_size"), launch.globalSize, launch.workDim);
  appendSize(object.next("local_size"), launch.localSize, launch.workDim);
  if (launch.localSizeLeftOpen)
    object.member("local_size_left_open", true);
  if (launch.globalOffset != Size3{})
    appendSize(object.next("global_offset"), launch.globalOffset, launch.workDim);
  text::JsonList arguments(object.next("arguments"), Kind::kArray, kTight);
  for (const Argument &argument : launch.arguments)
    appendArgument(arguments.next(), argument);
  arguments.close();
  appendTransfers(object.next("host_to_device"), launch.hostToDevice);
  appendTransfers(object.next("device_to_host"), launch.deviceToHost);
  object.member("engine", launch.engine);
  if (!launch.engineReason.empty())
    object.member("engine_reason", launch.engineReason);
  if (launch.hasProfile())
    appendCharacterised(object, launch);
  else
    object.next("profile") += "null";
  object.close();
  return text;
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
  launch.localSizeLeftOpen = provenance.localSizeLeftOpen;
  launch.hostToDevice = {profile.count("host_to_device_bytes"_metric),
                         profile.count("host_to_device_transfers"_metric)};
  launch.deviceToHost = {profile.count("device_to_host_bytes"_metric),
                         profile.count("device_to_host_transfers"_metric)};
  launch.engine = provenance.engine;
  launch.engineReason = provenance.engineReason;
  launch.profile = std::move(file);
  launch.sourceHash = provenance.sourceHash;
  launch.codeHash = provenance.codeHash;
  launch.builtFromBinary = provenance.sourceKind == "bitcode";
  launch.buildOptions = provenance.buildOptions;
  launch.complete = profile.complete;
  launch.simulatorErrors = profile.simulatorErrors;
  launch.instructions = profile.count("total_instruction_count"_metric);
  launch.sampledGroups = provenance.sampledGroups;
  return launch;
}

} // namespace aiwc::run
