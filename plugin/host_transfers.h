#pragma once

#include "simulator/compat.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace aiwc::plugin {

struct TransferCounts {
  uint64_t bytes = 0;
  uint64_t transfers = 0;
};

/// Counts what the host writes to and reads from the memory of one context, in the order in which
/// Oclgrind carries it out. A command is one transfer, of the bytes that it moves, whatever pieces
/// Oclgrind reports; docs/formats.md lists the commands. Without the preloaded library, which knows
/// the command (host_command.h), every piece counts as a transfer, those of copies and fills, too.
/// Thread-safe: an application may have several queues.
class HostTransfers {
public:
  /// What Oclgrind reports of the host's loads and stores, piece by piece.
  void load(size_t size);
  void store(size_t size);
  void allocated(size_t size, const uint8_t *initialData);
  /// Memory mapped for reading is transferred when it is mapped; memory mapped for writing, when it
  /// is unmapped.
  void map(const void *pointer, size_t size, cl_map_flags flags);
  void unmap(const void *pointer);

  /// The counts since the last call.
  TransferCounts takeToDevice();
  TransferCounts takeToHost();

private:
  static void add(TransferCounts &counts, size_t size) {
    counts.bytes += size;
    ++counts.transfers;
  }
  /// Adds a piece of what Oclgrind does on this thread.
  void addPiece(TransferCounts &counts, size_t size);

  std::mutex mutex_;
  TransferCounts toDevice_, toHost_;
  std::multimap<const void *, size_t> mappedForWriting_;
};

} // namespace aiwc::plugin
