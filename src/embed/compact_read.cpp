#include "common/error.h"
#include "embed/bytes.h"
#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "profile/fields.h"
#include "profile/kernel_profile.h"
#include "profile/relations.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::embed {

using profile::KernelProfile;

namespace {

struct Token {
  std::string_view key, value;
};

/// Throws Error, `KEY is VALUE: expected EXPECTED`.
[[noreturn]] void wrong(const Token &token, std::string_view expected) {
  throw Error(fmt::format("{} is {}: expected {}", text::printable(token.key, 40),
                          token.value.empty() ? "empty" : text::printable(token.value, 40),
                          expected));
}

constexpr std::string_view kLevelExpected = "width:levels, widths increasing";
constexpr std::string_view kReuseExpected = "lowest:accesses or lowest~end:accesses";

uint64_t required(const Token &token, const std::optional<uint64_t> &number,
                  std::string_view expected) {
  if (!number)
    wrong(token, expected);
  return *number;
}

/// Removes the sign between two parts of a value.
void between(const Token &token, std::string_view &rest, char sign, std::string_view expected) {
  if (!takeSign(rest, sign))
    wrong(token, expected);
}

void addLevel(const Token &token, uint64_t width, std::string_view &rest, Histogram &levels) {
  const uint64_t number = required(token, takeCount(rest), kLevelExpected);
  if (!levels.empty() && levels.back().first >= width)
    wrong(token, kLevelExpected);
  levels.emplace_back(width, number);
}

/// Whether another item follows. Throws if the value neither ends here nor continues.
bool goesOn(const Token &token, std::string_view &rest, std::string_view expected) {
  if (rest.empty())
    return false;
  between(token, rest, ',', expected);
  return true;
}

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r';
}

/// Removes the next word from `text`; empty at the end. Does not use find_first_of, which is
/// several times slower.
std::string_view takeWord(std::string_view &text) {
  size_t begin = 0;
  while (begin < text.size() && isSpace(text[begin]))
    ++begin;
  size_t end = begin;
  while (end < text.size() && !isSpace(text[end]))
    ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

/// Whether the only white space in `words` is one space between words. Whole strides are checked at
/// once, which compilers vectorise.
bool isPlain(std::string_view words) {
  const auto isOdd = [&](size_t at) {
    return static_cast<unsigned char>(
        static_cast<unsigned>(words[at] == '\r') | static_cast<unsigned>(words[at] == '\n') |
        (static_cast<unsigned>(words[at] == ' ') & static_cast<unsigned>(words[at + 1] == ' ')));
  };
  if (words.empty() || isSpace(words.front()) || isSpace(words.back()))
    return words.empty();
  unsigned char odd = 0;
  size_t at = 0;
  for (; words.size() - at > kStride; at += kStride)
    for (size_t i = 0; i < kStride; ++i)
      odd |= isOdd(at + i);
  for (; at + 1 < words.size(); ++at)
    odd |= isOdd(at);
  return odd == 0;
}

/// The words of `text` with one space between them. Containers keep the lines, or replace newlines
/// with spaces; any other white space comes from editing and takes longer to process.
std::string wordsOf(std::string_view text) {
  std::string words(text);
  joinLines(words);
  if (words.ends_with(' '))
    words.pop_back();
  if (isPlain(words))
    return words;
  words.clear();
  for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
    if (!words.empty())
      words += ' ';
    words += word;
  }
  return words;
}

/// Throws Error unless `words` end with the checksum of the words before it.
void verify(std::string_view words) {
  const size_t at = words.rfind("check=");
  if (at == std::string_view::npos || at == 0)
    throw Error("check is missing: expected it at the end; the annotation is cut off");
  const std::string_view value = words.substr(at + std::string_view("check=").size());
  if (words[at - 1] != ' ' ||
      value != fmt::format("{:016x}", profile::checksum(words.substr(0, at - 1))))
    wrong({"check", value}, "the checksum of the text before it; the annotation is damaged");
}

using profile::Histogram;
using profile::KernelProfile;

/// A name; it may contain any bytes.
std::string nameIn(const Token &token) {
  auto text = unescaped(token.value);
  if (!text)
    wrong(token, "two hexadecimal digits after a %");
  return *std::move(text);
}

uint64_t countIn(const Token &token) {
  const auto value = parseCount(token.value);
  if (!value)
    wrong(token, "a non-negative integer below 2^64");
  return *value;
}

/// Finite and not negative.
double realIn(const Token &token) {
  const auto value = parseReal(token.value);
  if (!value)
    wrong(token, "a non-negative number");
  return *value;
}

