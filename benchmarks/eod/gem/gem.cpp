#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/gem/gem_reference.h"
#include "gem_cl.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace aiwc::eod {
namespace {

constexpr uint32_t kMostAtoms = 16'000'000;
constexpr uint32_t kMostVertices = 1'000'000'000;
/// Structures are a few hundred ångström wide; single precision has to resolve their distances.
constexpr float kLargestCoordinate = 10000;
/// Vertices per atom where a file says nothing about them: as in the suite's larger sizes.
constexpr uint32_t kVerticesPerAtom = 18;

class Gem : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter atoms =
        parameters.add("--atoms", atoms_, "of the generated molecule").excludesSize();
    parameters
        .add(
            "--input",
            [this](const std::string &path) {
              input_ = readPqr(path, {.atoms = kMostAtoms, .coordinate = kLargestCoordinate});
              atoms_ = static_cast<uint32_t>(input_->size());
              vertices_ = kVerticesPerAtom * atoms_;
            },
            fmt::format("PQR file with the molecule; {} vertices per atom by default",
                        kVerticesPerAtom))
        .excludesSize()
        .excludes(atoms);
    parameters.add("--vertices", vertices_, "of the molecule's surface").excludesSize();
    parameters.add("--inside", dielectrics_.inside, "relative permittivity of the molecule")
        .showDefault();
    parameters.add("--outside", dielectrics_.outside, "relative permittivity of the solvent")
        .showDefault();
  }

  void selectSize(Size size) override {
    // Both take 16 bytes of device memory: together 31.3, 252, 7498 and 10970 KiB.
    constexpr std::array<std::array<uint32_t, 2>, 4> kShapes{
        {{102, 1901}, {3100, 13028}, {25000, 454872}, {30000, 672080}}};
    const auto &[atoms, vertices] = kShapes[static_cast<size_t>(size)];
    atoms_ = atoms;
    vertices_ = vertices;
    input_.reset();
  }

  void checkParameters() const override {
    if (atoms_ < 1 || atoms_ > kMostAtoms)
      throw UsageError(fmt::format("--atoms {}: expected 1 to {}", atoms_, kMostAtoms));
    if (vertices_ < 1 || vertices_ > kMostVertices)
      throw UsageError(fmt::format("--vertices {}: expected 1 to {}", vertices_, kMostVertices));
    for (double permittivity : {dielectrics_.inside, dielectrics_.outside})
      if (!(permittivity >= 1 && permittivity <= 1e6))
        throw UsageError(
            fmt::format("--inside {} --outside {}: expected permittivities from 1 to 1000000",
                        dielectrics_.inside, dielectrics_.outside));
  }

  std::string parameter() const override { return fmt::format("{}x{}", atoms_, vertices_); }

  std::string settings() const override {
    return fmt::format("permittivity {} inside, {} outside (--inside, --outside)",
                       dielectrics_.inside, dielectrics_.outside);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t perVertex = uint64_t{vertices_} * sizeof(float);
    return {{"atoms", uint64_t{atoms_} * sizeof(cl_float4), CL_MEM_READ_ONLY},
            {"x", perVertex, CL_MEM_READ_ONLY},
            {"y", perVertex, CL_MEM_READ_ONLY},
            {"z", perVertex, CL_MEM_READ_ONLY},
            {"potential", perVertex, CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override {
    return {localSize, kTile * sizeof(cl_float4)};
  }

  std::string buildOptions(size_t) const override { return fmt::format("-DTILE={}", kTile); }

  void setUp(Session &, uint64_t seed) override {
    seed_ = seed;
    molecule_ = input_ ? *input_ : gem::globule(atoms_, seed);
    surface_ = gem::accessibleSurface(molecule_, vertices_);
    coefficients_ = gem::coefficients(molecule_, dielectrics_);
    charges_.clear();
    for (const PqrAtom &atom : molecule_)
      charges_.insert(charges_.end(), {atom.x, atom.y, atom.z, atom.charge});
    potential_.assign(vertices_, NAN);
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    session.write("atoms", charges_);
    session.write("x", surface_.x);
    session.write("y", surface_.y);
    session.write("z", surface_.z);
    session.launch("calc_potential_single_step", {{roundUp(vertices_, localSize)}, {localSize}},
                   session.buffer("atoms"), cl_uint{atoms_}, session.buffer("x"),
                   session.buffer("y"), session.buffer("z"), session.buffer("potential"),
                   cl_uint{vertices_}, static_cast<cl_float>(coefficients_.coulomb),
                   static_cast<cl_float>(coefficients_.shift));
    session.read("potential", potential_);
  }

  Verdict verify(Session &) override {
    return gem::checkPotential(molecule_, surface_, coefficients_, potential_, seed_);
  }

  std::string result() const override { return std::string(bytesOf(potential_)); }

private:
  /// Atoms in local memory at a time.
  static constexpr size_t kTile = 64;

  const Description description_{.name = "gem",
                                 .dwarf = "n-body",
                                 .summary = "electrostatic potential at the surface of a molecule",
                                 .source = kSource,
                                 .kernels = {"calc_potential_single_step"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  uint32_t atoms_ = 0;
  uint32_t vertices_ = 0;
  gem::Dielectrics dielectrics_;
  std::optional<gem::Molecule> input_;
  uint64_t seed_ = 0;
  gem::Molecule molecule_;
  gem::Surface surface_;
  gem::Coefficients coefficients_{};
  std::vector<float> charges_; ///< x, y, z and charge of every atom
  std::vector<float> potential_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Gem application;
  return aiwc::eod::runApplication(application, argc, argv);
}
