#include "metrics/loops/last_writes.h"

namespace aiwc::metrics {

void LastWrites::clear() {
  cache_.assign(kCacheEntries, CacheEntry{});
  pages_.clear();
}

LastWrites::Page *LastWrites::lookUp(uint64_t key) const {
  const auto found = pages_.find(key);
  return found == pages_.end() ? nullptr : found->second.get();
}

LastWrites::Page *LastWrites::make(uint64_t key) {
  return (pages_[key] = std::make_unique<Page>()).get();
}

void LastWrites::split(Page &page) {
  page.bytes = std::make_unique<std::array<Write, kPageSize>>();
  for (uint32_t byte = 0; byte < kPageSize; ++byte)
    (*page.bytes)[byte] = page.words[byte / kWord];
}

} // namespace aiwc::metrics