/// Reads one to three sizes and returns their number; the other elements of `size` become
/// `missing`.
uint32_t sizeIn(const Token &token, profile::Size3 &size, uint64_t missing) {
  size.fill(missing);
  std::string_view rest = token.value;
  uint32_t dimensions = 0;
  do {
    const auto value = parseCount(takeUntil(rest, 'x'));
    if (!value || dimensions == 3)
      wrong(token, "one to three integers separated by x");
    size[dimensions++] = *value;
  } while (rest.data() != nullptr);
  return dimensions;
}

/// Sets the metrics of `list`.
void readMetrics(const MetricList &list, const Token &token, KernelProfile &profile) {
  std::string_view rest = token.value;
  for (const profile::MetricInfo &metric : list.metrics) {
    const std::string_view value = takeUntil(rest, ',');
    if (value == "-")
      continue;
    if (metric.type == profile::MetricType::kCount)
      profile.setCount(metric.metric, countIn({token.key, value}));
    else
      profile.setReal(metric.metric, realIn({token.key, value}));
  }
  if (rest.data() != nullptr)
    wrong(token, fmt::format("{} values", list.metrics.size()));
}

/// Appends level widths. They must increase.
void readLevels(const Token &token, Histogram &levels) {
  std::string_view rest = token.value;
  do {
    const uint64_t width = required(token, takeCount(rest), kLevelExpected);
    between(token, rest, ':', kLevelExpected);
    addLevel(token, width, rest, levels);
    if (takeSign(rest, '+'))
      addLevel(token, width + 1, rest, levels);
  } while (goesOn(token, rest, kLevelExpected));
}

/// Appends ranges. They are not checked here: `expandReuse` does that.
void readReuse(const Token &token, std::vector<ReuseRange> &ranges) {
  std::string_view rest = token.value;
  do {
    const uint64_t lowest = required(token, takeCount(rest), kReuseExpected);
    const uint64_t end = takeSign(rest, '~') ? required(token, takeCount(rest), kReuseExpected)
                                             : profile::reuseBinEnd(lowest);
    between(token, rest, ':', kReuseExpected);
    ReuseRange range{lowest, end, 0};
    do {
      range.accesses = required(token, takeScaledCount(rest), kReuseExpected);
      ranges.push_back(range);
      range = {range.end, profile::reuseBinEnd(range.end), 0};
    } while (takeSign(rest, ';'));
  } while (goesOn(token, rest, kReuseExpected));
}

/// Removes the next token from `text`, together with the white space before it. The key is empty at
/// the end of `text`.
Token takeToken(std::string_view &text) {
  std::string_view word = takeWord(text);
  const std::string_view key = takeUntil(word, '=');
  return {key, word};
}

/// The words of `text` with one space between them, whatever white space separates them there.
/// Throws Error unless the last word is the checksum of the words before it. O(length).
std::string checkedWords(std::string_view text) {
  std::string words = wordsOf(text);
  verify(words);
  return words;
}

class Reader {
public:
  /// Words with one space between them.
  KernelProfile read(std::string_view words) {
    while (!words.empty()) {
      std::string_view word = takeUntil(words, ' ');
      const std::string_view key = takeUntil(word, '=');
      read({key, word});
    }
    const std::array<bool, 3> required = {!profile_.provenance.kernel.empty(),
                                          globalDimensions_ > 0, localDimensions_ > 0};
    constexpr std::array<std::string_view, 3> kNames = {"kernel", "global", "local"};
    for (size_t i = 0; i < required.size(); ++i)
      if (!required[i])
        throw Error(fmt::format("{} is missing: expected it", kNames[i]));
    if (localDimensions_ != globalDimensions_)
      throw Error(fmt::format("local has {} dimensions: expected {}, as global", localDimensions_,
                              globalDimensions_));
    auto distances = expandReuse(ranges_);
    if (!distances)
      throw Error(
          "reuse_distances has ranges that are not bins, or do not increase: expected bins");
    profile_.histograms.reuseDistances = *std::move(distances);
    if (const auto wrong = profile::contradictionIn(profile_, true))
      throw Error(wrong->what);
    return std::move(profile_);
  }

private:
  void read(const Token &token) {
    // Tokens are mostly the metrics of the catalogue, in its order, so the search starts with the
    // next one.
    if (next_ < kMetricLists.size() && token.key == kMetricLists[next_].key)
      readMetrics(token, next_);
    else if (!readList(token) && !readProvenance(token) && !readNumber(token))
      readMetrics(token);
  }

