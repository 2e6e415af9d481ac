// With the installed Oclgrind, and plugins that report without recording.

#include "bench.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

class StockBench : public Bench {
public:
  StockBench() {
    environment["PATH"] = fs::path(AIWC_STOCK_OCLGRIND).parent_path().string() + ":/usr/bin:/bin";
  }
};

} // namespace

TEST_CASE("The installed Oclgrind answers through the launcher") {
  const StockBench bench;
  const Outcome stock = run({{AIWC_STOCK_OCLGRIND, "--version"}, {}, {}});
  const Outcome ours = bench.run({"--version"});
  CHECK(ours.status == 0);
  CHECK_THAT(ours.out, Catch::StartsWith(stock.out));
  CHECK_THAT(ours.out,
             Catch::EndsWith("aiwc " AIWC_VERSION " (for Oclgrind " AIWC_OCLGRIND_VERSION ")\n"));
  const Outcome refused = bench.run({"--no-such-option", "/bin/true"});
  CHECK(refused.status == run({{AIWC_STOCK_OCLGRIND, "--no-such-option"}, {}, {}}).status);
  CHECK_THAT(refused.err, Catch::Contains("--no-such-option"));
}

TEST_CASE("The installed Oclgrind loads the plugin into an application that uses OpenCL") {
  const StockBench bench;
  // The program that tries the plugin makes a context, so it is such an application.
  const Outcome outcome = bench.run({"--aiwc", AIWC_PLUGIN_CHECK});
  CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: nothing was characterised: the application "
                                            "created a context, but no kernel ran"));
  CHECK(outcome.status == 4);
}

TEST_CASE("An application that uses no OpenCL is told apart") {
  const StockBench bench;
  const Outcome outcome = bench.run({"--aiwc", "/bin/sh", "-c", "exit 11"});
  CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: nothing was characterised: the application "
                                            "created no context"));
  CHECK(outcome.status == 11);
}

TEST_CASE("What the installed Oclgrind cannot load is refused with the loader's reason") {
  StockBench bench;
  write(bench.file("text.so"), "no library");
  write(bench.file("log of Oclgrind"), "from the last run");
  bench.environment["OCLGRIND_LOG"] = bench.file("log of Oclgrind");
  struct Case {
    std::string plugin;
    std::string reason;
  };
  for (const Case &wrong :
       {Case{AIWC_FAKE_PLUGIN_UNDEFINED, "undefined symbol: nobodyDefinesThisFunction"},
        Case{bench.file("text.so"), "file too short"},
        Case{AIWC_FAKE_PLUGIN_VERSION,
             "has version 99.0.0, this launcher " AIWC_VERSION ": expected the same version"}}) {
    bench.environment["AIWC_PLUGIN"] = wrong.plugin;
    const Outcome outcome = bench.run({"--aiwc", "/usr/bin/touch", bench.file("application ran")});
    CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: the plugin '" + wrong.plugin + "' "));
    CHECK_THAT(outcome.err, Catch::EndsWith(wrong.reason + "\n"));
    CHECK(outcome.status == 3);
  }
  CHECK_FALSE(fs::exists(bench.file("application ran")));
  CHECK(contents(bench.file("log of Oclgrind")) == "from the last run");
}
