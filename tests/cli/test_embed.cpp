#include "process.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "support/ndrange.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kSource = "// two kernels\nkernel void a() {}\n\nkernel void b() {}\n";

/// A profile of a kernel of `source`.
KernelProfile profileOf(const std::string &kernel, uint64_t items,
                        const std::string &source = kSource) {
  KernelProfile profile = sample(kernel);
  profile.complete = true;
  profile.reason.clear();
  setNdrange(profile, 1, {items, 1, 1}, {8, 1, 1});
  profile.provenance.sourceKind = "opencl-c";
  profile.provenance.sourceHash = sourceHash(source);
  profile.setCount("barriers_hit"_metric, items);
  return profile;
}

class Work {
public:
  Work() {
    write(folder / "k.cl", kSource);
    write(folder / "a.json", toJson(profileOf("a", 64)));
    write(folder / "b.json", toJson(profileOf("b", 64)));
    write(folder / "b2.json", toJson(profileOf("b", 128)));
  }
  Outcome run(const std::vector<std::string> &arguments) const {
    return runAiwc(arguments, {.folder = folder.path()});
  }
  std::string refused(const std::vector<std::string> &arguments) const {
    return refusal(arguments, {.folder = folder.path()});
  }
  TemporaryFolder folder;
};

} // namespace

