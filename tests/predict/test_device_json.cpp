#include "predict/device_json.h"
#include "support/files.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kDevice = R"({
  "schema_version": 1,
  "id": "mine",
  "name": "My GPU",
  "vendor": "Me",
  "series": "First",
  "type": "gpu",
  "year": 2020,
  "opencl": true,
  "opencl_names": ["my gpu", "MG1"],
  "machine": {
    "cores": {"value": 1024, "source": "data sheet"},
    "cache_latency_us": {"value": 0.02, "source": "measured"}
  },
  "properties": {
    "tdp_w": {"value": 75.5, "source": "data sheet"}
  }
}
)";

std::string refusal(const std::string &text) {
  return errorOf([&] { deviceFromJson(text, "mine.json"); });
}

/// The message for the device above after `from` in it became `to`.
std::string refusalAfter(const std::string &from, const std::string &to) {
  std::string text = kDevice;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return refusal(text.replace(at, from.size(), to));
}

} // namespace

TEST_CASE("a device is read as it is written, and written as it was read") {
  const DeviceProfile device = deviceFromJson(kDevice, "some/folder/mine.json");
  CHECK(device.id == "mine");
  CHECK(device.name == "My GPU");
  CHECK(device.vendor == "Me");
  CHECK(device.series == "First");
  CHECK(device.type == DeviceType::kGpu);
  CHECK(device.year == 2020);
  CHECK(device.opencl);
  CHECK(device.openclNames == std::vector<std::string>{"my gpu", "MG1"});
  CHECK(device[Parameter::kCores] == 1024);
  CHECK(device[Parameter::kCacheLatency] == 0.02);
  CHECK(device[Parameter::kTdp] == 75.5);
  CHECK(device.quantities[static_cast<size_t>(Parameter::kCacheLatency)]->source == "measured");
  CHECK(std::ranges::count_if(device.quantities, [](const auto &q) { return q.has_value(); }) == 3);
  CHECK(toJson(device) == kDevice);
}

TEST_CASE("aliases are read and written; each can be an id") {
  std::string text = kDevice;
  const std::string id = "  \"id\": \"mine\",\n";
  text.replace(text.find(id), id.size(), id + "  \"aliases\": [\"my-old\", \"m1\"],\n");
  const DeviceProfile device = deviceFromJson(text, "mine.json");
  CHECK(device.aliases == std::vector<std::string>{"my-old", "m1"});
  CHECK(toJson(device) == text);
  CHECK_THAT(refusalAfter("\"name\"", "\"aliases\": [\"M 1\"], \"name\""),
             Contains("aliases[0] is \"M 1\": expected lower-case letters"));
}

TEST_CASE("every parameter survives being written and read, to the last digit") {
  DeviceProfile device = deviceFromJson(kDevice, "mine.json");
  for (const ParameterInfo &parameter : parameters()) {
    for (const double value : {parameter.minimum, parameter.maximum}) {
      device.set(parameter.parameter, value, "\"quoted\" \\ é");
      CHECK(deviceFromJson(toJson(device), "mine.json")[parameter.parameter] == value);
    }
    if (!parameter.integer)
      device.set(parameter.parameter, parameter.minimum + 1.0 / 3, "third");
  }
  const DeviceProfile again = deviceFromJson(toJson(device), "mine.json");
  for (size_t i = 0; i < kParameterCount; ++i) {
    CHECK(again.quantities[i]->value == device.quantities[i]->value);
    CHECK(again.quantities[i]->source == device.quantities[i]->source);
  }
}

