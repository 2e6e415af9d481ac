/// What profiles and devices say of themselves through the C API: metrics, provenance, caches,
/// source lines, parameters.
#include "catalogue/definitions.h"
#include "fixture.h"
#include "predict/costed_launch.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/prediction.h"
#include "profile/json.h"
#include "profile/reuse.h"
#include "views/line_counts.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;

namespace {

/// A kernel with two source lines that reuse a line of memory, and one that is not known.
profile::KernelProfile withLines() {
  profile::KernelProfile kernel = streaming();
  kernel.reuse.lineBytes = 64;
  profile::LineRow first{.line = 3, .instructions = 100, .fpOps = 10, .bytes = 400, .branches = 8};
  first.mispredictions = 2;
  first.coldAccesses = 5;
  first.reuseDistances = {{1, 20}, {32, 7}};
  first.idleLanes8 = 11;
  first.idleLanes64 = 44;
  profile::LineRow unknown{.line = 0, .instructions = 9};
  kernel.histograms.lines = {unknown, first, {.line = 7, .instructions = 50}};
  return kernel;
}

aiwc_value valueOf(const aiwc_profile *profile, std::string_view key) {
  for (size_t i = 0; i < aiwc_metric_count(); ++i) {
    aiwc_metric metric;
    REQUIRE(aiwc_metric_at(i, &metric, sizeof metric) == AIWC_OK);
    if (metric.key != key)
      continue;
    aiwc_value value;
    REQUIRE(aiwc_profile_value(profile, i, &value, sizeof value) == AIWC_OK);
    return value;
  }
  FAIL(key);
  return {};
}

} // namespace

TEST_CASE("the metrics of the C API are those of the catalogue") {
  REQUIRE(aiwc_metric_count() == profile::kMetricCount);
  aiwc_metric metric;
  for (const profile::MetricInfo &info : profile::catalogue()) {
    REQUIRE(aiwc_metric_at(profile::index(info.metric), &metric, sizeof metric) == AIWC_OK);
    CHECK(metric.key == info.key);
    CHECK(metric.name == info.name);
    CHECK(metric.unit == info.unit);
    CHECK(metric.category == profile::toString(info.category));
    CHECK(metric.definition == metrics::definitionOf(info.metric));
    CHECK(metric.integer == (info.type == profile::MetricType::kCount));
    CHECK(metric.fraction == (info.range == profile::Range::kFraction));
  }
  const aiwc_metric last = metric;
  CHECK(aiwc_metric_at(aiwc_metric_count(), &metric, sizeof metric) == AIWC_BAD_ARGUMENT);
  CHECK(std::strstr(aiwc_error_message(), "expected one below"));
  CHECK(aiwc_metric_at(0, nullptr, sizeof metric) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_metric_at(0, &metric, 1) == AIWC_BAD_ARGUMENT);
  CHECK(std::memcmp(&metric, &last, sizeof last) == 0);
}

TEST_CASE("values of metrics are counts, reals or none, with standard errors where sampled") {
  profile::KernelProfile kernel = streaming();
  kernel.setCount("fp_ops"_metric, (uint64_t{1} << 60U) + 1);
  kernel.setReal("granularity"_metric, 0.25);
  kernel.setNone("yokota_branch_entropy"_metric);
  const ProfileHandle handle = parse(kernel);
  const aiwc_value count = valueOf(handle.get(), "fp_ops");
  CHECK(count.kind == AIWC_VALUE_COUNT);
  CHECK(count.count == (uint64_t{1} << 60U) + 1);
  CHECK(count.real == std::ldexp(1, 60));
  CHECK(std::isnan(count.standard_error));
  const aiwc_value real = valueOf(handle.get(), "granularity");
  CHECK(real.kind == AIWC_VALUE_REAL);
  CHECK(real.count == 0);
  CHECK(real.real == 0.25);
  const aiwc_value none = valueOf(handle.get(), "yokota_branch_entropy");
  CHECK(none.kind == AIWC_VALUE_NONE);
  CHECK(std::isnan(none.real));

  kernel.provenance.sampledGroups = 10;
  kernel.provenance.totalGroups = 100;
  kernel.setStandardError("total_instruction_count"_metric, 12.5);
  const ProfileHandle sampled = parse(kernel);
  CHECK(valueOf(sampled.get(), "total_instruction_count").standard_error == 12.5);
  CHECK(std::isnan(valueOf(sampled.get(), "work_items").standard_error)); // exact

  aiwc_value value;
  CHECK(aiwc_profile_value(handle.get(), aiwc_metric_count(), &value, sizeof value) ==
        AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_value(nullptr, 0, &value, sizeof value) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_value(handle.get(), 0, nullptr, sizeof value) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_value(handle.get(), 0, &value, 8) == AIWC_BAD_ARGUMENT);
}

