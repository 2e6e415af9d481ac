// `--aiwc-embed`: the programs that ran lie beside the profiles and carry them.

#include "embed/file.h"
#include "embed/opencl_c.h"
#include "plugin/characterise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <set>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::embed::Annotation;
using aiwc::embed::Annotations;
using aiwc::profile::KernelProfile;

namespace {

/// A run with `--aiwc-embed` and what it left behind.
class Embedded {
public:
  explicit Embedded(const Words &application, Words options = {}) {
    options.insert(options.begin(), {"--aiwc-quiet", "--aiwc-embed"});
    again(application, options);
  }
  void again(const Words &application,
             const Words &options = {"--aiwc-quiet", "--aiwc-embed", "--aiwc-append"}) {
    outcome = run(launch(application, options, folder));
    profiles = readProfiles(output());
  }
  const Embedded &succeeded() const {
    INFO(outcome.err);
    REQUIRE(outcome.signal == 0);
    REQUIRE(outcome.status == 0);
    return *this;
  }
  fs::path output() const { return folder / "out"; }
  /// The annotated programs, sidecars apart; besides the run, nothing else may lie there.
  std::vector<fs::path> programs() const {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(output())) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("aiwc_") && !name.ends_with(".aiwc.json") &&
          !name.starts_with("source_") && !name.starts_with("run"))
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  fs::path program() const {
    const auto files = programs();
    REQUIRE(files.size() == 1);
    return files.front();
  }

  Folder folder;
  Outcome outcome;
  std::map<std::string, StoredProfile> profiles;
};

/// None of them stale or damaged.
Annotations annotationsOf(const fs::path &program) {
  Annotations annotations = aiwc::embed::annotationsOf(program);
  INFO(program);
  CHECK(annotations.rejected == 0);
  for (const Annotation &annotation : annotations.found)
    CHECK(!annotation.stale);
  return annotations;
}

/// The words of a compact form, with a space behind each.
std::string wordsOf(const std::string &text) {
  std::istringstream stream(text);
  std::string words;
  for (std::string word; stream >> word;)
    words += word + ' ';
  return words;
}

/// Whether the profile is what `annotation` holds: containers differ in the space between words.
bool holds(const Annotation &annotation, const KernelProfile &profile) {
  return wordsOf(annotation.text) == wordsOf(aiwc::embed::annotationOf(profile).text);
}

bool knowsHostReads(const KernelProfile &profile) {
  return !std::holds_alternative<std::monostate>(profile["device_to_host_bytes"_metric]);
}

} // namespace

TEST_CASE("Each program lies beside the profiles, with those of its kernels and no others") {
  const Embedded run({application("several"), "programs"});
  run.succeeded();
  CHECK(run.outcome.err == "");
  const auto programs = run.programs();
  REQUIRE(programs.size() == 2);
  std::set<std::string> found;
  for (const fs::path &program : programs) {
    CHECK(program.extension() == ".cl");
    const std::string text = contents(program);
    for (const Annotation &annotation : annotationsOf(program).found)
      for (const auto &[name, stored] : run.profiles)
        if (holds(annotation, stored.profile)) {
          found.insert(name);
          CHECK(stored.profile.provenance.sourceHash == aiwc::embed::bareHash(text));
        }
    // The application's own source is what is left without them.
    const std::string bare = aiwc::embed::strip(text);
    CHECK(bare.starts_with("\n  kernel void fill(global int *x) {"));
    CHECK(bare.size() < text.size());
  }
  // Five launches, no two alike.
  CHECK(found == std::set<std::string>{"fill_0", "fill_1", "fill_2", "square_0", "twice_0"});
}

TEST_CASE("Without the option there is no program") {
  const Folder folder;
  REQUIRE(run(launch({application("several"), "programs"}, {"--aiwc-quiet"}, folder)).status == 0);
  for (const auto &entry : fs::directory_iterator(folder / "out"))
    CHECK_FALSE(entry.path().filename().string().starts_with("kernels_"));
}

TEST_CASE("Where the programs are is said, once for each") {
  Folder folder;
  const Outcome outcome = run(launch({application("endings"), "plain"}, {"--aiwc-embed"}, folder));
  REQUIRE(outcome.status == 0);
  const std::string text = "aiwc: profiles are embedded in " + (folder / "out/kernels_").string();
  const size_t first = outcome.err.find(text);
  REQUIRE(first != std::string::npos);
  CHECK(outcome.err.find(text, first + 1) == std::string::npos);
}

TEST_CASE("A program that is built twice, and two contexts with one source, share a file") {
  const Embedded run({application("several"), GENERATE("rebuilt", "contexts", "in-order")});
  run.succeeded();
  std::set<uint64_t> sizes;
  for (const auto &[name, stored] : run.profiles)
    sizes.insert(stored.profile.provenance.globalSize[0]);
  const Annotations annotations = annotationsOf(run.program());
  CHECK(annotations.found.size() == sizes.size());
  // Of equal launches the first: the options are those that it was built with.
  CHECK(annotations.found[0].profile().provenance.buildOptions == "-DVALUE=1");
}

