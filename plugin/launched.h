/// What a run remembers of a launch (run/launch.h), taken from Oclgrind.
#pragma once

#include "decoding/steering_contents.h"
#include "run/launch.h"
#include "simulator/compat.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace aiwc::plugin {

/// The allocations of one context's global memory. Their numbers follow the order of all
/// allocations of the process, in any context. Thread-safe.
class Allocations {
public:
  void allocated(const oclgrind::Memory &memory, size_t address);
  /// The number of the allocation that holds `address`; none for a null pointer.
  std::optional<uint64_t> at(const oclgrind::Memory &memory, size_t address) const;

private:
  mutable std::mutex mutex_;
  std::unordered_map<size_t, uint64_t> numbers_; ///< Oclgrind's number of a buffer, which it reuses
};

/// The launch that has begun: kernel, NDRange and arguments. The caller adds the rest.
run::Launch launched(const oclgrind::KernelInvocation &invocation, const Allocations &allocations);

/// How the launch's memory is laid out, as far as a profile shows it: of each buffer or image, the
/// first argument that lies in the same allocation, and how far into it the argument points; of an
/// image, also format and extent. Equal texts mean equal layouts.
std::string memoryLayout(const run::Launch &launch, const oclgrind::KernelInvocation &invocation);

/// Sets Argument::contentsHash of the memory whose contents steer the kernel. False, and nothing is
/// set, if equal hashes would not mean that the same steers two launches: the contents are behind
/// no argument, or behind two. Neither are they hashed where that takes longer than to characterise
/// the launch.
bool hashSteering(run::Launch &launch, const oclgrind::KernelInvocation &invocation,
                  const decoding::SteeringContents &steering);

/// The characterised launches of one context, whose profiles may represent later launches of the
/// same process. A launch represents those of the same *kind*, which have the same code, NDRange,
/// arguments, layout and steering contents of memory.
class Representatives {
public:
  /// Begins a launch, which is not compared with others unless `find` is called.
  void begin() { kind_.clear(); }
  /// The representative of the present launch's kind; null if there is none. `memory`: its
  /// memoryLayout.
  const run::Launch *find(const run::Launch &launch, const std::string &memory);
  /// Adds the present launch, which was characterised. It represents others if it was compared with
  /// them, is complete and had no errors. `lateSeconds`: that this took when the budget was used
  /// up.
  void add(const run::Launch &launch, double lateSeconds);

  /// Of the launches of the process that were added in any context, those with a launch's code and
  /// NDRange, of any kind.
  struct Known {
    size_t launches = 0;
    bool othersLeftOut = false; ///< of the last one, as run::Launch has it
    bool interpreted = false;   ///< whether the interpreter ran the last one
    double lateSeconds = 0;     ///< the sum of what `add` was told
  };
  static Known known(const run::Launch &launch);

private:
  std::string kind_; ///< the present launch's; empty if it is not compared
  std::unordered_map<std::string, run::Launch> kinds_;
};

/// Gives a launch the profile of its representative.
void takeProfile(run::Launch &launch, const run::Launch &representative);

} // namespace aiwc::plugin
