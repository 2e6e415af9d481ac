#include "csr_cl.h"
#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/csr/csr_reference.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace aiwc::eod {
namespace {

/// Indices are 32 bits wide, with room for a global size that is rounded up.
constexpr uint64_t kMostEntries = UINT32_MAX - 65536;
const csr::Shape kDefault;
const std::map<std::string, csr::Structure> kStructures{{"uniform", csr::Structure::kUniform},
                                                        {"banded", csr::Structure::kBanded},
                                                        {"powerlaw", csr::Structure::kPowerLaw}};

class Csr : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter order =
        parameters.add("-n,--order", shape_.order, "rows and columns of the matrix").excludesSize();
    const Parameter density =
        parameters.add("--density", shape_.density, "per cent of the positions with an entry")
            .showDefault();
    const Parameter structure = parameters
                                    .add(
                                        "--matrix",
                                        [this](const std::string &text) {
                                          structure_ = text;
                                          shape_.structure = kStructures.at(text);
                                        },
                                        "uniform, banded or powerlaw (default uniform)")
                                    .oneOf({"uniform", "banded", "powerlaw"});
    parameters
        .add(
            "--input",
            [this](const std::string &path) {
              input_ = readMatrixMarket(path);
              csr::checkUsable(*input_, path);
            },
            "Matrix Market file with the matrix, instead of a generated one")
        .excludesSize()
        .excludes(order)
        .excludes(density)
        .excludes(structure);
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kOrders{736, 2416, 14336, 16384};
    shape_.order = kOrders[static_cast<size_t>(size)];
    input_.reset();
  }

  void checkParameters() const override {
    if (!(shape_.density > 0 && shape_.density <= csr::kMostDense))
      throw UsageError(fmt::format("--density {}: expected more than 0 and at most {} per cent",
                                   shape_.density, csr::kMostDense));
    if (entries() < 1 || entries() > kMostEntries || rows() > kMostEntries)
      throw UsageError(fmt::format("--order {} with {} per cent: expected 1 to {} entries, and at "
                                   "most so many rows",
                                   shape_.order, shape_.density, kMostEntries));
  }

  /// What differs from the suite's matrices is said, so that it does not pass for one of them.
  std::string parameter() const override {
    if (input_)
      return fmt::format("{}x{},{}", rows(), columns(), entries());
    std::string text = fmt::format("{}", shape_.order);
    if (shape_.density != kDefault.density)
      text += fmt::format(",{}%", shape_.density);
    if (shape_.structure != kDefault.structure)
      text += "," + structure_;
    return text;
  }

  std::string settings() const override {
    if (input_)
      return "";
    return fmt::format("{} % of the positions (--density), {} (--matrix): {} entries",
                       shape_.density, structure_, entries());
  }

  std::vector<Allocation> allocations(size_t) const override {
    return {{"row_begin", (rows() + 1) * sizeof(uint32_t), CL_MEM_READ_ONLY},
            {"column", entries() * sizeof(uint32_t), CL_MEM_READ_ONLY},
            {"value", entries() * sizeof(float), CL_MEM_READ_ONLY},
            {"x", columns() * sizeof(float), CL_MEM_READ_ONLY},
            {"y", rows() * sizeof(float), CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override { return {localSize, 0}; }

  std::string buildOptions(size_t) const override { return ""; }

  void setUp(Session &, uint64_t seed) override {
    matrix_ = input_ ? csr::compress(*input_) : csr::generate(shape_, seed);
    x_ = csr::vectorOf(matrix_.columns, seed);
    y_.assign(matrix_.rows, 0);
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    session.write("row_begin", matrix_.rowBegin);
    session.write("column", matrix_.column);
    session.write("value", matrix_.value);
    session.write("x", x_);
    session.launch("csr", {{roundUp(matrix_.rows, localSize)}, {localSize}},
                   session.buffer("row_begin"), session.buffer("column"), session.buffer("value"),
                   session.buffer("x"), session.buffer("y"), cl_uint{matrix_.rows});
    session.read("y", y_);
  }

  Verdict verify(Session &) override { return csr::checkProduct(matrix_, x_, y_); }

  std::string result() const override { return std::string(bytesOf(y_)); }

private:
  uint64_t rows() const { return input_ ? input_->rows : shape_.order; }
  uint64_t columns() const { return input_ ? input_->columns : shape_.order; }
  uint64_t entries() const { return input_ ? input_->entries.size() : csr::entries(shape_); }

  const Description description_{.name = "csr",
                                 .dwarf = "sparse linear algebra",
                                 .summary = "product of a sparse matrix and a vector",
                                 .source = kSource,
                                 .kernels = {"csr"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  csr::Shape shape_;
  std::string structure_ = "uniform"; ///< the name of shape_.structure
  std::optional<CoordinateMatrix> input_;
  csr::Matrix matrix_;
  std::vector<float> x_;
  std::vector<float> y_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Csr application;
  return aiwc::eod::runApplication(application, argc, argv);
}
