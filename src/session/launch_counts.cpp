#include "session/launch_counts.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace aiwc {
namespace {

constexpr std::size_t kMostReasons = 4;
constexpr std::size_t kMostKernels = 3;

/// A reason, and the kernels that it concerns.
struct Reason {
  std::string text;
  std::uint64_t launches = 0;
  std::vector<std::string> kernels;
};

struct Noun {
  const char *one, *several;
};
constexpr Noun kLaunchNoun = {"launch", "launches"}, kKernelNoun = {"kernel", "kernels"},
               kReasonNoun = {"more reason", "more reasons"},
               kCharacterisedNoun = {"characterised launch", "characterised launches"};

std::string number(std::uint64_t count, const Noun &noun) {
  return std::to_string(count) + " " + (count == 1 ? noun.one : noun.several);
}

std::string share(std::uint64_t part, std::uint64_t whole, const Noun &noun) {
  return std::to_string(part) + " of " + number(whole, noun);
}

/// In per cent with one digit, rounded towards zero: less than all is never 100.0.
std::string percentage(std::uint64_t part, std::uint64_t whole) {
  const double exact = static_cast<double>(part) / static_cast<double>(whole);
  const auto perMille = part == whole ? 1000 : std::min(999, static_cast<int>(1000 * exact));
  return std::to_string(perMille / 10) + "." + std::to_string(perMille % 10) + " %";
}

std::string namesOf(const std::vector<std::string> &kernels) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i)
    text += (i > 0 ? ", " : "") + kernels[i];
  if (kernels.size() > kMostKernels)
    text += " and " + std::to_string(kernels.size() - kMostKernels) + " more";
  return text;
}

std::string listOf(std::vector<Reason> reasons) {
  std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::launches);
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
    text += "; interpreted " + number(reasons[i].launches, kLaunchNoun) + " of " +
            namesOf(reasons[i].kernels) + ": " + reasons[i].text;
  if (reasons.size() > kMostReasons)
    text += "; and others for " + number(reasons.size() - kMostReasons, kReasonNoun);
  return text;
}

} // namespace

LaunchCount &LaunchCount::operator+=(const LaunchCount &other) {
  launches += other.launches;
  characterised += other.characterised;
  instructions += other.instructions;
  return *this;
}

std::string summaryOf(const LaunchCounts &counts) {
  LaunchCount all, compiled;
  std::uint64_t compiledKernels = 0;
  std::map<std::string, Reason> reasons;
  for (const auto &[kernel, byReason] : counts) {
    compiledKernels += byReason.size() == 1 && byReason.contains("");
    for (const auto &[reason, count] : byReason) {
      all += count;
      if (reason.empty()) {
        compiled += count;
        continue;
      }
      Reason &entry = reasons[reason];
      entry.text = reason;
      entry.launches += count.launches;
      entry.kernels.push_back(kernel);
    }
  }
  if (all.launches == 0)
    return "";
  std::vector<Reason> list;
  for (auto &[text, reason] : reasons)
    list.push_back(std::move(reason));
  std::string text = "compiled " + share(compiled.launches, all.launches, kLaunchNoun) + ", " +
                     share(compiledKernels, counts.size(), kKernelNoun);
  if (compiled.launches < all.launches && all.instructions > 0) {
    text += ", " + percentage(compiled.instructions, all.instructions) + " of the instructions";
    if (all.characterised < all.launches)
      text += " of " + number(all.characterised, kCharacterisedNoun);
  }
  return text + listOf(std::move(list));
}

} // namespace aiwc
