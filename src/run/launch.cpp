#include "run/launch.h"

#include "profile/fields.h"
#include "run/launch_texts.h"
#include "text/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace aiwc::run {

using profile::Size3;
using text::childPath;
using text::JsonValue;

namespace {

constexpr std::array<std::pair<Argument::Kind, std::string_view>, 4> kKinds = {
    {{Argument::Kind::kValue, "value"},
     {Argument::Kind::kBuffer, "buffer"},
     {Argument::Kind::kImage, "image"},
     {Argument::Kind::kLocal, "local"}}};

using Kind = text::JsonList::Kind;

constexpr auto kTight = text::JsonList::Layout::kTight;

void appendSize(std::string &to, const Size3 &sizes) {
  text::JsonList array(to, Kind::kArray, kTight);
  for (const uint64_t size : sizes)
    text::appendJsonCount(array.next(), size);
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
  if (!argument.contents.empty())
    object.member("contents", argument.contents);
  if (argument.assumed)
    object.member("assumed", true);
  if (!argument.contentsHash.empty())
    object.member("contents_hash", argument.contentsHash);
  object.close();
}

constexpr std::string_view kQueue = "queue", kStart = "start_nanos", kPlaced = "placed";

void appendPlace(text::JsonList &object, const Place &place) {
  object.member(kQueue, place.queue);
  object.member(kStart, place.startNanos);
}

void appendTransfers(std::string &to, const Transfers &transfers) {
  text::JsonList object(to, Kind::kObject, kTight);
  object.member("bytes", transfers.bytes);
  object.member("transfers", transfers.transfers);
  if (transfers.nanos > 0)
    object.member("nanos", transfers.nanos);
  if (!transfers.placed.empty()) {
    text::JsonList list(object.next(kPlaced), Kind::kArray, kTight);
    for (const PlacedTransfer &one : transfers.placed) {
      text::JsonList member(list.next(), Kind::kObject, kTight);
      appendPlace(member, one.place);
      member.member("nanos", one.nanos);
      member.member("bytes", one.bytes);
      member.close();
    }
    list.close();
  }
  object.close();
}

constexpr std::string_view kOthersLeftOut = profile::kOthersLeftOutField.key;
constexpr std::string_view kSmallerSample = "smaller_sample", kSeconds = "seconds";
constexpr std::string_view kHostClock = "host";
constexpr std::string_view kWarmUp = "warm_up", kAlone = "alone";

void appendMeasured(std::string &to, const DeviceTime &measured) {
  text::JsonList object(to, Kind::kObject, kTight);
  object.member("device", measured.device);
  object.member("nanos", measured.nanos);
  object.member("queued_nanos", measured.queuedNanos);
  if (measured.isHostClock)
    object.member("clock", kHostClock);
  if (measured.first != FirstLaunch::kNo)
    object.member("first", measured.first == FirstLaunch::kWarmUp ? kWarmUp : kAlone);
  if (measured.place)
    appendPlace(object, *measured.place);
  object.close();
}

void appendCharacterised(text::JsonList &object, const Launch &launch) {
  object.member("profile", launch.profile);
  if (launch.representative)
    object.member("alike_to", *launch.representative);
  if (!launch.source.empty())
    object.member("source", launch.source);
  object.member("complete", launch.complete);
  object.member("simulator_errors", launch.simulatorErrors);
  object.member("instructions", launch.instructions);
  if (launch.sampledGroups > 0)
    object.member("sampled_groups", launch.sampledGroups);
  if (launch.smallerSample)
    object.member(kSmallerSample, true);
}

/// The members of a JSON object without blanks between tokens, as `"key":value`.
std::vector<std::string_view> membersOf(std::string_view object) {
  std::vector<std::string_view> members;
  size_t begin = 1;
  int depth = 0;
  bool isText = false;
  for (size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (isText) {
      i += c == '\\' ? 1 : 0; // and what is escaped
      isText = c != '"';
      continue;
    }
    isText = c == '"';
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if ((c == ',' && depth == 1) || depth == 0) {
      members.push_back(object.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return members;
}

bool mayDiffer(std::string_view member) {
  constexpr std::array<std::string_view, 7> kVarying = {
      "\"invocation\":", "\"arguments\":", "\"host_to_device\":", "\"device_to_host\":",
      "\"measured\":",   "\"seconds\":",   "\"alike_to\":"};
  return std::ranges::any_of(kVarying,
                             [&](std::string_view key) { return member.starts_with(key); });
}

} // namespace

uint64_t LaunchReader::countOf(const JsonValue &parent, const std::string &path,
                               std::string_view key) const {
  return count(required(parent, path, key), childPath(path, key));
}

const std::string &LaunchReader::textOf(const JsonValue &parent, const std::string &path,
                                        std::string_view key) const {
  return text(required(parent, path, key), childPath(path, key));
}

Transfers LaunchReader::transfers(const JsonValue &parent, const std::string &path,
                                  std::string_view key) const {
  const JsonValue &value = required(parent, path, key);
  const std::string where = childPath(path, key);
  Transfers transfers{countOf(value, where, "bytes"), countOf(value, where, "transfers"),
                      find(value, "nanos") ? countOf(value, where, "nanos") : 0};
  if (const JsonValue *placed = find(value, kPlaced)) {
    const std::string list = childPath(where, kPlaced);
    for (const JsonValue &one : array(*placed, list)) {
      const std::string each = fmt::format("{}[{}]", list, transfers.placed.size());
      object(one, each);
      transfers.placed.push_back(
          {place(one, each), countOf(one, each, "nanos"), countOf(one, each, "bytes")});
    }
  }
  return transfers;
}

Place LaunchReader::place(const JsonValue &value, const std::string &path) const {
  return {countOf(value, path, kQueue), countOf(value, path, kStart)};
}

DeviceTime LaunchReader::measured(const JsonValue &value, const std::string &path) const {
  object(value, path);
  DeviceTime time{textOf(value, path, "device"), countOf(value, path, "nanos"),
                  countOf(value, path, "queued_nanos")};
  if (const JsonValue *clock = find(value, "clock")) {
    if (text(*clock, childPath(path, "clock")) != kHostClock)
      wrong(*clock, childPath(path, "clock"), "\"host\", or no clock for the device's");
    time.isHostClock = true;
  }
  if (const JsonValue *first = find(value, "first")) {
    const std::string &word = text(*first, childPath(path, "first"));
    if (word != kWarmUp && word != kAlone)
      wrong(*first, childPath(path, "first"), "\"warm_up\" or \"alone\", or no first");
    time.first = word == kWarmUp ? FirstLaunch::kWarmUp : FirstLaunch::kAlone;
  }
  if (find(value, kQueue))
    time.place = place(value, path);
  return time;
}

double LaunchReader::secondsOf(const JsonValue &value, const std::string &path) const {
  if (const auto *real = std::get_if<double>(&value.value); real && *real >= 0)
    return *real;
  if (const auto *whole = std::get_if<uint64_t>(&value.value))
    return static_cast<double>(*whole);
  wrong(value, path, "a number that is not negative");
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
  if (find(value, "contents"))
    argument.contents = textOf(value, path, "contents");
  if (const JsonValue *assumed = find(value, "assumed"))
    argument.assumed = truth(*assumed, childPath(path, "assumed"));
  if (find(value, "contents_hash"))
    argument.contentsHash = textOf(value, path, "contents_hash");
  return argument;
}

Launch LaunchReader::launch(const JsonValue &value, const std::string &path,
                            FullLaunches &earlier) const {
  const uint64_t process = countOf(value, path, "process");
  const uint64_t number = countOf(value, path, "number");
  const JsonValue *const as = find(value, "as");
  if (!as) {
    Launch launch;
    launch.process = process;
    launch.number = number;
    readMembers(value, path, true, launch);
    earlier.add(launch);
    return launch;
  }
  const std::string where = childPath(path, "as");
  const uint64_t likeNumber = count(*as, where);
  const Launch *const like = earlier.find(process, likeNumber);
  if (!like)
    document().fail(*as, fmt::format("{} is {}: expected the number of an earlier launch of "
                                     "process {} that is given in full",
                                     where, likeNumber, process));
  Launch launch = *like;
  launch.number = number;
  readMembers(value, path, false, launch);
  return launch;
}

void LaunchReader::readMembers(const JsonValue &value, const std::string &path, bool inFull,
                               Launch &launch) const {
  // A launch in full must have each of these members; any other may leave them out.
  const auto has = [&](std::string_view key) { return inFull || find(value, key); };
  if (inFull)
    readIdentity(value, path, launch);
  else if (find(value, "invocation"))
    launch.invocation = countOf(value, path, "invocation");
  if (has("arguments")) {
    const std::string where = childPath(path, "arguments");
    launch.arguments.clear();
    for (const JsonValue &one : array(required(value, path, "arguments"), where))
      launch.arguments.push_back(
          argument(one, fmt::format("{}[{}]", where, launch.arguments.size())));
  }
  if (has("host_to_device"))
    launch.hostToDevice = transfers(value, path, "host_to_device");
  if (has("device_to_host"))
    launch.deviceToHost = transfers(value, path, "device_to_host");
  if (const JsonValue *time = find(value, "measured"))
    launch.measured = measured(*time, childPath(path, "measured"));
  if (const JsonValue *seconds = find(value, kSeconds))
    launch.seconds = secondsOf(*seconds, childPath(path, kSeconds));
  if (inFull)
    readProfile(value, path, launch);
  if (launch.hasProfile() && find(value, "alike_to"))
    launch.representative = countOf(value, path, "alike_to");
}

void LaunchReader::readProfile(const JsonValue &value, const std::string &path,
                               Launch &launch) const {
  if (const JsonValue *left = find(value, kOthersLeftOut))
    launch.othersLeftOut = truth(*left, childPath(path, kOthersLeftOut));
  // A launch with `nearest_to`, which earlier versions wrote, has the profile of one that is not of
  // its kind.
  if (std::holds_alternative<std::nullptr_t>(required(value, path, "profile").value) ||
      find(value, "nearest_to"))
    return;
  launch.profile = textOf(value, path, "profile");
  if (find(value, "source"))
    launch.source = textOf(value, path, "source");
  launch.complete = truth(required(value, path, "complete"), childPath(path, "complete"));
  launch.simulatorErrors = countOf(value, path, "simulator_errors");
  launch.instructions = countOf(value, path, "instructions");
  if (find(value, "sampled_groups"))
    launch.sampledGroups = countOf(value, path, "sampled_groups");
  if (const JsonValue *smaller = find(value, kSmallerSample))
    launch.smallerSample = truth(*smaller, childPath(path, kSmallerSample));
}

KernelKey kernelOf(const Launch &launch) {
  const profile::KernelIdentity code = profile::identityOf(launch);
  return {launch.kernel,
          code.hash.empty() ? "" : fmt::format("{} {}", code.hash, code.buildOptions)};
}

std::string workOf(const Launch &launch) {
  // JSON, so that no name can end where another text begins.
  std::string text;
  text::JsonList work(text, Kind::kArray, kTight);
  for (const std::string *part : {&launch.kernel, &launch.sourceHash, &launch.buildOptions})
    text::appendJsonString(work.next(), *part);
  text::appendJsonCount(work.next(), uint64_t{launch.workDim});
  for (const Size3 *size : {&launch.globalOffset, &launch.globalSize, &launch.localSize})
    appendSize(work.next(), *size);
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
  appendIdentity(object, launch);
  text::JsonList arguments(object.next("arguments"), Kind::kArray, kTight);
  for (const Argument &argument : launch.arguments)
    appendArgument(arguments.next(), argument);
  arguments.close();
  appendTransfers(object.next("host_to_device"), launch.hostToDevice);
  appendTransfers(object.next("device_to_host"), launch.deviceToHost);
  if (launch.measured)
    appendMeasured(object.next("measured"), *launch.measured);
  if (launch.seconds > 0)
    object.next(kSeconds) += fmt::format("{:.3g}", launch.seconds);
  if (launch.othersLeftOut)
    object.member(kOthersLeftOut, true);
  if (launch.hasProfile())
    appendCharacterised(object, launch);
  else
    object.next("profile") += "null";
  object.close();
  return text;
}

Launch launchOf(std::string_view text, const std::string &file) {
  FullLaunches none;
  return launchOf(text, file, none);
}

Launch launchOf(const profile::KernelProfile &profile, std::string file) {
  using namespace aiwc::literals;
  Launch launch;
  static_cast<profile::LaunchIdentity &>(launch) = profile.provenance;
  launch.hostToDevice = {profile.count("host_to_device_bytes"_metric),
                         profile.count("host_to_device_transfers"_metric)};
  launch.deviceToHost = {profile.count("device_to_host_bytes"_metric),
                         profile.count("device_to_host_transfers"_metric)};
  launch.profile = std::move(file);
  launch.complete = profile.complete;
  launch.simulatorErrors = profile.simulatorErrors;
  launch.instructions = profile.count("total_instruction_count"_metric);
  launch.sampledGroups = profile.provenance.sampledGroups;
  launch.othersLeftOut = profile.provenance.othersLeftOut;
  return launch;
}

std::string LaunchTexts::shortened(std::string text) {
  const std::vector<std::string_view> members = membersOf(text);
  const std::string_view process = members[0];
  const std::string_view number = members[1];
  std::string same(process);
  std::vector<std::string_view> varying;
  for (size_t i = 2; i < members.size(); ++i) {
    const std::string_view member = members[i];
    const bool varies = mayDiffer(member);
    if (varies)
      varying.push_back(member);
    // Both launches have the same keys, so that what is left out is what the other one has.
    same.append(varies ? member.substr(0, member.find(':')) : member) += '\n';
  }
  const auto like = full_.find(same);
  if (like == full_.end())
    full_.emplace(std::move(same), Full{std::string(number.substr(number.find(':') + 1)),
                                        std::vector<std::string>(varying.begin(), varying.end())});
  if (inFull_ > 0 || like == full_.end()) {
    inFull_ -= inFull_ > 0 ? 1 : 0;
    return text;
  }
  std::string shorter = "{";
  shorter.append(process).append(",").append(number).append(",\"as\":").append(like->second.number);
  for (size_t i = 0; i < varying.size(); ++i)
    if (varying[i] != like->second.varying[i])
      shorter.append(",").append(varying[i]);
  return shorter += '}';
}

Launch launchOf(std::string_view text, const std::string &file, FullLaunches &earlier) {
  return LaunchReader(text, file, "a launch").root(earlier);
}

} // namespace aiwc::run
