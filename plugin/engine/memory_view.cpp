#include "plugin/engine/memory_view.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace aiwc::plugin::engine {
namespace {

constexpr uint64_t kPageSize = uint64_t{1} << kPageBits;

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
  BufferEntry &entry = table_.get()[number];
  entry.data = buffer.data;
  entry.readSize = buffer.flags & CL_MEM_WRITE_ONLY ? 0 : buffer.size;
  entry.writeSize = buffer.flags & CL_MEM_READ_ONLY ? 0 : buffer.size;
  if (entry.writeSize > 0) {
    // make_unique sets it to 0.
    dirty_.push_back(std::make_unique<uint8_t[]>((buffer.size >> kPageBits) + 1));
    entry.dirty = dirty_.back().get();
  }
  used_.push_back(number);
}

void GlobalView::savePages(uint64_t address, uint64_t size) {
  const BufferEntry &entry = table_.get()[address >> kOffsetBits];
  const uint64_t offset = address & ((uint64_t{1} << kOffsetBits) - 1);
  for (uint64_t page = offset >> kPageBits; page <= (offset + size - 1) >> kPageBits; ++page) {
    if (entry.dirty[page])
      continue;
    Page saved{entry.data + (page << kPageBits),
               std::min(kPageSize, entry.writeSize - (page << kPageBits)), nullptr};
    saved.copy.reset(new uint8_t[saved.size]);
    std::memcpy(saved.copy.get(), saved.data, saved.size);
    pages_.push_back(std::move(saved));
    entry.dirty[page] = 1;
  }
}

void GlobalView::restore() {
  for (const Page &page : pages_)
    std::memcpy(page.data, page.copy.get(), page.size);
}

void GlobalView::clear() {
  for (const uint64_t number : used_)
    table_.get()[number] = BufferEntry();
  used_.clear();
  dirty_.clear();
  pages_.clear();
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
