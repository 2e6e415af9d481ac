// Kernels that run while buffers are mapped stay compiled. What Oclgrind reports is what it reports
// without the plugin: for each access that touches a mapped region, in turn for each region, "write
// to mapped", or "read from mapped for writing" unless it is mapped for reading. Oclgrind takes the
// first bytes of the buffer for the region, whatever its offset, and an access that ends where the
// region begins for one of the region. apps/mapped.cpp has the commands.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::test;

namespace {

struct Errors {
  long reads = 0, writes = 0;
  bool operator==(const Errors &) const = default;
};

std::ostream &operator<<(std::ostream &stream, const Errors &errors) {
  return stream << errors.reads << " reads and " << errors.writes << " writes";
}

long timesIn(const std::string &what, const std::string &text) {
  long count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

Command underStockOclgrind(const Words &commands, const Folder &folder) {
  Command command{{"/usr/bin/oclgrind", application("mapped")},
                  {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}, {"OCLGRIND_NUM_THREADS", "1"}},
                  folder.path()};
  command.words.insert(command.words.end(), commands.begin(), commands.end());
  return command;
}

/// Runs the commands under the stock Oclgrind and under both engines, on `threads`. Requires of all
/// the same output, and of both engines the same counts of errors. Returns the compiled run.
Characterised sameAsBare(Words commands, const std::string &threads) {
  const Folder folder;
  const Outcome bare = run(underStockOclgrind(commands, folder));
  REQUIRE(bare.status == 0);
  commands.insert(commands.begin(), application("mapped"));
  const Characterised interpreted =
      characterise(commands, {"--aiwc-engine=interpreter"}).succeeded();
  Characterised compiled =
      characterise(commands, {"--aiwc-engine=auto", "--aiwc-threads=" + threads}).succeeded();
  for (const Characterised *run : {&interpreted, &std::as_const(compiled)}) {
    CHECK(run->outcome.out == bare.out);
    CHECK(run->outcome.err == bare.err);
  }
  REQUIRE(compiled.names() == interpreted.names());
  for (const std::string &name : compiled.names())
    CHECK(compiled[name].simulatorErrors == interpreted[name].simulatorErrors);
  return compiled;
}

Errors errorsOf(const Words &commands, const std::string &threads = "1") {
  const Characterised run = sameAsBare(commands, threads);
  CHECK(!run.profiles.empty());
  for (const std::string &name : run.names()) {
    INFO(name << ": " << run[name].provenance.engineReason);
    CHECK(run[name].provenance.engine == "compiled");
  }
  return {timesIn("Invalid read from buffer mapped for writing", run.outcome.err),
          timesIn("Invalid write to mapped buffer", run.outcome.err)};
}

} // namespace

TEST_CASE("A mapped buffer that no kernel touches changes nothing") {
  // Pinned staging memory: mapped from the beginning to the end, and launches of other buffers.
  const Words staging = {"map:b:rw:0:1024", "copy:a:a:40"};
  CHECK(errorsOf(staging) == Errors{0, 0});
}

TEST_CASE("Accesses of mapped bytes are reported, others are not") {
  CHECK(errorsOf({"map:a:r:0:64", "copy:a:b", "copy:b:a"}) == Errors{0, 16});
  CHECK(errorsOf({"map:a:w:0:64", "copy:a:b", "copy:b:a"}) == Errors{16, 16});
  CHECK(errorsOf({"map:a:i:0:1024", "copy:a:b"}) == Errors{256, 0});
  CHECK(errorsOf({"map:a:rw:0:62", "copy:a:a"}, "3") == Errors{16, 16});
  CHECK(errorsOf({"map:a:w:512:64", "copy:a:b"}) == Errors{16, 0}); // of the first 64 bytes
}

TEST_CASE("A mapped part of a buffer begins one access earlier") {
  // The integer before the region ends where the region begins.
  CHECK(errorsOf({"map:s:w:0:64", "copy:a:b", "copy:b:a"}) == Errors{17, 17});
  CHECK(errorsOf({"map:s:r:64:128", "copy:b:s"}) == Errors{0, 32});
}

TEST_CASE("An access is reported for each mapped region that it touches") {
  CHECK(errorsOf({"map:a:w:0:64", "map:b:w:0:32", "copy:a:b"}) == Errors{16, 8});
  CHECK(errorsOf({"map:b:w:0:32", "map:a:r:0:64", "map:a:w:0:128", "copy:a:a"}) ==
        Errors{32, 16 + 32});
  CHECK(errorsOf({"map:a:w:0:32", "map:s:w:0:64", "copy:a:b"}) == Errors{8 + 17, 0});
}

TEST_CASE("A region that is unmapped is not reported any more, one that is left behind is") {
  CHECK(errorsOf({"map:a:w:0:64", "unmap:a", "copy:a:a"}) == Errors{0, 0});
  CHECK(errorsOf({"map:a:w:0:64", "map:b:w:0:32", "unmap:b", "copy:a:b"}) == Errors{16, 0});
  CHECK(errorsOf({"map:a:w:0:64", "map:b:w:0:32", "unmap:a", "copy:a:b"}) == Errors{0, 8});
  // Both begin at the same place, and Oclgrind forgets the first of them.
  CHECK(errorsOf({"map:a:w:0:64", "map:a:w:0:8", "unmap:a", "copy:a:b"}) == Errors{2, 0});
  // The new buffer has the old one's address.
  CHECK(errorsOf({"map:b:w:0:64", "replace:b", "copy:b:a"}) == Errors{16, 0});
}

TEST_CASE("Errors of a launch that is rolled back are reported once") {
  const Characterised run = sameAsBare({"map:a:w:0:8", "stray:a:b"}, "3");
  CHECK(run["stray_0"].provenance.engine == "interpreter");
  CHECK_THAT(run["stray_0"].provenance.engineReason, Catch::Contains("misaligned"));
  CHECK(timesIn("Invalid read from buffer mapped for writing", run.outcome.err) == 8192 / 64);
  CHECK(timesIn("Invalid memory store", run.outcome.err) == 1);
}