TEST_CASE("a device cut off anywhere is refused, with the position where it ends") {
  for (size_t length = 0; length + 2 < kDevice.size(); ++length) {
    const std::string message = refusal(kDevice.substr(0, length));
    INFO("cut to " << length << " bytes: " << message);
    const auto line = 1 + std::count(kDevice.begin(),
                                     kDevice.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    REQUIRE_THAT(message, StartsWith("mine.json:" + std::to_string(line) + ":"));
    REQUIRE_THAT(message, Contains(": expected "));
  }
}

TEST_CASE("a value outside of its parameter's range is refused where it stands") {
  CHECK(refusalAfter("1024", "-3") ==
        "mine.json:12:24: machine.cores.value is -3: expected an integer from 1 to 1e+07");
  CHECK(refusalAfter("1024", "0") ==
        "mine.json:12:24: machine.cores.value is 0: expected an integer from 1 to 1e+07");
  CHECK(refusalAfter("1024", "1024.5") ==
        "mine.json:12:24: machine.cores.value is 1024.5: expected an integer from 1 to 1e+07");
  CHECK(refusalAfter("0.02", "-1e-9") ==
        "mine.json:13:35: machine.cache_latency_us.value is -1e-09: expected 0 to 1000 us");
  CHECK(refusalAfter("75.5", "1e300") ==
        "mine.json:16:24: properties.tdp_w.value is 1e+300: expected 0.01 to 100000 W");
  CHECK_THAT(refusalAfter("75.5", "1e999"), StartsWith("mine.json:16:"));
}

TEST_CASE("what is no number is refused: JSON has no NaN, and a text or null is none") {
  for (const char *word : {"NaN", "nan", "Infinity", "-inf", "0x10"})
    CHECK_THAT(refusalAfter("75.5", word), StartsWith("mine.json:16:") && Contains("expected"));
  CHECK(refusalAfter("75.5", "\"NaN\"") ==
        "mine.json:16:24: properties.tdp_w.value is a string: expected 0.01 to 100000 W");
  CHECK(refusalAfter("75.5", "null") ==
        "mine.json:16:24: properties.tdp_w.value is null: expected 0.01 to 100000 W");
  CHECK(refusalAfter("{\"value\": 75.5, \"source\": \"data sheet\"}", "75.5") ==
        "mine.json:16:14: properties.tdp_w is 75.5: expected an object");
}

TEST_CASE("a number without a source is refused") {
  CHECK(refusalAfter(", \"source\": \"measured\"", "") ==
        "mine.json:13:25: machine.cache_latency_us.source is missing: expected it in "
        "machine.cache_latency_us");
  CHECK(refusalAfter("\"measured\"", "\" \"") ==
        "mine.json:13:51: machine.cache_latency_us.source is empty: expected text");
  CHECK(refusalAfter("\"value\": 0.02, ", "") ==
        "mine.json:13:25: machine.cache_latency_us.value is missing: expected it in "
        "machine.cache_latency_us");
}

TEST_CASE("unknown and repeated keys are refused, whichever object they stand in") {
  CHECK(refusalAfter("\"year\"", "\"colour\": 3, \"year\"") ==
        "mine.json:8:13: colour is unknown: expected a key of a device");
  CHECK(refusalAfter("\"cache_latency_us\"", "\"cache_latency_ms\"") ==
        "mine.json:13:25: machine.cache_latency_ms is unknown: expected one of the keys of machine "
        "in "
        "docs/devices.md");
  // In the other section: a key has one place.
  CHECK_THAT(refusalAfter("\"cache_latency_us\"", "\"clock_ghz\""),
             Contains("machine.clock_ghz is unknown"));
  CHECK(refusalAfter("\"source\": \"measured\"", "\"source\": \"measured\", \"unit\": \"s\"") ==
        "mine.json:13:71: machine.cache_latency_us.unit is unknown: expected value, source "
        "or spread");
  CHECK_THAT(refusalAfter("\"cache_latency_us\"", "\"cores\""),
             StartsWith("mine.json:13:5: key \"cores\" appears twice"));
  CHECK_THAT(refusalAfter("\"vendor\"", "\"name\""), Contains("key \"name\" appears twice"));
}

TEST_CASE("an identity is complete and makes sense") {
  for (const std::string key :
       {"schema_version", "id", "name", "vendor", "series", "type", "year", "opencl_names"}) {
    const size_t begin = kDevice.find("  \"" + key + "\"");
    const size_t end = kDevice.find('\n', begin) + 1;
    std::string text = kDevice;
    CHECK(refusal(text.erase(begin, end - begin)) ==
          "mine.json:1:1: " + key + " is missing: expected it in a device");
  }
  CHECK(refusalAfter("\"mine\"", "\"yours\"") ==
        "mine.json:3:9: id is \"yours\": expected the file's name, \"mine\"");
  for (const char *id : {"", "Mine", "my device", "../mine", ".mine", "-mine", "m\\u00efne"})
    CHECK_THAT(refusalAfter("\"mine\"", "\"" + std::string(id) + "\""),
               StartsWith("mine.json:3:9: id is ") && Contains("expected lower-case letters"));
  CHECK(refusalAfter("\"My GPU\"", "\"\"") == "mine.json:4:11: name is empty: expected text");
  CHECK(refusalAfter("\"My GPU\"", "\"My\\nGPU\"") ==
        "mine.json:4:11: name has control characters: expected a line of text");
  CHECK(refusalAfter("\"gpu\"", "\"GPU\"") ==
        "mine.json:7:11: type is \"GPU\": expected cpu, gpu, integrated_gpu or accelerator");
  CHECK(refusalAfter("2020", "20") == "mine.json:8:11: year is 20: expected 1970 to 2100");
  CHECK(refusalAfter("2020", "2101") == "mine.json:8:11: year is 2101: expected 1970 to 2100");
  CHECK(refusalAfter("2020", "1969") == "mine.json:8:11: year is 1969: expected 1970 to 2100");
  CHECK(refusalAfter("2020", "1970").empty());
  CHECK(refusalAfter("2020", "2100").empty());
  CHECK_THAT(refusalAfter("2020", "2020.5"), Contains("year is 2020.5: expected a non-negative"));
  CHECK(refusalAfter("\"MG1\"", "\"\"") ==
        "mine.json:10:30: opencl_names[1] is empty: expected text");
  CHECK(refusalAfter("[\"my gpu\", \"MG1\"]", "\"MG1\"") ==
        "mine.json:10:19: opencl_names is a string: expected an array");
}

TEST_CASE("a device has OpenCL unless its file says that there is none") {
  std::string older = kDevice; // files of before have no such key
  const std::string line = "  \"opencl\": true,\n";
  CHECK(deviceFromJson(older.erase(older.find(line), line.size()), "mine.json").opencl);

  std::string none = kDevice;
  none.replace(none.find(line), line.size(), "  \"opencl\": false,\n");
  CHECK_THAT(refusal(none), StartsWith("mine.json:10:19: opencl_names is not empty, but opencl is "
                                       "false: expected no names"));
  const std::string names = "\"my gpu\", \"MG1\"";
  none.erase(none.find(names), names.size());
  const DeviceProfile device = deviceFromJson(none, "mine.json");
  CHECK_FALSE(device.opencl);
  CHECK(toJson(device) == none);
  CHECK_THAT(refusalAfter("\"opencl\": true", "\"opencl\": \"yes\""),
             StartsWith("mine.json:9:13: opencl is a string: expected "));
}

TEST_CASE("without a parameter, and without the objects of them, a device is still one") {
  std::string text = kDevice;
  const size_t begin = text.find(",\n  \"machine\"");
  text.replace(begin, text.size() - begin, "\n}\n");
  const DeviceProfile device = deviceFromJson(text, "mine.json");
  for (const ParameterInfo &parameter : parameters())
    CHECK_FALSE(device.has(parameter.parameter));
  CHECK(errorOf([&] { deviceFromJson(toJson(device), "mine.json"); }).empty());
}

TEST_CASE("a newer schema is named as such, whatever else differs") {
  CHECK(refusal("{\n\"shape\": [], \"schema_version\": 3}") ==
        "mine.json:2:32: schema_version 3 is newer than 2, the newest this version reads");
  CHECK(refusalAfter("\"schema_version\": 1", "\"schema_version\": 0") ==
        "mine.json:2:21: schema_version 0 does not exist: expected 1 to 2");
}

TEST_CASE("what is no JSON, or JSON of something else, is refused") {
  CHECK_THAT(refusal(""), StartsWith("mine.json:1:1: "));
  CHECK_THAT(refusal("cores,value\n4,5\n"), StartsWith("mine.json:1:1: "));
  CHECK_THAT(refusal(kDevice + "x"), Contains("expected end of input"));
  CHECK_THAT(refusal(std::string("{\"a\": \"\xff\"}")), StartsWith("mine.json:1:"));
  CHECK(refusal("[]") == "mine.json:1:1: the text is an array of 0: expected an object");
  CHECK_THAT(refusal(std::string(1000000, '[')), Contains("nested deeper than 16 levels"));
}

TEST_CASE("a file that cannot be a device is refused by what it is") {
  const TemporaryFolder folder;
  const auto refusalOf = [&](const std::string &name) {
    const std::string message = errorOf([&] { readDevice(folder / name); });
    const std::string file = (folder / name).string();
    REQUIRE_THAT(message, StartsWith(file + ":"));
    return message.substr(file.size() + 2);
  };
  CHECK(refusalOf("none.json") ==
        "cannot be read: No such file or directory: expected a JSON device file");
  std::filesystem::create_directory(folder / "folder.json");
  CHECK(refusalOf("folder.json") == "is not a regular file: expected a JSON device file");
  REQUIRE(mkfifo((folder / "pipe.json").c_str(), 0600) == 0);
  CHECK(refusalOf("pipe.json") == "is not a regular file: expected a JSON device file");
  write(folder / "huge.json", "");
  std::filesystem::resize_file(folder / "huge.json", std::uintmax_t{1} << 33); // sparse
  CHECK(refusalOf("huge.json") ==
        "has 8589934592 bytes: expected a JSON device file of at most 1048576");
  write(folder / "mine.json", kDevice);
  CHECK(readDevice(folder / "mine.json").id == "mine");
}
