#include "common/file.h"
#include "embed/comment_blocks.h"
#include "embed/opencl_c.h"
#include "embed/place.h"
#include "profile/source_hash.h"
#include "support/plausible.h"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

/// Without kernels/device_measurement, which is built into aiwc and whose kernels macros make.
std::vector<fs::path> suiteSources() {
  std::vector<fs::path> files;
  for (const char *folder : {"benchmarks/eod", "kernels"})
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(AIWC_TEST_SOURCES) / folder))
      if (entry.path().extension() == ".cl" &&
          entry.path().parent_path().filename() != "device_measurement")
        files.push_back(entry.path());
  return files;
}

std::string annotated(const std::string &source) {
  std::vector<Annotation> annotations;
  for (const auto &[kernel, place] : kernelPlaces(source))
    for (const uint64_t items : {64, 128})
      annotations.push_back(annotationOf(smallProfile(kernel, sourceHash(source), items)));
  return embed(source, annotations);
}

/// What clang makes of a source that is called the same whichever it is: with debug locations, so
/// that a line that changed its number shows. Empty where it does not compile.
std::string irOf(const std::string &source, const fs::path &folder) {
  std::ofstream(folder / "k.cl", std::ios::binary) << source;
  // The sizes that the suite's applications choose when they build their kernels.
  const std::string command =
      "cd '" + folder.string() +
      "' && " AIWC_TEST_CLANG
      " -cl-std=CL1.2 -target spir64-unknown-unknown -Xclang -finclude-default-header -w -g -O1"
      " -gcolumn-info -DBLOCK=16 -DGROUP=64 -DTILE=16 -S -emit-llvm -o k.ll k.cl 2>k.err";
  if (system(command.c_str()) != 0)
    return "";
  std::string ir = aiwc::readFile(folder / "k.ll", "IR");
  // The file's own checksum is the only thing that has to differ.
  for (size_t at = ir.find("checksum: \""); at != std::string::npos;
       at = ir.find("checksum: \"", at))
    ir.erase(at, ir.find('"', at + 11) + 1 - at);
  return ir;
}

} // namespace

TEST_CASE("every kernel of the suite carries its profiles, and gives its source back") {
  const auto files = suiteSources();
  REQUIRE(files.size() >= 15 + 20);
  for (const fs::path &file : files) {
    INFO(file.string());
    const std::string source = aiwc::readFile(file, "a kernel");
    const auto places = kernelPlaces(source);
    CHECK_FALSE(places.empty());
    const std::string with = annotated(source);
    CHECK(strip(with) == source);
    const Annotations read = readAnnotations(with);
    CHECK(read.found.size() == 2 * places.size());
    CHECK(read.sourceHash == sourceHash(source));
    for (const Annotation &annotation : read.found) {
      CHECK_FALSE(annotation.stale);
      CHECK_NOTHROW(annotation.profile());
    }
  }
}

TEST_CASE("an annotated source compiles to the same code, debug locations included") {
  std::string name = (fs::temp_directory_path() / "aiwc-embed-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()));
  size_t compiled = 0;
  for (const fs::path &file : suiteSources()) {
    INFO(file.string());
    const std::string source = aiwc::readFile(file, "a kernel");
    const std::string ir = irOf(source, name);
    if (ir.empty())
      continue; // wants options of its own
    ++compiled;
    CHECK((irOf(annotated(source), name) == ir));
  }
  fs::remove_all(name);
  CHECK(compiled >= 20);
}
