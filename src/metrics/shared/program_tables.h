#pragma once

#include "trace/program.h"

#include <map>
#include <memory>
#include <mutex>

namespace aiwc::metrics {

/// What analyses compute of a program alone. For a long kernel that takes longer than a short
/// launch, so launches and threads share it. Thread-safe.
class ProgramTables {
public:
  /// `program` must outlive the tables.
  explicit ProgramTables(const trace::Program &program) : program_(program) {}

  /// `Table(program)`, which the first call makes. Valid as long as this object.
  template <typename Table> const Table &get() const {
    static char type; // its address stands for the type
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const void> &table = tables_[&type];
    if (!table)
      table = std::make_shared<const Table>(program_);
    return *static_cast<const Table *>(table.get());
  }

private:
  const trace::Program &program_;
  mutable std::mutex mutex_;
  mutable std::map<const char *, std::shared_ptr<const void>> tables_;
};

} // namespace aiwc::metrics
