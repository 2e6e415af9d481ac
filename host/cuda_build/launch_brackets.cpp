#include "cuda_build/launch_brackets.h"

#include <cctype>
#include <utility>
#include <vector>

namespace aiwc::cuda_build {
namespace {

/// The end of the comment or literal that begins at `at`, or `at` if none does.
size_t endOfText(std::string_view source, size_t at) {
  const auto after = [&](std::string_view sign, size_t from) {
    const size_t found = source.find(sign, from);
    return found == std::string_view::npos ? source.size() : found + sign.size();
  };
  const std::string_view rest = source.substr(at);
  const bool followsWord =
      at > 0 && (std::isalnum(static_cast<unsigned char>(source[at - 1])) || source[at - 1] == '_');
  if (rest.starts_with("//"))
    return after("\n", at);
  if (rest.starts_with("/*"))
    return after("*/", at + 2);
  if (rest.starts_with("R\"") && !followsWord) {
    const std::string_view delimiter = rest.substr(2, rest.find('(') - 2);
    return after(")" + std::string(delimiter) + "\"", at);
  }
  const char quote = rest.front();
  if (quote != '"' && (quote != '\'' || followsWord)) // 1'000
    return at;
  for (size_t end = at + 1; end < source.size(); ++end)
    if (source[end] == '\\')
      ++end;
    else if (source[end] == quote || source[end] == '\n')
      return end + 1;
  return source.size();
}

} // namespace

std::string withLaunchBrackets(std::string_view source) {
  std::string result(source);
  std::vector<int> opened; // how deep in parentheses each launch begins
  int depth = 0;
  /// Joins two brackets at a place with a third after blanks.
  const auto joined = [&](size_t at, char bracket) {
    size_t third = at + 2;
    while (third < source.size() && (source[third] == ' ' || source[third] == '\t'))
      ++third;
    const bool isLaunch = source.substr(at, 2) == std::string(2, bracket) && third > at + 2 &&
                          third < source.size() && source[third] == bracket;
    if (isLaunch)
      std::swap(result[at + 2], result[third]);
    return isLaunch ? third + 1 : at;
  };
  for (size_t at = 0; at < source.size();) {
    size_t end = endOfText(source, at);
    if (end == at && source[at] == '<' && (end = joined(at, '<')) > at)
      opened.push_back(depth);
    else if (end == at && source[at] == '>' && !opened.empty() && opened.back() == depth &&
             (end = joined(at, '>')) > at)
      opened.pop_back();
    if (end == at) {
      const char c = source[at];
      depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
      ++end;
    }
    at = end;
  }
  return result;
}

} // namespace aiwc::cuda_build
