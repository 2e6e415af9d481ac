#pragma once

#include "plugin/compat.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace aiwc::plugin {

struct TransferCounts {
  uint64_t bytes = 0;
  uint64_t transfers = 0;
};

/// Counts what the host writes to and reads from the memory of one context. A transfer is one
/// contiguous piece: a rectangular copy is one per row. Copies within the device are none, nor is
/// the initialisation of a program's constants; of a fill only its pattern crosses, of that of an
/// image once per row. Thread-safe: an application may have several queues.
class HostTransfers {
public:
  void load(const oclgrind::Memory &memory, size_t address, size_t size);
  void store(const oclgrind::Memory &memory, size_t address, size_t size, const uint8_t *data);
  void allocated(size_t size, const uint8_t *initialData);
  /// Memory mapped for reading crosses when it is mapped, for writing when it is unmapped.
  void map(const void *pointer, size_t size, cl_map_flags flags);
  void unmap(const void *pointer);

  /// What was counted since this was last called.
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
  struct {
    size_t address = 0, size = 0;
    const void *data = nullptr;
  } lastLoad_, lastStore_;
  std::multimap<const void *, size_t> mappedForWriting_;
};

} // namespace aiwc::plugin
