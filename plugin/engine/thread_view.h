/// Global memory while several threads run work-groups of a launch at once.
///
/// That gives the same bytes as one after another if no group reads or writes what another one
/// writes. Threads find out as they run: each claims the pages that it writes, and tells which it
/// reads. Groups of one thread run in order, so only what threads do to each other's pages counts.
/// If two threads meet in a page, all that was written in the round is taken back.
///
/// Threads that run neighbouring groups may share a page and write different bytes of it. Of groups
/// that are exact, bytes are told instead of pages.
#pragma once

#include "plugin/engine/memory_view.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace aiwc::plugin::engine {

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

  /// As GlobalView::table; each page has to be claimed first in each round.
  const BufferEntry *table() const { return table_.get(); }
  /// Whether the bytes are told apart that the group writes and reads which comes next.
  void setExact(bool exact) { exact_ = exact; }
  /// Claims the pages of [address, address + size), which are in an accessible buffer, or of an
  /// exact group, or where a thread was exact, these bytes; keeps what the pages contain. Returns
  /// false if another thread has claimed one of the pages.
  bool claimPages(uint64_t address, uint64_t size);
  /// Remembers that the thread reads the pages, or of an exact group these bytes. Returns false if
  /// another thread has claimed one of the pages.
  bool readPages(uint64_t address, uint64_t size);

private:
  friend class ThreadViews;

  struct Page {
    uint32_t buffer; ///< index in GlobalView::buffers
    uint32_t page;   ///< of a buffer of up to 256 GiB
  };
  /// Per page of a buffer, whether this thread has claimed it and whether it has read it.
  struct States {
    Zeros<uint8_t> claimed, read;
  };

  void save(Page page);

  ThreadViews &all_;
  const uint8_t number_; ///< from 1
  bool exact_ = false;
  Zeros<BufferEntry> table_;
  std::vector<States> states_; ///< by index in GlobalView::buffers
  // Of this round:
  std::vector<Page> claimed_, read_; ///< pages; those that are shared are claimed by the first
  ByteRanges claimedBytes_, readBytes_;
  /// What pages contained that were claimed and had been saved before the round.
  std::vector<SavedPages> saved_;
  PageCopies copies_;
};

/// The views of all threads.
class ThreadViews {
public:
  /// Not more: the owner of a page is a byte, of which two values are not threads.
  static constexpr unsigned kMostThreads = 253;

  /// The buffers of the launch are accessible already. Throws std::bad_alloc.
  ThreadViews(GlobalView &global, unsigned threads);
  ThreadView &at(unsigned thread) { return views_[thread]; }
  void beginRound() { global_.beginRound(); }
  /// Ends a round, while no thread runs. If it `failed`, or a thread has read what another one has
  /// written, or two have written the same, restores what the round's pages contained before and
  /// returns false.
  bool endRound(bool failed);

private:
  friend class ThreadView;

  std::atomic<uint8_t> &ownerOf(const ThreadView::Page &page) {
    return owners_[page.buffer].get()[page.page];
  }
  uint64_t addressOf(ThreadView::Page page) const; ///< where it begins
  bool mayRead(uint8_t thread, size_t buffer, uint64_t page) const;
  bool areApart();

  GlobalView &global_;
  /// Per page of each buffer, the number of the thread that has claimed it in this round, or what
  /// else is known of it (thread_view.cpp).
  std::vector<Zeros<std::atomic<uint8_t>>> owners_;
  std::deque<ThreadView> views_;
  std::mutex saving_; ///< held by a thread that calls GlobalView::savePages
};

} // namespace aiwc::plugin::engine
