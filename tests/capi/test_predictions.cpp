/// Predictions through the C API equal those of the C++ library, whatever the profile.
#include "automatch/automatch_model.h"
#include "fixture.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/prediction.h"
#include "profile/json.h"
#include "profile/random_profile.h"
#include "profile/relations.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace aiwc;
using namespace aiwc::test;

namespace {

bool sameBits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

void checkSame(const aiwc_prediction &c, const predict::Entry &entry,
               const predict::CostModel &model, bool knows) {
  const auto term = [&](predict::Term which) {
    return entry.cost.terms[static_cast<size_t>(which)];
  };
  CHECK(sameBits(c.seconds, entry.seconds));
  CHECK(sameBits(c.compute_s, term(predict::Term::kCompute)));
  CHECK(sameBits(c.cache_s, term(predict::Term::kCache)));
  CHECK(sameBits(c.dram_s, term(predict::Term::kDram)));
  CHECK(sameBits(c.latency_s, term(predict::Term::kLatency)));
  CHECK(sameBits(c.launch_s, term(predict::Term::kLaunch)));
  CHECK(sameBits(c.transfers_s, entry.transferSeconds));
  CHECK(c.seconds ==
        Approx(c.compute_s + c.cache_s + c.dram_s + c.latency_s + c.launch_s + c.transfers_s));
  CHECK(std::isnan(c.energy_joules) == !entry.energyJoules);
  if (entry.energyJoules)
    CHECK(sameBits(c.energy_joules, *entry.energyJoules));
  CHECK(c.largest_part == predict::partName(model.parts(), entry.boundBy()));
  CHECK((c.known_device == 1) == knows);
  REQUIRE(std::isnan(c.low_s) == !entry.interval);
  REQUIRE(std::isnan(c.high_s) == !entry.interval);
  if (entry.interval) {
    CHECK(sameBits(c.low_s, entry.interval->low));
    CHECK(sameBits(c.high_s, entry.interval->high));
  }
}

/// Of `predict`, which ranks as well.
predict::Prediction predictedByReference(const profile::KernelProfile &kernel,
                                         const predict::DeviceLibrary &library,
                                         const predict::CostModel &model, double exposed) {
  std::vector<predict::Candidate> candidates;
  for (const predict::DeviceProfile &device : library.devices())
    candidates.push_back({device, "", true});
  const predict::Invocation invocation{"test.json", kernel, model};
  return predict::predict(std::span(&invocation, 1), candidates, exposed);
}

/// `kernel` with two metrics that say nothing, or something extreme.
profile::KernelProfile damaged(profile::KernelProfile kernel, uint64_t seed) {
  const auto other = randomProfile(seed);
  uint64_t state = seed;
  for (int i = 0; i < 2; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto metrics = profile::catalogue();
    const profile::Metric metric = metrics[(state >> 33U) % metrics.size()].metric;
    if (std::holds_alternative<std::monostate>(other[metric]))
      kernel.setNone(metric);
    else if (std::holds_alternative<uint64_t>(other[metric]))
      kernel.setCount(metric, other.count(metric));
    else
      kernel.setReal(metric, other.real(metric));
  }
  return kernel;
}

struct Choice {
  bool automatch; ///< or the published model
  std::shared_ptr<const predict::CostModel> reference;
  double transfers;
};

std::vector<Choice> choices() {
  const auto published = std::make_shared<predict::FittedCostModel>(predict::publishedModel());
  const auto equations = std::make_shared<automatch::AutomatchModel>();
  return {{false, published, 0.5}, {true, equations, 0}, {true, equations, 0.25}};
}

} // namespace

