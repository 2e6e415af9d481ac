// `aiwc advise --tune` looks for better local sizes than the application's.

#include "plugin/characterise.h"
#include "profile/json.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// Work-items that are neighbours in dimension 0 copy neighbours.
constexpr const char *kCopy =
    "kernel void k(global const int *in, global int *out) {\n"
    "  const size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  out[at] = in[at] + 1;\n"
    "}\n"
    "kernel void met(global int *x) {\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  x[get_global_id(0)] = 1;\n"
    "}\n";

/// A run in the folder `out` that can be tuned.
class TunedRun {
public:
  TunedRun(const std::string &source, const std::string &kernel, const Words &words)
      : file_(source) {
    Words application = file_.enqueue(words);
    application[2] = kernel;
    command_ = launch(application, {"--aiwc-quiet"}, folder_);
    const Outcome outcome = aiwc::test::run(command_);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
  }
  Outcome advise(const Words &options) const {
    Command command = command_;
    command.words = {AIWC_TEST_COMMAND, "--device-dir", AIWC_TEST_DEVICES, "advise", out()};
    command.words.insert(command.words.end(), options.begin(), options.end());
    return aiwc::test::run(command);
  }
  json advised(const Words &options = {}) const {
    Words words = {"--tune", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = advise(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    for (const json &kernel : json::parse(outcome.out)) // the application may come first
      if (!kernel["kernel"].is_null())
        return kernel;
    FAIL("there is no kernel");
    return {};
  }
  fs::path out() const { return folder_ / "out"; }
  fs::path kernelFile() const { return file_.path(); }

private:
  KernelFile file_;
  Folder folder_;
  Command command_;
};

const Words kColumns = {"global=256,256", "local=1,64", "buffer=262144", "buffer=262144"};

json sizeOf(const json &kernel, const std::string &size) {
  for (const json &row : kernel["local_sizes"]["sizes"])
    if (row["local_size"] == size)
      return row;
  FAIL("there is no local size " << size);
  return {};
}

} // namespace

TEST_CASE("aiwc advise --tune finds the local size whose accesses are coalesced") {
  const TunedRun run(kCopy, "k", kColumns);
  const json kernel = run.advised({"--devices", "gtx1080"});
  INFO(kernel.dump(1));
  const auto seconds = [&](const char *size) {
    return sizeOf(kernel, size)["seconds"]["gtx1080"].get<double>();
  };
  CHECK(kernel["local_sizes"]["left_out"] == nullptr);
  REQUIRE(kernel["local_sizes"]["sizes"].size() == 9);
  CHECK(kernel["local_sizes"]["sizes"][0]["local_size"] == "1x64");
  CHECK(seconds("64x1") < seconds("1x64") / 1.05);
  // The finding says the same as the table.
  json found;
  for (const json &finding : kernel["findings"])
    if (finding["rule"] == "work-group-size")
      found = finding;
  REQUIRE(found.is_object());
  double best = seconds("1x64");
  for (const json &row : kernel["local_sizes"]["sizes"])
    best = std::min(best, row["seconds"]["gtx1080"].get<double>());
  CHECK(found["gains"][0]["at_most"].get<double>() == Approx(seconds("1x64") / best));

  // The times are those of a run that the application makes with that local size itself.
  const TunedRun rows(kCopy, "k",
                      {"global=256,256", "local=64,1", "buffer=262144", "buffer=262144"});
  const json there = rows.advised({"--devices", "gtx1080"});
  CHECK(there["local_sizes"]["sizes"][0]["seconds"]["gtx1080"].get<double>() ==
        Approx(seconds("64x1")));
  CHECK(sizeOf(there, "16x16") == sizeOf(kernel, "16x16"));

  // What is there is not run again.
  const Outcome text = run.advise({"--tune", "--devices", "gtx1080"});
  CHECK(text.err == "");
  CHECK_THAT(text.out, Contains("1x64 (now)") && Contains("best") &&
                           Contains("Launch it with the local size "));
  // The run itself is what it was.
  CHECK_THAT(run.advise({}).out, Contains("k: 1 launch of 256 x 256"));
}

TEST_CASE("aiwc advise --tune says that the application gives no local size") {
  const TunedRun run(kCopy, "k", {"global=256,256", "buffer=262144", "buffer=262144"});
  CHECK_THAT(run.advise({"--tune"}).out, Contains("256x1 (for NULL)") && !Contains("(now)"));
}

TEST_CASE("aiwc advise --tune leaves out what may depend on the local size") {
  const auto reason = [](const std::string &source, const std::string &kernel, const Words &words) {
    const TunedRun run(source, kernel, words);
    const json left = run.advised()["local_sizes"];
    CHECK(left["sizes"].empty());
    CHECK_FALSE(fs::exists(run.out() / "tune"));
    return left["left_out"].get<std::string>();
  };
  const Words row = {"global=64", "local=16", "buffer=256"};
  CHECK_THAT(reason(kCopy, "met", row), Contains("it has barriers"));
  CHECK_THAT(reason("kernel void k(global int *x) { x[get_local_id(0)] = 1; }", "k", row),
             Contains("its program uses get_local_id"));
  CHECK_THAT(reason("kernel void k(global int *x) { x[ID(0)] = 1; }", "k",
                    {"options=-DID=get_group_id", "global=64", "local=16", "buffer=256"}),
             Contains("its program uses get_group_id"));
  CHECK_THAT(reason("kernel void k(global int *x) {"
                    "  volatile local int a; a = 1; x[get_global_id(0)] = a; }",
                    "k", row),
             Contains("it uses local memory"));
  CHECK_THAT(reason("kernel void k(global int *x) { x[get_global_id(0)] = 1; }", "k",
                    {"global=48", "local=16", "buffer=256", "options=-w"}),
             Contains("no other of 32 to 512 work-items divides its global size"));
}

TEST_CASE("aiwc advise --tune refuses a size with which the application ends otherwise") {
  const TunedRun run(kCopy, "k", kColumns);
  fs::remove(run.kernelFile()); // now it fails before it launches anything
  const json kernel = run.advised();
  CHECK(kernel["local_sizes"]["sizes"].size() == 9);
  for (size_t i = 1; i < 9; ++i) {
    const json &size = kernel["local_sizes"]["sizes"][i];
    CHECK(size["seconds"] == nullptr);
    CHECK_THAT(size["refused"].get<std::string>(), Contains("launched no kernel"));
  }
  for (const json &finding : kernel["findings"])
    CHECK(finding["rule"] != "work-group-size");
}

TEST_CASE("aiwc advise --tune refuses another status, and what is no run that has ended") {
  const TunedRun run(kCopy, "k", kColumns);
  json file = json::parse(contents(run.out() / "run.json"));
  file["status"] = 3;
  write(run.out() / "run.json", file.dump());
  CHECK_THAT(sizeOf(run.advised(), "64x1")["refused"].get<std::string>(),
             Contains("the application ended with status 0 in place of 3"));
  fs::copy_file(run.out() / "run.json", run.out() / "run_2.json");
  CHECK_THAT(run.advise({"--tune"}).err, Contains("has 2 runs: --tune expects the folder of one"));
  CHECK(run.advise({"--tune"}).status == 2);
  CHECK_THAT(run.advise({"--tune", run.out() / "run.json"}).err,
             Contains("--tune expects one argument, the folder of a run"));
}