TEST_CASE("a profile tells its provenance") {
  profile::KernelProfile kernel = streaming();
  kernel.provenance.invocation = 7;
  kernel.provenance.sourceHash = "xxh3-128:0123";
  kernel.provenance.buildOptions = "-DN=4";
  kernel.provenance.engine = "compiled";
  kernel.simulatorErrors = 3;
  const ProfileHandle handle = parse(kernel);
  aiwc_provenance from;
  REQUIRE(aiwc_profile_provenance(handle.get(), &from, sizeof from) == AIWC_OK);
  CHECK(from.invocation == 7);
  CHECK(std::string(from.source_hash) == "xxh3-128:0123");
  CHECK(std::string(from.build_options) == "-DN=4");
  CHECK(std::string(from.engine) == "compiled");
  CHECK(std::string(from.reason).empty());
  CHECK(from.simulator_errors == 3);
  CHECK(from.sampled_groups == 0);
  CHECK(from.total_groups == 0);
  CHECK(from.line_bytes == kernel.reuse.lineBytes);
  CHECK(from.complete == 1);
  CHECK(from.floating_point == predict::isFloatingPoint(kernel));
  kernel.complete = false;
  kernel.reason = "killed";
  const ProfileHandle other = parse(kernel);
  REQUIRE(aiwc_profile_provenance(other.get(), &from, sizeof from) == AIWC_OK);
  CHECK(from.complete == 0);
  CHECK(std::string(from.reason) == "killed");
  const ProfileHandle integers = parse(counting());
  REQUIRE(aiwc_profile_provenance(integers.get(), &from, sizeof from) == AIWC_OK);
  CHECK(from.floating_point == 0);
  CHECK(aiwc_profile_provenance(nullptr, &from, sizeof from) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_provenance(handle.get(), nullptr, sizeof from) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_provenance(handle.get(), &from, 79) == AIWC_BAD_ARGUMENT);
}

