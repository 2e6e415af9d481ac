// The launcher's options as they act on real kernels: two programs of apps/several.cpp launch fill,
// fill, twice, square and fill.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

Words names(const Words &options) {
  return characterise({application("several"), "programs"}, options).succeeded().names();
}

} // namespace

TEST_CASE("--aiwc-kernel characterises the kernels of these names or patterns") {
  CHECK(names({"--aiwc-kernel", "fill"}) == Words{"fill_0", "fill_1", "fill_2"});
  CHECK(names({"--aiwc-kernel=twice,squ*"}) == Words{"square_0", "twice_0"});
  CHECK(names({"--aiwc-kernel", "?ill"}) == Words{"fill_0", "fill_1", "fill_2"});
}

TEST_CASE("--aiwc-invocations characterises these invocations of each kernel") {
  const Characterised run =
      characterise({application("several"), "programs"}, {"--aiwc-invocations", "1-2"}).succeeded();
  // Files are numbered as they are written, invocations as they are launched.
  CHECK(run.names() == Words{"fill_0", "fill_1"});
  CHECK(run["fill_0"].provenance.invocation == 1);
  CHECK(run["fill_1"].provenance.invocation == 2);
  expect(run["fill_0"], {{"work_items", 16}});
  expect(run["fill_1"], {{"work_items", 32}});
  CHECK(names({"--aiwc-invocations", "0"}) == Words{"fill_0", "square_0", "twice_0"});
  CHECK(names({"--aiwc-invocations=2-", "--aiwc-kernel=fill"}) == Words{"fill_0"});
}

TEST_CASE("--aiwc-sample-groups characterises so many work-groups of each launch, and runs all") {
  const Words programs = {application("several"), "programs"};
  const Characterised all = characterise(programs).succeeded();
  const Characterised run = characterise(programs, {"--aiwc-sample-groups=9"}).succeeded();
  CHECK(run.names() == all.names());
  // Of 8 groups, all: the same bytes.
  CHECK(run.profiles.at("fill_0").json == all.profiles.at("fill_0").json);
  for (const auto &[name, groups] : {std::pair{"fill_1", 16U}, {"fill_2", 32U}}) {
    INFO(name);
    CHECK(run[name].provenance.sampledGroups == 9);
    CHECK(run[name].provenance.totalGroups == groups);
    // Every group does the same.
    for (const auto metric :
         {"total_instruction_count"_metric, "work_items"_metric, "bytes_written_global"_metric,
          "host_to_device_bytes"_metric, "device_to_host_bytes"_metric})
      CHECK(run[name][metric] == all[name][metric]);
    // But of nine equal groups, three in nine of the others may be different (95 %).
    CHECK(run[name].standardError("total_instruction_count"_metric) ==
          Approx(run[name].real("total_instruction_count"_metric) * (1 - 9.0 / groups) / 3 / 2));
  }
}

TEST_CASE("Transfers between invocations that are not characterised are not moved to others") {
  // Kernels 0, 1 and 2; only 1 is characterised: its own write and read alone.
  const Characterised run =
      characterise({application("transfers"), "write", "kernel", "read", "write-rectangle",
                    "kernel", "read-rectangle", "write", "kernel", "read", "read"},
                   {"--aiwc-invocations", "1"})
          .succeeded();
  expect(run["touch_0"], {{"host_to_device_bytes", 48},
                          {"host_to_device_transfers", 1},
                          {"device_to_host_bytes", 48},
                          {"device_to_host_transfers", 1}});
}

TEST_CASE("A selection that nothing meets says so") {
  const Characterised run =
      characterise({application("several"), "programs"}, {"--aiwc-kernel", "nothing"}, false);
  CHECK(run.outcome.status == 4);
  CHECK(run.profiles.empty());
  CHECK_THAT(run.outcome.err, Catch::StartsWith("aiwc: nothing was characterised: ") &&
                                  Catch::Contains("fill, twice, square\n"));
}

TEST_CASE("With --aiwc-verbose the metrics of each launch are on stderr, and none on stdout") {
  const Characterised run =
      characterise({application("several"), "programs"}, {"--aiwc-verbose"}, false);
  CHECK(run.succeeded().outcome.out == "");
  for (const char *line :
       {"fill, invocation 0: 8 work-items in groups of 1\n",
        "fill, invocation 1: 16 work-items in groups of 1\n",
        "twice, invocation 0: 8 work-items in groups of 1\n",
        "square, invocation 0: 8 work-items in groups of 1\n",
        "fill, invocation 2: 32 work-items in groups of 1\n", "Total Instruction Count"})
    CHECK_THAT(run.outcome.err, Catch::Contains(line));
  // Progress is for terminals.
  CHECK_THAT(run.outcome.err, !Catch::Contains("\r"));
}

TEST_CASE("--aiwc-quiet leaves stderr to the application") {
  const Characterised run = characterise({application("several"), "programs"});
  CHECK(run.succeeded().outcome.err == "");
  CHECK(run.outcome.out == "");
  CHECK(run.profiles.size() == 5);
}

TEST_CASE("--aiwc-verbose tells what is interpreted and compiled, also with --aiwc-quiet") {
  const auto told = [](const Words &options) {
    // A kernel with a misaligned write is left to the interpreter, which complains.
    const Characterised run = characterise({application("mapped"), "stray:a:b"}, options);
    std::istringstream lines(run.succeeded().outcome.err);
    std::string ours;
    for (std::string line; std::getline(lines, line);)
      ours += line.starts_with("aiwc: ") ? line + "\n" : "";
    return ours;
  };
  const std::string remark = "aiwc: kernel 'stray' is interpreted: in this or an earlier launch an "
                             "access was misaligned, or outside of private memory or of the buffer "
                             "that its address was computed from\n";
  CHECK(told({}) == "");
  CHECK(told({"--aiwc-engine=compiled"}) == "");
  CHECK(told({"--aiwc-verbose"}) == remark + "aiwc: machine code: 1 compiled, 0 from the cache\n");
  CHECK(told({"--aiwc-verbose", "--aiwc-engine=interpreter"}) == "");
}

TEST_CASE("Oclgrind's own plugins work beside ours") {
  const Characterised run = characterise({application("several"), "programs"},
                                         {"--inst-counts", "--data-races", "--uninitialized"});
  CHECK(run.succeeded().profiles.size() == 5);
  CHECK_THAT(run.outcome.out, Catch::Contains("Instructions executed for kernel 'square'"));
}
