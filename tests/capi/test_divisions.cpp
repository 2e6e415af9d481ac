/// Divisions and mappings through the C API equal those of the C++ library.
#include "fixture.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/mapping.h"
#include "profile/random_profile.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace aiwc;
using namespace aiwc::test;

namespace {

constexpr const char *kDevices[] = {"h100-sxm5", "epyc-9654", "gtx1080", "h100-sxm5"};
constexpr size_t kCount = std::size(kDevices);

struct Devices {
  LibraryHandle library = openLibrary();
  std::vector<const aiwc_device *> handles;
  std::vector<predict::DeviceProfile> references;

  Devices() {
    const predict::DeviceLibrary reference({deviceFolder()});
    for (const char *id : kDevices) {
      REQUIRE(aiwc_device_find(library.get(), id, &handles.emplace_back()) == AIWC_OK);
      references.push_back(reference[id]);
    }
  }
};

} // namespace

TEST_CASE("shares of an NDRange are those of the C++ library, and cover it") {
  const Devices devices;
  const auto kernel = streaming();
  const ProfileHandle profile = parse(kernel);
  for (const double exposed : {0.0, 0.5, 1.0})
    for (const int dimension : {-1, 0, 1})
      for (const bool whole : {false, true}) {
        const OptionsHandle chosen = options();
        REQUIRE(aiwc_options_set_transfers(chosen.get(), exposed) == AIWC_OK);
        REQUIRE(aiwc_options_set_dimension(chosen.get(), dimension) == AIWC_OK);
        REQUIRE(aiwc_options_set_whole_input(chosen.get(), whole ? 1 : 0) == AIWC_OK);
        predict::SplitOptions referenceOptions{.transfers = {exposed, whole}};
        if (dimension >= 0)
          referenceOptions.dimension = static_cast<size_t>(dimension);
        const predict::Split reference =
            predict::split(predict::CostedLaunch(kernel, predict::publishedModel()),
                           devices.references, referenceOptions);
        aiwc_share shares[kCount];
        aiwc_division division;
        REQUIRE(aiwc_split(profile.get(), devices.handles.data(), kCount, chosen.get(), shares,
                           sizeof shares[0], &division, sizeof division) == AIWC_OK);
        CHECK(division.makespan_s == reference.best.makespanSeconds);
        CHECK(division.even_makespan_s == reference.even.makespanSeconds);
        CHECK(division.single_s == reference.singleSeconds);
        CHECK(division.single == reference.bestSingle);
        CHECK(division.dimension == reference.dimension);
        size_t workItems = 0;
        for (size_t i = 0; i < kCount; ++i) {
          const predict::Share &share = reference.best.shares[i];
          CHECK(shares[i].work_groups == share.workGroups);
          CHECK(shares[i].finish_s == share.finishSeconds);
          for (size_t k = 0; k < 3; ++k) {
            CHECK(shares[i].global_offset[k] == share.globalOffset[k]);
            CHECK(shares[i].global_size[k] == share.globalSize[k]);
          }
          workItems +=
              shares[i].global_size[0] * shares[i].global_size[1] * shares[i].global_size[2];
        }
        CHECK(workItems == 640 * 10);
      }
}

TEST_CASE("transfers of a division are hidden unless the options say otherwise") {
  const Devices devices;
  const ProfileHandle profile = parse(streaming());
  const OptionsHandle hidden = options();
  REQUIRE(aiwc_options_set_transfers(hidden.get(), 0) == AIWC_OK);
  const OptionsHandle exposed = options();
  REQUIRE(aiwc_options_set_transfers(exposed.get(), 1) == AIWC_OK);
  const OptionsHandle untouched = options();
  std::vector<double> makespans;
  for (const aiwc_options *chosen :
       {static_cast<aiwc_options *>(nullptr), untouched.get(), hidden.get(), exposed.get()}) {
    aiwc_share shares[kCount];
    aiwc_division division;
    REQUIRE(aiwc_split(profile.get(), devices.handles.data(), kCount, chosen, shares,
                       sizeof shares[0], &division, sizeof division) == AIWC_OK);
    makespans.push_back(division.makespan_s);
  }
  CHECK(makespans[0] == makespans[2]);
  CHECK(makespans[1] == makespans[2]);
  CHECK(makespans[2] < makespans[3]);
}

