#include "profile/source_hash.h"

#include <fmt/format.h>

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
