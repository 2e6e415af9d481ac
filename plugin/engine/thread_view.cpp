#include "plugin/engine/thread_view.h"

#include <algorithm>

namespace aiwc::engine {
namespace {

// Owners of granules that are no threads.
constexpr uint8_t kNobody = 0;
constexpr uint8_t kBeingShared = 254; ///< a thread is about to save it
constexpr uint8_t kShared = 255;      ///< threads have claimed bytes of it

/// Calls `visit` with each granule of [offset, offset + size) until it returns false. Returns
/// whether it always returned true.
template <typename Visit> bool forGranules(uint64_t offset, uint64_t size, Visit visit) {
  const uint64_t last = (offset + size - 1) >> kGranuleBits;
  for (uint64_t granule = offset >> kGranuleBits; granule <= last; ++granule)
    if (!visit(granule))
      return false;
  return true;
}

/// Whether two of the ranges, each ascending, have a byte in common.
bool meet(const std::vector<ByteRange> &some, const std::vector<ByteRange> &others) {
  auto other = others.begin();
  return std::ranges::any_of(some, [&](const ByteRange &range) {
    while (other != others.end() && other->end <= range.begin)
      ++other;
    return other != others.end() && other->begin < range.end;
  });
}

} // namespace

void ByteRanges::add(ByteRange range) {
  constexpr size_t kFew = 4096;
  if (!ranges_.empty()) {
    ByteRange &last = ranges_.back();
    if (last.begin <= range.begin && range.begin <= last.end) {
      last.end = std::max(last.end, range.end);
      return;
    }
    if (ranges_.size() >= 2 * std::max(kFew, sortedSize_))
      sort();
  }
  ranges_.push_back(range);
}

void ByteRanges::sort() {
  std::ranges::sort(ranges_, {}, &ByteRange::begin);
  size_t kept = 0;
  for (const ByteRange &range : ranges_)
    if (kept > 0 && range.begin <= ranges_[kept - 1].end)
      ranges_[kept - 1].end = std::max(ranges_[kept - 1].end, range.end);
    else
      ranges_[kept++] = range;
  ranges_.resize(kept);
  sortedSize_ = kept;
}

ThreadView::ThreadView(ThreadViews &all, uint8_t number)
    : all_(all), number_(number), table_(zeros<BufferEntry>(GlobalView::kBuffers)) {
  for (const GlobalView::Buffer &buffer : all.global_.buffers()) {
    const size_t granules = GlobalView::granulesOf(buffer.size);
    auto claimed = zeros<uint8_t>(granules), read = zeros<uint8_t>(granules);
    states_.push_back({std::move(claimed), std::move(read)});
    BufferEntry &entry = table_.get()[buffer.number];
    entry = all.global_.table()[buffer.number];
    entry.dirty = states_.back().claimed.get();
    entry.read = states_.back().read.get();
  }
}

/// Saves the content of a granule that this thread is claiming, which no other can claim meanwhile.
void ThreadView::save(Granule granule) {
  std::atomic<uint8_t> &owner = all_.ownerOf(granule);
  try {
    claimed_.push_back(granule);
    GlobalView &global = all_.global_;
    const GlobalView::GranuleState state = global.stateOf(granule.buffer, granule.number);
    if (state == GlobalView::kSaved) {
      saved_.push_back(
          copies_.copy(global.granules(granule.buffer, granule.number, granule.number + 1)));
    } else if (state == GlobalView::kUnsaved) {
      const std::scoped_lock lock(all_.saving_);
      global.saveGranules(all_.addressOf(granule), 1); // if no other thread did with its neighbours
    }
  } catch (...) { // no memory: nothing is written, and the round fails
    owner = kNobody;
    throw;
  }
  if (owner == kBeingShared)
    owner = kShared;
}

bool ThreadView::claimGranules(uint64_t address, uint64_t size) {
  const size_t buffer = all_.global_.indexOf(address);
  uint8_t *const claimed = states_[buffer].claimed.get();
  bool shares = false;
  const bool succeeded = forGranules(address & GlobalView::kOffsetMask, size, [&](uint64_t number) {
    if (claimed[number])
      return true;
    const Granule granule{static_cast<uint32_t>(buffer), static_cast<uint32_t>(number)};
    std::atomic<uint8_t> &owner = all_.ownerOf(granule);
    uint8_t before = kNobody;
    if (owner.compare_exchange_strong(before, exact_ ? kBeingShared : number_)) {
      save(granule);
      if (!exact_)
        claimed[number] = 1;
      shares |= exact_;
      return true;
    }
    while (before == kBeingShared)
      before = owner;
    shares = true;
    return before == kShared;
  });
  if (succeeded && shares)
    claimedBytes_.add({address, address + size});
  return succeeded;
}

bool ThreadView::readGranules(uint64_t address, uint64_t size) {
  const size_t buffer = all_.global_.indexOf(address);
  uint8_t *const read = states_[buffer].read.get();
  if (exact_)
    readBytes_.add({address, address + size});
  return forGranules(address & GlobalView::kOffsetMask, size, [&](uint64_t granule) {
    if (read[granule])
      return true;
    if (!exact_) {
      read_.push_back({static_cast<uint32_t>(buffer), static_cast<uint32_t>(granule)});
      read[granule] = 1;
    }
    return all_.mayRead(number_, buffer, granule);
  });
}

bool ThreadView::mayGoOn(uint64_t instructions) const {
  return !all_.hasFailed() && instructions <= all_.mostWork_;
}

ThreadViews::ThreadViews(GlobalView &global, unsigned threads) : global_(global) {
  for (const GlobalView::Buffer &buffer : global.buffers())
    owners_.push_back(zeros<std::atomic<uint8_t>>(GlobalView::granulesOf(buffer.size)));
  for (unsigned number = 1; number <= threads; ++number)
    views_.emplace_back(*this, static_cast<uint8_t>(number));
}

/// Whether no other thread has claimed the granule as a whole. Other threads may have claimed bytes
/// that this one reads: `areApart` compares bytes.
bool ThreadViews::mayRead(uint8_t thread, size_t buffer, uint64_t granule) const {
  const uint8_t owner = owners_[buffer].get()[granule];
  return owner == thread || owner == kNobody || owner == kShared || owner == kBeingShared;
}

/// Whether no thread has read or written what another one has written.
bool ThreadViews::areApart() {
  for (ThreadView &view : views_) {
    for (const ThreadView::Granule &read : view.read_) {
      if (!mayRead(view.number_, read.buffer, read.number))
        return false;
      if (ownerOf(read) == kShared)
        view.readBytes_.add({addressOf(read), addressOf(read) + (uint64_t{1} << kGranuleBits)});
    }
    view.readBytes_.sort();
    view.claimedBytes_.sort();
    for (const auto [begin, end] : view.readBytes_.ranges()) {
      const size_t buffer = global_.indexOf(begin);
      if (!forGranules(begin & GlobalView::kOffsetMask, end - begin,
                       [&](uint64_t granule) { return mayRead(view.number_, buffer, granule); }))
        return false;
    }
  }
  for (const ThreadView &view : views_)
    for (const ThreadView &other : views_)
      if (&view != &other && (meet(view.claimedBytes_.ranges(), other.claimedBytes_.ranges()) ||
                              meet(view.readBytes_.ranges(), other.claimedBytes_.ranges())))
        return false;
  return true;
}

uint64_t ThreadViews::addressOf(ThreadView::Granule granule) const {
  return (global_.buffers()[granule.buffer].number << GlobalView::kOffsetBits) +
         (uint64_t{granule.number} << kGranuleBits);
}

void ThreadViews::beginRound(uint64_t mostWork) {
  failed_ = false;
  mostWork_ = mostWork;
  global_.beginRound();
}

bool ThreadViews::endRound() {
  bool succeeded = !failed_;
  try {
    succeeded = succeeded && areApart();
  } catch (const std::bad_alloc &) {
    succeeded = false;
  }
  global_.endRound(!succeeded);
  for (ThreadView &view : views_) {
    if (!succeeded)
      for (const SavedGranules &saved : view.saved_)
        saved.restore();
    for (const ThreadView::Granule &granule : view.claimed_) {
      ownerOf(granule) = kNobody;
      view.states_[granule.buffer].claimed.get()[granule.number] = 0;
    }
    for (const ThreadView::Granule &granule : view.read_)
      view.states_[granule.buffer].read.get()[granule.number] = 0;
    view.claimed_.clear();
    view.read_.clear();
    view.claimedBytes_.clear();
    view.readBytes_.clear();
    view.saved_.clear();
    view.copies_.clear();
  }
  return succeeded;
}

} // namespace aiwc::engine
