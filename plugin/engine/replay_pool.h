#pragma once

#include "plugin/engine/deep_thread.h"
#include "trace/chunk.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace aiwc::engine {

/// Distributes the trace of one launch over several threads; one thread gets all of a work-group.
/// Kernels run far faster than their traces are analysed. So one thread runs the work-groups in
/// order, which is right even if they communicate through memory, and the other threads replay the
/// trace. The pool holds a bounded part of the trace.
class ReplayPool final : public trace::ChunkConsumer {
public:
  /// `newConsumer` is called from any thread, at most once for each of `threads`.
  ReplayPool(unsigned threads, std::function<trace::ChunkConsumer &()> newConsumer);
  /// Discards the batches that are not replayed yet.
  ~ReplayPool() override;
  ReplayPool(const ReplayPool &) = delete;
  ReplayPool &operator=(const ReplayPool &) = delete;

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;
  /// Waits until everything is replayed. Rethrows the exception of a consumer.
  void finish();

private:
  /// Chunks of work-groups. They are copies because the recorder reuses its buffer.
  struct Batch {
    struct Piece {
      enum class Kind : uint8_t { kBegin, kChunk, kEnd } kind;
      trace::Group group;                           ///< for kBegin
      size_t events = 0, accesses = 0, runs = 0;    ///< for kChunk: numbers of entries
      trace::ChunkEnd end = trace::ChunkEnd::kFull; ///< for kChunk
    };
    std::vector<Piece> pieces;
    std::vector<trace::BlockEvent> events;
    std::vector<trace::Access> accesses;
    std::vector<trace::Run> runs;
    size_t bytes() const;
    void clear();
  };

  struct Worker {
    // Guarded by `mutex_`
    std::deque<std::unique_ptr<Batch>> queue;
    size_t waiting = 0; ///< bytes in the queue
    std::condition_variable hasWork;
    PooledThread thread;
  };

  void submit();
  void close();
  void submitIfFull();
  void work(Worker &worker);
  void replay(const Batch &batch, trace::ChunkConsumer &consumer) const;
  std::unique_ptr<Batch> takeFree();

  const std::function<trace::ChunkConsumer &()> newConsumer_;
  const trace::Program *program_ = nullptr;
  std::unique_ptr<Batch> batch_;
  bool inGroup_ = false;
  size_t groupBytes_ = 0;   ///< of the trace of the current group
  size_t largest_ = 0;      ///< bytes of the largest group or batch
  Worker *owner_ = nullptr; ///< of the group that is being recorded

  std::vector<Worker> workers_;
  bool started_ = false;
  std::mutex mutex_;
  std::condition_variable hasRoom_; ///< for the thread that runs the work-groups
  // Guarded by `mutex_`
  size_t waiting_ = 0; ///< bytes in all queues
  std::vector<std::unique_ptr<Batch>> free_;
  bool closed_ = false, dropped_ = false;
  std::exception_ptr error_;
};

} // namespace aiwc::engine
