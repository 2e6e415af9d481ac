#include "run/launch_texts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::run {

namespace {

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
