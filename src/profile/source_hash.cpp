#include "profile/source_hash.h"

#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

// Only in this file, so that users of the library need not link xxHash.
#define XXH_INLINE_ALL // NOLINT(cppcoreguidelines-macro-usage)
#include <xxhash.h>

namespace aiwc::profile {

namespace {

std::string hashText(const XXH128_hash_t &hash) {
  return fmt::format("xxh3-128:{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

struct SourceHasher::State {
  XXH3_state_t xxh;
};

std::string sourceHash(std::string_view bytes) {
  return hashText(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string ofSource(std::string_view sourceHash) {
  const std::string_view digits = sourceHash.substr(sourceHash.find(':') + 1, 8);
  return digits.empty() ? "" : fmt::format(" of source {}", digits);
}

std::vector<std::string> toldApart(std::span<const NamedCode> kernels) {
  struct Group { // of one name and source
    size_t kernels = 0;
    std::map<std::string, size_t> options; ///< how many have each
  };
  std::map<std::string_view, std::map<std::string_view, Group>> names;
  std::vector<std::vector<std::string>> options;
  for (const NamedCode &kernel : kernels) {
    options.push_back(text::split(std::string(kernel.buildOptions), ' '));
    std::erase(options.back(), "");
    Group &group = names[kernel.kernel][kernel.sourceHash];
    ++group.kernels;
    for (const std::string &option : options.back())
      ++group.options[option];
  }
  std::vector<std::string> all;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto &sources = names[kernels[i].kernel];
    const Group &group = sources.at(kernels[i].sourceHash);
    const bool isAlone = sources.size() == 1 && group.kernels == 1;
    all.push_back(isAlone ? "" : ofSource(kernels[i].sourceHash));
    std::erase_if(options[i], [&](const std::string &option) {
      return group.options.at(option) >= group.kernels;
    });
    constexpr size_t kMostBytes = 80;
    if (!options[i].empty())
      all.back() +=
          " with " + text::printable(fmt::format("{}", fmt::join(options[i], " ")), kMostBytes);
  }
  return all;
}

uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

SourceHasher::SourceHasher() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh);
}

SourceHasher::~SourceHasher() = default;

void SourceHasher::add(std::string_view bytes) {
  if (!bytes.empty())
    XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string SourceHasher::hash() const {
  return hashText(XXH3_128bits_digest(&state_->xxh));
}

} // namespace aiwc::profile
