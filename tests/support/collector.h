#pragma once

#include "plain_trace.h"
#include "trace/chunk.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::test {

/// Puts the chunks that it is handed together again, to the plain list of what was executed, and
/// keeps what each chunk looked like. Throws std::logic_error at a chunk that is not as
/// trace/chunk.h says.
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

  bool continues_ = false; ///< the next run is the rest of the last one
};

/// A plain list as text, a line per group, barrier, stretch and block: tests compare and print it.
std::string text(const Execution &execution);

} // namespace aiwc::test
