#include "common/version.h"
#include "profile/json.h"
#include "random_profile.h"
#include "support/cases.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Json = nlohmann::ordered_json;

namespace {

KernelProfile sample() {
  KernelProfile profile;
  profile.provenance.kernel = "saxpy";
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {64, 1, 1};
  profile.provenance.localSize = {8, 1, 1};
  profile.setCount("fp_add"_metric, 64);
  profile.setReal("itb_median"_metric, 2.5);
  profile.histograms.simdWidths = {{1, 10}, {4, 2}};
  profile.histograms.opcodes = {{"load", 4}};
  return profile;
}

std::string refusal(const std::string &text) {
  return errorOf([&] { fromJson(text, "p.json"); });
}

/// The message for the sample after `change`.
std::string refusalAfter(const std::function<void(Json &)> &change) {
  Json json = Json::parse(toJson(sample()));
  change(json);
  return refusal(json.dump());
}

/// The message for the sample after the text `from` in it became `to`.
std::string refusalAfter(const std::string &from, const std::string &to) {
  std::string text = toJson(sample());
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return refusal(text.replace(at, from.size(), to));
}

/// How a message about the given column of the line of `key` in the sample begins:
/// "p.json:line:column: ".
std::string at(const std::string &key, size_t column) {
  const std::string text = toJson(sample());
  const size_t found = text.find('"' + key + '"');
  REQUIRE(found != std::string::npos);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(found), '\n');
  return "p.json:" + std::to_string(line) + ":" + std::to_string(column) + ": ";
}

} // namespace

TEST_CASE("a family of devices that is not known is refused, and one without a count") {
  KernelProfile profile = sample();
  profile.targets = {PrivateTraffic{8, 4}};
  const Json json = Json::parse(toJson(profile));
  CHECK(fromJson(json.dump(), "p.json").targets == profile.targets);
  Json other = json, incomplete = json;
  other["targets"]["gfx9"] = json["targets"]["gfx906"];
  CHECK_THAT(refusal(other.dump()), Contains("gfx9") && Contains("gfx906, gfx1030 or nvptx"));
  incomplete["targets"]["gfx906"].erase("scratch_bytes");
  CHECK_THAT(refusal(incomplete.dump()), Contains("targets.gfx906") && Contains("scratch_bytes"));
}

TEST_CASE("local memory in place of accesses has both numbers, and one turn or more") {
  KernelProfile profile = sample();
  profile.accesses.reset();
  profile.localMemory = {4096, 1.5};
  const Json json = Json::parse(toJson(profile));
  CHECK(fromJson(json.dump(), "p.json").localMemory == profile.localMemory);
  const auto refused = [&](auto change) {
    Json other = json;
    change(other["local_memory"]);
    return refusal(other.dump());
  };
  CHECK_THAT(refused([](Json &is) { is["bank_turns"] = 0.5; }),
             EndsWith("local_memory.bank_turns is 0.5: expected a number of 1 or more"));
  CHECK_THAT(refused([](Json &is) { is.erase("group_bytes"); }), Contains("group_bytes"));
  CHECK_THAT(refused([](Json &is) { is["banks"] = 32; }),
             Contains("banks is unknown: expected group_bytes or bank_turns"));
}

TEST_CASE("a profile cut off anywhere is refused, with the position where it ends") {
  const std::string text = toJson(sample());
  REQUIRE(text.ends_with("}\n"));
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    const std::string message = refusal(text.substr(0, length));
    INFO("cut to " << length << " bytes: " << message);
    REQUIRE_THAT(message, StartsWith("p.json:"));
    REQUIRE_THAT(message, Contains(": expected "));
    // The line that the text ends in.
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    REQUIRE_THAT(message, StartsWith("p.json:" + std::to_string(line) + ":"));
  }
  CHECK(refusal(text.substr(0, text.size() - 1)).empty()); // but for the last newline
}

TEST_CASE("what is no JSON is refused where it stops being JSON") {
  CHECK_THAT(refusal(""), StartsWith("p.json:1:1: "));
  CHECK_THAT(refusal("hello"), StartsWith("p.json:1:1: "));
  CHECK_THAT(refusal("{\n  \"a\": 1,\n  b\n}"), StartsWith("p.json:3:3: "));
  CHECK_THAT(refusal("{\"a\": 01}"), StartsWith("p.json:1:8: "));
  CHECK_THAT(refusalAfter("\"complete\": true", "\"complete\": True"), StartsWith("p.json:3:15: "));
  CHECK_THAT(refusal(toJson(sample()) + "x"), Contains("expected end of input"));
  CHECK_THAT(refusal(std::string(3, '\0')), StartsWith("p.json:1:1: "));
  CHECK_THAT(refusal("{\"a\": \"\xff\"}"), StartsWith("p.json:1:8: "));
  CHECK_THAT(refusal("metric,category,value\nOpcode,Compute,3\n"), StartsWith("p.json:1:1: "));
  for (const char *text : {"", "hello", "[", "{\"a\": tru", "\"", "\"\\ud800\"", "-", "1e999"})
    CHECK_THAT(refusal(text), Contains(": expected "));
}

