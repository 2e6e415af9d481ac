#include "common/error.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "embed/compact_values.h"
#include "profile/fields.h"
#include "profile/relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

namespace aiwc::embed {

using profile::KernelProfile;

namespace {

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
