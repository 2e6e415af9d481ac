/// Holds the output of a launch until its end, because a launch that is undone has none.
#pragma once

#include "engine_passes/builtin_site.h"
#include "plugin/engine/memory_rules.h"

#include <functional>
#include <span>
#include <vector>

namespace aiwc::engine {

/// An error of Oclgrind's, and the place where it occurred.
struct Report {
  Violation violation;
  unsigned space = 1; ///< global memory, or 3: local memory
  uint64_t address = 0, size = 0;
  /// Whether a work-item made the access. If not, the work-group did, and the ids below are unused.
  bool ofWorkItem = true;
  const llvm::Instruction *instruction = nullptr; ///< in Oclgrind's module
  oclgrind::Size3 group, globalId, localId;
};

/// Counts a message of type ERROR or WARNING that Oclgrind has logged, in any context of the
/// process. Any thread may call it.
void countLoggedMessage();

/// The calls of printf and the errors of a launch, in their order.
class HeldOutput {
public:
  /// Each returns false, and holds nothing more, if the output takes too much memory. `arguments`
  /// has `argumentBytes` of the site.
  bool print(const BuiltinSite &site, const uint8_t *arguments);
  bool report(const Report &report);

  /// Takes the errors of groups that ran at once, of which each of `others` has some, and orders
  /// them by group. The others hold nothing but errors. Returns false as `report` does.
  bool takeReports(std::span<HeldOutput *const> others);

  /// Writes everything and forgets it: calls `print` for each call of printf, and logs each error
  /// in the context of the running kernel.
  void write(const oclgrind::Context &context,
             const std::function<void(const BuiltinSite &, const uint8_t *)> &print);

private:
  /// One of three: a call of printf, an error, or a number of errors that Oclgrind only counts,
  /// because it has already shown the most that it shows (--max-errors).
  struct Entry {
    const BuiltinSite *call = nullptr;
    size_t at = 0; ///< of the call's arguments, or of the error
    uint64_t unshown = 0;
  };

  bool isFull() const;
  void clear();

  std::vector<Entry> entries_;
  std::vector<uint8_t> arguments_; ///< of all calls of printf, one after another
  std::vector<Report> reports_;
  unsigned errors_ = 0; ///< held, seen or not
};

} // namespace aiwc::engine
