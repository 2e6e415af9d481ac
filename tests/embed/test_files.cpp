#include "embed/container.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "profile/source_hash.h"
#include "support/files.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

std::vector<Annotation> two(const std::string &hash) {
  return {annotationOf(smallProfile("a", hash)), annotationOf(smallProfile("b\"\n", hash, 128))};
}

} // namespace

TEST_CASE("a sidecar is JSON keyed by hash, kernel and NDRange, and reads back") {
  const auto annotations = two("xxh3-128:1");
  const std::string text = writeSidecar(annotations, "xxh3-128:2");
  const auto json = nlohmann::json::parse(text);
  CHECK(json["aiwc_sidecar"] == 1);
  CHECK(json["file_hash"] == "xxh3-128:2");
  CHECK(json["profiles"][1]["kernel"] == "b\"\n");
  CHECK(json["profiles"][1]["global_size"] == "128");
  CHECK(json["profiles"][1]["source_hash"] == "xxh3-128:1");
  for (const bool same : {true, false}) {
    const Annotations read = readSidecar(text, "s.json", same ? "xxh3-128:2" : "xxh3-128:3");
    REQUIRE(read.found.size() == 2);
    CHECK(read.rejected == 0);
    for (size_t i = 0; i < 2; ++i) {
      CHECK(read.found[i].launch == annotations[i].launch);
      CHECK(read.found[i].stale == !same);
      CHECK(read.found[i].profile().count("fp_ops"_metric) == (i == 0 ? 128U : 256U));
    }
  }
}

TEST_CASE("a text that is no sidecar is one rejected annotation") {
  const std::string good = writeSidecar(two("x"), "h");
  for (size_t length = 0; length + 2 < good.size(); length += 7) {
    const Annotations read = readSidecar(good.substr(0, length), "s.json", "h");
    CHECK(read.found.empty());
    REQUIRE(read.rejected == 1);
    CHECK_THAT(read.reasons[0], Contains("s.json:"));
  }
  CHECK_THAT(readSidecar("{\"aiwc_sidecar\": 2}", "s", "h").reasons.at(0),
             Contains("expected that version"));
  CHECK_THAT(readSidecar("{\"aiwc_sidecar\": 1, \"file_hash\": 3}", "s", "h").reasons.at(0),
             Contains("file_hash is a number: expected a string"));
}

TEST_CASE("a file's annotations are those in it and those beside it") {
  const TemporaryFolder folder;
  const std::string source = "kernel void a() {}\n";
  const fs::path file = folder / "k.cl";
  write(file, embed(source, two(sourceHash(source))));
  CHECK(annotationsOf(file).found.size() == 2);
  write(sidecarOf(file), writeSidecar(two("x"), sourceHash(source)));
  const Annotations both = annotationsOf(file);
  CHECK(both.found.size() == 4);
  CHECK(both.sourceHash == sourceHash(source));
  CHECK_THAT(both.found[0].place, Contains("k.cl: line 1"));
  CHECK_THAT(both.found[3].place, Contains("k.cl.aiwc.json: profiles[1]"));
  write(sidecarOf(file), "{");
  const Annotations damaged = annotationsOf(file);
  CHECK(damaged.found.size() == 2);
  CHECK(damaged.rejected == 1);
  CHECK_THROWS_WITH(annotationsOf(folder / "none"), Contains("cannot be read"));
}