TEST_CASE("embed, look up, strip: what a user does") {
  const Work work;
  REQUIRE(chmod((work.folder / "k.cl").c_str(), 0600) == 0);
  Outcome outcome =
      work.run({"annotate", "embed", "a.json", "b.json", "b2.json", "--into", "k.cl"});
  CHECK(outcome.status == 0);
  CHECK((outcome.out.empty() && outcome.err.empty()));
  struct stat status {};
  REQUIRE(stat((work.folder / "k.cl").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  const std::string annotated = contents(work.folder / "k.cl");

  outcome = work.run(
      {"annotate", "lookup", "k.cl", "--kernel", "b", "--global", "128", "--local", "8", "--json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json.size() == 1);
  CHECK(json[0]["provenance"]["kernel"] == "b");
  CHECK(json[0]["provenance"]["global_size"][0] == 128);
  outcome = work.run({"annotate", "lookup", "k.cl"});
  CHECK_THAT(outcome.out, StartsWith("k.cl: line 2\na, invocation 0: 64 work-items"));
  CHECK_THAT(outcome.out, Contains("b, invocation 0: 128 work-items"));
  CHECK(work.run({"annotate", "embed", "b.json", "--into", "k.cl"}).status == 0);
  CHECK(contents(work.folder / "k.cl") == annotated);

  CHECK(work.run({"annotate", "strip", "k.cl", "-o", "-"}).out == kSource);
  CHECK(contents(work.folder / "k.cl") == annotated);
  CHECK(work.run({"annotate", "strip", "k.cl"}).status == 0);
  CHECK(contents(work.folder / "k.cl") == kSource);
}

TEST_CASE("what is not there, or stale, is said; --strict makes it a failure") {
  const Work work;
  REQUIRE(work.run({"annotate", "embed", "a.json", "--into", "k.cl", "-o", "n.cl"}).status == 0);
  CHECK(contents(work.folder / "k.cl") == kSource);
  for (const std::vector<std::string> &arguments :
       {std::vector<std::string>{"annotate", "lookup", "k.cl"},
        {"annotate", "lookup", "n.cl", "--kernel", "b"},
        {"annotate", "lookup", "n.cl", "--global", "65"},
        {"annotate", "lookup", "n.cl", "--local", "8x8"}}) {
    const Outcome outcome = work.run(arguments);
    CHECK(outcome.status == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("no profile is embedded"));
  }
  write(work.folder / "n.cl", contents(work.folder / "n.cl") + "// changed\n");
  Outcome outcome = work.run({"annotate", "lookup", "n.cl"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.err, StartsWith("n.cl: line 2: kernel a is stale: "));
  CHECK_THAT(outcome.out, Contains("a, invocation 0"));
  outcome = work.run({"annotate", "lookup", "n.cl", "--strict"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("is stale"));
}

TEST_CASE("embedding refuses what does not belong, and writes nothing") {
  const Work work;
  write(work.folder / "other.json", toJson(profileOf("a", 64, "another source")));
  CHECK_THAT(work.refused({"annotate", "embed", "a.json", "other.json", "--into", "k.cl"}),
             StartsWith("other.json: provenance.source_hash is xxh3-128:") && Contains("--force"));
  KernelProfile part = profileOf("a", 64);
  part.complete = false;
  part.reason = "stopped";
  write(work.folder / "part.json", toJson(part));
  CHECK(work.refused({"annotate", "embed", "part.json", "--into", "k.cl"}) ==
        "part.json: kernel a: complete is false (stopped): expected a profile of a whole "
        "invocation");
  CHECK_THAT(work.refused({"annotate", "embed", "a.json", "--into", "none.cl"}),
             StartsWith("none.cl: cannot be read"));
  CHECK_THAT(work.refused({"annotate", "lookup", "k.cl", "--global", "64x"}),
             Contains("--global is '64x'"));
  CHECK(contents(work.folder / "k.cl") == kSource);
  CHECK(work.run({"annotate", "embed", "other.json", "--into", "k.cl", "--force"}).status == 0);
  CHECK_THAT(work.run({"annotate", "lookup", "k.cl"}).err, Contains("is stale"));
}

TEST_CASE("a sidecar leaves the file alone") {
  const Work work;
  CHECK(work.run({"annotate", "embed", "a.json", "b.json", "--into", "k.cl", "--sidecar"}).status ==
        0);
  CHECK(contents(work.folder / "k.cl") == kSource);
  CHECK_THAT(work.run({"annotate", "lookup", "k.cl", "--strict", "--kernel", "b"}).out,
             StartsWith("k.cl.aiwc.json: profiles[1]\nb, invocation 0"));
}

TEST_CASE("LLVM IR as text cannot carry profiles, and says what can") {
  const Work work;
  write(work.folder / "k.ll", "define spir_kernel void @a() {\n  ret void\n}\n");
  CHECK(work.refused({"annotate", "embed", "a.json", "--into", "k.ll"}) ==
        "k.ll: is LLVM IR as text: expected bitcode, which llvm-as makes of it; a sidecar "
        "(--sidecar) works with any file");
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.ll", "--sidecar"}).status == 0);
  CHECK(work.run({"annotate", "lookup", "k.ll", "--strict"}).status == 0);
}

TEST_CASE("SPIR-V 1.0 cannot carry profiles, and says what can") {
  const Work work;
  write(work.folder / "k.spv", std::string("\x03\x02\x23\x07\0\0\1\0", 8) + std::string(12, '\0'));
  CHECK_THAT(work.refused({"annotate", "embed", "a.json", "--into", "k.spv"}),
             StartsWith("k.spv: SPIR-V 1.0: expected 1.1") && Contains("--sidecar"));
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.spv", "--sidecar"}).status == 0);
  CHECK(work.run({"annotate", "lookup", "k.spv", "--strict"}).status == 0);
}

TEST_CASE("what can carry nothing has a sidecar, also where LLVM refuses it or is missing") {
  const Work work;
  write(work.folder / "k.bin", std::string("\x7f"
                                           "ELF\0",
                                           5));
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.bin"}).status == 0);
  CHECK(work.run({"annotate", "lookup", "k.bin", "--strict"}).status == 0);
  CHECK_THAT(work.refused({"annotate", "strip", "k.bin"}), StartsWith("k.bin: is not OpenCL C"));

  const std::string garbage = std::string("BC\xc0\xde\0", 5);
  write(work.folder / "k.bc", garbage);
  CHECK_THAT(work.refused({"annotate", "embed", "a.json", "--into", "k.bc"}), StartsWith("k.bc: "));
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.bc", "--sidecar"}).status == 0);
  CHECK(work.run({"annotate", "lookup", "k.bc", "--strict"}).status == 0);

  REQUIRE(setenv("AIWC_BITCODE", "/none/aiwc_bitcode.so", 1) == 0);
  CHECK_THAT(work.refused({"annotate", "embed", "a.json", "--into", "k.bc"}),
             StartsWith("k.bc: /none/aiwc_bitcode.so: cannot be opened: "));
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.bc", "--sidecar"}).status == 0);
  CHECK(work.run({"annotate", "lookup", "k.bc", "--strict"}).status == 0); // which takes no LLVM
  write(work.folder / "k.bc", garbage + "aiwc.metrics 1");
  const Outcome outcome = work.run({"annotate", "lookup", "k.bc"});
  CHECK(outcome.status == 0); // by the sidecar
  CHECK_THAT(outcome.err, Contains("k.bc: byte 5: an annotation is not complete"));
  CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.cl"}).status == 0);
  unsetenv("AIWC_BITCODE");
}

TEST_CASE("bitcode on which LLVM crashes is refused in one line, and the file stays as it is") {
  const Work work;
  REQUIRE(setenv("AIWC_BITCODE", AIWC_TEST_CRASHING_BITCODE, 1) == 0);
  const std::pair<std::string, std::string> cases[] = {
      {"s", "k.bc: LLVM crashes on it (Segmentation fault): expected bitcode that LLVM accepts"},
      {"a", "k.bc: LLVM crashes on it (Aborted): Invalid abbrev number: expected bitcode that LLVM "
            "accepts"},
      {"x", "k.bc: LLVM ends with status 7 on it: expected bitcode that LLVM accepts"}};
  for (const auto &[how, message] : cases) {
    const std::string hostile = "BC\xc0\xde" + how + " aiwc.metrics 1 ";
    write(work.folder / "k.bc", hostile);
    CHECK_THAT(work.refused({"annotate", "strip", "k.bc"}), StartsWith(message));
    CHECK_THAT(work.refused({"annotate", "embed", "a.json", "--into", "k.bc"}),
               StartsWith(message));
    CHECK(contents(work.folder / "k.bc") == hostile);
    // A sidecar goes with anything.
    CHECK(work.run({"annotate", "embed", "a.json", "--into", "k.bc", "--sidecar"}).status == 0);
  }
  unsetenv("AIWC_BITCODE");
}

TEST_CASE("a launch that was not characterised is scaled, and said to be") {
  const Work work;
  REQUIRE(work.run({"annotate", "embed", "b.json", "b2.json", "--into", "k.cl"}).status == 0);
  const std::vector<std::string> other = {"annotate", "lookup", "k.cl",    "--kernel", "b",
                                          "--global", "512",    "--local", "8"};
  const auto with = [&](const char *option) {
    std::vector<std::string> arguments = other;
    arguments.emplace_back(option);
    return work.run(arguments);
  };
  Outcome outcome = work.run(other);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("k.cl\nb, invocation 0: 512 work-items in groups of 8\n"
                                     "  SCALED from 128/8 64/8, not measured.\n"));
  CHECK_THAT(outcome.out, Contains("Scaled to 4 times the work-items of 128 in groups of 8, by the "
                                   "power law through it and 64 in groups of 8.\n"));
  CHECK_THAT(outcome.out, Contains("in nine of ten."));

  outcome = with("--json");
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out).at(0);
  CHECK(json["provenance"]["scaled_from"] == "128/8 64/8");
  CHECK(json["provenance"]["global_size"][0] == 512);
  CHECK(json["metrics"]["work_items"] == 512);
  CHECK(json["scaling"]["work_item_ratio"] == 4);
  CHECK(json["scaling"]["from"][1]["global_size"][0] == 64);
  CHECK(json["scaling"]["error_factor_median"].get<double>() >= 1);
  CHECK(json["scaling"]["origins"]["work_items"] == "launch");
  CHECK(fromJson(json.dump(), "scaled").provenance.scaledFrom == "128/8 64/8");
  write(work.folder / "scaled.json", json.dump());
  CHECK_THAT(work.refused({"annotate", "embed", "scaled.json", "--into", "k.cl"}),
             Contains("scaled_from is 128/8 64/8: expected a profile that was measured"));

  const Outcome exact =
      work.run({"annotate", "lookup", "k.cl", "--kernel", "b", "--global", "128", "--json"});
  CHECK(exact.status == 0);
  CHECK_FALSE(nlohmann::json::parse(exact.out).at(0).contains("scaling"));
  CHECK_THAT(
      work.run({"annotate", "lookup", "k.cl", "--kernel", "b", "--global", "128", "--local", "16"})
          .out,
      Contains(
          "No profile has this local size, so these metrics are assumptions: barriers_hit.\n"));
  CHECK(work.refused(
            {"annotate", "lookup", "k.cl", "--kernel", "b", "--global", "9223372036854775808"}) ==
        "kernel b: global size is 9223372036854775808: expected fewer than 2^63 work-items");
  CHECK(work.refused({"annotate", "lookup", "k.cl", "--kernel", "b", "--global", "0"}) ==
        "kernel b: global size is 0: expected at least one work-item");
  CHECK(work.run({"annotate", "lookup", "k.cl", "--kernel", "a", "--global", "512"}).status == 1);
}
