#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/swat/swat_reference.h"
#include "swat_cl.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace aiwc::eod {
namespace {

constexpr uint32_t kLongest = 1u << 24;
constexpr uint32_t kHighestPenalty = 10000;
/// The largest legal block: what sequences are padded to at most.
constexpr uint64_t kLargestBlock = 128;

class Swat : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter query =
        parameters.add("--query", query_, "letters of the generated query").excludesSize();
    const Parameter reference =
        parameters.add("--reference", reference_, "letters of the generated reference")
            .excludesSize();
    parameters.add("--gap-open", penalties_.open, "what a gap costs, besides its letters")
        .showDefault();
    parameters.add("--gap-extend", penalties_.extend, "what each letter of a gap costs")
        .showDefault();
    parameters
        .add(
            "--input",
            [this](const std::string &path) { input_ = alignment::readPair(path, kLongest); },
            "FASTA file with the query and the reference, proteins")
        .excludesSize()
        .excludes(query)
        .excludes(reference);
  }

  void selectSize(Size size) override {
    constexpr std::array<std::array<uint32_t, 2>, 4> kLengths{
        {{128, 192}, {384, 576}, {2048, 3584}, {4096, 10240}}};
    query_ = kLengths[static_cast<size_t>(size)][0];
    reference_ = kLengths[static_cast<size_t>(size)][1];
    input_.reset();
  }

  void checkParameters() const override {
    for (const auto &[option, length] :
         {std::pair("--query", query_), std::pair("--reference", reference_)})
      if (length < 1 || length > kLongest)
        throw UsageError(fmt::format("{} {}: expected 1 to {}", option, length, kLongest));
    // The index of an element is 32 bits wide.
    if (roundUp(rows(), kLargestBlock) * roundUp(columns(), kLargestBlock) > UINT32_MAX)
      throw UsageError(fmt::format("{} by {} letters: expected at most {} elements, padded to "
                                   "multiples of {}",
                                   rows(), columns(), UINT32_MAX, kLargestBlock));
    if (penalties_.open > kHighestPenalty)
      throw UsageError(
          fmt::format("--gap-open {}: expected 0 to {}", penalties_.open, kHighestPenalty));
    if (penalties_.extend < 1 || penalties_.extend > kHighestPenalty)
      throw UsageError(
          fmt::format("--gap-extend {}: expected 1 to {}", penalties_.extend, kHighestPenalty));
  }

  /// A file's sequences are not those of a named size, whatever their lengths.
  std::string parameter() const override {
    return fmt::format("{}x{}{}", rows(), columns(), input_ ? " (file)" : "");
  }

  std::string settings() const override {
    return fmt::format("gaps {} + {} per letter (--gap-open, --gap-extend)", penalties_.open,
                       penalties_.extend);
  }

  std::vector<Allocation> allocations(size_t block) const override {
    const uint64_t paddedRows = roundUp(rows(), block);
    const uint64_t paddedColumns = roundUp(columns(), block);
    return {{"directions", paddedRows * paddedColumns},
            {"query", paddedRows, CL_MEM_READ_ONLY},
            {"reference", paddedColumns, CL_MEM_READ_ONLY},
            {"substitution", alignment::blosum62().size(), CL_MEM_READ_ONLY},
            {"row_edge", paddedColumns * sizeof(int32_t)},
            {"row_gap", paddedColumns * sizeof(int32_t)},
            {"column_edge", paddedRows * sizeof(int32_t)},
            {"column_gap", paddedRows * sizeof(int32_t)},
            {"corner", paddedRows / block * sizeof(int32_t)},
            {"best", paddedColumns * sizeof(int32_t)},
            {"best_row", paddedColumns * sizeof(uint32_t)},
            {"steps", rows() + columns()},
            {"alignment", kSummary * sizeof(uint32_t)}};
  }

  /// The local arrays of MatchStringGPUSync; trace_back2 has less.
  WorkGroup workGroup(size_t block) const override {
    return {block, block * (block + 5) + block + (block + 1) * sizeof(int32_t) +
                       6 * block * sizeof(int32_t)};
  }

  std::string buildOptions(size_t block) const override {
    return fmt::format("-DBLOCK={} -DLETTERS={} -DFIRST={} -DEXTEND={}", block,
                       alignment::kLetters.size(), penalties_.open + penalties_.extend,
                       penalties_.extend);
  }

  void setUp(Session &session, uint64_t seed) override {
    pair_ = input_ ? *input_ : swat::plantedPair(query_, reference_, seed);
    padded_ = pair_;
    padded_.first.resize(roundUp(rows(), session.localSize()));
    padded_.second.resize(roundUp(columns(), session.localSize()));
    best_.assign(columns(), 0);
  }

  void run(Session &session) override {
    session.write("query", padded_.first);
    session.write("reference", padded_.second);
    session.write("substitution", alignment::blosum62());
    match(session);
    traceBack(session);
    session.read("best", best_);
  }

  Verdict verify(Session &) override {
    return swat::checkAlignment(pair_, penalties_, best_, alignment_);
  }

  std::string result() const override {
    const std::vector<uint32_t> ends{alignment_.score, alignment_.queryBegin, alignment_.queryEnd,
                                     alignment_.referenceBegin, alignment_.referenceEnd};
    std::string bytes(bytesOf(ends));
    bytes += bytesOf(alignment_.steps);
    bytes += bytesOf(best_);
    return bytes;
  }