TEST_CASE("Of the launches of one NDRange the one with the most instructions is embedded") {
  const KernelFile file("kernel void k(global int *x) {\n"
                        "  for (int i = 0; i <= x[0] && i < 3; ++i) x[1] += 1;\n"
                        "  x[0] = (x[0] + 1) % 3;\n}\n"); // three launches, the last does most
  const Embedded run(file.enqueue({"global=1", "times=4", "buffer=64"}));
  run.succeeded();
  REQUIRE(run.profiles.size() == 4);
  const auto annotations = annotationsOf(run.program());
  REQUIRE(annotations.found.size() == 1);
  CHECK(holds(annotations.found[0], run.profiles.at("k_2").profile));
  CHECK(aiwc::embed::strip(contents(run.program())) == contents(file.path()));
}

TEST_CASE("The host's reads are in the file, unless the application ends without warning") {
  const auto [mode, signal, known] =
      GENERATE(table<std::string, int, bool>({{"leak", 0, true},
                                              {"fork-reads-later", 0, true},
                                              {"_exit", 0, false},
                                              {"kill", SIGKILL, false}}));
  // One launch alone: a second one would tell of the first.
  const Embedded run({application("endings"), mode}, {"--aiwc-invocations", "2"});
  INFO(mode << ": " << run.outcome.err);
  CHECK(run.outcome.signal == signal);
  const auto annotations = annotationsOf(run.program());
  REQUIRE(annotations.found.size() == 1);
  CHECK(holds(annotations.found[0], run.profiles.at("count_0").profile));
  CHECK(knowsHostReads(annotations.found[0].profile()) == known);
}

TEST_CASE("An application killed while a kernel runs leaves those before it") {
  const Embedded run({application("endings"), "kill-during"});
  CHECK(run.outcome.signal == SIGKILL);
  const auto annotations = annotationsOf(run.program());
  REQUIRE(annotations.found.size() == 1);
  CHECK(annotations.found[0].launch.kernel == "count");
}

TEST_CASE("Processes at once add to one file, whatever each of them runs") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }\n");
  std::string script;
  Words words = {"/bin/sh", "-c", ""};
  for (const size_t items : {8, 16, 24, 32, 40, 48})
    script += "\"$0\" \"$1\" k global=" + std::to_string(items) + " buffer=256 & ";
  words[2] = script + "wait";
  words.insert(words.end(), {application("enqueue"), file.path()});
  const Embedded run(words);
  run.succeeded();
  CHECK(run.profiles.size() == 6);
  const auto annotations = annotationsOf(run.program());
  REQUIRE(annotations.found.size() == 6);
  for (size_t i = 0; i < 6; ++i) {
    CHECK(annotations.found[i].launch.globalSize[0] == 8 * (i + 1));
    CHECK(std::any_of(run.profiles.begin(), run.profiles.end(), [&](const auto &entry) {
      return holds(annotations.found[i], entry.second.profile);
    }));
  }
}

TEST_CASE("A later run adds to the file, and an annotated source keeps what it has") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }\n");
  Embedded run(file.enqueue({"global=8", "buffer=256"}));
  run.succeeded();
  run.again(file.enqueue({"global=16", "buffer=256"}));
  const std::string both = contents(run.succeeded().program());
  CHECK(annotationsOf(run.program()).found.size() == 2);
  run.again(file.enqueue({"global=16", "buffer=256"}));
  CHECK(contents(run.succeeded().program()) == both);

  const KernelFile annotated(both);
  const Embedded other(annotated.enqueue({"global=24", "buffer=256"}));
  other.succeeded();
  CHECK(other.program().filename() == run.program().filename());
  CHECK(annotationsOf(other.program()).found.size() == 3);
}

TEST_CASE("A file there that is of another source stays as it is, and that is said") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }\n");
  Embedded run(file.enqueue({"global=8", "buffer=256"}));
  const fs::path program = run.succeeded().program();
  const std::string edited = contents(program) + "// edited\n";
  write(program, edited);
  run.again(file.enqueue({"global=16", "buffer=256"}));
  CHECK(run.outcome.status == 3);
  CHECK(run.outcome.err.find(program.filename().string() + ": has the source xxh3-128:") !=
        std::string::npos);
  CHECK(contents(program) == edited);
  CHECK(run.profiles.size() == 2);
}

TEST_CASE("A program built from a binary lies there as bitcode that builds, with its profiles") {
  const Embedded run({application("several"), "reloaded"});
  run.succeeded();
  const fs::path program = run.program();
  CHECK(program.extension() == ".bc");
  const auto annotations = annotationsOf(program);
  REQUIRE(annotations.found.size() == 2);
  CHECK(holds(annotations.found[0], run.profiles.at("fill_0").profile));
  CHECK(holds(annotations.found[1], run.profiles.at("twice_0").profile));
  const Characterised again =
      characterise({application("enqueue"), program, "twice", "bitcode", "global=8", "counters=8"});
  CHECK(again.succeeded().outcome.out == "0 2 4 6 8 10 12 14 \n");
  CHECK(again["twice_0"].count("total_instruction_count"_metric) ==
        run.profiles.at("twice_0").profile.count("total_instruction_count"_metric));
}

TEST_CASE("What the simulator aborted is not embedded") {
  const KernelFile file("kernel void k(global int *x) { x[0] = 1; __builtin_trap(); }\n");
  const Embedded run(file.enqueue({"global=1", "buffer=4"}));
  run.succeeded();
  REQUIRE(run.profiles.size() == 1);
  CHECK(!run.profiles.at("k_0").profile.complete);
  CHECK(run.programs().empty());
}