TEST_CASE("JSON that is no profile is refused") {
  CHECK(refusal("[]") == "p.json:1:1: the text is an array of 0: expected an object");
  CHECK(refusal(" 7") == "p.json:1:2: the text is a number: expected an object");
  CHECK(refusal("{}") == "p.json:1:1: schema_version is missing: expected it in a profile");
}

TEST_CASE("a newer schema is named as such, whatever else differs") {
  const std::string newer =
      fmt::format("; this is aiwc {}, of schema_version {}: read it with a newer one",
                  aiwc::kVersion, kSchemaVersion);
  CHECK(refusal("{\n\"schema_version\": 999, \"shape\": [1]}") ==
        fmt::format("p.json:2:19: schema_version 999 is newer than {}, the newest this version "
                    "reads: another version of aiwc has written the file, in schema_version 999{}",
                    kSchemaVersion, newer));
  CHECK_THAT(refusal("{\"shape\": [1], \"schema_version\": 18446744073709551615, "
                     "\"provenance\": {\"tool_version\": \"7.8.9\"}}"),
             StartsWith("p.json:1:34: schema_version 18446744073709551615 is newer than ") &&
                 EndsWith(": aiwc 7.8.9 has written the file, in schema_version "
                          "18446744073709551615" +
                          newer));
  const std::string own = fmt::format("\"schema_version\": {}", kSchemaVersion);
  CHECK(refusalAfter(own, "\"schema_version\": 0") ==
        fmt::format("p.json:2:21: schema_version 0 does not exist: expected 1 to {}",
                    kSchemaVersion));
  CHECK(refusalAfter(own, "\"schema_version\": \"1\"") ==
        "p.json:2:21: schema_version is a string: expected a non-negative integer below 2^64");
}

TEST_CASE("what an older schema has otherwise is refused, and who wrote it is said") {
  const auto older = [](Json &json) {
    json["schema_version"] = 1;
    json["provenance"]["tool_version"] = "0.0.1";
  };
  CHECK_THAT(refusalAfter([&](Json &json) {
               older(json);
               json["reuse"]["sample_rate"] = 1;
             }),
             EndsWith(fmt::format("reuse.sample_rate is unknown: expected a key of a profile's "
                                  "reuse: aiwc 0.0.1 has written the file, in schema_version 1; "
                                  "this is aiwc {}, of schema_version {}: characterise the program "
                                  "again",
                                  aiwc::kVersion, kSchemaVersion)));
  CHECK_THAT(refusalAfter([](Json &json) { json["reuse"]["sample_rate"] = 1; }),
             EndsWith("reuse.sample_rate is unknown: expected a key of a profile's reuse"));
  // What it does not have otherwise is read; metrics that it lacks are absent.
  Json json = Json::parse(toJson(sample()));
  older(json);
  json["metrics"].erase("fp_add");
  const KernelProfile read = fromJson(json.dump(), "p.json");
  CHECK(read["fp_add"_metric] == Value{});
  CHECK(read.real("itb_median"_metric) == 2.5);
}

