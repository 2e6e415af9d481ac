#include "common/error.h"
#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>

namespace aiwc::embed {

using profile::Histogram;
using profile::KernelProfile;

namespace {

struct Token {
  std::string_view key, value;
};

[[noreturn]] void wrong(const Token &token, std::string_view expected) {
  throw Error(fmt::format("{} is {}: expected {}", profile::printable(token.key, 40),
                          token.value.empty() ? "empty" : profile::printable(token.value, 40),
                          expected));
}

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r';
}

/// The next word of `text`, which is taken off it; empty at its end. Not by find_first_of, which is
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

/// The next token of `text`; an empty key at its end.
Token takeToken(std::string_view &text) {
  std::string_view word = takeWord(text);
  const std::string_view key = takeUntil(word, '=');
  return {key, word};
}

std::string name(const Token &token) {
  auto text = unescaped(token.value);
  if (!text)
    wrong(token, "two hexadecimal digits behind a %");
  return *std::move(text);
}

uint64_t count(const Token &token) {
  const auto value = parseCount(token.value);
  if (!value)
    wrong(token, "a non-negative integer below 2^64");
  return *value;
}

double real(const Token &token) {
  const auto value = parseReal(token.value);
  if (!value)
    wrong(token, "a non-negative number");
  return *value;
}

uint32_t size(const Token &token, profile::Size3 &size, uint64_t missing) {
  size.fill(missing);
  std::string_view rest = token.value;
  uint32_t dimensions = 0;
  do {
    const auto value = parseCount(takeUntil(rest, 'x'));
    if (!value || dimensions == 3)
      wrong(token, "one to three integers with x between");
    size[dimensions++] = *value;
  } while (rest.data() != nullptr);
  return dimensions;
}

void setMetrics(const MetricList &list, const Token &token, KernelProfile &profile) {
  std::string_view rest = token.value;
  for (size_t i = 0; i < list.count; ++i) {
    const auto metric = static_cast<profile::Metric>(static_cast<size_t>(list.first) + i);
    const std::string_view value = takeUntil(rest, ',');
    if (value == "-")
      continue;
    if (profile::info(metric).type == profile::MetricType::kCount)
      profile.setCount(metric, count({token.key, value}));
    else
      profile.setReal(metric, real({token.key, value}));
  }
  if (rest.data() != nullptr)
    wrong(token, fmt::format("{} values", list.count));
}

void addLevel(const Token &token, uint64_t width, std::string_view count, Histogram &levels) {
  const auto number = parseCount(count);
  if (!number || (!levels.empty() && levels.back().first >= width))
    wrong(token, "width:levels, widths increasing");
  levels.emplace_back(width, *number);
}

void addLevels(const Token &token, Histogram &levels) {
  std::string_view rest = token.value;
  do {
    std::string_view counts = takeUntil(rest, ',');
    const auto width = parseCount(takeUntil(counts, ':'));
    if (!width)
      wrong(token, "width:levels, widths increasing");
    addLevel(token, *width, takeUntil(counts, '+'), levels);
    if (counts.data() != nullptr)
      addLevel(token, *width + 1, counts, levels);
  } while (rest.data() != nullptr);
}

void addReuse(const Token &token, std::vector<ReuseRange> &ranges) {
  constexpr std::string_view kExpected = "lowest:accesses or lowest~end:accesses";
  std::string_view rest = token.value;
  do {
    std::string_view accesses = takeUntil(rest, ',');
    std::string_view bounds = takeUntil(accesses, ':');
    const auto lowest = parseCount(takeUntil(bounds, '~'));
    if (!lowest)
      wrong(token, kExpected);
    const auto end = bounds.data() == nullptr ? profile::reuseBinEnd(*lowest) : parseCount(bounds);
    if (!end)
      wrong(token, kExpected);
    ReuseRange range{*lowest, *end, 0};
    do {
      const auto number = parseScaledCount(takeUntil(accesses, ';'));
      if (!number)
        wrong(token, kExpected);
      range.accesses = *number;
      ranges.push_back(range);
      range = {range.end, profile::reuseBinEnd(range.end), 0};
    } while (accesses.data() != nullptr);
  } while (rest.data() != nullptr);
}

/// Whether these are words with one space between them, as far as space goes. Whole strides are
/// checked together, which compilers do with vector instructions.
bool isPlain(std::string_view words) {
  constexpr size_t kStride = 32;
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

/// The words of `text` with one space between them. Carriers keep its lines, or put spaces in
/// their place; other space is somebody's editing, and takes longer.
std::string wordsOf(std::string_view text) {
  std::string words(text);
  for (size_t at = words.find('\n'); at != std::string::npos; at = words.find('\n', at))
    words[at] = ' ';
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

/// Throws Error unless `words` end in the checksum of what is before it.
void verify(std::string_view words) {
  const size_t at = words.rfind("check=");
  if (at == std::string_view::npos || at == 0)
    throw Error("check is missing: expected it at the end; the annotation is cut off");
  const std::string_view value = words.substr(at + std::string_view("check=").size());
  if (words[at - 1] != ' ' ||
      value != fmt::format("{:016x}", profile::checksum(words.substr(0, at - 1))))
    wrong({"check", value}, "the checksum of the text before it; the annotation is damaged");
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
                                          profile_.provenance.workDim > 0, localDimensions_ > 0};
    constexpr std::array<std::string_view, 3> kNames = {"kernel", "global", "local"};
    for (size_t i = 0; i < required.size(); ++i)
      if (!required[i])
        throw Error(fmt::format("{} is missing: expected it", kNames[i]));
    if (localDimensions_ != profile_.provenance.workDim)
      throw Error(fmt::format("local has {} dimensions: expected {}, as global", localDimensions_,
                              profile_.provenance.workDim));
    auto distances = expandReuse(ranges_);
    if (!distances)
      throw Error("reuse_distances has ranges that are no bins, or do not increase: expected bins");
    profile_.histograms.reuseDistances = *std::move(distances);
    return std::move(profile_);
  }

private:
  void read(const Token &token) {
    // Mostly the metrics of the catalogue, in its order.
    if (next_ < kMetricLists.size() && token.key == kMetricLists[next_].key)
      readMetrics(token, next_);
    else if (!readList(token) && !readProvenance(token) && !readNumber(token))
      readMetrics(token);
  }

  bool readList(const Token &token) {
    if (token.key == "level_widths")
      addLevels(token, profile_.histograms.asapFpLevels);
    else if (token.key == "reuse_distances")
      addReuse(token, ranges_);
    else
      return false;
    return true;
  }

  bool readProvenance(const Token &token) {
    profile::Provenance &to = profile_.provenance;
    const std::array<std::pair<std::string_view, std::string *>, 8> names = {{
        {"kernel", &to.kernel},
        {"source", &to.sourceHash},
        {"source_kind", &to.sourceKind},
        {"build_options", &to.buildOptions},
        {"engine", &to.engine},
        {"tool", &to.toolVersion},
        {"oclgrind", &to.oclgrindVersion},
        {"llvm", &to.llvmVersion},
    }};
    for (const auto &[key, member] : names)
      if (token.key == key) {
        *member = name(token);
        return true;
      }
    if (token.key == "global")
      to.workDim = size(token, to.globalSize, 1);
    else if (token.key == "local")
      localDimensions_ = size(token, to.localSize, 1);
    else if (token.key == "offset")
      size(token, to.globalOffset, 0);
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
      wrong(token, "two integers, the first the lesser, with a comma between");
    profile_.provenance.sampledGroups = *sampled;
    profile_.provenance.totalGroups = *total;
  }

  bool readNumber(const Token &token) {
    if (token.key == "invocation")
      profile_.provenance.invocation = count(token);
    else if (token.key == "simulator_errors")
      profile_.simulatorErrors = count(token);
    else if (token.key == "line_bytes")
      profile_.reuse.lineBytes = count(token);
    else if (token.key == "cold_accesses")
      profile_.reuse.coldAccesses = count(token);
    else if (token.key == "sample_rate")
      profile_.reuse.sampleRate = real(token);
    else if (token.key == "error_bound")
      profile_.reuse.errorBound = real(token);
    else
      return false;
    return true;
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
    setMetrics(kMetricLists[index], token, profile_);
    next_ = index + 1;
  }

  KernelProfile profile_;
  uint32_t localDimensions_ = 0;
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
  header.launch.kernel = name(kernel);
  header.launch.workDim = size(global, header.launch.globalSize, 1);
  if (size(local, header.launch.localSize, 1) != header.launch.workDim)
    wrong(local, "as many dimensions as global");
  header.sourceHash = name(source);
  return header;
}

KernelProfile decode(std::string_view text) {
  if (text.size() > kMaximumBytes)
    throw Error(fmt::format("has {} bytes: expected at most {}", text.size(), kMaximumBytes));
  const std::string words = wordsOf(text);
  verify(words);
  return Reader().read(words);
}

} // namespace aiwc::embed
