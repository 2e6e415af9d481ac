#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/formats/pnm.h"
#include "eod/srad/srad_reference.h"
#include "srad_cl.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

/// Keeps indices below 2^32, with the NDRange rounded up.
constexpr uint64_t kMostPixels = 1u << 28;

class Srad : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter rows = parameters.add("--rows", shape_.rows, "of the generated image");
    const Parameter columns = parameters.add("--columns", shape_.columns);
    const Parameter input = parameters.add(
        "--input", [this](const std::string &path) { readImage(path); },
        "greymap (PGM, up to 16 bits) with the image");
    for (Parameter option : {rows, columns, input})
      option.excludesSize();
    input.excludes(rows).excludes(columns);
    parameters.add("--iterations", iterations_).showDefault();
    parameters.add("--lambda", lambda_, "step of the diffusion, above 0, at most 1").showDefault();
    parameters
        .add("--region", region_,
             "first and last row, first and last column of the speckle, clipped to the "
             "image (default 0,127,0,127)")
        .separatedByCommas()
        .expected(4);
  }

  void selectSize(Size size) override {
    constexpr std::array<srad::Shape, 4> kShapes{{{80, 16}, {128, 80}, {1024, 336}, {2048, 1024}}};
    shape_ = kShapes[static_cast<size_t>(size)];
    input_.clear();
  }

  void checkParameters() const override {
    const uint64_t pixels = uint64_t{shape_.rows} * shape_.columns;
    if (pixels < 1 || pixels > kMostPixels)
      throw UsageError(fmt::format("--rows {} --columns {}: expected 1 to {} pixels", shape_.rows,
                                   shape_.columns, kMostPixels));
    if (iterations_ < 1)
      throw UsageError("--iterations 0: expected 1 or more");
    if (!(lambda_ > 0 && lambda_ <= 1))
      throw UsageError(
          fmt::format("--lambda {}: expected a number above 0 and at most 1", lambda_));
    const srad::Region speckle = region();
    if (speckle.top > speckle.bottom || speckle.left > speckle.right ||
        speckle.top >= shape_.rows || speckle.left >= shape_.columns)
      throw UsageError(fmt::format("--region {},{},{},{}: expected first and last row, first and "
                                   "last column of a part of {} by {} pixels",
                                   region_[0], region_[1], region_[2], region_[3], shape_.rows,
                                   shape_.columns));
  }

  std::string parameter() const override {
    return fmt::format("{}x{}{}", shape_.rows, shape_.columns, input_.empty() ? "" : " file");
  }

  std::string settings() const override {
    return fmt::format("{} iterations (--iterations), lambda {} (--lambda), speckle {},{},{},{} "
                       "(--region)",
                       iterations_, lambda_, region_[0], region_[1], region_[2], region_[3]);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t bytes = uint64_t{shape_.rows} * shape_.columns * sizeof(float);
    return {{"image", bytes}, {"north", bytes}, {"south", bytes},
            {"west", bytes},  {"east", bytes},  {"coefficient", bytes}};
  }

  WorkGroup workGroup(size_t tile) const override {
    return {tile * tile, (tile + 2) * (tile + 2) * sizeof(float)};
  }

  std::string buildOptions(size_t tile) const override { return fmt::format("-DTILE={}", tile); }

  void setUp(Session &, uint64_t seed) override {
    original_ = input_.empty() ? srad::ultrasound(shape_, seed) : input_;
    image_ = original_;
  }

  void run(Session &session) override {
    const size_t tile = session.localSize();
    const NdRange onePerPixel{{roundUp(shape_.columns, tile), roundUp(shape_.rows, tile)},
                              {tile, tile}};
    const cl_mem image = session.buffer("image");
    const cl_mem north = session.buffer("north");
    const cl_mem south = session.buffer("south");
    const cl_mem west = session.buffer("west");
    const cl_mem east = session.buffer("east");
    const cl_mem coefficient = session.buffer("coefficient");
    image_ = original_;
    session.write("image", image_);
    for (uint32_t i = 0; i < iterations_; ++i) {
      const auto noise = static_cast<cl_float>(srad::noise(shape_, image_, region()));
      session.launch("srad_cuda_1", onePerPixel, image, north, south, west, east, coefficient,
                     shape_.rows, shape_.columns, noise);
      session.launch("srad_cuda_2", onePerPixel, image, north, south, west, east, coefficient,
                     shape_.rows, shape_.columns, lambda_ / 4);
      session.read("image", image_);
    }
  }

  Verdict verify(Session &) override {
    return srad::check(shape_, original_, region(), iterations_, lambda_, image_);
  }

  std::string result() const override { return std::string(bytesOf(image_)); }

private:
  /// Positive: black is not 0, which nothing could be compared with.
  void readImage(const std::string &path) {
    const Image read = readPnm(path, {.colour = false, .maximum = 65535, .pixels = kMostPixels});
    shape_ = {read.height, read.width};
    input_.clear();
    for (uint16_t sample : read.samples)
      input_.push_back(static_cast<float>(sample + 1) / static_cast<float>(read.maximum + 1));
  }

  srad::Region region() const { return {region_[0], region_[1], region_[2], region_[3]}; }

  const Description description_{
      .name = "srad",
      .dwarf = "structured grid",
      .summary = "speckle reducing anisotropic diffusion of an ultrasound image",
      .source = kSource,
      .kernels = {"srad_cuda_1", "srad_cuda_2"},
      .localSizeMeaning = "edge of a tile (work-groups have its square of work-items)",
      .localSizes = {1, 2, 4, 8, 12, 16, 32},
      .defaultLocalSize = 16};
  srad::Shape shape_;
  uint32_t iterations_ = 10;
  float lambda_ = 0.5f;
  std::vector<uint32_t> region_{0, 127, 0, 127};
  srad::Image input_; ///< empty where the image is to be generated
  srad::Image original_;
  srad::Image image_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Srad application;
  return aiwc::eod::runApplication(application, argc, argv);
}
