#include "advice/tuning.h"

#include "predict/report.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aiwc::advice {

using namespace aiwc::literals;
using profile::KernelProfile;
using profile::Size3;

namespace {

bool isOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The first word of OpenCL C in `text` whose value, or whose meaning, is that of a work-group;
/// empty if there is none.
std::string_view wordOfWorkGroups(std::string_view text) {
  constexpr std::array<std::string_view, 4> kWords = {
      "get_group_id", "get_num_groups", "reqd_work_group_size", "get_enqueued_local_size"};
  constexpr std::array<std::string_view, 6> kBegins = {
      "get_local_", "get_sub_group", "get_num_sub_", "get_max_sub_", "work_group_", "sub_group_"};
  while (!text.empty()) {
    const auto begin = std::ranges::find_if(text, isOfWord);
    const auto end = std::find_if_not(begin, text.end(), isOfWord);
    const std::string_view word(begin, end);
    if (std::ranges::find(kWords, word) != kWords.end() ||
        std::ranges::any_of(kBegins, [&](std::string_view way) { return word.starts_with(way); }))
      return word;
    text.remove_prefix(static_cast<size_t>(end - text.begin()));
  }
  return {};
}

/// The number of the size with the least time on a device: the first of equals.
size_t bestOn(const Tuning &tuning, size_t device) {
  size_t best = 0;
  for (size_t i = 1; i < tuning.sizes.size(); ++i)
    if (tuning.sizes[i].refused.empty() &&
        tuning.sizes[i].seconds[device] < tuning.sizes[best].seconds[device])
      best = i;
  return best;
}

/// How many times faster a size is than the application's.
double factorOf(const Tuning &tuning, size_t size, size_t device) {
  return tuning.sizes[0].seconds[device] / tuning.sizes[size].seconds[device];
}

/// "Launch it with the local size 64x1 on gtx1080."; empty if the application's is as good.
std::string whatToDo(const Tuning &tuning) {
  std::vector<std::string> parts;
  for (size_t device = 0; device < tuning.devices.size(); ++device)
    if (const size_t best = bestOn(tuning, device); factorOf(tuning, best, device) >= kLeastGain)
      parts.push_back(
          fmt::format("{} on {}", tuning.sizes[best].localSize, tuning.devices[device]));
  return parts.empty() ? ""
                       : fmt::format("Launch it with the local size {}.", fmt::join(parts, ", "));
}

} // namespace

std::string dependsOnLocalSize(const KernelProfile &profile, std::string_view source) {
  if (profile.count("barriers_hit"_metric) > 0)
    return "it has barriers, so its work may be arranged for its local size";
  if (profile.count("bytes_read_local"_metric) + profile.count("bytes_written_local"_metric) > 0)
    return "it uses local memory, whose size may be that of its work-groups";
  if (source.empty())
    return "its source was not kept, so that it is not known whether it depends on its local size";
  for (const std::string_view text : {source, std::string_view(profile.provenance.buildOptions)})
    if (const std::string_view word = wordOfWorkGroups(text); !word.empty())
      return fmt::format("its program uses {}, so its result may depend on its local size", word);
  return "";
}

std::vector<Size3> candidateLocalSizes(const profile::Provenance &launch) {
  // Squares and rows of each number of work-items before the other shapes, and usual numbers first:
  // the first eight that fit are tried.
  constexpr std::array<std::pair<uint64_t, uint64_t>, 17> kShapes = {{{16, 16},
                                                                      {64, 1},
                                                                      {256, 1},
                                                                      {8, 8},
                                                                      {32, 8},
                                                                      {8, 32},
                                                                      {4, 16},
                                                                      {128, 1},
                                                                      {16, 4},
                                                                      {16, 8},
                                                                      {8, 16},
                                                                      {32, 1},
                                                                      {512, 1},
                                                                      {32, 16},
                                                                      {16, 32},
                                                                      {8, 4},
                                                                      {4, 8}}};
  constexpr size_t kMost = 8;
  std::vector<Size3> sizes;
  for (const auto &[x, y] : kShapes) {
    const Size3 size = {x, y, 1};
    if ((launch.workDim < 2 && y > 1) || launch.globalSize[0] % x != 0 ||
        (y > 1 && launch.globalSize[1] % y != 0) || size == launch.localSize)
      continue;
    sizes.push_back(size);
    if (sizes.size() == kMost)
      break;
  }
  return sizes;
}

std::optional<Finding> findingOf(const Tuning &tuning) {
  if (tuning.sizes.empty())
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kWorkGroupSize;
  for (size_t device = 0; device < tuning.devices.size(); ++device) {
    const size_t best = bestOn(tuning, device);
    const double factor = factorOf(tuning, best, device);
    finding.gains.push_back({tuning.devices[device], factor});
    if (factor >= kLeastGain)
      finding.evidence.push_back(
          {0, fmt::format(
                  "{} is predicted to take {} on {}, {} takes {}", tuning.sizes[best].localSize,
                  predict::duration(tuning.sizes[best].seconds[device]), tuning.devices[device],
                  tuning.sizes[0].localSize, predict::duration(tuning.sizes[0].seconds[device]))});
  }
  if (finding.evidence.empty())
    return std::nullopt;
  const auto tried = std::ranges::count_if(
      tuning.sizes, [](const SizeTimes &size) { return size.refused.empty(); });
  finding.problem =
      fmt::format("The local size {} is not the best of the {} that were characterised.",
                  tuning.sizes[0].localSize, tried);
  finding.remedy = whatToDo(tuning);
  return finding;
}

std::string toText(const Tuning &tuning, const text::Terminal &terminal) {
  const size_t width = std::clamp<size_t>(terminal.columns, 40, 100);
  if (!tuning.leftOut.empty())
    return text::wrapped(fmt::format("Local sizes were not tried: {}.", tuning.leftOut), 0, width);
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"local size"};
  for (const std::string &device : tuning.devices)
    rows[0].insert(rows[0].end(), {device, "faster", ""});
  for (size_t i = 0; i < tuning.sizes.size(); ++i) {
    const SizeTimes &size = tuning.sizes[i];
    auto &row = rows.emplace_back();
    row.push_back(size.localSize + (i > 0                      ? ""
                                    : tuning.localSizeLeftOpen ? " (for NULL)"
                                                               : " (now)"));
    for (size_t device = 0; device < tuning.devices.size(); ++device)
      if (!size.refused.empty())
        row.insert(row.end(), {"-", "-", ""});
      else
        row.insert(row.end(), {predict::duration(size.seconds[device]),
                               fmt::format("{:.2f} times", factorOf(tuning, i, device)),
                               bestOn(tuning, device) == i ? "best" : ""});
  }
  text::TableLayout layout;
  layout.indent = "  ";
  layout.terminal = terminal;
  layout.heading = true;
  std::string text = text::textTable(rows, {true}, layout);
  for (const SizeTimes &size : tuning.sizes)
    if (!size.refused.empty())
      text += text::wrapped(fmt::format("{}: {}.", size.localSize, size.refused), 2, width);
  const std::string advice = whatToDo(tuning);
  return text + text::wrapped(advice.empty()
                                  ? fmt::format("No local size that was tried is predicted to be "
                                                "5 % faster than {}.",
                                                tuning.sizes[0].localSize)
                                  : advice,
                              0, width);
}

} // namespace aiwc::advice
