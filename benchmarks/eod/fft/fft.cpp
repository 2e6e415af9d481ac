#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/fft/fft_reference.h"
#include "fft_cl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace aiwc::eod {
namespace {

/// Below it a butterfly's position is exact as a float.
constexpr uint32_t kMostPoints = 1u << 24;

class Fft : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--points", points_, "complex numbers: a power of two").excludesSize();
    parameters
        .add("--plan", plan_,
             "radices of the stages: 2, 4, 8 or 16, whose product is the number of points "
             "(default: all four, largest first)")
        .separatedByCommas();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kPoints{2048, 16384, 524288, 2097152};
    points_ = kPoints[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    if (!std::has_single_bit(points_) || points_ < 2 || points_ > kMostPoints)
      throw UsageError(
          fmt::format("--points {}: expected a power of two from 2 to {}", points_, kMostPoints));
    uint64_t product = 1;
    for (uint32_t radix : plan_) {
      if (radix != 2 && radix != 4 && radix != 8 && radix != 16)
        throw UsageError(fmt::format("--plan {}: radix {}: expected 2, 4, 8 or 16",
                                     fmt::join(plan_, ","), radix));
      product = std::min<uint64_t>(product * radix, 2 * kMostPoints);
    }
    if (!plan_.empty() && product != points_)
      throw UsageError(fmt::format("--plan {}: expected radices whose product is {}",
                                   fmt::join(plan_, ","), points_));
  }

  std::string parameter() const override { return fmt::format("{}", points_); }

  std::string settings() const override {
    return fmt::format("radices {} (--plan)", fmt::join(plan(), ","));
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t bytes = uint64_t{points_} * 2 * sizeof(float);
    return {{"even", bytes}, {"odd", bytes}};
  }

  WorkGroup workGroup(size_t localSize) const override { return {localSize, 0}; }

  std::string buildOptions(size_t) const override { return ""; }

  void setUp(Session &, uint64_t seed) override {
    signal_ = fft::tones(points_, seed);
    transformed_.resize(signal_.size());
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    session.write("even", signal_);
    std::string from = "even";
    std::string to = "odd";
    cl_uint length = 1;
    for (uint32_t radix : plan()) {
      const cl_uint butterflies = points_ / radix;
      const cl_float angle = 2.0f / static_cast<float>(length * radix);
      session.launch(fmt::format("fftRadix{}Kernel", radix),
                     {{roundUp(butterflies, localSize)}, {localSize}}, session.buffer(from),
                     session.buffer(to), butterflies, length, angle);
      length *= radix;
      std::swap(from, to);
    }
    session.read(from, transformed_);
  }

  Verdict verify(Session &) override { return fft::check(signal_, transformed_); }

  std::string result() const override { return std::string(bytesOf(transformed_)); }

private:
  /// The radices asked for, else one of each as far as the number of points allows, and radix 16
  /// for the rest with one smaller radix where it takes that. Largest first.
  std::vector<uint32_t> plan() const {
    if (!plan_.empty())
      return plan_;
    std::vector<uint32_t> radices;
    uint32_t rest = points_;
    if (rest >= 1024) {
      radices = {16, 8, 4, 2};
      rest /= 1024;
    }
    for (; rest > 1; rest /= radices.back())
      radices.push_back(std::min(rest, 16u));
    std::ranges::sort(radices, std::greater());
    return radices;
  }

  const Description description_{
      .name = "fft",
      .dwarf = "spectral methods",
      .summary = "complex fast Fourier transform in single precision, Stockham, mixed radix",
      .source = kSource,
      .kernels = {"fftRadix2Kernel", "fftRadix4Kernel", "fftRadix8Kernel", "fftRadix16Kernel"},
      .localSizeMeaning = "work-items of a work-group",
      .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
      .defaultLocalSize = 64};
  uint32_t points_ = 0;
  std::vector<uint32_t> plan_;
  fft::Signal signal_;
  fft::Signal transformed_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Fft application;
  return aiwc::eod::runApplication(application, argc, argv);
}