TEST_CASE("a value of the wrong type is named by its path and position") {
  CHECK(refusalAfter("\"fp_add\": 64", "\"fp_add\": -3") ==
        at("fp_add", 15) +
            "metrics.fp_add is -3: expected a non-negative integer below 2^64 or null");
  CHECK(refusalAfter("\"fp_add\": 64", "\"fp_add\": 64.5") ==
        at("fp_add", 15) +
            "metrics.fp_add is 64.5: expected a non-negative integer below 2^64 or null");
  CHECK(refusalAfter("\"fp_add\": 64", "\"fp_add\": \"6\\\"4\"") ==
        at("fp_add", 15) +
            "metrics.fp_add is a string: expected a non-negative integer below 2^64 or "
            "null");
  CHECK_THAT(refusalAfter("\"fp_add\": 64", "\"fp_add\": 18446744073709551616"),
             StartsWith(at("fp_add", 15) + "metrics.fp_add is 1.8446744073709552e+19: expected"));
  CHECK(refusalAfter("\"itb_median\": 2.5", "\"itb_median\": -2.5") ==
        at("itb_median", 19) +
            "metrics.itb_median is -2.5: expected a non-negative number or null");
  CHECK(refusalAfter("\"itb_median\": 2.5", "\"itb_median\": true") ==
        at("itb_median", 19) +
            "metrics.itb_median is a truth value: expected a non-negative number or "
            "null");
  CHECK_THAT(refusalAfter("\"itb_median\": 2.5", "\"itb_median\": 1e999"),
             StartsWith("p.json:") && Contains("number overflow: expected"));
  CHECK_THAT(refusalAfter("\"itb_median\": 2.5", "\"itb_median\": NaN"),
             StartsWith(at("itb_median", 19)));
  CHECK(refusalAfter("\"complete\": true", "\"complete\": 1") ==
        at("complete", 15) + "complete is a number: expected true or false");
  CHECK(refusalAfter("\"kernel\": \"saxpy\"", "\"kernel\": null") ==
        at("kernel", 15) + "provenance.kernel is null: expected a string");
  CHECK(refusalAfter("[64, 1, 1]", "[64, 1]") ==
        at("global_size", 20) + "provenance.global_size has 2 elements: expected 3");
  CHECK(refusalAfter("[64, 1, 1]", "[64, 1, {}]") ==
        at("global_size", 28) +
            "provenance.global_size[2] is an object: expected a non-negative integer "
            "below 2^64");
  CHECK(refusalAfter("\"work_dim\": 1", "\"work_dim\": 4") ==
        at("work_dim", 17) + "provenance.work_dim is 4: expected 1, 2 or 3");
}

TEST_CASE("a histogram is pairs of increasing values and their occurrences") {
  const std::string good = "[[1, 10], [4, 2]]";
  CHECK(refusalAfter(good, "[[1, 10], [1, 2]]") ==
        at("simd_widths", 30) +
            "histograms.simd_widths[1] has the value 1 behind 1: expected increasing "
            "values");
  CHECK(refusalAfter(good, "[[1, 10], [4]]") ==
        at("simd_widths", 30) +
            "histograms.simd_widths[1] is an array of 1: expected a pair [value, "
            "occurrences]");
  CHECK(refusalAfter(good, "[[1, 10], [4, 2, 3]]") ==
        at("simd_widths", 30) +
            "histograms.simd_widths[1] is an array of 3: expected a pair [value, "
            "occurrences]");
  CHECK(refusalAfter(good, "[[1, 10], [4, -2]]") ==
        at("simd_widths", 34) +
            "histograms.simd_widths[1][1] is -2: expected a non-negative integer below "
            "2^64");
  CHECK_THAT(refusalAfter(good, "{\"1\": 10}"),
             EndsWith("histograms.simd_widths is an object: expected an array"));
  CHECK_THAT(refusalAfter("{\"load\": 4}", "{\"load\": null}"),
             EndsWith("histograms.opcodes.load is null: expected a non-negative integer below "
                      "2^64"));
}