TEST_CASE("misses of caches are those of the reuse distances") {
  const profile::KernelProfile kernel = streaming();
  const ProfileHandle handle = parse(kernel);
  const std::array<uint64_t, 5> sizes = {1, 64, 5000, 32768, uint64_t{1} << 40U};
  std::array<uint64_t, 5> misses{};
  uint64_t accesses = 0;
  REQUIRE(aiwc_profile_misses(handle.get(), sizes.data(), sizes.size(), misses.data(), &accesses) ==
          AIWC_OK);
  CHECK(accesses == profile::lineAccesses(kernel));
  CHECK(accesses > 0);
  for (size_t i = 0; i < sizes.size(); ++i)
    CHECK(misses[i] == profile::cacheMisses(kernel, sizes[i]));
  CHECK(misses.back() == kernel.reuse.coldAccesses); // all others hit a cache of any size
  CHECK(aiwc_profile_misses(handle.get(), nullptr, 0, nullptr, nullptr) == AIWC_OK);
  CHECK(aiwc_profile_misses(handle.get(), nullptr, 1, misses.data(), nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_misses(handle.get(), sizes.data(), 1, nullptr, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_misses(nullptr, sizes.data(), 1, misses.data(), nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_misses(handle.get(), sizes.data(), SIZE_MAX, misses.data(), nullptr) ==
        AIWC_BAD_ARGUMENT);
}

TEST_CASE("source lines are the sums over the launches, in the order of the source") {
  const profile::KernelProfile kernel = withLines();
  const ProfileHandle handle = parse(kernel);
  const std::array<const aiwc_profile *, 2> both = {handle.get(), handle.get()};
  size_t count = 0;
  REQUIRE(aiwc_lines(both.data(), 2, 1024, 8, nullptr, sizeof(aiwc_line), 0, &count) == AIWC_OK);
  REQUIRE(count == 3);
  std::vector<aiwc_line> lines(3);
  REQUIRE(aiwc_lines(both.data(), 2, 1024, 8, lines.data(), sizeof(aiwc_line), 3, &count) ==
          AIWC_OK);
  CHECK(lines[0].line == 3);
  CHECK(lines[1].line == 7);
  CHECK(lines[2].line == 0);
  CHECK(lines[0].instructions == 200);
  CHECK(lines[0].fp_ops == 20);
  CHECK(lines[0].bytes == 800);
  CHECK(lines[0].branches == 16);
  CHECK(lines[0].mispredictions == 4);
  CHECK(lines[0].cache_accesses == 2 * (5 + 20 + 7));
  CHECK(lines[0].cache_misses == 2 * (5 + 7)); // 16 lines fit: a distance of 32 is too long
  CHECK(lines[0].idle_lanes == 22);
  REQUIRE(aiwc_lines(both.data(), 1, 4096, 64, lines.data(), sizeof(aiwc_line), 1, &count) ==
          AIWC_OK);
  CHECK(count == 3);
  CHECK(lines[0].cache_misses == 5);
  CHECK(lines[0].idle_lanes == 44);
  CHECK(lines[1].line == 7); // beyond the capacity: as it was

  const auto refused = [&](auto... arguments) {
    return aiwc_lines(arguments...) == AIWC_BAD_ARGUMENT;
  };
  aiwc_line *const to = lines.data();
  const std::array<const aiwc_profile *, 1> none = {nullptr};
  CHECK(refused(nullptr, 1, 1024, 8, to, sizeof *to, 3, &count));
  CHECK(refused(none.data(), 1, 1024, 8, to, sizeof *to, 3, &count));
  CHECK(refused(both.data(), 0, 1024, 8, to, sizeof *to, 3, &count));
  CHECK(refused(both.data(), 1, 0, 8, to, sizeof *to, 3, &count));
  CHECK(refused(both.data(), 1, 1024, 12, to, sizeof *to, 3, &count));
  CHECK(refused(both.data(), 1, 1024, 8, nullptr, sizeof *to, 3, &count));
  CHECK(refused(both.data(), 1, 1024, 8, to, 71, 3, &count));
  CHECK(refused(both.data(), 1, 1024, 8, to, sizeof *to, 3, nullptr));
}

TEST_CASE("a device tells its facts and parameters") {
  const LibraryHandle library = openLibrary();
  const predict::DeviceLibrary same({deviceFolder()});
  REQUIRE(aiwc_parameter_count() == predict::kParameterCount);
  for (const aiwc_device *device : devicesOf(library.get())) {
    aiwc_device_facts facts;
    REQUIRE(aiwc_device_describe(device, &facts, sizeof facts) == AIWC_OK);
    const predict::DeviceProfile &expected = same[aiwc_device_id(device)];
    CHECK(facts.id == expected.id);
    CHECK(facts.name == expected.name);
    CHECK(facts.vendor == expected.vendor);
    CHECK(facts.series == expected.series);
    CHECK(facts.type == predict::toString(expected.type));
    CHECK(facts.year == expected.year);
    CHECK(facts.opencl == (expected.opencl ? 1 : 0));
    for (size_t i = 0; i < aiwc_parameter_count(); ++i) {
      double value = 0;
      REQUIRE(aiwc_device_parameter(device, i, &value) == AIWC_OK);
      const auto &quantity = expected.quantities[i];
      CHECK((quantity ? value == quantity->value : std::isnan(value)));
    }
  }
  aiwc_parameter parameter;
  for (size_t i = 0; i < aiwc_parameter_count(); ++i) {
    REQUIRE(aiwc_parameter_at(i, &parameter, sizeof parameter) == AIWC_OK);
    const predict::ParameterInfo &info = predict::parameters()[i];
    CHECK(parameter.name == info.name);
    CHECK(parameter.key == info.key);
    CHECK(parameter.unit == info.unit);
    CHECK(parameter.description == info.description);
  }
  aiwc_device_facts facts;
  double value = 0;
  const aiwc_device *const device = devicesOf(library.get()).front();
  CHECK(aiwc_parameter_at(aiwc_parameter_count(), &parameter, sizeof parameter) ==
        AIWC_BAD_ARGUMENT);
  CHECK(aiwc_parameter_at(0, nullptr, sizeof parameter) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_parameter(device, aiwc_parameter_count(), &value) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_parameter(device, 0, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_parameter(nullptr, 0, &value) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_describe(nullptr, &facts, sizeof facts) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_describe(device, nullptr, sizeof facts) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_describe(device, &facts, 47) == AIWC_BAD_ARGUMENT);
}

TEST_CASE("the parts of a prediction are those of the model, and add up") {
  const LibraryHandle library = openLibrary();
  const ProfileHandle kernel = parse(streaming());
  const OptionsHandle automatch = options();
  REQUIRE(aiwc_options_set_automatch(automatch.get()) == AIWC_OK);
  const predict::CostModel &published = predict::publishedModel();
  REQUIRE(aiwc_part_count(nullptr) == published.parts().size());
  CHECK(aiwc_part_count(automatch.get()) == predict::kTermCount);
  aiwc_part part;
  for (size_t i = 0; i < published.parts().size(); ++i) {
    REQUIRE(aiwc_part_at(nullptr, i, &part, sizeof part) == AIWC_OK);
    CHECK(part.key == published.parts()[i].key);
    CHECK(part.name == published.parts()[i].name);
    CHECK(static_cast<size_t>(part.term) == static_cast<size_t>(published.parts()[i].term));
  }
  CHECK(aiwc_part_at(nullptr, aiwc_part_count(nullptr), &part, sizeof part) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_part_at(nullptr, 0, nullptr, sizeof part) == AIWC_BAD_ARGUMENT);
  for (const char *id : {"gtx1080", "i7-6700k"}) {
    const aiwc_device *device = nullptr;
    REQUIRE(aiwc_device_find(library.get(), id, &device) == AIWC_OK);
    for (const aiwc_options *chosen : {static_cast<const aiwc_options *>(nullptr),
                                       static_cast<const aiwc_options *>(automatch.get())}) {
      aiwc_prediction time;
      REQUIRE(aiwc_predict(kernel.get(), device, chosen, &time, sizeof time) == AIWC_OK);
      double sum = time.transfers_s;
      for (size_t i = 0; i < AIWC_MOST_PARTS; ++i) {
        sum += time.parts_s[i];
        if (i >= aiwc_part_count(chosen))
          CHECK(time.parts_s[i] == 0);
      }
      CHECK(sum == Approx(time.seconds).epsilon(1e-12));
    }
  }
}

TEST_CASE("a profile with other transfers is the same but for these") {
  const ProfileHandle profile = parse(streaming());
  const aiwc_transfers transfers = {11, 2, 13, 4};
  aiwc_profile *made = nullptr;
  REQUIRE(aiwc_profile_new(profile.get(), &transfers, sizeof transfers, &made) == AIWC_OK);
  const ProfileHandle alike(made);
  for (size_t i = 0; i < aiwc_metric_count(); ++i) {
    aiwc_metric metric;
    REQUIRE(aiwc_metric_at(i, &metric, sizeof metric) == AIWC_OK);
    aiwc_value before;
    aiwc_value after;
    REQUIRE(aiwc_profile_value(profile.get(), i, &before, sizeof before) == AIWC_OK);
    REQUIRE(aiwc_profile_value(alike.get(), i, &after, sizeof after) == AIWC_OK);
    const std::string key = metric.key;
    const uint64_t expected = key == "host_to_device_bytes"       ? 11
                              : key == "host_to_device_transfers" ? 2
                              : key == "device_to_host_bytes"     ? 13
                              : key == "device_to_host_transfers" ? 4
                                                                  : before.count;
    CHECK(after.count == expected);
    CHECK(after.kind == before.kind);
  }
  CHECK(aiwc_profile_new(nullptr, &transfers, sizeof transfers, &made) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_new(profile.get(), nullptr, sizeof transfers, &made) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_new(profile.get(), &transfers, 31, &made) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_new(profile.get(), &transfers, sizeof transfers, nullptr) ==
        AIWC_BAD_ARGUMENT);
  CHECK(made == alike.get()); // as it was

  // The prediction is that of these transfers.
  const LibraryHandle library = openLibrary();
  const aiwc_device *device = nullptr;
  REQUIRE(aiwc_device_find(library.get(), "gtx1080", &device) == AIWC_OK);
  const OptionsHandle exposed = options();
  REQUIRE(aiwc_options_set_transfers(exposed.get(), 1) == AIWC_OK);
  const aiwc_transfers none = {0, 0, 0, 0};
  REQUIRE(aiwc_profile_new(profile.get(), &none, sizeof none, &made) == AIWC_OK);
  const ProfileHandle without(made);
  aiwc_prediction all;
  aiwc_prediction least;
  REQUIRE(aiwc_predict(profile.get(), device, exposed.get(), &all, sizeof all) == AIWC_OK);
  REQUIRE(aiwc_predict(without.get(), device, exposed.get(), &least, sizeof least) == AIWC_OK);
  CHECK(all.transfers_s > 0);
  CHECK(least.transfers_s == 0);
  CHECK(least.seconds == Approx(all.seconds - all.transfers_s).epsilon(1e-12));
}
