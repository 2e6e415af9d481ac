#include "profile/fields.h"
#include "profile/json.h"
#include "random_profile.h"
#include "support/cases.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;

TEST_CASE("any profile comes back from its JSON bit for bit") {
  for (uint64_t seed = 0; seed < cases(2000); ++seed) {
    const KernelProfile profile = randomProfile(seed);
    const std::string text = toJson(profile);
    const KernelProfile back = fromJson(text, "p.json");
    INFO("seed " << seed << "\n" << text);
    REQUIRE(equal(profile, back));
    REQUIRE(toJson(back) == text);
  }
}

TEST_CASE("what is written is JSON with the documented keys, one line per value") {
  uint64_t seed = 1;
  while (randomProfile(seed).provenance.sampled()) // which adds a section and two members
    ++seed;
  const KernelProfile profile = randomProfile(seed);
  const std::string text = toJson(profile);
  CHECK(text.ends_with("}\n"));
  const auto json = nlohmann::ordered_json::parse(text);
  CHECK(json.at("schema_version") == kSchemaVersion);
  CHECK(json.at("complete") == profile.complete);
  CHECK(json.at("simulator_errors") == profile.simulatorErrors);
  CHECK(json.at("provenance").at("kernel") == profile.provenance.kernel);
  CHECK(json.at("provenance").at("global_size") == profile.provenance.globalSize);
  size_t members = kVersionFields.size();
  forEachField(profile.provenance, [&](const IdentityField &field, const auto &value) {
    members += !field.onlyIfSet || value != std::remove_cvref_t<decltype(value)>{};
  });
  CHECK(json.at("provenance").size() == members);
  CHECK(json.at("histograms").size() == kHistogramFields.size() + 3); // opcodes, loops, lines
  CHECK(json.at("histograms").at("simd_widths") ==
        nlohmann::ordered_json(profile.histograms.simdWidths));

  std::vector<std::string> keys;
  for (const auto &item : json.at("metrics").items())
    keys.push_back(item.key());
  REQUIRE(keys.size() == kMetricCount);
  for (size_t i = 0; i < keys.size(); ++i)
    CHECK(keys[i] == catalogue()[i].key);

  // {, 4 scalars, 4 sections of 2 lines for their braces and one per member, }
  const auto rows = [](size_t n) { return n == 0 ? 0 : n + 1; }; // and the end of the array
  const size_t tables =
      rows(profile.histograms.loops.size()) + rows(profile.histograms.lines.size());
  const size_t accesses = profile.accesses ? 1 + rows(profile.accesses->size()) : 0;
  const size_t targets = json.contains("targets") ? 2 + json.at("targets").size() : 0;
  const size_t local = json.contains("local_memory") ? 1 : 0; // in their place
  const size_t lines = tables + accesses + local + targets + 1 + 4 + 4 * 2 +
                       json.at("provenance").size() + kMetricCount + json.at("reuse").size() +
                       json.at("histograms").size() + 1;
  CHECK(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) == lines);
}

TEST_CASE("why a kernel was interpreted stands behind the engine, where there is a reason") {
  KernelProfile profile = randomProfile(7);
  profile.provenance.engine = "interpreter";
  profile.provenance.engineReason = "it calls printf";
  const std::string text = toJson(profile);
  CHECK(text.find("    \"engine\": \"interpreter\",\n"
                  "    \"engine_reason\": \"it calls printf\",\n") != std::string::npos);
  profile.provenance.engineReason.clear();
  CHECK(toJson(profile).find("engine_reason") == std::string::npos);
}

TEST_CASE("a metric that is missing or null has no value") {
  KernelProfile profile = randomProfile(3);
  profile.setCount("fp_add"_metric, 5);
  profile.setCount("fp_mul"_metric, 6);
  auto json = nlohmann::ordered_json::parse(toJson(profile));
  json["metrics"].erase("fp_add");
  json["metrics"]["fp_mul"] = nullptr;
  json["histograms"].erase("simd_widths");
  json.erase("reuse");
  const KernelProfile back = fromJson(json.dump(), "p.json");
  CHECK(std::holds_alternative<std::monostate>(back["fp_add"_metric]));
  CHECK(std::holds_alternative<std::monostate>(back["fp_mul"_metric]));
  CHECK(back.histograms.simdWidths.empty());
}

TEST_CASE("a profile without accesses is read, without them") {
  KernelProfile profile = randomProfile(3);
  profile.accesses = {AccessRow{.function = "f", .array = "x", .laneStride = -4}};
  auto json = nlohmann::ordered_json::parse(toJson(profile));
  REQUIRE(json["accesses"].size() == 1);
  CHECK(json["accesses"][0]["lane_stride"] == -4);
  CHECK(json["accesses"][0]["loop_stride"].is_null());
  CHECK(json["accesses"][0]["idiom"].is_null());
  json.erase("accesses");
  const KernelProfile back = fromJson(json.dump(), "p.json");
  CHECK_FALSE(back.accesses);
  CHECK(nlohmann::ordered_json::parse(toJson(back)) == json);
  profile.accesses->clear(); // analysed, and there are none
  CHECK(fromJson(toJson(profile), "p.json").accesses->empty());
}

TEST_CASE("a real may be written as an integer, and keys in any order") {
  auto json = nlohmann::json::parse(toJson(randomProfile(3))); // sorts its keys
  json["metrics"]["itb_median"] = 3;
  CHECK(fromJson(json.dump(), "p.json").real("itb_median"_metric) == 3.0);
}

TEST_CASE("a name that is not UTF-8 does not cost the profile") {
  KernelProfile profile = randomProfile(1);
  profile.provenance.kernel = "k\xff\xfe";
  profile.provenance.buildOptions = "-I/caf\xe9";
  profile.reason = "\xc3";
  profile.histograms.opcodes = {{"\x80", 4}};
  const KernelProfile back = fromJson(toJson(profile), "p.json");
  CHECK(back.provenance.kernel == "k\xef\xbf\xbd\xef\xbf\xbd"); // U+FFFD each
  CHECK(back.provenance.buildOptions == "-I/caf\xef\xbf\xbd");
  CHECK(back.reason == "\xef\xbf\xbd");
  CHECK(back.histograms.opcodes.size() == 1);
}

TEST_CASE("a profile is read from its file") {
  const TemporaryFolder folder;
  const KernelProfile profile = randomProfile(11);
  write(folder / "p.json", toJson(profile));
  CHECK(equal(readProfile(folder / "p.json"), profile));
}
