#include "plugin/engine/memory_view.h"

#include <algorithm>
#include <cstring>

namespace aiwc::engine {
namespace {

constexpr uint64_t kGranuleSize = uint64_t{1} << kGranuleBits;
/// Memory for copies is allocated in blocks; so much is kept between launches.
constexpr size_t kBlockBytes = 64 * GranuleCopies::kMost;
constexpr size_t kKeptBlocks = (size_t{32} << 20) / kBlockBytes;

} // namespace

SavedGranules GranuleCopies::copy(std::span<uint8_t> granules) {
  if (used_ + granules.size() > kBlockBytes) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size())
    blocks_.push_back(std::make_unique_for_overwrite<uint8_t[]>(kBlockBytes));
  uint8_t *const copy = blocks_[block_].get() + used_;
  used_ += granules.size();
  std::memcpy(copy, granules.data(), granules.size());
  return {granules.data(), copy, granules.size()};
}

void GranuleCopies::clear() {
  blocks_.resize(std::min(blocks_.size(), kKeptBlocks));
  block_ = used_ = 0;
}

GlobalView::GlobalView() : table_(zeros<BufferEntry>(kBuffers)) {}

void GlobalView::add(const oclgrind::Memory &memory, uint64_t address) {
  const uint64_t number = address >> kOffsetBits;
  if (number == 0 || table_.get()[number].data || !memory.isAddressValid(number << kOffsetBits))
    return;
  const oclgrind::Memory::Buffer &buffer = *memory.getBuffer(number << kOffsetBits);
  const size_t granules = granulesOf(buffer.size);
  auto dirty = zeros<uint8_t>(granules), read = zeros<uint8_t>(granules);
  buffers_.push_back({number, buffer.size, buffer.flags, std::move(dirty), std::move(read)});
  const Buffer &added = buffers_.back();
  table_.get()[number] = {buffer.data, quietBytes(added, false), quietBytes(added, true),
                          added.dirty.get(), added.read.get()};
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
  const uint64_t offset = address & GlobalView::kOffsetMask;
  if (!buffer || size > buffer->size || offset > buffer->size - size)
    return nullptr;
  return table_.get()[buffer->number].data + offset;
}

/// The number of bytes from the start of the buffer that code may read or write without asking
/// `check`. Oclgrind reports accesses to mapped regions, which usually begin at the start of a
/// buffer. It reports none behind a mapped region either, but such accesses ask `check`.
uint64_t GlobalView::quietBytes(const Buffer &buffer, bool write) const {
  if (buffer.flags & (write ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY))
    return 0;
  uint64_t quiet = buffer.size;
  for (const MappedRegion &region : mapped_)
    if ((write || region.forWriting) && region.address >> kOffsetBits == buffer.number) {
      const uint64_t start = region.address & GlobalView::kOffsetMask;
      quiet = std::min(quiet, start - (start > 0)); // an access may not even end at the region
    }
  return quiet;
}

/// If the preceding granule has been saved, saves the granules behind this one, too: most launches
/// write their buffers from begin to end.
void GlobalView::saveGranules(uint64_t address, uint64_t size) {
  const size_t index = indexOf(address);
  const Buffer &buffer = buffers_[index];
  uint8_t *const dirty = buffer.dirty.get();
  const uint64_t offset = address & GlobalView::kOffsetMask;
  const uint64_t last = (offset + size - 1) >> kGranuleBits;
  for (uint64_t granule = offset >> kGranuleBits; granule <= last; ++granule) {
    if (dirty[granule])
      continue;
    const uint64_t mostEnd = std::min((granule | (GranuleCopies::kMost / kGranuleSize - 1)) + 1,
                                      (buffer.size - 1) / kGranuleSize + 1);
    uint64_t end = granule + 1;
    if (granule > 0 && dirty[granule - 1])
      while (end < mostEnd && !dirty[end])
        ++end;
    saved_.push_back(copies_.copy(granules(index, granule, end)));
    if (saves_ == kSaved) {
      std::memset(dirty + granule, kSaved, end - granule);
    } else {
      roundStates_.emplace_back(dirty + granule, end - granule);
      for (uint8_t &state : roundStates_.back()) // other threads look at it meanwhile
        std::atomic_ref(state).store(kSavedInRound, std::memory_order_release);
    }
  }
}

void GlobalView::beginRound() {
  saves_ = kSavedInRound;
  roundBegin_ = saved_.size();
}

void GlobalView::endRound(bool rollBack) {
  if (rollBack)
    for (size_t i = roundBegin_; i < saved_.size(); ++i)
      saved_[i].restore();
  for (const std::span<uint8_t> states : roundStates_)
    std::memset(states.data(), kSaved, states.size());
  roundStates_.clear();
  saves_ = kSaved;
}

void GlobalView::readGranules(uint64_t address, uint64_t size) {
  const uint64_t offset = address & GlobalView::kOffsetMask;
  const uint64_t first = offset >> kGranuleBits, last = (offset + size - 1) >> kGranuleBits;
  std::memset(bufferOf(address)->read.get() + first, 1, last + 1 - first);
}

std::span<uint8_t> GlobalView::granules(size_t buffer, uint64_t begin, uint64_t end) const {
  const Buffer &of = buffers_[buffer];
  uint8_t *const data = table_.get()[of.number].data + begin * kGranuleSize;
  return {data, std::min(end * kGranuleSize, of.size) - begin * kGranuleSize};
}

void GlobalView::restore() {
  for (const SavedGranules &saved : saved_)
    saved.restore();
}

void GlobalView::clear() {
  for (const Buffer &buffer : buffers_)
    table_.get()[buffer.number] = BufferEntry();
  buffers_.clear();
  mapped_.clear();
  saved_.clear();
  copies_.clear();
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
  entries_[number] = {storage.data.get(), size, size, nullptr, nullptr};
  return number << kOffsetBits;
}

void PrivateView::release(uint64_t address) {
  const uint64_t number = address >> kOffsetBits;
  entries_[number] = BufferEntry();
  free_.push_back(static_cast<uint32_t>(number));
}

} // namespace aiwc::engine