TEST_CASE("costs and ranks are those of the C++ library") {
  const LibraryHandle library = openLibrary();
  const predict::DeviceLibrary referenceLibrary({deviceFolder()});
  const auto devices = devicesOf(library.get());
  for (const auto &kernel : {streaming(), counting()})
    for (const Choice &choice : choices()) {
      const ProfileHandle profile = parse(kernel);
      const OptionsHandle chosen = options();
      if (choice.automatch)
        REQUIRE(aiwc_options_set_automatch(chosen.get()) == AIWC_OK);
      REQUIRE(aiwc_options_set_transfers(chosen.get(), choice.transfers) == AIWC_OK);
      const auto reference =
          predictedByReference(kernel, referenceLibrary, *choice.reference, choice.transfers);
      std::vector<size_t> order(devices.size());
      std::vector<double> seconds(devices.size());
      size_t ranked = 0;
      REQUIRE(aiwc_rank(profile.get(), devices.data(), devices.size(), chosen.get(), order.data(),
                        seconds.data(), &ranked) == AIWC_OK);
      size_t predictable = 0;
      for (size_t i = 0; i < devices.size(); ++i) {
        INFO(kernel.provenance.kernel << " on " << aiwc_device_id(devices[i]));
        aiwc_prediction prediction;
        const aiwc_status status =
            aiwc_predict(profile.get(), devices[i], chosen.get(), &prediction, sizeof prediction);
        if (reference.devices[i].ruledOut()) {
          CHECK(status == AIWC_MISSING_PARAMETER);
          const std::string message = aiwc_error_message();
          CHECK(
              std::ranges::any_of(reference.devices[i].missing.keys(), [&](const std::string &key) {
                return message.find(key) != std::string::npos;
              }));
          CHECK(std::isnan(seconds[i]));
          continue;
        }
        ++predictable;
        REQUIRE(status == AIWC_OK);
        checkSame(prediction, reference.devices[i].application, *choice.reference,
                  reference.devices[i].known);
        CHECK(sameBits(prediction.seconds, seconds[i]));
      }
      CHECK(ranked == predictable);
      for (size_t k = 0; k < ranked; ++k) {
        const auto &entry = reference.devices[order[k]].application;
        CHECK(entry.rank <= k + 1); // equals share the first of their ranks
        if (k > 0)
          CHECK(entry.rank >= reference.devices[order[k - 1]].application.rank);
      }
      for (size_t k = ranked; k < order.size(); ++k)
        CHECK(reference.devices[order[k]].ruledOut());
    }
}

TEST_CASE("a device that lacks a parameter is ruled out by name, the others are ranked") {
  TemporaryFolder folder;
  writeDevice(folder.path(), "a", "A", predict::Parameter::kDramBandwidth);
  writeDevice(folder.path(), "b", "B");
  writeDevice(folder.path(), "c", "C", predict::Parameter::kHostLinkLatency);
  writeDevice(folder.path(), "d", "D");
  const LibraryHandle library = openLibrary(folder.path());
  const auto devices = devicesOf(library.get());
  const ProfileHandle profile = parse(streaming());
  const OptionsHandle hidden = options();
  REQUIRE(aiwc_options_set_automatch(hidden.get()) == AIWC_OK);
  size_t order[4];
  double seconds[4];
  size_t ranked = 0;
  REQUIRE(aiwc_rank(profile.get(), devices.data(), 4, hidden.get(), order, seconds, &ranked) ==
          AIWC_OK);
  CHECK(ranked == 3); // nothing is said of transfers
  CHECK(order[0] == 1);
  CHECK(order[1] == 2); // equals as given
  CHECK(order[2] == 3);
  CHECK(order[3] == 0);
  CHECK(std::isnan(seconds[0]));

  const OptionsHandle exposed = options();
  REQUIRE(aiwc_options_set_automatch(exposed.get()) == AIWC_OK);
  REQUIRE(aiwc_options_set_transfers(exposed.get(), 1) == AIWC_OK);
  REQUIRE(aiwc_rank(profile.get(), devices.data(), 4, exposed.get(), order, nullptr, &ranked) ==
          AIWC_OK);
  CHECK(ranked == 2);
  CHECK(order[2] == 0);
  CHECK(order[3] == 2);
  // The fitted model takes a device without a link to copy within the host's memory.
  REQUIRE(aiwc_options_set_model(exposed.get(), nullptr) == AIWC_OK);
  REQUIRE(aiwc_rank(profile.get(), devices.data(), 4, exposed.get(), order, nullptr, &ranked) ==
          AIWC_OK);
  CHECK(ranked == 3);
  REQUIRE(aiwc_options_set_automatch(exposed.get()) == AIWC_OK);

  order[0] = 17;
  CHECK(aiwc_rank(profile.get(), devices.data(), 1, nullptr, order, nullptr, nullptr) ==
        AIWC_MISSING_PARAMETER);
  CHECK(std::strstr(aiwc_error_message(), "device a: no dram_bandwidth_gb_per_s"));
  CHECK(order[0] == 17); // nothing is written
  aiwc_share shares[2];
  CHECK(aiwc_split(profile.get(), devices.data() + 1, 2, exposed.get(), shares, sizeof shares[0],
                   nullptr, 0) == AIWC_MISSING_PARAMETER);
  CHECK(std::strstr(aiwc_error_message(), "device c: no host_latency_us"));
}

