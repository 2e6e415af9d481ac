/// What a run remembers of a launch (run/launch.h), taken from Oclgrind.
#pragma once

#include "plugin/compat.h"
#include "run/launch.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace aiwc::plugin {

/// Numbers the allocations of one context's global memory, in their order. Thread-safe.
class Allocations {
public:
  void allocated(const oclgrind::Memory &memory, size_t address);
  /// The number of the allocation that holds `address`; none for a null pointer.
  std::optional<uint64_t> at(const oclgrind::Memory &memory, size_t address) const;

private:
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  std::unordered_map<size_t, uint64_t> numbers_; ///< Oclgrind's number of a buffer, which it reuses
};

/// The launch that has begun: kernel, NDRange and arguments. The caller adds the rest.
run::Launch launched(const oclgrind::KernelInvocation &invocation, const Allocations &allocations);

} // namespace aiwc::plugin
