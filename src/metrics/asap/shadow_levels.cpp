#include "metrics/asap/shadow_levels.h"

namespace aiwc::metrics {

/// The hint is empty if an access of this size is not a row of the page's levels.
ShadowLevels::Hint ShadowLevels::hintAt(Page &page, uint64_t number, uint32_t size) const {
  Hint hint{number * kPageBytes, 0, page.words.data(), changes_, kWordShift};
  if (page.bytes) {
    hint.levels = page.bytes->data();
    hint.shift = 0;
  }
  if (size <= kPageBytes && size >> hint.shift << hint.shift == size)
    hint.bytes = kPageBytes - size + 1;
  return hint;
}

Level ShadowLevels::readAndNote(uint32_t owner, uint64_t address, uint32_t size, Hint &hint) const {
  if (!mayBeWritten(owner, address, size)) {
    constexpr uint64_t kBufferBytes = uint64_t{1} << kBufferShift;
    hint = {address & ~(kBufferBytes - 1), kBufferBytes - size, nullptr, changes_, 0};
    return {};
  }
  const uint64_t number = Memory::pageOf(address);
  Page *const page = memory_.find(owner, number);
  if (page)
    hint = hintAt(*page, number, size);
  return readFrom(page, owner, address, size);
}

/// False if the bytes are in two pages, or if the page has a level per word and the bytes are not
/// whole words.
bool ShadowLevels::noteForWriting(uint32_t owner, uint64_t address, uint32_t size, Hint &hint) {
  const uint64_t number = Memory::pageOf(address);
  if (Memory::offsetOf(address) + size > kPageBytes)
    return false;
  Page &page = memory_.findOrAdd(owner, number);
  if (!page.bytes && !areWordsOfOnePage(address, size))
    return false;
  noteWritten(owner, address, size);
  hint = hintAt(page, number, size);
  return true;
}

Level ShadowLevels::readBytes(uint32_t owner, uint64_t address, uint32_t size) const {
  Level level;
  memory_.forEach(owner, address, size, [&level](Level of) { level = join(level, of); });
  return level;
}

void ShadowLevels::writeBytes(uint32_t owner, uint64_t address, uint32_t size, Level level) {
  changes_ += memory_.fill(owner, address, size, level);
}

} // namespace aiwc::metrics
