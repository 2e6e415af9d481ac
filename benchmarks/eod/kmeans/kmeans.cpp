#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/kmeans/kmeans_reference.h"
#include "kmeans_cl.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

/// The numbers of a work-item in the tile of invert_mapping: TILE_ROW there.
constexpr size_t kTileRow = 17;
/// The least that OpenCL 1.2 grants a constant buffer (full profile).
constexpr uint64_t kConstantBytes = 65536;

class KMeans : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--points", shape_.points, "points to cluster").excludesSize();
    parameters.add("--features", shape_.features, "coordinates of a point").showDefault();
    parameters.add("--clusters", shape_.clusters).showDefault();
    parameters.add("--iterations", iterations_, "stop after so many, settled or not").showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kPoints{256, 2048, 65600, 131072};
    shape_.points = kPoints[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    if (shape_.features < 1 || shape_.clusters < 1 || iterations_ < 1)
      throw UsageError("--features, --clusters and --iterations: expected 1 or more");
    if (shape_.points < shape_.clusters)
      throw UsageError(fmt::format("--points {}: expected at least {}, one per cluster",
                                   shape_.points, shape_.clusters));
    // Indices are 32 bits wide; the rounded-up global size has to be one, too.
    if (uint64_t{shape_.points} * shape_.features > UINT32_MAX - 65536)
      throw UsageError(fmt::format("--points {} with {} features: expected at most {} numbers",
                                   shape_.points, shape_.features, UINT32_MAX - 65536));
    if (uint64_t{shape_.clusters} * shape_.features * sizeof(float) > kConstantBytes)
      throw UsageError(fmt::format("--clusters {} with {} features: expected at most {} numbers, "
                                   "which fit into constant memory",
                                   shape_.clusters, shape_.features,
                                   kConstantBytes / sizeof(float)));
  }

  std::string parameter() const override {
    return fmt::format("{},{},{}", shape_.points, shape_.features, shape_.clusters);
  }

  std::string settings() const override {
    return fmt::format("at most {} iterations (--iterations)", iterations_);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t coordinates = uint64_t{shape_.points} * shape_.features * sizeof(float);
    return {
        {"points", coordinates, CL_MEM_READ_ONLY, false},
        {"features", coordinates},
        {"centres", uint64_t{shape_.clusters} * shape_.features * sizeof(float), CL_MEM_READ_ONLY},
        {"membership", shape_.points * sizeof(int32_t), CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override {
    return {localSize, localSize * kTileRow * sizeof(float)};
  }

  std::string buildOptions(size_t) const override {
    return fmt::format("-DCLUSTERS={}", shape_.clusters);
  }

  void setUp(Session &, uint64_t seed) override {
    points_ = kmeans::clusteredPoints(shape_, seed);
    initialCentres_ = kmeans::initialCentres(shape_, points_, seed);
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    const NdRange onePerPoint{{roundUp(shape_.points, localSize)}, {localSize}};
    const cl_mem features = session.buffer("features");
    session.write("points", points_);
    session.launch("invert_mapping", onePerPoint, session.buffer("points"), features,
                   LocalMemory{localSize * kTileRow * sizeof(float)}, shape_.points,
                   shape_.features);

    iterationsDone_.clear();
    kmeans::Iteration now{initialCentres_, std::vector<int32_t>(shape_.points, -1)};
    for (uint32_t i = 0; i < iterations_; ++i) {
      session.write("centres", now.centres);
      session.launch("kmeansPoint", onePerPoint, features, session.buffer("centres"),
                     session.buffer("membership"), shape_.points, shape_.features);
      session.read("membership", now.membership);
      const bool settled = i > 0 && now.membership == iterationsDone_.back().membership;
      iterationsDone_.push_back(now);
      if (settled)
        break;
      now.centres = kmeans::movedCentres(shape_, points_, now.membership, now.centres);
    }
  }

  Verdict verify(Session &session) override {
    std::vector<float> features(points_.size());
    session.read("features", features);
    const Verdict transposed = kmeans::checkTransposed(shape_, points_, features);
    if (!transposed.passed)
      return transposed;
    return kmeans::checkIterations(shape_, points_, iterationsDone_);
  }

  std::string result() const override {
    return std::string(bytesOf(iterationsDone_.back().membership));
  }

private:
  const Description description_{.name = "kmeans",
                                 .dwarf = "map reduce",
                                 .summary = "k-means clustering, assignment on the device",
                                 .source = kSource,
                                 .kernels = {"invert_mapping", "kmeansPoint"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  kmeans::Shape shape_;
  uint32_t iterations_ = 10;
  kmeans::Points points_;
  kmeans::Points initialCentres_;
  std::vector<kmeans::Iteration> iterationsDone_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::KMeans application;
  return aiwc::eod::runApplication(application, argc, argv);
}
