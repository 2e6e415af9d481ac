#include "dwt2d_cl.h"
#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/dwt2d/dwt2d_reference.h"
#include "eod/formats/pnm.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace aiwc::eod {
namespace {

/// Keeps the index of a byte of the image below 2^32.
constexpr uint64_t kMostPixels = 1u << 28;

class Dwt2d : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter width = parameters.add("--width", shape_.width, "of the generated image");
    const Parameter height = parameters.add("--height", shape_.height);
    const Parameter input = parameters.add(
        "--input", [this](const std::string &path) { readImage(path); },
        "image (PPM, or PGM whose grey becomes all three components; 8 bits)");
    for (Parameter option : {width, height, input})
      option.excludesSize();
    input.excludes(width).excludes(height);
    parameters.add("--levels", levels_, "how often the image is halved").showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<dwt2d::Shape, 4> kShapes{
        {{72, 54}, {200, 150}, {1152, 864}, {3648, 2736}}};
    shape_ = kShapes[static_cast<size_t>(size)];
    input_.clear();
  }

  void checkParameters() const override {
    const uint64_t pixels = uint64_t{shape_.width} * shape_.height;
    if (pixels < 1 || pixels > kMostPixels)
      throw UsageError(fmt::format("--width {} --height {}: expected 1 to {} pixels", shape_.width,
                                   shape_.height, kMostPixels));
    // So many levels leave one pixel.
    const uint32_t longer = std::max({shape_.width, shape_.height, 2u});
    const auto most = static_cast<uint32_t>(std::bit_width(longer - 1));
    if (levels_ < 1 || levels_ > most)
      throw UsageError(fmt::format("--levels {}: expected 1 to {} for {} by {} pixels", levels_,
                                   most, shape_.width, shape_.height));
  }

  std::string parameter() const override {
    return fmt::format("{}x{}{}", shape_.width, shape_.height, input_.empty() ? "" : " file");
  }

  std::string settings() const override { return fmt::format("{} levels (--levels)", levels_); }

  /// The components follow each other, so that the repeated kernel works on one of them at a time:
  /// the footprint is one component's.
  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t pixels = shape_.pixels();
    std::vector<Allocation> result{{"source", 3 * pixels, CL_MEM_READ_ONLY, false}};
    for (size_t c = 0; c < 3; ++c)
      for (const char *set : {"even", "odd"})
        result.push_back({bufferName(c, set), pixels * sizeof(int32_t), CL_MEM_READ_WRITE, c == 0});
    return result;
  }

  WorkGroup workGroup(size_t edge) const override {
    return {edge * edge, (2 * edge + 3) * (2 * edge + 3) * sizeof(int32_t)};
  }

  std::string buildOptions(size_t edge) const override { return fmt::format("-DEDGE={}", edge); }

  void setUp(Session &, uint64_t seed) override {
    pixels_ = input_.empty() ? dwt2d::photograph(shape_, seed) : input_;
    for (dwt2d::Plane &plane : coefficients_)
      plane.resize(shape_.pixels());
    quarter_.resize(dwt2d::half(shape_).pixels());
  }

  /// Level by level from one plane to the other and back. Odd levels go to the plane that keeps the
  /// rows of the image; even ones go to the component's own plane, which is free then, with the
  /// rows of the second level.
  void run(Session &session) override {
    const size_t edge = session.localSize();
    const auto pixels = static_cast<cl_uint>(shape_.pixels());
    session.write("source", pixels_);
    session.launch("c_CopySrcToComponents", {{roundUp(pixels, edge * edge)}, {edge * edge}},
                   session.buffer("source"), session.buffer(bufferName(0, "even")),
                   session.buffer(bufferName(1, "even")), session.buffer(bufferName(2, "even")),
                   pixels);
    const cl_uint oddStride = shape_.width;
    const cl_uint evenStride = dwt2d::half(shape_).width;
    for (size_t c = 0; c < 3; ++c) {
      const cl_mem even = session.buffer(bufferName(c, "even"));
      const cl_mem odd = session.buffer(bufferName(c, "odd"));
      dwt2d::Shape part = shape_;
      for (uint32_t level = 1; level <= levels_; ++level) {
        const NdRange quadruples{
            {roundUp((part.width + 1) / 2, edge), roundUp((part.height + 1) / 2, edge)},
            {edge, edge}};
        if (level % 2)
          session.launch("cl_fdwt53Kernel", quadruples, even, level == 1 ? oddStride : evenStride,
                         odd, oddStride, part.width, part.height);
        else
          session.launch("cl_fdwt53Kernel", quadruples, odd, oddStride, even, evenStride,
                         part.width, part.height);
        part = dwt2d::half(part);
      }
    }
    for (size_t c = 0; c < 3; ++c)
      readCoefficients(session, c);
  }

  Verdict verify(Session &) override {
    return dwt2d::check(shape_, pixels_, levels_, coefficients_);
  }

  std::string result() const override {
    std::string bytes;
    for (const dwt2d::Plane &plane : coefficients_)
      bytes += bytesOf(plane);
    return bytes;
  }

private:
  static std::string bufferName(size_t component, const char *set) {
    constexpr std::array kNames{"red", "green", "blue"};
    return fmt::format("{} {}", kNames[component], set);
  }

  /// Puts the bands of the odd levels, which are in their places already, and those of the even
  /// ones together. Of a level's upper left band, which the next level transformed, nothing is
  /// taken.
  void readCoefficients(Session &session, size_t c) {
    dwt2d::Plane &plane = coefficients_[c];
    session.read(bufferName(c, "odd"), plane);
    if (levels_ == 1)
      return;
    session.read(bufferName(c, "even"), quarter_);
    dwt2d::Shape part = dwt2d::half(shape_);
    const size_t stride = part.width;
    for (uint32_t level = 2; level <= levels_; level += 2) {
      const dwt2d::Shape next = level == levels_ ? dwt2d::Shape{} : dwt2d::half(part);
      for (size_t row = 0; row < part.height; ++row) {
        const size_t first = row < next.height ? next.width : 0;
        const auto from = quarter_.begin() + static_cast<ptrdiff_t>(row * stride);
        const auto to = plane.begin() + static_cast<ptrdiff_t>(row * shape_.width);
        std::copy(from + static_cast<ptrdiff_t>(first), from + part.width,
                  to + static_cast<ptrdiff_t>(first));
      }
      part = dwt2d::half(next);
    }
  }

  void readImage(const std::string &path) {
    const Image read = readPnm(path, {.colour = true, .maximum = 255, .pixels = kMostPixels});
    shape_ = {read.width, read.height};
    input_.clear();
    for (uint16_t sample : read.samples)
      input_.insert(input_.end(), 3 / read.channels, static_cast<uint8_t>(sample));
  }

  const Description description_{
      .name = "dwt2d",
      .dwarf = "spectral methods",
      .summary = "two-dimensional discrete wavelet transform, reversible 5/3, of a colour image",
      .source = kSource,
      .kernels = {"c_CopySrcToComponents", "cl_fdwt53Kernel"},
      .localSizeMeaning = "edge of a work-group (it has its square of work-items)",
      .localSizes = {1, 2, 4, 8, 12, 16, 32},
      .defaultLocalSize = 8};
  dwt2d::Shape shape_;
  uint32_t levels_ = 3;
  dwt2d::Pixels input_; ///< empty where the image is to be generated
  dwt2d::Pixels pixels_;
  std::array<dwt2d::Plane, 3> coefficients_;
  dwt2d::Plane quarter_; ///< the even levels of a component
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Dwt2d application;
  return aiwc::eod::runApplication(application, argc, argv);
}
