#include "plugin/engine/replay_pool.h"

#include "common/write.h"

#include <algorithm>

namespace aiwc::engine {

using namespace trace;

namespace {

/// Number of events and accesses in a batch, about 400 KiB. A launch with fewer needs no threads.
constexpr size_t kBatchEntries = 16384;
/// Most bytes of the trace that may wait in the queues. One worker replays a whole work-group, so
/// the other workers have work only if later groups are already recorded: there is room for
/// `kWaiting` groups, or batches of smaller ones, per worker, but not for more than what waits in
/// the caches.
constexpr size_t kMostWaiting = size_t{32} << 20;
constexpr size_t kWaiting = 4;

} // namespace

size_t ReplayPool::Batch::bytes() const {
  return pieces.size() * sizeof(Piece) + events.size() * sizeof(BlockEvent) +
         accesses.size() * sizeof(Access) + runs.size() * sizeof(Run);
}

void ReplayPool::Batch::clear() {
  pieces.clear();
  events.clear();
  accesses.clear();
  runs.clear();
}

ReplayPool::ReplayPool(unsigned threads, std::function<ChunkConsumer &()> newConsumer)
    : newConsumer_(std::move(newConsumer)), batch_(std::make_unique<Batch>()), workers_(threads) {}

ReplayPool::~ReplayPool() {
  {
    const std::scoped_lock lock(mutex_);
    dropped_ = true;
  }
  close();
}

/// Waits until the threads have ended.
void ReplayPool::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  for (Worker &worker : workers_) {
    worker.hasWork.notify_one();
    if (worker.thread.joinable())
      worker.thread.join();
  }
}

void ReplayPool::beginGroup(const Program &program, const Group &group) {
  program_ = &program;
  inGroup_ = true;
  groupBytes_ = 0;
  batch_->pieces.push_back({Batch::Piece::Kind::kBegin, group});
}

void ReplayPool::consume(const Chunk &chunk) {
  batch_->pieces.push_back({Batch::Piece::Kind::kChunk, Group(), chunk.events.size(),
                            chunk.accesses.size(), chunk.runs.size(), chunk.end});
  batch_->events.insert(batch_->events.end(), chunk.events.begin(), chunk.events.end());
  batch_->accesses.insert(batch_->accesses.end(), chunk.accesses.begin(), chunk.accesses.end());
  batch_->runs.insert(batch_->runs.end(), chunk.runs.begin(), chunk.runs.end());
  groupBytes_ += chunk.events.size_bytes() + chunk.accesses.size_bytes() + chunk.runs.size_bytes();
  largest_ = std::max(largest_, groupBytes_);
  submitIfFull();
}

void ReplayPool::endGroup() {
  batch_->pieces.push_back({Batch::Piece::Kind::kEnd, Group()});
  inGroup_ = false;
  if (owner_) // the next group may go to another worker
    submit();
  else
    submitIfFull();
}

void ReplayPool::submitIfFull() {
  if (batch_->events.size() + batch_->accesses.size() >= kBatchEntries ||
      batch_->pieces.size() >= kBatchEntries / 4)
    submit();
}

void ReplayPool::submit() {
  if (!started_) {
    started_ = true;
    const AllSignalsBlocked blocked;
    for (Worker &worker : workers_)
      worker.thread = PooledThread([this, &worker] { work(worker); });
  }
  const size_t bytes = batch_->bytes();
  std::unique_lock lock(mutex_);
  largest_ = std::max(largest_, bytes);
  const size_t most = std::min(kWaiting * workers_.size() * largest_, kMostWaiting);
  hasRoom_.wait(lock, [&] { return error_ || waiting_ == 0 || waiting_ + bytes <= most; });
  if (error_)
    std::rethrow_exception(error_);
  Worker *const target =
      owner_ ? owner_ : &*std::ranges::min_element(workers_, {}, &Worker::waiting);
  target->waiting += bytes;
  waiting_ += bytes;
  target->queue.push_back(std::move(batch_));
  owner_ = inGroup_ ? target : nullptr;
  batch_ = takeFree();
  lock.unlock();
  target->hasWork.notify_one();
}

std::unique_ptr<ReplayPool::Batch> ReplayPool::takeFree() {
  if (free_.empty())
    return std::make_unique<Batch>();
  std::unique_ptr<Batch> batch = std::move(free_.back());
  free_.pop_back();
  return batch;
}

void ReplayPool::work(Worker &worker) {
  ChunkConsumer *consumer = nullptr;
  std::unique_lock lock(mutex_);
  for (;;) {
    worker.hasWork.wait(lock, [&] { return closed_ || !worker.queue.empty(); });
    if (worker.queue.empty() || dropped_)
      return;
    const Batch &batch = *worker.queue.front(); // stays in the queue and so counts as waiting
    lock.unlock();
    std::exception_ptr error;
    try {
      if (!consumer)
        consumer = &newConsumer_();
      replay(batch, *consumer);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      error_ = error;
      hasRoom_.notify_one();
      return;
    }
    const size_t bytes = batch.bytes();
    worker.waiting -= bytes;
    waiting_ -= bytes;
    free_.push_back(std::move(worker.queue.front()));
    free_.back()->clear();
    worker.queue.pop_front();
    hasRoom_.notify_one();
  }
}

void ReplayPool::replay(const Batch &batch, ChunkConsumer &consumer) const {
  size_t event = 0, access = 0, run = 0;
  for (const Batch::Piece &piece : batch.pieces) {
    switch (piece.kind) {
    case Batch::Piece::Kind::kBegin:
      consumer.beginGroup(*program_, piece.group);
      break;
    case Batch::Piece::Kind::kChunk:
      consumer.consume(Chunk{*program_, std::span(batch.events).subspan(event, piece.events),
                             std::span(batch.accesses).subspan(access, piece.accesses),
                             std::span(batch.runs).subspan(run, piece.runs), piece.end});
      event += piece.events;
      access += piece.accesses;
      run += piece.runs;
      break;
    case Batch::Piece::Kind::kEnd:
      consumer.endGroup();
      break;
    }
  }
}

void ReplayPool::finish() {
  if (!started_) { // too little work for threads
    replay(*batch_, newConsumer_());
    batch_->clear();
    return;
  }
  submit();
  close();
  if (error_)
    std::rethrow_exception(error_);
}

} // namespace aiwc::engine
