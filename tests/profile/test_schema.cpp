// A file with other keys has another schema_version: schema.txt has the version and its keys.

#include "profile/fields.h"
#include "profile/json.h"
#include "random_profile.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

using namespace aiwc::profile;
using namespace aiwc::test;
using Keys = std::set<std::string>;

namespace {

/// Adds the path of each member: "provenance.kernel", "accesses[].line". The names of opcodes are
/// data, and the keys of errors are those of metrics.
void addKeys(const nlohmann::json &json, const std::string &path, Keys &keys) {
  if (path == "histograms.opcodes" || path == "errors")
    return;
  if (json.is_array())
    for (const auto &element : json)
      addKeys(element, path + "[]", keys);
  if (json.is_object())
    for (const auto &[key, value] : json.items()) {
      const std::string member = path.empty() ? key : path + "." + key;
      keys.insert(member);
      addKeys(value, member, keys);
    }
}

Keys writtenKeys() {
  Keys keys;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    KernelProfile profile = randomProfile(seed);
    for (const auto &field : kOriginFields)
      profile.provenance.*field.member = "of another profile";
    for (LineRow &row : profile.histograms.lines)
      for (const auto &field : kRareLineFields)
        row.*field.member = 1;
    addKeys(nlohmann::json::parse(toJson(profile)), "", keys);
  }
  return keys;
}

bool isMetric(const std::string &key) {
  return key.starts_with("metrics.");
}

} // namespace

TEST_CASE("the keys of a profile are those of its schema_version") {
  std::ifstream file(AIWC_TEST_SCHEMA);
  std::string word;
  uint64_t version = 0;
  REQUIRE(file >> word >> version);
  REQUIRE(word == "schema_version");
  INFO("Other keys need another kSchemaVersion, and both a change of " AIWC_TEST_SCHEMA);
  CHECK(version == kSchemaVersion);
  Keys known, unknown;
  while (file >> word)
    known.insert(word);
  Keys written = writtenKeys();
  for (const std::string &key : written)
    if (!known.contains(key))
      unknown.insert(key);
  CHECK(unknown == Keys());
  // A profile may lack metrics, and a version may list some before they are computed.
  for (Keys *keys : {&known, &written})
    std::erase_if(*keys, isMetric);
  CHECK(known == written);
}
