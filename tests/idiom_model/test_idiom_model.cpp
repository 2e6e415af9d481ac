/// The idiom model worked out by hand. 1 GB/s is a byte per ns, so the arithmetic is in ns.
#include "idiom_model/idiom_model.h"
#include "predict/machines.h"
#include "predict/prediction.h"
#include "predict/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::idiom_model;
using namespace aiwc::predict;
using namespace aiwc::test;
using aiwc::profile::AccessRow;
using aiwc::profile::KernelProfile;
using aiwc::profile::MemorySpace;
using Catch::Matchers::Contains;

namespace {

AccessRow row(Idiom idiom, const std::string &array, uint64_t bytes, uint64_t footprint,
              uint64_t loop = 0) {
  AccessRow result;
  result.array = array;
  result.bytes = bytes;
  result.footprint = footprint;
  result.loop = loop;
  result.idiom = idiom;
  result.laneStride = 4;
  return result;
}

KernelProfile kernelWith(std::vector<AccessRow> rows) {
  KernelProfile profile = kernelOf(triad());
  profile.accesses = std::move(rows);
  return profile;
}

/// Curves that are level at these GB/s, by idiom; 0: none.
DeviceProfile device(std::vector<double> bandwidths) {
  DeviceProfile result = namedDevice("measured");
  result.measurements.emplace();
  for (size_t i = 0; i < bandwidths.size(); ++i)
    if (bandwidths[i] > 0)
      result.measurements->idioms.push_back({static_cast<Idiom>(i), {{1024, bandwidths[i], 0}}, 0});
  return result;
}

double ns(const KernelProfile &kernel, const DeviceProfile &device, double share = 1) {
  return CostedLaunch(kernel, IdiomModel()).cost(device, share).seconds * 1e9;
}

} // namespace

TEST_CASE("a kernel's time is the sum of bytes over bandwidths, idiom by idiom") {
  const KernelProfile kernel =
      kernelWith({row(Idiom::kStream, "a", 4000, 4000), row(Idiom::kStream, "b", 2000, 2000),
                  row(Idiom::kGather, "x", 900, 300, 7)});
  const Cost cost = CostedLaunch(kernel, IdiomModel()).cost(device({10, 3}));
  CHECK(cost.parts[0] * 1e9 == Approx(600));
  CHECK(cost.parts[1] * 1e9 == Approx(300));
  CHECK(cost.seconds * 1e9 == Approx(900));
  CHECK(cost.terms[static_cast<size_t>(Term::kDram)] * 1e9 == Approx(900));
  CHECK(cost.boundBy == 0);
  const auto parts = IdiomModel().parts();
  REQUIRE(parts.size() == kIdiomCount + 1);
  for (size_t i = 0; i < kIdiomCount; ++i)
    CHECK(parts[i].key == toString(static_cast<Idiom>(i)));
}

TEST_CASE("the bandwidth is that at the footprint of the idiom's arrays in its loop") {
  DeviceProfile steep = device({});
  // GB/s = bytes / 100: a power of one.
  steep.measurements->idioms.push_back({Idiom::kStream, {{100, 1, 0}, {100000, 1000, 0}}, 0});
  // Of `a` the larger footprint, and `b`: 3000 bytes, 30 GB/s.
  const KernelProfile one =
      kernelWith({row(Idiom::kStream, "a", 4000, 2000), row(Idiom::kStream, "a", 4000, 1000),
                  row(Idiom::kStream, "b", 1000, 1000)});
  CHECK(ns(one, steep) == Approx(9000 / 30.0));
  // Another loop has a footprint of its own: 1000 bytes, 10 GB/s.
  const KernelProfile two =
      kernelWith({row(Idiom::kStream, "a", 4000, 2000), row(Idiom::kStream, "b", 1000, 1000, 8)});
  CHECK(ns(two, steep) == Approx(4000 / 20.0 + 1000 / 10.0));
  // Half of the work-groups move half of the bytes, of half of the memory.
  CHECK(ns(one, steep, 0.5) == Approx(4500 / 15.0));
}

TEST_CASE("what work-items read at one address counts once per lane; local memory does not") {
  AccessRow shared = row(Idiom::kStream, "a", 3200, 100);
  shared.laneStride = 0;
  AccessRow local = row(Idiom::kStream, "tile", 100000, 100);
  local.space = MemorySpace::kLocal;
  AccessRow without = row(Idiom::kStream, "s", 100000, 4);
  without.idiom.reset();
  DeviceProfile lanes = device({10});
  const KernelProfile kernel = kernelWith({shared, local, without});
  CHECK(ns(kernel, lanes) == Approx(320));
  lanes.set(Parameter::kLaneWidth, 32, "by hand");
  CHECK(ns(kernel, lanes) == Approx(10));
}

