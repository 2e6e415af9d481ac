#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/nqueens/nqueens_reference.h"
#include "nqueens_cl.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace aiwc::eod {
namespace {

/// Five bits per row of a placement fit into 32; the largest board then has some millions of them.
constexpr uint32_t kLargestDepth = 6;

class NQueens : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--queens", board_, "queens, rows and columns of the board").excludesSize();
    parameters.add("--depth", depthOption_,
                   "rows that the host fills: a work-item per placement (default: a third of "
                   "the rows, at least 3)");
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kBoards{8, 10, 13, 16};
    board_ = kBoards[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    if (board_ < nqueens::kSmallestBoard || board_ > nqueens::kLargestBoard)
      throw UsageError(fmt::format("--queens {}: expected {} to {}", board_,
                                   nqueens::kSmallestBoard, nqueens::kLargestBoard));
    const uint32_t most = std::min(kLargestDepth, board_ - 1);
    if (depth() < 1 || depth() > most)
      throw UsageError(
          fmt::format("--depth {} of {} rows: expected 1 to {}", depth(), board_, most));
  }

  std::string parameter() const override { return fmt::format("{}", board_); }

  std::string settings() const override {
    return fmt::format("placements of {} rows (--depth)", depth());
  }

  std::vector<Allocation> allocations(size_t) const override {
    const auto [all, symmetric] = nqueens::countPrefixes(board_, depth());
    return {{"all_prefixes", all * kPrefixBytes, CL_MEM_READ_ONLY},
            {"all_solutions", all * sizeof(uint64_t), CL_MEM_WRITE_ONLY},
            {"symmetric_prefixes", symmetric * kPrefixBytes, CL_MEM_READ_ONLY},
            {"symmetric_solutions", symmetric * sizeof(uint64_t), CL_MEM_WRITE_ONLY},
            {"classes", symmetric * sizeof(uint64_t), CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override {
    return {localSize, stackBytes(localSize)};
  }

  std::string buildOptions(size_t) const override { return fmt::format("-DBOARD={}u", board_); }

  void setUp(Session &, uint64_t) override {
    const std::vector<nqueens::Prefix> all = nqueens::allPrefixes(board_, depth());
    const std::vector<nqueens::Prefix> symmetric = nqueens::symmetricPrefixes(board_, depth());
    all_ = nqueens::packed(board_, all);
    symmetric_ = nqueens::packed(board_, symmetric);
    counts_.all.assign(all.size(), 0);
    counts_.symmetric.assign(symmetric.size(), 0);
    counts_.classes.assign(symmetric.size(), 0);
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    const LocalMemory stack{stackBytes(localSize)};
    const auto onePerPrefix = [&](size_t prefixes) {
      return NdRange{{roundUp(prefixes, localSize)}, {localSize}};
    };
    session.write("all_prefixes", all_);
    session.launch("nqueen", onePerPrefix(counts_.all.size()), session.buffer("all_prefixes"),
                   session.buffer("all_solutions"), stack,
                   static_cast<cl_uint>(counts_.all.size()));
    session.write("symmetric_prefixes", symmetric_);
    session.launch("nqueen1", onePerPrefix(counts_.symmetric.size()),
                   session.buffer("symmetric_prefixes"), session.buffer("symmetric_solutions"),
                   session.buffer("classes"), stack,
                   static_cast<cl_uint>(counts_.symmetric.size()));
    session.read("all_solutions", counts_.all);
    session.read("symmetric_solutions", counts_.symmetric);
    session.read("classes", counts_.classes);
  }

  Verdict verify(Session &) override { return nqueens::checkCounts(board_, depth(), counts_); }

  std::string result() const override {
    std::string bytes(bytesOf(counts_.all));
    bytes += bytesOf(counts_.symmetric);
    bytes += bytesOf(counts_.classes);
    return bytes;
  }

private:
  static constexpr uint64_t kPrefixBytes = 4 * sizeof(uint32_t);

  static constexpr size_t kStackNumbers = 4; // PUSH() in the kernels

  uint32_t depth() const {
    return depthOption_.value_or(std::min(std::max(3u, board_ / 3), board_ - 1));
  }

  /// A level of the stack for every row of the device's but the last, which leaves no choice.
  size_t stackBytes(size_t localSize) const {
    const size_t levels = std::max(1u, board_ - depth() - 1);
    return levels * localSize * kStackNumbers * sizeof(uint32_t);
  }

  const Description description_{.name = "nqueens",
                                 .dwarf = "backtrack and branch-and-bound",
                                 .summary = "counts the solutions of the n queens problem",
                                 .source = kSource,
                                 .kernels = {"nqueen", "nqueen1"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  uint32_t board_ = 0;
  std::optional<uint32_t> depthOption_;
  std::vector<uint32_t> all_;
  std::vector<uint32_t> symmetric_;
  nqueens::Counts counts_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::NQueens application;
  return aiwc::eod::runApplication(application, argc, argv);
}
