#include "profile/access_row.h"
#include "views/listing.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::profile;
using namespace aiwc::views;

namespace {

AccessRow row(const std::string &array, uint64_t loop, AccessKind kind, uint64_t bytes,
              uint64_t footprint, std::optional<Idiom> idiom) {
  AccessRow result;
  result.function = "spmv";
  result.line = loop + 1;
  result.loop = loop;
  result.array = array;
  result.kind = kind;
  result.accesses = bytes / 4;
  result.bytes = bytes;
  result.footprint = footprint;
  result.idiom = idiom;
  return result;
}

/// Two idioms in a loop, one of them outside of it as well, and an access without one.
KernelProfile spmv() {
  KernelProfile profile;
  profile.accesses = {row("y", 0, AccessKind::kWrite, 64, 64, Idiom::kReduction),
                      row("alpha", 0, AccessKind::kRead, 64, 4, std::nullopt),
                      row("value", 5, AccessKind::kRead, 4096, 4096, Idiom::kReduction),
                      row("column", 5, AccessKind::kRead, 4096, 4096, Idiom::kGather),
                      row("x", 5, AccessKind::kRead, 2048, 64, Idiom::kGather),
                      row("x", 5, AccessKind::kRead, 2048, 32, Idiom::kGather),
                      row("tile", 5, AccessKind::kRead, 512, 64, Idiom::kGather)};
  (*profile.accesses)[4].dataDependent = true;
  (*profile.accesses)[2].loopStride = 4;
  (*profile.accesses)[6].space = MemorySpace::kLocal;
  return profile;
}

} // namespace

TEST_CASE("idioms by loop: bytes are sums, footprints those of the arrays") {
  const KernelProfile profile = spmv();
  const std::vector<IdiomInstance> instances = idiomInstances(*profile.accesses);
  REQUIRE(instances.size() == 3);
  CHECK(instances[0].idiom == Idiom::kGather);
  CHECK(instances[0].loop == 5);
  CHECK(instances[0].arrays == std::vector<std::string>{"column", "tile", "x"});
  CHECK(instances[0].bytes == 4096 + 2 * 2048);
  CHECK(instances[0].localBytes == 512);
  CHECK(instances[0].footprint == 4096 + 64); // x once
  CHECK(instances[0].accesses.size() == 4);
  CHECK(instances[1].idiom == Idiom::kReduction);
  CHECK(instances[1].loop == 0);
  CHECK(instances[2].footprint == 4096);
}

TEST_CASE("the tables of idioms and accesses") {
  CHECK(idiomTable(spmv()) ==
        "  idiom      function  loop at line  bytes  local bytes  footprint  arrays\n"
        "  gather     spmv                 5  8 KiB        512 B  4.062 KiB  column, tile, x\n"
        "  reduction  spmv                 -   64 B          0 B       64 B  y\n"
        "  reduction  spmv                 5  4 KiB          0 B      4 KiB  value\n"
        "\n"
        "  line  loop  array   memory  kind   accesses  footprint  lane stride  loop stride  "
        "address  idiom\n"
        "     1     -  y       global  write        16       64 B            -            -  "
        "affine   reduction\n"
        "     1     -  alpha   global  read         16        4 B            -            -  "
        "affine   -\n"
        "     6     5  value   global  read      1,024      4 KiB            -            4  "
        "affine   reduction\n"
        "     6     5  column  global  read      1,024      4 KiB            -            -  "
        "affine   gather\n"
        "     6     5  x       global  read        512       64 B            -            -  "
        "data     gather\n"
        "     6     5  x       global  read        512       32 B            -            -  "
        "affine   gather\n"
        "     6     5  tile    local   read        128       64 B            -            -  "
        "affine   gather\n");
  KernelProfile profile;
  CHECK(idiomTable(profile) == "  idioms are not known: the profile is embedded or scaled\n");
  profile.accesses.emplace();
  CHECK(idiomTable(profile) == "  no accesses to global, constant or local memory\n");
  profile.accesses = {row("alpha\x1b", 0, AccessKind::kRead, 64, 4, std::nullopt)};
  CHECK_THAT(idiomTable(profile), Catch::Matchers::StartsWith("  no idioms\n\n") &&
                                      Catch::Matchers::Contains("alpha\\x1b"));
}

TEST_CASE("idioms have keys of their own, which are read again") {
  for (size_t i = 0; i < kIdiomCount; ++i) {
    const auto idiom = static_cast<Idiom>(i);
    CHECK(idiomOf(toString(idiom)) == idiom);
  }
  CHECK_FALSE(idiomOf("streams"));
  CHECK(accessKindOf("atomic") == AccessKind::kAtomic);
  CHECK(memorySpaceOf("local") == MemorySpace::kLocal);
}
