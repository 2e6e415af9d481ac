/// libFuzzer: any words as compact forms whose checksums are right, as somebody hostile would write
/// them: two launches of a kernel, between which stands a `|`. Nothing but aiwc::Error may come out
/// of reading them, of writing what was read, and of scaling it to other launches.
#include "profile/source_hash.h"
#include "relations.h"
#include "scaling/launch_scaling.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <variant>

namespace {

using namespace aiwc;
using profile::KernelProfile;

std::string withChecksum(std::string_view text) {
  constexpr std::string_view kSpace = " \n\r";
  std::string words;
  for (size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;
       at = text.find_first_not_of(kSpace, at)) {
    const std::string_view word = text.substr(at, text.find_first_of(kSpace, at) - at);
    if (!word.starts_with("check="))
      words += (words.empty() ? "" : " ") + std::string(word);
    at += word.size();
  }
  return fmt::format("{} check={:016x}", words, profile::checksum(words));
}

/// Written and read again, a metric has the same value, or none where there is no room for it.
void requireSame(const KernelProfile &profile) {
  const KernelProfile again = embed::annotationOf(profile).profile();
  fuzz::require(profile::launchOf(again.provenance) == profile::launchOf(profile.provenance));
  for (const profile::MetricInfo &row : profile::catalogue())
    fuzz::require(std::holds_alternative<std::monostate>(again[row.metric]) ||
                  again[row.metric] == profile[row.metric]);
}

std::optional<KernelProfile> profileIn(std::string_view text) {
  try {
    KernelProfile read = embed::decode(withChecksum(text));
    fuzz::requireRelations(read);
    try {
      requireSame(read);
    } catch (const Error &) { // too much for an annotation
    }
    return read;
  } catch (const Error &) {
    return std::nullopt;
  }
}

void scale(const std::vector<KernelProfile> &known, profile::LaunchKey launch, uint64_t times,
           uint64_t parts) {
  launch.globalSize[0] = launch.globalSize[0] * times / parts;
  try {
    if (const auto made = scaling::scaledTo(launch, known)) {
      fuzz::requireNumbers(made->profile);
      fuzz::requireCaches(made->profile);
    }
  } catch (const Error &) { // too large a launch
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const size_t cut = std::min(text.find('|'), size);
  std::vector<KernelProfile> known;
  for (const std::string_view part : {text.substr(0, cut), text.substr(cut + (cut < size ? 1 : 0))})
    if (auto profile = profileIn(part))
      known.push_back(*std::move(profile));
  if (known.empty())
    return 0;
  profile::LaunchKey launch = profile::launchOf(known[0].provenance);
  scale(known, launch, 1, 1);
  scale(known, launch, 3, 2);
  scale(known, launch, 1, 7);
  scale(known, launch, uint64_t{1} << 40U, 1);
  launch.localSize = {2, 1, 1};
  scale(known, launch, 2, 1);
  return 0;
}