TEST_CASE("a row of loops or lines is whole, of counts, and in its place") {
  Json line{{"line", 2},  {"instructions", 3}, {"fp_ops", 0},
            {"bytes", 0}, {"branches", 0},     {"mispredictions", 0}};
  for (const char *key :
       {"idle_lanes_8", "idle_lanes_16", "idle_lanes_32", "idle_lanes_64", "cold_accesses"})
    line[key] = 1;
  line["reuse_distances"] = Json::array({{1, 10}, {4, 2}});
  const auto lines = [&](auto change) {
    return refusalAfter([&](Json &json) {
      json["histograms"]["lines"] = Json::array({line, line});
      change(json["histograms"]["lines"]);
    });
  };
  CHECK_THAT(lines([](Json &) {}),
             EndsWith("histograms.lines[1] has line 2 behind 2: expected increasing lines"));
  CHECK_THAT(lines([](Json &rows) { rows[0]["bytes"] = -1; }),
             EndsWith("histograms.lines[0].bytes is -1: expected a non-negative integer below "
                      "2^64"));
  CHECK_THAT(lines([](Json &rows) { rows[0].erase("fp_ops"); }),
             EndsWith("histograms.lines[0].fp_ops is missing: expected it in "
                      "histograms.lines[0]"));
  CHECK_THAT(lines([](Json &rows) { rows[0]["misses"] = 1; }),
             EndsWith("histograms.lines[0].misses is unknown: expected a key of such a row"));

  const auto orderedLines = [&](auto change) {
    return lines([&](Json &rows) {
      rows[0]["line"] = 1;
      change(rows);
    });
  };
  CHECK(orderedLines([](Json &) {}).empty());
  CHECK_THAT(orderedLines([](Json &rows) { rows[0].erase("reuse_distances"); }),
             EndsWith("histograms.lines[0].reuse_distances is missing: expected it in "
                      "histograms.lines[0]"));
  CHECK_THAT(orderedLines([](Json &rows) { rows[0]["cold_accesses"] = -1; }),
             EndsWith("histograms.lines[0].cold_accesses is -1: expected a non-negative integer "
                      "below 2^64"));
  CHECK_THAT(orderedLines([](Json &rows) { rows[1]["reuse_distances"][1][0] = 1; }),
             EndsWith("histograms.lines[1].reuse_distances[1] has the value 1 behind 1: expected "
                      "increasing values"));

  const Json loop{{"function", "f"},
                  {"line", 1},
                  {"depth", 1},
                  {"entries", 1},
                  {"trips", 1},
                  {"min_trips", 1},
                  {"max_trips", 1},
                  {"carries_dependence", true},
                  {"dependences", Json::array({{3, 2}})}};
  const auto loops = [&](auto change) {
    return refusalAfter([&](Json &json) {
      json["histograms"]["loops"] = Json::array({loop});
      change(json["histograms"]["loops"][0]);
    });
  };
  CHECK_THAT(loops([](Json &row) { row["carries_dependence"] = 1; }),
             EndsWith("histograms.loops[0].carries_dependence is a number: expected true or "
                      "false"));
  CHECK_THAT(loops([](Json &row) { row["dependences"][0] = Json::array({1}); }),
             EndsWith("histograms.loops[0].dependences[0] is an array of 1: expected a pair "
                      "[line of the write, line of the read]"));
  CHECK_THAT(loops([](Json &row) {
               row["dependences"].push_back(Json::array({3, 2}));
             }),
             EndsWith("histograms.loops[0].dependences[1] does not follow the one before it: "
                      "expected increasing pairs"));
}

TEST_CASE("a row of an access that is no such row is refused") {
  KernelProfile profile = sample();
  profile.accesses = {AccessRow{.function = "f", .array = "x"}};
  const auto accesses = [&](auto change) {
    Json json = Json::parse(toJson(profile));
    change(json["accesses"][0]);
    return refusal(json.dump());
  };
  CHECK_THAT(accesses([](Json &row) { row["idiom"] = "streams"; }),
             Contains("accesses[0].idiom is ") && Contains("expected null or an idiom: stream, "));
  CHECK_THAT(accesses([](Json &row) { row["kind"] = 1; }),
             EndsWith("accesses[0].kind is a number: expected read, write or atomic"));
  CHECK_THAT(accesses([](Json &row) { row["space"] = "private"; }),
             EndsWith("expected global, constant or local"));
  for (const Json &stride : {Json(0.5), Json(1e300), Json(uint64_t{1} << 60), Json("4")})
    CHECK_THAT(accesses([&](Json &row) { row["lane_stride"] = stride; }),
               Contains("accesses[0].lane_stride is ") &&
                   EndsWith("expected null or an integer from -2^53 to 2^53"));
  CHECK_THAT(accesses([](Json &row) { row["footprint"] = -1; }),
             Contains("accesses[0].footprint is -1: expected a non-negative integer"));
  CHECK_THAT(accesses([](Json &row) { row.erase("array"); }), Contains("array"));
  CHECK_THAT(accesses([](Json &row) { row["stride"] = 4; }), Contains("stride is unknown"));
  CHECK_THAT(refusalAfter([](Json &json) { json["accesses"] = 3; }),
             Contains("accesses is a number: expected an array"));
}

TEST_CASE("an unknown key is refused and named") {
  CHECK_THAT(refusalAfter([](Json &json) { json["extra"] = 1; }),
             EndsWith("extra is unknown: expected a key of a profile"));
  CHECK_THAT(
      refusalAfter([](Json &json) { json["metrics"]["fp_sub"] = 1; }),
      EndsWith(
          "metrics.fp_sub is unknown: expected one of the keys that `aiwc show --metrics` lists"));
  CHECK_THAT(refusalAfter([](Json &json) { json["provenance"]["user"] = "x"; }),
             EndsWith("provenance.user is unknown: expected a key of a profile's provenance"));
  CHECK_THAT(refusalAfter([](Json &json) { json["histograms"]["sizes"] = Json::array(); }),
             EndsWith("histograms.sizes is unknown: expected a histogram of a profile"));
  CHECK_THAT(refusalAfter([](Json &json) { json["metrics"]["a\n\x1b[1m"] = 1; }),
             Contains("metrics.a\\x0a\\x1b[1m is unknown"));
}

