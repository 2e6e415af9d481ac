#include "metrics/asap/shadow_levels.h"

#include <algorithm>
#include <utility>

namespace aiwc::metrics {

void ShadowLevels::reset() {
  usedPages_ = usedBytes_ = 0;
  written_ = {};
  if (++epoch_ == 0) { // after 2^32 groups: nothing may look like one of the new epoch
    std::fill(entries_.begin(), entries_.end(), Entry{});
    epoch_ = 1;
  }
}

ShadowLevels::Page &ShadowLevels::add(uint32_t owner, uint64_t number) {
  if (2 * (usedPages_ + 1) > entries_.size())
    grow();
  if (usedPages_ == pages_.size())
    pages_.emplace_back();
  Page &page = pages_[usedPages_++];
  page.words.fill({});
  page.bytes = nullptr;
  insert(owner, number, &page);
  return page;
}

void ShadowLevels::insert(uint32_t owner, uint64_t number, Page *page) {
  size_t slot = slotOf(owner, number);
  while (entries_[slot].epoch == epoch_)
    slot = (slot + 1) & (entries_.size() - 1);
  entries_[slot] = {number, owner, epoch_, page};
}

void ShadowLevels::grow() {
  const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(4 * entries_.size()));
  for (const Entry &entry : old)
    if (entry.epoch == epoch_)
      insert(entry.owner, entry.number, entry.page);
}

ShadowLevels::Bytes &ShadowLevels::split(Page &page) {
  if (usedBytes_ == bytes_.size())
    bytes_.emplace_back();
  Bytes &bytes = bytes_[usedBytes_++];
  for (size_t byte = 0; byte < kPageBytes; ++byte)
    bytes[byte] = page.words[byte / kWordBytes];
  page.bytes = &bytes;
  ++changes_;
  return bytes;
}

/// Good for nothing where an access of that size is no row of the page's levels.
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
  const uint64_t number = address / kPageBytes;
  if (Page *const page = find(owner, number))
    hint = hintAt(*page, number, size);
  return readWritten(owner, address, size);
}

/// False where the bytes are in two pages, or not whole words where a level is that of a word.
bool ShadowLevels::noteForWriting(uint32_t owner, uint64_t address, uint32_t size, Hint &hint) {
  const uint64_t number = address / kPageBytes;
  if (address % kPageBytes + size > kPageBytes)
    return false;
  Page &page = findOrAdd(owner, number);
  if (!page.bytes && !areWordsOfOnePage(address, size))
    return false;
  noteWritten(owner, address, size);
  hint = hintAt(page, number, size);
  return true;
}

Level ShadowLevels::readBytes(uint32_t owner, uint64_t address, uint32_t size) const {
  Level level;
  for (const uint64_t end = address + size; address < end;) {
    const uint64_t from = address % kPageBytes;
    const uint64_t to = std::min(kPageBytes, from + (end - address));
    if (const Page *page = find(owner, address / kPageBytes)) {
      if (page->bytes)
        for (uint64_t byte = from; byte < to; ++byte)
          level = join(level, (*page->bytes)[byte]);
      else
        for (uint64_t word = from / kWordBytes; word * kWordBytes < to; ++word)
          level = join(level, page->words[word]);
    }
    address += to - from;
  }
  return level;
}

void ShadowLevels::writeBytes(uint32_t owner, uint64_t address, uint32_t size, Level level) {
  for (const uint64_t end = address + size; address < end;) {
    const uint64_t from = address % kPageBytes;
    const uint64_t to = std::min(kPageBytes, from + (end - address));
    Page &page = findOrAdd(owner, address / kPageBytes);
    if (!page.bytes && from % kWordBytes == 0 && to % kWordBytes == 0) {
      std::fill(page.words.begin() + static_cast<std::ptrdiff_t>(from / kWordBytes),
                page.words.begin() + static_cast<std::ptrdiff_t>(to / kWordBytes), level);
    } else {
      Bytes &bytes = page.bytes ? *page.bytes : split(page);
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                bytes.begin() + static_cast<std::ptrdiff_t>(to), level);
    }
    address += to - from;
  }
}

} // namespace aiwc::metrics
