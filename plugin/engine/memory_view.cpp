#include "plugin/engine/memory_view.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace aiwc::plugin::engine {
namespace {

constexpr uint64_t kPageSize = uint64_t{1} << kPageBits;
/// Most bytes that are saved at once.
constexpr uint64_t kMostSaved = 4096;
/// Memory for copies is allocated in blocks; so much is kept between launches.
constexpr size_t kBlockBytes = 64 * kMostSaved;
constexpr size_t kKeptBlocks = (size_t{32} << 20) / kBlockBytes;

constexpr uint64_t kOffsetMask = (uint64_t{1} << GlobalView::kOffsetBits) - 1;

} // namespace

GlobalView::GlobalView()
    : table_(static_cast<BufferEntry *>(std::calloc(kBuffers, sizeof(BufferEntry)))) {
  if (!table_)
    throw std::bad_alloc();
}

void GlobalView::add(const oclgrind::Memory &memory, uint64_t address) {
  const uint64_t number = address >> kOffsetBits;
  if (number == 0 || table_.get()[number].data || !memory.isAddressValid(number << kOffsetBits))
    return;
  const oclgrind::Memory::Buffer &buffer = *memory.getBuffer(number << kOffsetBits);
  // All 0; the system provides memory only for what is touched.
  std::unique_ptr<uint8_t, FreeMemory> dirty(
      static_cast<uint8_t *>(std::calloc((buffer.size >> kPageBits) + 1, 1)));
  if (!dirty)
    throw std::bad_alloc();
  buffers_.push_back({number, buffer.size, buffer.flags, std::move(dirty)});
  const Buffer &added = buffers_.back();
  table_.get()[number] = {buffer.data, quietBytes(added, false), quietBytes(added, true),
                          added.dirty.get()};
}

void GlobalView::addAll(const oclgrind::Memory &memory) {
  uint64_t found = 0;
  for (uint64_t number = 1; number < kBuffers && found < memory.getTotalAllocated(); ++number)
    if (const uint64_t address = number << kOffsetBits; memory.isAddressValid(address)) {
      found += memory.getBuffer(address)->size;
      add(memory, address);
    }
}

const GlobalView::Buffer *GlobalView::bufferOf(uint64_t address) const {
  // Most kernels have few buffers.
  const auto buffer = std::ranges::find(buffers_, address >> kOffsetBits, &Buffer::number);
  return buffer == buffers_.end() ? nullptr : &*buffer;
}

uint8_t *GlobalView::find(uint64_t address, uint64_t size) const {
  const Buffer *buffer = bufferOf(address);
  const uint64_t offset = address & kOffsetMask;
  if (!buffer || size > buffer->size || offset > buffer->size - size)
    return nullptr;
  return table_.get()[buffer->number].data + offset;
}

/// The number of bytes from the start of the buffer within which Oclgrind reports no read or no
/// write. Most mappings begin at the start of a buffer; a read or write behind the end of a mapping
/// is none that Oclgrind reports either, but `check` has to tell.
uint64_t GlobalView::quietBytes(const Buffer &buffer, bool write) const {
  if (buffer.flags & (write ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY))
    return 0;
  uint64_t quiet = buffer.size;
  for (const MappedRegion &region : mapped_)
    if ((write || region.forWriting) && region.address >> kOffsetBits == buffer.number) {
      const uint64_t start = region.address & kOffsetMask;
      quiet = std::min(quiet, start - (start > 0)); // an access may not even end at the region
    }
  return quiet;
}

/// Saves a page alone if the one before has not been saved, and else those behind it, too: most
/// launches write their buffers from begin to end.
void GlobalView::savePages(uint64_t address, uint64_t size) {
  const Buffer &buffer = *bufferOf(address);
  uint8_t *const data = table_.get()[buffer.number].data;
  uint8_t *const dirty = buffer.dirty.get();
  const uint64_t offset = address & kOffsetMask;
  const uint64_t last = (offset + size - 1) >> kPageBits;
  for (uint64_t page = offset >> kPageBits; page <= last; ++page) {
    if (dirty[page])
      continue;
    const uint64_t mostEnd =
        std::min((page | (kMostSaved / kPageSize - 1)) + 1, (buffer.size - 1) / kPageSize + 1);
    uint64_t end = page + 1;
    if (page > 0 && dirty[page - 1])
      while (end < mostEnd && !dirty[end])
        ++end;
    uint8_t *const begin = data + page * kPageSize;
    const size_t bytes = std::min(end * kPageSize, buffer.size) - page * kPageSize;
    uint8_t *const copy = nextCopy(bytes);
    saved_.push_back({begin, copy, bytes});
    std::memcpy(copy, begin, bytes);
    std::memset(dirty + page, 1, end - page);
  }
}

uint8_t *GlobalView::nextCopy(size_t size) {
  if (usedOfBlock_ + size > kBlockBytes) {
    ++block_;
    usedOfBlock_ = 0;
  }
  if (block_ == copies_.size())
    copies_.push_back(std::make_unique_for_overwrite<uint8_t[]>(kBlockBytes));
  uint8_t *const copy = copies_[block_].get() + usedOfBlock_;
  usedOfBlock_ += size;
  return copy;
}

void GlobalView::restore() {
  for (const Saved &saved : saved_)
    std::memcpy(saved.data, saved.copy, saved.size);
}

void GlobalView::clear() {
  for (const Buffer &buffer : buffers_)
    table_.get()[buffer.number] = BufferEntry();
  buffers_.clear();
  mapped_.clear();
  saved_.clear();
  copies_.resize(std::min(copies_.size(), kKeptBlocks));
  block_ = usedOfBlock_ = 0;
}

void PrivateView::begin(const std::vector<std::vector<uint8_t>> &arguments) {
  if (entries_.size() == 1 && arguments.empty())
    return;
  entries_.assign(1, BufferEntry());
  free_.clear();
  for (const std::vector<uint8_t> &argument : arguments)
    std::memcpy(entries_[allocate(argument.size()) >> kOffsetBits].data, argument.data(),
                argument.size());
}

uint64_t PrivateView::allocate(uint64_t size) {
  uint64_t number = entries_.size();
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    number = free_.front();
    free_.pop_front();
  }
  if (storage_.size() <= number)
    storage_.resize(number + 1);
  Storage &storage = storage_[number];
  if (storage.size < size)
    storage = {std::make_unique<uint8_t[]>(size), size};
  std::memset(storage.data.get(), 0, size);
  entries_[number] = {storage.data.get(), size, size, nullptr};
  return number << kOffsetBits;
}

void PrivateView::release(uint64_t address) {
  const uint64_t number = address >> kOffsetBits;
  entries_[number] = BufferEntry();
  free_.push_back(static_cast<uint32_t>(number));
}

} // namespace aiwc::plugin::engine
