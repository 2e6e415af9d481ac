#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/nw/nw_reference.h"
#include "nw_cl.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace aiwc::eod {
namespace {

/// Keeps the index of an element below 2^32, with blocks of any legal size.
constexpr uint32_t kLongest = 65472;
/// Keeps scores within 32 bits.
constexpr uint32_t kHighestPenalty = 10000;

class Nw : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter length =
        parameters.add("-n,--length", length_, "letters of both generated sequences")
            .excludesSize();
    parameters.add("--penalty", penalty_, "what a gap costs per letter").showDefault();
    parameters
        .add(
            "--input",
            [this](const std::string &path) { input_ = alignment::readPair(path, kLongest); },
            "FASTA file with the two protein sequences")
        .excludesSize()
        .excludes(length);
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kLengths{48, 176, 1008, 4096};
    length_ = kLengths[static_cast<size_t>(size)];
    input_.reset();
  }

  void checkParameters() const override {
    if (length_ < 1 || length_ > kLongest)
      throw UsageError(fmt::format("--length {}: expected 1 to {}", length_, kLongest));
    if (penalty_ > kHighestPenalty)
      throw UsageError(fmt::format("--penalty {}: expected 0 to {}", penalty_, kHighestPenalty));
  }

  std::string parameter() const override {
    return input_ ? fmt::format("{}x{}", rows(), columns()) : fmt::format("{}", length_);
  }

  std::string settings() const override { return fmt::format("penalty {} (--penalty)", penalty_); }

  std::vector<Allocation> allocations(size_t block) const override {
    const uint64_t paddedRows = roundUp(rows(), block);
    const uint64_t paddedColumns = roundUp(columns(), block);
    return {{"scores", paddedRows * paddedColumns * sizeof(int32_t)},
            {"first", paddedRows, CL_MEM_READ_ONLY},
            {"second", paddedColumns, CL_MEM_READ_ONLY},
            {"substitution", alignment::blosum62().size(), CL_MEM_READ_ONLY}};
  }

  WorkGroup workGroup(size_t block) const override {
    return {block, (block + 1) * (block + 2) * sizeof(int32_t) + block};
  }

  std::string buildOptions(size_t block) const override {
    return fmt::format("-DBLOCK={} -DLETTERS={}", block, alignment::kLetters.size());
  }

  void setUp(Session &session, uint64_t seed) override {
    pair_ = input_ ? *input_ : nw::relatedPair(length_, seed);
    padded_ = pair_;
    padded_.first.resize(roundUp(rows(), session.localSize()));
    padded_.second.resize(roundUp(columns(), session.localSize()));
    scores_.stride = static_cast<uint32_t>(padded_.second.size());
    scores_.values.assign(padded_.first.size() * padded_.second.size(), 0);
  }

  void run(Session &session) override {
    const size_t block = session.localSize();
    const auto blockRows = static_cast<cl_uint>(padded_.first.size() / block);
    const auto blockColumns = static_cast<cl_uint>(padded_.second.size() / block);
    const cl_mem scores = session.buffer("scores");
    const cl_mem first = session.buffer("first");
    const cl_mem second = session.buffer("second");
    const cl_mem substitution = session.buffer("substitution");
    const auto penalty = static_cast<cl_int>(penalty_);
    session.write("first", padded_.first);
    session.write("second", padded_.second);
    session.write("substitution", alignment::blosum62());

    const cl_uint growing = std::min(blockRows, blockColumns);
    for (cl_uint diagonal = 0; diagonal < growing; ++diagonal)
      session.launch("needle_opencl_shared_1", {{(diagonal + 1) * block}, {block}}, scores, first,
                     second, substitution, scores_.stride, penalty, diagonal);
    for (cl_uint diagonal = growing; diagonal < blockRows + blockColumns - 1; ++diagonal) {
      const cl_uint from = diagonal < blockRows ? 0 : diagonal - blockRows + 1;
      const cl_uint to = std::min(diagonal + 1, blockColumns);
      session.launch("needle_opencl_shared_2", {{(to - from) * block}, {block}}, scores, first,
                     second, substitution, scores_.stride, penalty, diagonal, from);
    }
    session.read("scores", scores_.values);
  }

  Verdict verify(Session &) override {
    return nw::checkScores(scores_, pair_, static_cast<int32_t>(penalty_));
  }

  /// Without the padding: the hash is not to depend on the block.
  std::string result() const override {
    std::string bytes;
    for (size_t row = 0; row < rows(); ++row)
      bytes += bytesOf(scores_.values)
                   .substr(sizeof(int32_t) * row * scores_.stride, sizeof(int32_t) * columns());
    return bytes;
  }

private:
  uint64_t rows() const { return input_ ? input_->first.size() : length_; }
  uint64_t columns() const { return input_ ? input_->second.size() : length_; }

  const Description description_{.name = "nw",
                                 .dwarf = "dynamic programming",
                                 .summary = "Needleman-Wunsch global alignment of two proteins",
                                 .source = kSource,
                                 .kernels = {"needle_opencl_shared_1", "needle_opencl_shared_2"},
                                 .localSizeMeaning = "edge of a block, work-items of a work-group",
                                 .localSizes = {1, 4, 8, 16, 32, 48, 64},
                                 .defaultLocalSize = 16};
  uint32_t length_ = 0;
  uint32_t penalty_ = 10;
  std::optional<alignment::Pair> input_;
  alignment::Pair pair_;
  alignment::Pair padded_;
  nw::Scores scores_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Nw application;
  return aiwc::eod::runApplication(application, argc, argv);
}
