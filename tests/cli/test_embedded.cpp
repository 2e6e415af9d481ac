#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "support/ndrange.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::StartsWith;

namespace {

/// A source with two kernels, and profiles of them that predictions can be made from.
class AnnotatedWork {
public:
  AnnotatedWork() {
    const std::string source = "// two kernels\nkernel void a() {}\n\nkernel void b() {}\n";
    write(folder / "k.cl", source);
    writeProfile("a.json", "a", 64, source);
    writeProfile("b.json", "b", 64, source);
    writeProfile("b2.json", "b", 128, source);
  }
  Outcome run(const std::vector<std::string> &arguments) const {
    return runAiwc(arguments, {.folder = folder.path()});
  }
  /// What `--json` prints about two devices.
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--device-dir", AIWC_TEST_DEVICES});
    arguments.insert(arguments.end(),
                     {"--json", "--devices", "gtx1080,i7-6700k", "--transfers", "0"});
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.err.empty());
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.out);
  }
  std::string refused(const std::vector<std::string> &arguments) const {
    return refusal(arguments, {.folder = folder.path()});
  }
  TemporaryFolder folder;

private:
  void writeProfile(const std::string &file, const std::string &kernel, uint64_t items,
                    const std::string &source) const {
    Work work = factorisation();
    work.name = kernel;
    work.bytesRead += items; // so that no two are the same
    auto profile = kernelOf(work);
    setNdrange(profile, 1, {items, 1, 1}, {8, 1, 1});
    profile.provenance.sourceKind = "opencl-c";
    profile.provenance.sourceHash = aiwc::profile::sourceHash(source);
    profile.setCount("footprint_bytes"_metric, 1 << 16);
    write(folder / file, aiwc::profile::toJson(profile));
  }
};

} // namespace

TEST_CASE("predict and split take annotated kernels, beside profiles, and the launches asked for") {
  const AnnotatedWork work;
  CHECK(work.run({"annotate", "embed", "a.json", "b.json", "b2.json", "--into", "k.cl"}).status ==
        0);
  const auto kernels = [&](std::vector<std::string> files) {
    files.insert(files.begin(), "predict");
    return work.json(files).at("kernels");
  };
  CHECK(kernels({"k.cl"}).size() == 2);
  CHECK(kernels({"k.cl"})[1]["invocations"] == 2);
  const auto one = kernels({"k.cl", "--kernel", "b", "--global", "128", "--local", "8"});
  CHECK(one.size() == 1);
  CHECK(one == kernels({"b2.json"}));
  CHECK(one == kernels({"a.json", "b.json", "b2.json", "--global", "128"}));
  const auto mixed = kernels({"a.json", "k.cl", "--kernel", "a"});
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0]["invocations"] == 2);

  const auto splits = [&](std::vector<std::string> files) {
    files.insert(files.begin(), "split");
    auto result = work.json(files).at("splits");
    for (auto &split : result)
      split.erase("file"); // by which it was given
    return result;
  };
  CHECK(splits({"k.cl", "--kernel", "b", "--global", "64"}) == splits({"b.json"}));
  CHECK(splits({"k.cl"}).size() == 3);
}

TEST_CASE("an annotated kernel that has changed is a remark to predict, one without profiles no") {
  const AnnotatedWork work;
  const std::vector<std::string> predict = {"--device-dir", AIWC_TEST_DEVICES, "predict", "k.cl"};
  CHECK_THAT(work.refused(predict), StartsWith("k.cl: no profile is embedded in it: expected"));
  CHECK(work.run({"annotate", "embed", "a.json", "b.json", "--into", "k.cl"}).status == 0);
  const Outcome fresh = work.run(predict);
  CHECK(fresh.status == 0);
  CHECK(fresh.err.empty());
  auto none = predict;
  none.insert(none.end(), {"--kernel", "c"});
  CHECK(work.refused(none) == "no profile of kernel c in k.cl: expected one");
  none.back() = "a";
  none.insert(none.end(), {"--global", "64x"});
  CHECK_THAT(work.refused(none), StartsWith("aiwc predict: --global is '64x'"));

  const std::string annotated = contents(work.folder / "k.cl");
  write(work.folder / "k.cl", annotated + "// changed\n");
  const Outcome stale = work.run(predict);
  CHECK(stale.status == 0);
  CHECK_THAT(stale.err, StartsWith("k.cl: line 2: kernel a is stale: "));
  CHECK(stale.out == fresh.out);

  std::string damaged = annotated;
  damaged.replace(damaged.find("line_bytes=") + 11, 1, "7");
  write(work.folder / "k.cl", damaged);
  const Outcome rest = work.run(predict);
  CHECK(rest.status == 0);
  CHECK_THAT(rest.err, StartsWith("k.cl: line 2: check is "));
  auto onlyDamaged = predict;
  onlyDamaged.insert(onlyDamaged.end(), {"--kernel", "a"});
  CHECK_THAT(work.refused(onlyDamaged), StartsWith("k.cl: line 2: check is "));
  onlyDamaged.push_back("a.json"); // which has it
  CHECK(work.run(onlyDamaged).status == 0);
}

TEST_CASE("a launch that was not characterised is predicted from the nearest ones, with a remark") {
  const AnnotatedWork work;
  CHECK(work.run({"annotate", "embed", "a.json", "b.json", "b2.json", "--into", "k.cl"}).status ==
        0);
  for (const char *from : {"k.cl", "b.json"}) {
    const Outcome outcome = work.run({"--device-dir", AIWC_TEST_DEVICES, "predict", from, "--json",
                                      "--kernel", "b", "--global", "256", "--devices", "gtx1080"});
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, StartsWith(std::string(from) +
                                       ": kernel b was not characterised with global size 256: its "
                                       "profile is scaled from "));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(nlohmann::json::parse(outcome.out).at("kernels").size() == 1);
  }
}
