#include "bfs_cl.h"
#include "eod/bfs/bfs_reference.h"
#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace aiwc::eod {
namespace {

/// Indices are 32 bits wide, with room for a global size that is rounded up.
constexpr uint64_t kMostNodes = UINT32_MAX - 65536;
constexpr double kScaleFreeDegree = 8;
/// As of the road networks of whole countries, where most nodes are bends and ends of streets.
constexpr double kRoadDegree = 2.5;

class Bfs : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter nodes =
        parameters.add("-n,--nodes", nodes_, "nodes of the graph").excludesSize();
    const Parameter graph = parameters.add("--graph", graph_, "scale-free or road")
                                .oneOf({"scale-free", "road"})
                                .showDefault();
    const Parameter degree =
        parameters.add("--degree", degree_,
                       fmt::format("mean number of neighbours (default {}, road {})",
                                   kScaleFreeDegree, kRoadDegree));
    parameters.add("--source", source_, "node at which the search begins").showDefault();
    parameters
        .add(
            "--input",
            [this](const std::string &path) {
              input_ = readMatrixMarket(path);
              if (input_->rows != input_->columns)
                throw UsageError(fmt::format("{}: {} rows, {} columns: expected as many of both, "
                                             "an adjacency matrix",
                                             path, input_->rows, input_->columns));
            },
            "Matrix Market file with the adjacency matrix, instead of a generated graph")
        .excludesSize()
        .excludes(nodes)
        .excludes(graph)
        .excludes(degree);
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kNodes{650, 5376, 172032, 1048576};
    nodes_ = kNodes[static_cast<size_t>(size)];
    input_.reset();
  }

  void checkParameters() const override {
    if (nodes() < 1 || nodes() > kMostNodes)
      throw UsageError(fmt::format("--nodes {}: expected 1 to {}", nodes_, kMostNodes));
    if (source_ >= nodes())
      throw UsageError(fmt::format("--source {}: expected 0 to {}", source_, nodes() - 1));
    if (input_)
      return;
    const bfs::Shape wanted = shape();
    if (!(wanted.degree >= 0 && wanted.degree <= kMostNodes))
      throw UsageError(
          fmt::format("--degree {}: expected a mean number of neighbours", wanted.degree));
    const auto [least, possible] = bfs::edgeRange(nodes_, wanted.kind);
    const uint64_t most = std::min(possible, kMostNodes / 2);
    if (bfs::edges(wanted) < least || bfs::edges(wanted) > most)
      throw UsageError(fmt::format("--degree {} makes {} edges: expected {} to {} in a {} graph "
                                   "of {} nodes",
                                   wanted.degree, bfs::edges(wanted), least, most, graph_, nodes_));
  }

  /// What differs from the suite's graphs is said, so that it does not pass for one of them.
  std::string parameter() const override {
    if (input_)
      return fmt::format("{},{}", nodes(), entries());
    std::string text = fmt::format("{}", nodes_);
    if (graph_ != "scale-free")
      text += "," + graph_;
    if (degree_)
      text += fmt::format(",degree {}", *degree_);
    return text;
  }

  std::string settings() const override {
    const std::string from = fmt::format("from node {} (--source)", source_);
    if (input_)
      return from;
    return fmt::format("{} (--graph), {} neighbours per node (--degree), {}", graph_,
                       shape().degree, from);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t perNode = nodes() * sizeof(uint32_t);
    return {{"edge_begin", perNode + sizeof(uint32_t), CL_MEM_READ_ONLY},
            {"target", std::max<uint64_t>(entries(), 1) * sizeof(uint32_t), CL_MEM_READ_ONLY},
            {"level", perNode},
            {"reached", perNode},
            {"again", sizeof(uint32_t)}};
  }

  WorkGroup workGroup(size_t localSize) const override { return {localSize, sizeof(uint32_t)}; }

  std::string buildOptions(size_t) const override { return ""; }

  void setUp(Session &, uint64_t seed) override {
    graphData_ = input_ ? bfs::graphOf(*input_) : bfs::generate(shape(), seed);
    levels_.assign(graphData_.nodes, bfs::kUnreached);
  }

  void run(Session &session) override {
    const cl_uint nodes = graphData_.nodes;
    const size_t localSize = session.localSize();
    const NdRange onePerNode{{roundUp(nodes, localSize)}, {localSize}};
    const cl_mem level = session.buffer("level");
    const cl_mem reached = session.buffer("reached");
    const cl_mem again = session.buffer("again");
    session.write("edge_begin", graphData_.edgeBegin);
    session.write("target", graphData_.target);
    session.write("reached", std::vector<uint32_t>(nodes));
    levels_.assign(nodes, bfs::kUnreached);
    levels_[source_] = 0;
    session.write("level", levels_);

    std::vector<uint32_t> foundSome{1};
    for (cl_uint depth = 0; foundSome[0]; ++depth) {
      session.launch("kernel1", onePerNode, session.buffer("edge_begin"), session.buffer("target"),
                     level, reached, again, nodes, depth);
      session.launch("kernel2", onePerNode, level, reached, again, nodes, depth);
      session.read("again", foundSome);
    }
    session.read("level", levels_);
  }

  Verdict verify(Session &) override { return bfs::checkLevels(graphData_, source_, levels_); }

  std::string result() const override { return std::string(bytesOf(levels_)); }

private:
  bfs::Shape shape() const {
    const bool road = graph_ == "road";
    return {nodes_, road ? bfs::Kind::kRoad : bfs::Kind::kScaleFree,
            degree_.value_or(road ? kRoadDegree : kScaleFreeDegree)};
  }
  uint64_t nodes() const { return input_ ? input_->rows : nodes_; }
  uint64_t entries() const { return input_ ? input_->entries.size() : 2 * bfs::edges(shape()); }

  const Description description_{.name = "bfs",
                                 .dwarf = "graph traversal",
                                 .summary = "breadth-first search, level by level",
                                 .source = kSource,
                                 .kernels = {"kernel1", "kernel2"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  uint32_t nodes_ = 0;
  uint32_t source_ = 0;
  std::string graph_ = "scale-free";
  std::optional<double> degree_; ///< where it is not the graph's default
  std::optional<CoordinateMatrix> input_;
  bfs::Graph graphData_;
  std::vector<uint32_t> levels_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Bfs application;
  return aiwc::eod::runApplication(application, argc, argv);
}