  bool readList(const Token &token) {
    if (token.key == "level_widths")
      readLevels(token, profile_.histograms.asapFpLevels);
    else if (token.key == "reuse_distances")
      readReuse(token, ranges_);
    else
      return false;
    return true;
  }

  bool readProvenance(const Token &token) {
    profile::Provenance &to = profile_.provenance;
    const std::array<std::pair<std::string_view, std::string *>, 9> names = {{
        {"kernel", &to.kernel},
        {"source", &to.sourceHash},
        {"source_kind", &to.sourceKind},
        {"build_options", &to.buildOptions},
        {"extrapolated", &to.extrapolatedFrom},
        {"engine", &to.engine},
        {"tool", &to.toolVersion},
        {"oclgrind", &to.oclgrindVersion},
        {"llvm", &to.llvmVersion},
    }};
    for (const auto &[key, member] : names)
      if (token.key == key) {
        *member = nameIn(token);
        return true;
      }
    if (token.key == "global")
      globalDimensions_ = to.workDim = sizeIn(token, to.globalSize, 1);
    else if (token.key == "local")
      localDimensions_ = sizeIn(token, to.localSize, 1);
    else if (token.key == "offset")
      sizeIn(token, to.globalOffset, 0);
    else if (token.key == "sampled_groups")
      readSample(token);
    else
      return false;
    return true;
  }

  void readSample(const Token &token) {
    std::string_view rest = token.value;
    const auto sampled = parseCount(takeUntil(rest, ','));
    const auto total = parseCount(rest);
    if (!sampled || !total || *sampled >= *total)
      wrong(token, "two integers separated by a comma, the smaller one first");
    profile_.provenance.sampledGroups = *sampled;
    profile_.provenance.totalGroups = *total;
  }

  bool readNumber(const Token &token) {
    if (token.key == "invocation")
      profile_.provenance.invocation = countIn(token);
    else if (token.key == "simulator_errors")
      profile_.simulatorErrors = countIn(token);
    else if (token.key == "line_bytes")
      profile_.reuse.lineBytes = countIn(token);
    else if (token.key == "cold_accesses")
      profile_.reuse.coldAccesses = countIn(token);
    else if (token.key == "local_memory")
      readLocalMemory(token);
    else
      return false;
    return true;
  }

  void readLocalMemory(const Token &token) {
    std::string_view rest = token.value;
    const std::string_view bytes = takeUntil(rest, ',');
    profile_.localMemory = {countIn({token.key, bytes}), realIn({token.key, rest})};
    if (profile_.localMemory->bankTurns < 1)
      wrong(token, "a number of bytes and, after a comma, one of 1 or more");
  }

  void readMetrics(const Token &token) {
    const auto *list = std::ranges::find(kMetricLists, token.key, &MetricList::key);
    if (list == kMetricLists.end())
      return; // of a later version, which reads without it
    readMetrics(token, static_cast<size_t>(list - kMetricLists.begin()));
  }

  void readMetrics(const Token &token, size_t index) {
    if (seen_[index])
      throw Error(fmt::format("{} appears twice: expected it once", token.key));
    seen_.set(index);
    embed::readMetrics(kMetricLists[index], token, profile_);
    next_ = index + 1;
  }

  KernelProfile profile_;
  uint32_t globalDimensions_ = 0, localDimensions_ = 0; ///< 0: not read yet
  std::vector<ReuseRange> ranges_;
  std::bitset<kMetricLists.size()> seen_;
  size_t next_ = 0; ///< list of metrics that is likely to come next
};

} // namespace

Header decodeHeader(std::string_view text) {
  Header header;
  const Token kernel = takeToken(text);
  const Token global = takeToken(text);
  const Token local = takeToken(text);
  const Token source = takeToken(text);
  if (kernel.key != "kernel" || kernel.value.empty() || global.key != "global" ||
      local.key != "local" || source.key != "source")
    throw Error("does not begin with kernel, global, local and source: expected an annotation");
  header.launch.kernel = nameIn(kernel);
  header.launch.workDim = sizeIn(global, header.launch.globalSize, 1);
  if (sizeIn(local, header.launch.localSize, 1) != header.launch.workDim)
    wrong(local, "as many dimensions as global");
  header.sourceHash = nameIn(source);
  return header;
}

KernelProfile decode(std::string_view text) {
  if (text.size() > kMaximumBytes)
    throw Error(fmt::format("has {} bytes: expected at most {}", text.size(), kMaximumBytes));
  return Reader().read(checkedWords(text));
}

} // namespace aiwc::embed
