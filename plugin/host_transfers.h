#pragma once

#include "plugin/program/compat.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace aiwc::plugin {

struct TransferCounts {
  uint64_t bytes = 0;
  uint64_t transfers = 0;
};

/// Counts what the host writes to and reads from the memory of one context. A transfer is one
/// contiguous piece: a rectangular copy counts as one transfer per row. Copies within the device
/// and the initialisation of a program's constants do not count. A fill counts as a transfer of its
/// pattern only; a fill of an image counts the pattern once per row. Thread-safe: an application
/// may have several queues.
///
/// Oclgrind reports copies, fills and initialisations as loads and stores of the host, piece by
/// piece. Addresses and pointers cannot distinguish these accesses from transfers: the host may
/// reuse the memory of a released buffer, and some buffers lie in host memory. So this class looks
/// in the call stack for the function of Oclgrind that makes the access, which takes about a
/// microsecond.
class HostTransfers {
public:
  void load(size_t size);
  void store(const oclgrind::Memory &memory, size_t address, size_t size, const uint8_t *data);
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
  bool continuesFill(const oclgrind::Memory &memory, size_t address, size_t size,
                     const uint8_t *data) const;

  std::mutex mutex_;
  TransferCounts toDevice_, toHost_;
  /// The last piece of a fill.
  struct {
    size_t address = 0, size = 0;
    const void *pattern = nullptr;
  } filled_;
  std::multimap<const void *, size_t> mappedForWriting_;
};

} // namespace aiwc::plugin