TEST_CASE("shares of a newer program lie as far apart as it says") {
  const Devices devices;
  const ProfileHandle profile = parse(streaming());
  struct Newer {
    aiwc_share known;
    double added;
  } newer[kCount];
  std::memset(newer, 0xff, sizeof newer);
  aiwc_share shares[kCount];
  REQUIRE(aiwc_split(profile.get(), devices.handles.data(), kCount, nullptr, &newer[0].known,
                     sizeof newer[0], nullptr, 0) == AIWC_OK);
  REQUIRE(aiwc_split(profile.get(), devices.handles.data(), kCount, nullptr, shares,
                     sizeof shares[0], nullptr, 0) == AIWC_OK);
  for (size_t i = 0; i < kCount; ++i) {
    CHECK(newer[i].known.work_groups == shares[i].work_groups);
    CHECK(newer[i].known.finish_s == shares[i].finish_s);
    CHECK(newer[i].added == 0);
  }
}

TEST_CASE("a sequence is mapped as by the C++ library") {
  const Devices devices;
  const std::vector<profile::KernelProfile> kernels = {streaming(), counting(), streaming()};
  std::vector<ProfileHandle> handles;
  std::vector<const aiwc_profile *> profiles;
  std::vector<predict::CostedLaunch> launches;
  for (const auto &kernel : kernels) {
    profiles.push_back(handles.emplace_back(parse(kernel)).get());
    launches.emplace_back(kernel, predict::publishedModel());
  }
  for (const double exposed : {0.0, 1.0}) {
    const OptionsHandle chosen = options();
    REQUIRE(aiwc_options_set_transfers(chosen.get(), exposed) == AIWC_OK);
    const auto reference = predict::mapKernels(launches, devices.references, {.exposed = exposed});
    size_t deviceOf[3];
    double seconds = 0;
    REQUIRE(aiwc_map(profiles.data(), 3, devices.handles.data(), kCount, chosen.get(), deviceOf,
                     &seconds) == AIWC_OK);
    CHECK(seconds == reference.best.seconds);
    for (size_t k = 0; k < 3; ++k)
      CHECK(deviceOf[k] == reference.best.steps[k].device);
  }
}

TEST_CASE("a division along a dimension that the NDRange does not have is a bad argument") {
  const Devices devices;
  const ProfileHandle profile = parse(streaming());
  const OptionsHandle chosen = options();
  REQUIRE(aiwc_options_set_dimension(chosen.get(), 2) == AIWC_OK);
  aiwc_share shares[kCount];
  CHECK(aiwc_split(profile.get(), devices.handles.data(), kCount, chosen.get(), shares,
                   sizeof shares[0], nullptr, 0) == AIWC_BAD_ARGUMENT);
  CHECK(std::strstr(aiwc_error_message(), "dimension is 2"));
}

TEST_CASE("NULL and sizes that no struct has are bad arguments to divisions and mappings") {
  const Devices devices;
  const ProfileHandle profile = parse(streaming());
  const aiwc_profile *sequence[] = {profile.get(), nullptr};
  const aiwc_device *const *all = devices.handles.data();
  aiwc_share shares[kCount];
  aiwc_division division;
  size_t deviceOf[2];
  const auto split = [&](const aiwc_profile *kernel, const aiwc_device *const *which, size_t count,
                         aiwc_share *result, size_t size, size_t divisionSize) {
    return aiwc_split(kernel, which, count, nullptr, result, size, &division, divisionSize);
  };
  constexpr size_t kSize = sizeof(aiwc_share);
  constexpr size_t kDivision = sizeof(aiwc_division);
  CHECK(split(nullptr, all, kCount, shares, kSize, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), nullptr, kCount, shares, kSize, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, 0, shares, kSize, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, kCount, nullptr, kSize, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, kCount, shares, kSize - 1, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, kCount, shares, kSize, kDivision - 1) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, kCount, shares, SIZE_MAX, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, kCount, shares, kSize, SIZE_MAX) == AIWC_BAD_ARGUMENT);
  CHECK(split(profile.get(), all, SIZE_MAX, shares, kSize, kDivision) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) ==
        "the number of devices is 18446744073709551615: expected at most 1048576");
  CHECK(aiwc_map(sequence, SIZE_MAX, all, kCount, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(sequence, 1, all, SIZE_MAX, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(nullptr, 1, all, kCount, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(sequence, 0, all, kCount, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(sequence, 2, all, kCount, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) == "profiles[1] is NULL");
  CHECK(aiwc_map(sequence, 1, nullptr, kCount, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(sequence, 1, all, 0, nullptr, deviceOf, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_map(sequence, 1, all, kCount, nullptr, nullptr, nullptr) == AIWC_BAD_ARGUMENT);
}