TEST_CASE("a required key that is missing is named") {
  for (const char *key : {"schema_version", "complete", "reason", "simulator_errors", "provenance",
                          "metrics", "histograms"})
    CHECK_THAT(refusalAfter([&](Json &json) { json.erase(key); }),
               EndsWith(std::string(key) + " is missing: expected it in a profile"));
  for (const char *key : {"kernel", "invocation", "work_dim", "global_offset", "global_size",
                          "local_size", "source_kind", "source_hash", "build_options", "engine",
                          "tool_version", "oclgrind_version", "llvm_version"})
    CHECK_THAT(
        refusalAfter([&](Json &json) { json["provenance"].erase(key); }),
        EndsWith("provenance." + std::string(key) + " is missing: expected it in provenance"));
}

TEST_CASE("a key that appears twice is refused at its second appearance") {
  CHECK(refusalAfter("\"fp_add\": 64", "\"fp_add\": 64, \"fp_add\": 64") ==
        at("fp_add", 19) + "key \"fp_add\" appears twice: expected it once");
  CHECK(refusalAfter("{\"load\": 4}", "{\"load\": 4, \"\\u006coad\": 5}") ==
        at("opcodes", 28) + "key \"load\" appears twice: expected it once");
}

TEST_CASE("hostile input is refused quickly and without a crash") {
  CHECK_THAT(refusal(std::string(1000000, '[')), Contains("nested deeper than 16 levels"));
  std::string objects;
  for (int i = 0; i < 200000; ++i)
    objects += "{\"a\":";
  CHECK_THAT(refusal(objects), Contains("nested deeper than 16 levels"));
  CHECK_THAT(refusalAfter("\"fp_add\": 64", "\"fp_add\": " + std::string(1000000, '9')),
             StartsWith("p.json:") && Contains(": expected "));
  std::string keys = fmt::format("{{\"schema_version\": {}", kSchemaVersion);
  for (int i = 0; i < 200000; ++i)
    keys += ",\"k" + std::to_string(i) + "\":0";
  CHECK_THAT(refusal(keys + "}"), Contains("k0 is unknown"));
  // A message stays one line of bounded length.
  const std::string longKey =
      refusalAfter([](Json &json) { json["metrics"][std::string(100000, 'k')] = 1; });
  CHECK(longKey.size() < 300);
}

TEST_CASE("a damaged byte gives a profile or one line, never anything else") {
  const std::string good = toJson(sample());
  std::mt19937_64 random(1);
  size_t refused = 0;
  for (uint64_t i = 0; i < cases(20000); ++i) {
    std::string text = good;
    for (uint64_t k = 1 + random() % 3; k > 0; --k)
      text[random() % text.size()] = static_cast<char>(random());
    const std::string message = refusal(text); // any other exception fails the test
    if (message.empty())
      continue;
    ++refused;
    REQUIRE(message.find('\n') == std::string::npos);
    REQUIRE_THAT(message, StartsWith("p.json:"));
    REQUIRE(message.size() < 1000);
  }
  CHECK(refused > cases(10000));
}

TEST_CASE("what is no readable file is refused with its name and the reason") {
  const TemporaryFolder folder;
  const auto reading = [&](const std::string &name) {
    return errorOf([&] { readProfile(folder / name); });
  };
  const std::string prefix = folder.path().string() + "/";
  CHECK(reading("none.json") ==
        prefix + "none.json: cannot be read: No such file or directory: expected a JSON profile");
  std::filesystem::create_directory(folder / "folder");
  CHECK(reading("folder") == prefix + "folder: is not a regular file: expected a JSON profile");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(reading("pipe") == prefix + "pipe: is not a regular file: expected a JSON profile");
  write(folder / "huge.json", "{");
  std::filesystem::resize_file(folder / "huge.json", std::uintmax_t{1} << 33); // sparse
  CHECK_THAT(reading("huge.json"),
             Contains("has 8589934592 bytes: expected a JSON profile of at most"));
  write(folder / "bad.json", "{\n!");
  CHECK_THAT(reading("bad.json"), StartsWith(prefix + "bad.json:2:1: "));
}