private:
  /// The numbers that trace_back2 writes about the alignment: STEPS + 1 there.
  static constexpr size_t kSummary = 6;

  uint64_t rows() const { return input_ ? input_->first.size() : query_; }
  uint64_t columns() const { return input_ ? input_->second.size() : reference_; }
  cl_uint stride() const { return static_cast<cl_uint>(padded_.second.size()); }

  void match(Session &session) const {
    const size_t block = session.localSize();
    const auto blockRows = static_cast<cl_uint>(padded_.first.size() / block);
    const auto blockColumns = static_cast<cl_uint>(padded_.second.size() / block);
    for (cl_uint diagonal = 0; diagonal < blockRows + blockColumns - 1; ++diagonal) {
      const cl_uint from = diagonal < blockRows ? 0 : diagonal - blockRows + 1;
      const cl_uint to = std::min(diagonal + 1, blockColumns);
      session.launch(
          "MatchStringGPUSync", {{(to - from) * block}, {block}}, session.buffer("directions"),
          session.buffer("query"), session.buffer("reference"), session.buffer("substitution"),
          session.buffer("row_edge"), session.buffer("row_gap"), session.buffer("column_edge"),
          session.buffer("column_gap"), session.buffer("corner"), session.buffer("best"),
          session.buffer("best_row"), static_cast<cl_uint>(rows()), static_cast<cl_uint>(columns()),
          stride(), diagonal, from);
    }
  }

  void traceBack(Session &session) {
    const size_t block = session.localSize();
    session.launch("trace_back2", {{block}, {block}}, session.buffer("directions"),
                   session.buffer("best"), session.buffer("best_row"), session.buffer("steps"),
                   session.buffer("alignment"), static_cast<cl_uint>(columns()), stride());
    std::vector<uint32_t> summary(kSummary);
    session.read("alignment", summary);
    alignment_ = {summary[0], summary[1], summary[2], summary[3], summary[4], {}};
    // Not more than there is room for, however wrong the result.
    alignment_.steps.resize(std::min<uint64_t>(summary[5], rows() + columns()));
    if (!alignment_.steps.empty())
      session.read("steps", alignment_.steps);
  }

  const Description description_{.name = "swat",
                                 .dwarf = "dynamic programming",
                                 .summary =
                                     "Smith-Waterman local alignment of two proteins, affine gaps",
                                 .source = kSource,
                                 .kernels = {"MatchStringGPUSync", "trace_back2"},
                                 .localSizeMeaning = "edge of a block, work-items of a work-group",
                                 .localSizes = {1, 4, 8, 16, 32, 48, 64, 128},
                                 .defaultLocalSize = 32};
  uint32_t query_ = 0;
  uint32_t reference_ = 0;
  swat::Penalties penalties_;
  std::optional<alignment::Pair> input_;
  alignment::Pair pair_;
  alignment::Pair padded_;
  std::vector<int32_t> best_;
  swat::Alignment alignment_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Swat application;
  return aiwc::eod::runApplication(application, argc, argv);
}
