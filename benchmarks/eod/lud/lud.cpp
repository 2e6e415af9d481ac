#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/lud/lud_reference.h"
#include "lud_cl.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

/// The largest order that a serial decomposition checks besides the product of the factors.
constexpr uint32_t kSerialOrder = 512;
/// Keeps the index of an element below 2^32.
constexpr uint32_t kLargestOrder = 65504;

class Lud : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--order", order_, "rows and columns of the matrix").excludesSize();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kOrders{80, 240, 1440, 4096};
    order_ = kOrders[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    if (order_ < 1 || order_ > kLargestOrder)
      throw UsageError(fmt::format("--order {}: expected 1 to {}", order_, kLargestOrder));
  }

  std::string parameter() const override { return fmt::format("{}", order_); }

  std::vector<Allocation> allocations(size_t block) const override {
    const uint64_t stride = roundUp(order_, block);
    return {{"matrix", stride * stride * sizeof(float)}};
  }

  WorkGroup workGroup(size_t block) const override {
    return {block * block, 2 * block * (block + 1) * sizeof(float)};
  }

  std::string buildOptions(size_t block) const override { return fmt::format("-DBLOCK={}", block); }

  void setUp(Session &session, uint64_t seed) override {
    const auto stride = static_cast<uint32_t>(roundUp(order_, session.localSize()));
    original_ = lud::dominantMatrix(order_, stride, seed);
    factors_ = original_;
    seed_ = seed;
  }

  void run(Session &session) override {
    const size_t block = session.localSize();
    const cl_uint stride = original_.stride;
    const cl_mem matrix = session.buffer("matrix");
    session.write("matrix", original_.values);
    for (cl_uint step = 0; step < stride / block; ++step) {
      const size_t rest = stride - (step + 1) * block;
      session.launch("lud_diagonal", {{block}, {block}}, matrix, stride, step);
      if (rest == 0)
        break;
      session.launch("lud_perimeter", {{rest, 2}, {block, 1}}, matrix, stride, step);
      session.launch("lud_internal", {{rest, rest}, {block, block}}, matrix, stride, step);
    }
    session.read("matrix", factors_.values);
  }

  Verdict verify(Session &) override {
    const Verdict product = lud::checkProduct(factors_, original_, seed_);
    if (order_ > kSerialOrder || !product.passed)
      return product;
    const Verdict reference = lud::checkReference(factors_, original_);
    return {reference.passed, product.finding + "; " + reference.finding};
  }

  /// Without the padding: the hash is not to depend on the block.
  std::string result() const override {
    std::string bytes;
    for (uint32_t row = 0; row < order_; ++row)
      bytes += bytesOf(factors_.values)
                   .substr(sizeof(float) * row * factors_.stride, sizeof(float) * order_);
    return bytes;
  }

private:
  const Description description_{
      .name = "lud",
      .dwarf = "dense linear algebra",
      .summary = "LU decomposition of a diagonally dominant matrix, blocked, in place",
      .source = kSource,
      .kernels = {"lud_diagonal", "lud_perimeter", "lud_internal"},
      .localSizeMeaning = "edge of a block (work-groups have up to its square of work-items)",
      .localSizes = {4, 8, 16, 32},
      .defaultLocalSize = 16};
  uint32_t order_ = 0;
  uint64_t seed_ = 0;
  lud::Matrix original_;
  lud::Matrix factors_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Lud application;
  return aiwc::eod::runApplication(application, argc, argv);
}
