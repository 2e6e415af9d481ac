#include "embed/annotation.h"

#include "common/error.h"
#include "embed/bytes.h"
#include "embed/compact_text.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace aiwc::embed {

using profile::KernelProfile;

namespace {

bool before(const LaunchKey &a, const LaunchKey &b) {
  return std::tie(a.kernel, a.workDim, a.globalSize, a.localSize) <
         std::tie(b.kernel, b.workDim, b.globalSize, b.localSize);
}

} // namespace

KernelProfile Annotation::profile() const {
  try {
    return decode(text);
  } catch (const Error &error) {
    throw Error(fmt::format("{}: {}", place, error.what()));
  }
}

void Annotations::reject(const std::string &place, std::string_view why) {
  if (++rejected <= kMaximumReasons)
    reasons.push_back(fmt::format("{}: {}", place, why));
}

void Annotations::add(std::string text, const std::string &place) {
  try {
    Header header = decodeHeader(text);
    found.push_back(
        {std::move(header.launch), std::move(header.sourceHash), std::move(text), place, false});
  } catch (const Error &error) {
    reject(place, error.what());
  }
}

void Annotations::addMarked(const Marker &marker, std::string text, const std::string &place) {
  const std::string mismatch = versionMismatch(marker);
  if (!mismatch.empty()) {
    reject(place, mismatch);
    return;
  }
  if (!isHarmlessText(text)) { // it may be put into a string, which a quote would end
    reject(place, "an annotation with invalid characters: expected the compact form");
    return;
  }
  const size_t before = found.size();
  add(std::move(text), place);
  if (found.size() > before)
    found.back().containerHash = marker.containerHash;
}

void Annotations::dropEqual() {
  // Finds duplicates by hash: comparing texts would take as long as sorting them.
  std::unordered_set<uint64_t> seen;
  std::string text; // without its line breaks
  std::erase_if(found, [&](const Annotation &one) {
    text = one.text;
    joinLines(text);
    return !seen.insert(profile::checksum(text)).second;
  });
}

void Annotations::markStale() {
  for (Annotation &annotation : found)
    annotation.stale = !annotation.containerHash.empty() && annotation.containerHash != sourceHash;
}

std::optional<KernelProfile> Annotation::profileIfIntact(std::string &damage) const {
  try {
    return profile();
  } catch (const Error &error) {
    if (damage.empty())
      damage = error.what();
    return std::nullopt;
  }
}

bool Annotation::intact() const {
  std::string ignored;
  return profileIfIntact(ignored).has_value();
}

bool Annotation::rewritable() const {
  return !stale && intact();
}

Annotation annotationOf(const KernelProfile &profile) {
  return {launchOf(profile.provenance), profile.provenance.sourceHash,
          fmt::format("{}", fmt::join(encode(profile), "\n")), "", false};
}

std::vector<const KernelProfile *>
onePerLaunch(const std::vector<const KernelProfile *> &profiles) {
  std::vector<const KernelProfile *> result = profiles;
  std::ranges::stable_sort(result, [](const KernelProfile *a, const KernelProfile *b) {
    const LaunchKey x = launchOf(a->provenance);
    const LaunchKey y = launchOf(b->provenance);
    if (x != y)
      return before(x, y);
    return a->count("total_instruction_count"_metric) > b->count("total_instruction_count"_metric);
  });
  const auto same = [](const KernelProfile *a, const KernelProfile *b) {
    return launchOf(a->provenance) == launchOf(b->provenance);
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

std::vector<Annotation> replaced(const std::vector<Annotation> &old,
                                 const std::vector<Annotation> &added) {
  std::vector<Annotation> result = added;
  std::ranges::copy_if(old, std::back_inserter(result), &Annotation::rewritable);
  std::ranges::stable_sort(result,
                           [](const auto &a, const auto &b) { return before(a.launch, b.launch); });
  const auto same = [](const auto &a, const auto &b) { return a.launch == b.launch; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

} // namespace aiwc::embed