TEST_CASE("gather/scatter and matrix multiplication have stand-ins where there is no curve") {
  const KernelProfile both = kernelWith({row(Idiom::kGatherScatter, "a", 800, 100)});
  CHECK(ns(both, device({0, 4, 2})) == Approx(400 / 4.0 + 400 / 2.0));
  CHECK(ns(both, device({0, 4, 2, 8})) == Approx(800 / 8.0));
  const KernelProfile product = kernelWith({row(Idiom::kMatrixMultiply, "a", 800, 100)});
  CHECK(ns(product, device({5})) == Approx(160));
  CHECK(ns(product, device({5, 0, 0, 0, 0, 0, 0, 8})) == Approx(100));
}

TEST_CASE("a kernel without idioms takes the launch overhead") {
  const KernelProfile kernel = kernelWith({});
  DeviceProfile launching = device({});
  CHECK(CostedLaunch(kernel, IdiomModel()).missing(launching).parameters ==
        std::vector<Parameter>{Parameter::kLaunchOverhead});
  launching.set(Parameter::kLaunchOverhead, 5, "by hand");
  CHECK(CostedLaunch(kernel, IdiomModel()).missing(launching).empty());
  const Cost cost = CostedLaunch(kernel, IdiomModel()).cost(launching);
  CHECK(cost.seconds * 1e9 == Approx(5000));
  CHECK(IdiomModel().parts()[cost.boundBy].key == "launch");
}

TEST_CASE("devices without a curve that a kernel needs are left out, and say which") {
  const KernelProfile kernel =
      kernelWith({row(Idiom::kStream, "a", 4000, 4000), row(Idiom::kStencil, "b", 100, 100)});
  const IdiomModel model;
  CHECK_THROWS_WITH(CostedLaunch(kernel, model).cost(device({10})),
                    Contains("device measured: no measurements.idioms.stencil, which this "
                             "prediction needs: expected the curves of aiwc devices measure"));
  CHECK_THROWS_WITH(CostedLaunch(kernel, model).cost(namedDevice("plain")),
                    Contains("no measurements.idioms.stream"));

  const std::vector<Invocation> invocations = {Invocation("p.json", kernel, model)};
  const DeviceProfile whole = device({10, 0, 0, 0, 0, 0, 5});
  const std::vector<Candidate> candidates = {{namedDevice("plain"), "", true}, {whole, "", true}};
  const Prediction prediction = predict(invocations, candidates);
  CHECK(prediction.devices[0].ruledOut());
  CHECK(prediction.devices[0].missing.keys() ==
        std::vector<std::string>{"measurements.idioms.stream", "measurements.idioms.stencil"});
  CHECK(prediction.devices[1].application.rank == 1);
  CHECK(prediction.devices[1].application.seconds * 1e9 == Approx(420));
  CHECK_FALSE(prediction.devices[1].application.interval);
  CHECK_THAT(toTable(prediction, {}),
             Contains("left out: plain, whose file has no measurements.idioms.stream, "
                      "measurements.idioms.stencil\n"));
  const auto json = nlohmann::ordered_json::parse(toJson(prediction));
  CHECK(json["ruled_out"][0]["missing"] ==
        nlohmann::ordered_json({"measurements.idioms.stream", "measurements.idioms.stencil"}));

  const std::vector<Candidate> named = {{namedDevice("plain"), "", false}};
  CHECK_THROWS_WITH(predict(invocations, named),
                    Contains("device plain: no measurements.idioms.stream"));
}

TEST_CASE("profiles without accesses are refused by the idiom model only") {
  KernelProfile kernel = kernelOf(triad());
  CHECK_THAT(IdiomModel().whyNot(kernel), Contains("accesses is missing: expected"));
  CHECK_THROWS_WITH(CostedLaunch(kernel, IdiomModel()).cost(device({10})),
                    Contains("accesses is missing"));
  kernel = kernelWith({row(Idiom::kStream, "a", 4, 4)});
  CHECK(IdiomModel().whyNot(kernel).empty());
  kernel.complete = false;
  CHECK_THAT(IdiomModel().whyNot(kernel), Contains("complete is false"));
  CHECK_THROWS_WITH(CostedLaunch(kernelWith({}), IdiomModel()).cost(device({10}), 0),
                    Contains("share of 0"));
}

TEST_CASE("a curve of matrix multiplication moves what its work-items share, too") {
  AccessRow shared = row(Idiom::kMatrixMultiply, "a", 3200, 100);
  shared.laneStride = 0;
  const KernelProfile kernel = kernelWith({shared, row(Idiom::kMatrixMultiply, "b", 3200, 100)});
  DeviceProfile lanes = device({10});
  lanes.set(Parameter::kLaneWidth, 32, "by hand");
  CHECK(ns(kernel, lanes) == Approx(330)); // streamed
  lanes = device({10, 0, 0, 0, 0, 0, 0, 8});
  lanes.set(Parameter::kLaneWidth, 32, "by hand");
  CHECK(ns(kernel, lanes) == Approx(800));
}
