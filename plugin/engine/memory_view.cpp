#include "plugin/engine/memory_view.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace aiwc::plugin::engine {
namespace {

constexpr uint64_t kPageSize = uint64_t{1} << kPageBits;
/// Memory for copies is allocated for so many pages at once; so much is kept between launches.
constexpr size_t kPagesOfBlock = 64;
constexpr size_t kKeptBlocks = (size_t{32} << 20) / (kPagesOfBlock * kPageSize);

constexpr uint64_t kOffsetMask = (uint64_t{1} << GlobalView::kOffsetBits) - 1;

} // namespace

void GlobalView::FreeMemory::operator()(BufferEntry *table) const {
  std::free(table);
}

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
  buffers_.push_back({number, buffer.size, buffer.flags,
                      std::make_unique<uint8_t[]>((buffer.size >> kPageBits) + 1)}); // all 0
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

void GlobalView::savePages(uint64_t address, uint64_t size) {
  const Buffer &buffer = *bufferOf(address);
  uint8_t *data = table_.get()[buffer.number].data;
  const uint64_t offset = address & kOffsetMask;
  for (uint64_t page = offset >> kPageBits; page <= (offset + size - 1) >> kPageBits; ++page) {
    if (buffer.dirty[page])
      continue;
    uint8_t *const place = data + (page << kPageBits);
    uint8_t *const copy = nextCopy();
    pages_.push_back({place, copy, std::min(kPageSize, buffer.size - (page << kPageBits))});
    std::memcpy(copy, place, pages_.back().size);
    buffer.dirty[page] = 1;
  }
}

uint8_t *GlobalView::nextCopy() {
  const size_t block = pages_.size() / kPagesOfBlock;
  if (block == copies_.size())
    copies_.push_back(std::make_unique_for_overwrite<uint8_t[]>(kPagesOfBlock * kPageSize));
  return copies_[block].get() + pages_.size() % kPagesOfBlock * kPageSize;
}

void GlobalView::restore() {
  for (const Page &page : pages_)
    std::memcpy(page.data, page.copy, page.size);
}

void GlobalView::clear() {
  for (const Buffer &buffer : buffers_)
    table_.get()[buffer.number] = BufferEntry();
  buffers_.clear();
  mapped_.clear();
  pages_.clear();
  copies_.resize(std::min(copies_.size(), kKeptBlocks));
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
