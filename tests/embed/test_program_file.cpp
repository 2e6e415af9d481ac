/// Annotated copies of programs, as a run that characterises leaves them (`--aiwc-embed`).
#include "embed/file.h"
#include "embed/opencl_c.h"
#include "embed/program_file.h"
#include "embed/sidecar.h"
#include "profile/source_hash.h"
#include "support/files.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

using namespace aiwc::embed;
using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = "kernel void a() {}\nkernel void b() {}\n";

/// A folder with the file of `kProgram`, in which a with 64 work-items and b have an annotation.
class Programs {
public:
  Programs() {
    CHECK(add("a", 64));
    CHECK_FALSE(add("b", 64));
  }
  bool add(const std::string &kernel, uint64_t workItems) const {
    return addToProgramFile(folder_.path(), smallProfile(kernel, hash_, workItems), kProgram);
  }
  fs::path file() const { return programFile(folder_.path(), smallProfile("a", hash_).provenance); }
  /// "KERNEL WORK-ITEMS" of what the file holds; all of it has to be whole and of `kProgram`.
  std::vector<std::string> launches() const {
    const std::string text = contents(file());
    CHECK(strip(text) == kProgram);
    const Annotations annotations = readAnnotations(text);
    CHECK(annotations.rejected == 0);
    std::vector<std::string> result;
    for (const Annotation &annotation : annotations.found) {
      CHECK(annotation.rewritable());
      result.push_back(annotation.launch.kernel + " " +
                       sizeText(annotation.launch.globalSize, annotation.launch.workDim));
    }
    return result;
  }

private:
  TemporaryFolder folder_;
  std::string hash_ = aiwc::profile::sourceHash(kProgram);
};

using Launches = std::vector<std::string>;

} // namespace

TEST_CASE("a program's file gets more with every launch, and one of each stays") {
  const Programs programs;
  CHECK(programs.launches() == Launches{"a 64", "b 64"});
  CHECK_FALSE(programs.add("a", 128));
  CHECK_FALSE(programs.add("a", 64));
  CHECK(programs.launches() == Launches{"a 64", "a 128", "b 64"});
}

TEST_CASE("a damaged annotation of a program's file is not written again") {
  const Programs programs;
  std::string text = contents(programs.file());
  text.replace(text.find("fp_ops=128"), 10, "fp_ops=129"); // that of a
  write(programs.file(), text);
  SECTION("where another launch is added") {
    CHECK_FALSE(programs.add("b", 128));
    CHECK(programs.launches() == Launches{"b 64", "b 128"});
  }
  SECTION("where its own launch is characterised again") {
    CHECK_FALSE(programs.add("a", 64));
    CHECK(programs.launches() == Launches{"a 64", "b 64"});
  }
}

TEST_CASE("an annotation beside a program's file cannot break those in it") {
  const Programs programs;
  Annotation foreign = annotationOf(smallProfile("c", aiwc::profile::sourceHash(kProgram)));
  foreign.text += "\nbegin 1"; // which the file would take for the begin of another
  write(sidecarOf(programs.file()),
        writeSidecar(std::vector{foreign}, aiwc::profile::sourceHash(kProgram)));
  REQUIRE(annotationsOf(programs.file()).found.size() == 3);
  CHECK_FALSE(programs.add("a", 128));
  CHECK(programs.launches() == Launches{"a 64", "a 128", "b 64"});
}

TEST_CASE("a stale annotation of a program's file is not written again") {
  const Programs programs;
  // As `aiwc annotate embed --force` leaves it.
  write(programs.file(), embed(contents(programs.file()),
                               std::vector{annotationOf(smallProfile("a", "xxh3-128:0"))}));
  CHECK_FALSE(programs.add("b", 64));
  CHECK(programs.launches() == Launches{"b 64"});
  write(programs.file(), embed(contents(programs.file()),
                               std::vector{annotationOf(smallProfile("a", "xxh3-128:0", 640))}));
  CHECK_FALSE(programs.add("a", 640)); // its own launch, whatever that says of its work
  CHECK(programs.launches() == Launches{"a 640"});
}
