#pragma once

#include "plain_trace.h"
#include "trace/chunk.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::test {

/// Rebuilds the plain list of executed blocks and accesses from chunks, and stores the size of each
/// chunk. Throws std::logic_error if a chunk violates trace/chunk.h.
class Collector final : public trace::ChunkConsumer {
public:
  struct Seen {
    trace::ChunkEnd end;
    size_t events, accesses, runs;
  };

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;

  Execution execution;
  std::vector<Seen> chunks;
  bool inGroup = false;

private:
  void append(const trace::Chunk &chunk, const trace::Run &run, Stretch &stretch);

  bool continues_ = false; ///< the next run continues the last one
};

/// A plain list as text, with one line per group, barrier, stretch and block. Tests compare and
/// print it.
std::string text(const Execution &execution);

} // namespace aiwc::test
