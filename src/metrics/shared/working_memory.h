#pragma once

#include <map>
#include <memory>
#include <utility>

namespace aiwc::metrics {

/// What analyses need while a work-group runs and not afterwards, such as the accesses since the
/// last barrier. A sample of the groups has tens of analyses of a family (SampledAnalyses), of
/// which one at a time sees a group; they share this memory, which may be megabytes. Not
/// thread-safe: analyses of different threads must not share one.
class WorkingMemory {
public:
  /// The object of type `T` of all that ask for it. The first call makes it, with `arguments`. A
  /// group must leave it as it was made, but for memory that was allocated.
  template <typename T, typename... Arguments> std::shared_ptr<T> get(Arguments &&...arguments) {
    static char type; // its address stands for the type
    std::shared_ptr<void> &object = objects_[&type];
    if (!object)
      object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    return std::static_pointer_cast<T>(object);
  }

private:
  std::map<const char *, std::shared_ptr<void>> objects_;
};

} // namespace aiwc::metrics
