#include "cfd_cl.h"
#include "eod/cfd/cfd_reference.h"
#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

/// Keeps every index below 2^32.
constexpr uint32_t kMostElements = 100'000'000;
/// Beyond, what rounding may do is more than a check should allow.
constexpr uint32_t kMostIterations = 1000;

class Cfd : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--elements", elements_, "tetrahedra of the mesh").excludesSize();
    parameters.add("--iterations", iterations_, "time steps, of three stages each").showDefault();
    parameters
        .add("--flow", flow_,
             "wing: a disturbed flow past a wing; free-stream: without either, to stay as "
             "it is")
        .oneOf({"wing", "free-stream"})
        .showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kElements{128, 1284, 45056, 193474};
    elements_ = kElements[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    if (elements_ < 1 || elements_ > kMostElements)
      throw UsageError(fmt::format("--elements {}: expected 1 to {}", elements_, kMostElements));
    if (iterations_ < 1 || iterations_ > kMostIterations)
      throw UsageError(
          fmt::format("--iterations {}: expected 1 to {}", iterations_, kMostIterations));
  }

  std::string parameter() const override {
    return fmt::format("{}{}", elements_, withWing() ? "" : ",free-stream");
  }

  std::string settings() const override {
    return fmt::format("{} iterations (--iterations), {} (--flow)", iterations_, flow_);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t perElement = elements_ * sizeof(float);
    return {{"neighbour", cfd::kFaces * perElement, CL_MEM_READ_ONLY},
            {"normal", 3 * cfd::kFaces * perElement, CL_MEM_READ_ONLY},
            {"far_field", cfd::kVariables * sizeof(float), CL_MEM_READ_ONLY},
            {"variables", cfd::kVariables * perElement},
            {"old_variables", cfd::kVariables * perElement},
            {"step_factor", perElement},
            {"fluxes", cfd::kVariables * perElement}};
  }

  WorkGroup workGroup(size_t localSize) const override { return {localSize, 0}; }

  std::string buildOptions(size_t) const override { return ""; }

  void setUp(Session &, uint64_t seed) override {
    mesh_ = cfd::boxMesh(elements_, withWing(), seed);
    initial_ = withWing() ? cfd::disturbedFlow(elements_, seed) : cfd::uniformFlow(elements_);
    result_.assign(initial_.size(), 0);
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    const NdRange onePerElement{{roundUp(elements_, localSize)}, {localSize}};
    const cl_mem normal = session.buffer("normal");
    const cl_mem variables = session.buffer("variables");
    const cl_mem old = session.buffer("old_variables");
    const cl_mem stepFactor = session.buffer("step_factor");
    const cl_mem fluxes = session.buffer("fluxes");
    const cl_uint elements = elements_;
    const auto stream = cfd::freeStream();
    session.write("neighbour", mesh_.neighbour);
    session.write("normal", mesh_.normal);
    session.write("far_field", std::vector<float>(stream.begin(), stream.end()));
    session.write("variables", initial_);

    for (uint32_t i = 0; i < iterations_; ++i) {
      session.launch("compute_step_factor", onePerElement, variables, normal, old, stepFactor,
                     elements);
      for (cl_uint divisor = cfd::kStages; divisor > 0; --divisor) {
        session.launch("compute_flux", onePerElement, session.buffer("neighbour"), normal,
                       variables, session.buffer("far_field"), fluxes, elements);
        session.launch("time_step", onePerElement, old, stepFactor, fluxes, variables, elements,
                       divisor);
      }
    }
    session.read("variables", result_);
  }

  Verdict verify(Session &) override {
    const Verdict replay = cfd::checkReplay(mesh_, initial_, iterations_, result_);
    if (withWing() || !replay.passed)
      return replay;
    const Verdict uniform = cfd::checkUniform(mesh_, iterations_, result_);
    return {uniform.passed, replay.finding + "; " + uniform.finding};
  }

  std::string result() const override { return std::string(bytesOf(result_)); }

private:
  bool withWing() const { return flow_ == "wing"; }

  const Description description_{.name = "cfd",
                                 .dwarf = "unstructured grid",
                                 .summary = "Euler equations by finite volumes on tetrahedra",
                                 .source = kSource,
                                 .kernels = {"compute_step_factor", "compute_flux", "time_step"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  uint32_t elements_ = 0;
  uint32_t iterations_ = 3;
  std::string flow_ = "wing";
  cfd::Mesh mesh_;
  cfd::Variables initial_;
  cfd::Variables result_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Cfd application;
  return aiwc::eod::runApplication(application, argc, argv);
}
