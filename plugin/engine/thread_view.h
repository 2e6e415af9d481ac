/// Global memory while several threads run work-groups of a launch at the same time.
///
/// Memory then has the same content as after running the groups in order, if no group reads or
/// writes what another group writes. The threads check this while they run: each thread claims the
/// granules that it writes, and notes the granules that it reads. A thread runs its groups in
/// order, so only granules that several threads access matter. If a thread has claimed a granule
/// that another thread accesses, the whole round is rolled back.
///
/// Neighbouring groups on different threads often write different bytes of one granule. For a group
/// that is *exact*, the thread claims and notes bytes instead of granules.
#pragma once

#include "plugin/engine/memory_view.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace aiwc::engine {

class ThreadViews;

/// Bytes from `begin` to `end`, addresses in global memory.
struct ByteRange {
  uint64_t begin, end;
};

/// Collects ranges, of which most continue or repeat an earlier one.
class ByteRanges {
public:
  void add(ByteRange range);
  void clear() { ranges_.clear(); }
  /// Makes ascending ranges of them that do not touch.
  void sort();
  const std::vector<ByteRange> &ranges() const { return ranges_; }

private:
  std::vector<ByteRange> ranges_;
  size_t sortedSize_ = 0; ///< after the last call of `sort`
};

/// The buffers of a GlobalView as one of the threads sees them.
class ThreadView {
public:
  ThreadView(ThreadViews &all, uint8_t number);

  /// The same as GlobalView::table, but a thread has to claim each granule once in each round
  /// before it writes.
  const BufferEntry *table() const { return table_.get(); }
  /// Whether the next group of this thread is exact.
  void setExact(bool exact) { exact_ = exact; }
  /// Claims the granules of [address, address + size), and saves their content. Claims only these
  /// bytes of a granule if the group is exact, or if an exact group of another thread has claimed
  /// bytes of the granule. The address is in an accessible buffer. Returns false if another thread
  /// has claimed one of the granules as a whole.
  bool claimGranules(uint64_t address, uint64_t size);
  /// Notes that the thread reads these granules, or only these bytes if the group is exact. Returns
  /// false if another thread has claimed one of the granules as a whole.
  bool readGranules(uint64_t address, uint64_t size);
  /// Whether a group that has executed so many instructions may go on: not if the round has failed,
  /// nor if the group may never end, because it has read what another group was to write first.
  bool mayGoOn(uint64_t instructions) const;

private:
  friend class ThreadViews;

  struct Granule {
    uint32_t buffer; ///< index in GlobalView::buffers
    uint32_t number; ///< of a buffer of up to 256 GiB
  };
  /// Per granule of a buffer, whether this thread has claimed it and whether it has read it.
  struct States {
    Zeros<uint8_t> claimed, read;
  };

  void save(Granule granule);

  ThreadViews &all_;
  const uint8_t number_; ///< from 1
  bool exact_ = false;
  Zeros<BufferEntry> table_;
  std::vector<States> states_; ///< by index in GlobalView::buffers
  // Of this round:
  std::vector<Granule> claimed_, read_; ///< a shared granule is among those of its first thread
  ByteRanges claimedBytes_, readBytes_;
  /// The content, at the begin of the round, of claimed granules that had been saved before it.
  std::vector<SavedGranules> saved_;
  GranuleCopies copies_;
};

/// The views of all threads.
class ThreadViews {
public:
  /// The owner of a granule is a byte, and three of its values are not numbers of threads.
  static constexpr unsigned kMostThreads = 253;

  /// The buffers of the launch are accessible already. Throws std::bad_alloc.
  ThreadViews(GlobalView &global, unsigned threads);
  ThreadView &at(unsigned thread) { return views_[thread]; }
  /// `mostWork`: how many instructions a group may execute.
  void beginRound(uint64_t mostWork);
  /// Has the round fail. Any thread may call it.
  void fail() { failed_ = true; }
  bool hasFailed() const { return failed_; }
  /// Ends a round, while no thread runs. Rolls it back and returns false if it has failed, if a
  /// thread has read what another one has written, or if two threads have written the same bytes.
  bool endRound();

private:
  friend class ThreadView;

  std::atomic<uint8_t> &ownerOf(const ThreadView::Granule &granule) {
    return owners_[granule.buffer].get()[granule.number];
  }
  uint64_t addressOf(ThreadView::Granule granule) const; ///< where it begins
  bool mayRead(uint8_t thread, size_t buffer, uint64_t granule) const;
  bool areApart();

  GlobalView &global_;
  /// For each granule of each buffer, the number of the thread that has claimed it in this round,
  /// or one of the constants in thread_view.cpp.
  std::vector<Zeros<std::atomic<uint8_t>>> owners_;
  std::deque<ThreadView> views_;
  std::atomic<bool> failed_{false};
  uint64_t mostWork_ = 0;
  std::mutex saving_; ///< held by a thread that calls GlobalView::saveGranules
};

} // namespace aiwc::engine