TEST_CASE("a model that was read from a file predicts as in C++, after its handle is freed, too") {
  TemporaryFolder folder;
  predict::FittedModel changed = predict::publishedModel().model();
  for (auto &row : changed.classes)
    for (double &coefficient : row.values)
      coefficient += 1;
  const std::string file = (folder / "model.json").string();
  write(file, predict::toJson(changed));
  aiwc_model *model = nullptr;
  REQUIRE(aiwc_model_read(file.c_str(), &model) == AIWC_OK);
  const OptionsHandle chosen = options();
  REQUIRE(aiwc_options_set_model(chosen.get(), model) == AIWC_OK);
  aiwc_model_free(model);
  const LibraryHandle library = openLibrary();
  const predict::DeviceLibrary referenceLibrary({deviceFolder()});
  const predict::FittedCostModel reference("reference", predict::readModel(file));
  const ProfileHandle profile = parse(streaming());
  const predict::CostedLaunch launch(streaming(), reference);
  const auto devices = devicesOf(library.get());
  for (size_t i = 0; i < devices.size(); ++i) {
    aiwc_prediction c;
    aiwc_prediction published;
    if (aiwc_predict(profile.get(), devices[i], chosen.get(), &c, sizeof c) != AIWC_OK)
      continue;
    const predict::DeviceProfile &device = referenceLibrary.devices()[i];
    checkSame(c, predict::predictOne(launch, device), reference, reference.knows(device));
    REQUIRE(aiwc_predict(profile.get(), devices[i], nullptr, &published, sizeof published) ==
            AIWC_OK);
    CHECK(published.seconds < c.seconds);
  }
  model = nullptr;
  CHECK(aiwc_model_read((folder / "none.json").c_str(), &model) == AIWC_BAD_FILE);
  write(file, "{}");
  CHECK(aiwc_model_read(file.c_str(), &model) == AIWC_BAD_FILE);
  CHECK(model == nullptr);
  CHECK(aiwc_model_read(nullptr, &model) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_model_read(file.c_str(), nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_options_set_model(nullptr, nullptr) == AIWC_BAD_ARGUMENT);
  aiwc_model_free(nullptr);
}

TEST_CASE("a profile that cannot be predicted from says which field it is") {
  const LibraryHandle library = openLibrary();
  const auto devices = devicesOf(library.get());
  auto kernel = streaming();
  kernel.complete = false;
  kernel.reason = "cut";
  const ProfileHandle profile = parse(kernel);
  aiwc_prediction prediction;
  size_t order[2];
  aiwc_share shares[2];
  const aiwc_profile *sequence = profile.get();
  const auto refused = [&](aiwc_status status) {
    CHECK(status == AIWC_UNUSABLE_PROFILE);
    CHECK(std::strstr(aiwc_error_message(), "test.json: "));
    CHECK(std::strstr(aiwc_error_message(), "complete"));
  };
  refused(aiwc_predict(profile.get(), devices[0], nullptr, &prediction, sizeof prediction));
  refused(aiwc_rank(profile.get(), devices.data(), 2, nullptr, order, nullptr, nullptr));
  refused(
      aiwc_split(profile.get(), devices.data(), 2, nullptr, shares, sizeof shares[0], nullptr, 0));
  refused(aiwc_map(&sequence, 1, devices.data(), 2, nullptr, order, nullptr));

  kernel = streaming();
  kernel.setNone("device_to_host_bytes"_metric);
  const ProfileHandle untold = parse(kernel);
  const OptionsHandle exposed = options();
  REQUIRE(aiwc_options_set_transfers(exposed.get(), 1) == AIWC_OK);
  CHECK(aiwc_predict(untold.get(), devices[0], nullptr, &prediction, sizeof prediction) == AIWC_OK);
  CHECK(aiwc_predict(untold.get(), devices[0], exposed.get(), &prediction, sizeof prediction) ==
        AIWC_UNUSABLE_PROFILE);
}

TEST_CASE("any profile at all gives what the C++ library says of it, or its error") {
  const LibraryHandle library = openLibrary();
  const predict::DeviceLibrary reference({deviceFolder()});
  const auto devices = devicesOf(library.get());
  const predict::CostModel &model = predict::publishedModel();
  size_t predicted = 0;
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto kernel = seed % 4 == 0 ? randomProfile(seed) : damaged(streaming(), seed);
    if (profile::contradictionIn(kernel)) {
      const std::string text = profile::toJson(kernel);
      aiwc_profile *none = nullptr;
      CHECK(aiwc_profile_parse(text.data(), text.size(), nullptr, &none) == AIWC_BAD_FILE);
      CHECK(!none);
      continue;
    }
    const ProfileHandle profile = parse(kernel);
    for (size_t i = 0; i < devices.size(); i += 5) {
      INFO("seed " << seed << " on " << aiwc_device_id(devices[i]));
      predict::Entry entry;
      const std::string error = errorOf([&] {
        const predict::CostedLaunch launch(kernel, model);
        entry = predict::predictOne(launch, reference.devices()[i]);
      });
      aiwc_prediction prediction;
      const aiwc_status status =
          aiwc_predict(profile.get(), devices[i], nullptr, &prediction, sizeof prediction);
      if (error.empty()) {
        REQUIRE(status == AIWC_OK);
        checkSame(prediction, entry, model, model.knows(reference.devices()[i]));
        ++predicted;
      } else {
        CHECK((status == AIWC_UNUSABLE_PROFILE || status == AIWC_MISSING_PARAMETER));
        ++refused;
      }
      size_t order[2];
      aiwc_share shares[2];
      const aiwc_profile *sequence = profile.get();
      const aiwc_device *pair[] = {devices[i], devices[(i + 7) % devices.size()]};
      for (const aiwc_status other :
           {aiwc_rank(profile.get(), pair, 2, nullptr, order, nullptr, nullptr),
            aiwc_split(profile.get(), pair, 2, nullptr, shares, sizeof shares[0], nullptr, 0),
            aiwc_map(&sequence, 1, pair, 2, nullptr, order, nullptr)})
        CHECK((other == AIWC_OK || other == AIWC_UNUSABLE_PROFILE ||
               other == AIWC_MISSING_PARAMETER));
    }
  }
  CHECK(predicted > 100);
  CHECK(refused > 100);
}

TEST_CASE("NULL and sizes that are too small are bad arguments to predictions") {
  const LibraryHandle library = openLibrary();
  const auto devices = devicesOf(library.get());
  const ProfileHandle profile = parse(streaming());
  aiwc_prediction prediction;
  size_t order[2];
  const auto predictOn = [&](const aiwc_profile *kernel, const aiwc_device *device,
                             aiwc_prediction *result, size_t size) {
    return aiwc_predict(kernel, device, nullptr, result, size);
  };
  CHECK(predictOn(nullptr, devices[0], &prediction, sizeof prediction) == AIWC_BAD_ARGUMENT);
  CHECK(predictOn(profile.get(), nullptr, &prediction, sizeof prediction) == AIWC_BAD_ARGUMENT);
  CHECK(predictOn(profile.get(), devices[0], nullptr, sizeof prediction) == AIWC_BAD_ARGUMENT);
  constexpr size_t kFirst = sizeof prediction;
  CHECK(predictOn(profile.get(), devices[0], &prediction, kFirst) == AIWC_OK);
  CHECK(predictOn(profile.get(), devices[0], &prediction, kFirst - 1) == AIWC_BAD_ARGUMENT);

  const aiwc_device *hole[] = {devices[0], nullptr};
  const auto rank = [&](const aiwc_profile *kernel, const aiwc_device *const *which, size_t count,
                        size_t *result) {
    return aiwc_rank(kernel, which, count, nullptr, result, nullptr, nullptr);
  };
  CHECK(rank(nullptr, devices.data(), 2, order) == AIWC_BAD_ARGUMENT);
  CHECK(rank(profile.get(), nullptr, 2, order) == AIWC_BAD_ARGUMENT);
  CHECK(rank(profile.get(), devices.data(), 0, order) == AIWC_BAD_ARGUMENT);
  CHECK(rank(profile.get(), devices.data(), 2, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(rank(profile.get(), hole, 2, order) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) == "devices[1] is NULL");
}

TEST_CASE("options refuse what is out of range, and then stay as they were") {
  const OptionsHandle chosen = options();
  CHECK(aiwc_options_new(nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_options_set_transfers(nullptr, 1) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_options_set_whole_input(nullptr, 1) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_options_set_automatch(nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_options_set_dimension(nullptr, 0) == AIWC_BAD_ARGUMENT);
  aiwc_options_free(nullptr);
  for (const double wrong : {-0.1, 1.1, double(NAN), double(INFINITY)})
    CHECK(aiwc_options_set_transfers(chosen.get(), wrong) == AIWC_BAD_ARGUMENT);
  for (const int wrong : {-2, 3, INT32_MAX, INT32_MIN})
    CHECK(aiwc_options_set_dimension(chosen.get(), wrong) == AIWC_BAD_ARGUMENT);

  const LibraryHandle library = openLibrary();
  const aiwc_device *device = nullptr;
  REQUIRE(aiwc_device_find(library.get(), "h100-sxm5", &device) == AIWC_OK);
  const ProfileHandle profile = parse(streaming());
  aiwc_prediction defaults;
  aiwc_prediction same;
  REQUIRE(aiwc_predict(profile.get(), device, nullptr, &defaults, sizeof defaults) == AIWC_OK);
  REQUIRE(aiwc_predict(profile.get(), device, chosen.get(), &same, sizeof same) == AIWC_OK);
  CHECK(defaults.seconds == same.seconds);
}
