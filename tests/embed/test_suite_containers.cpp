/// Every application of the suite, through the tools that users have: the annotations that come
/// out.
#include "embed/bitcode.h"
#include "embed/container.h"
#include "embed/place.h"
#include "embed/spirv.h"
#include "profile/source_hash.h"
#include "support/ndrange.h"
#include "support/plausible.h"
#include "tools.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

/// The values that the applications choose when they build their kernels.
const std::string kMacros = "-DBLOCK=16 -DTILE=16 -DEDGE=16 -DPARTS=8 -DCLUSTERS=5 -DBOARD=10u "
                            "-DLETTERS=24 -DFIRST=10 -DEXTEND=2 -DLONGEST=8";

std::vector<fs::path> applications() {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(AIWC_TEST_SOURCES "/benchmarks/eod"))
    if (entry.path().extension() == ".cl")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Two profiles for each kernel of the source.
std::vector<Annotation> profilesOf(const std::string &source) {
  std::vector<Annotation> annotations;
  for (const auto &[kernel, place] : kernelPlaces(source))
    for (const uint64_t items : {64, 128}) {
      // As large as they come, histograms and all.
      KernelProfile profile = plausibleProfile(annotations.size());
      const KernelProfile small = smallProfile(kernel, sourceHash(source), items);
      profile.provenance = small.provenance;
      setNdrange(profile, 1, small.provenance.globalSize, small.provenance.localSize);
      annotations.push_back(annotationOf(profile));
    }
  return annotations;
}

using Texts = std::vector<std::string>;

Texts textsOf(const std::vector<Annotation> &annotations) {
  Texts texts;
  for (const Annotation &annotation : annotations)
    texts.push_back(annotation.text);
  for (std::string &text : texts) // in lines in one container, in one in the other
    std::ranges::replace(text, '\n', ' ');
  std::ranges::sort(texts);
  return texts;
}

/// What is found in a file, all of it readable.
Texts found(const Workshop &work, const std::string &file, bool stale = false) {
  const Annotations read = annotationsOf(work.folder / file);
  CHECK(read.rejected == 0);
  for (const Annotation &annotation : read.found) {
    CHECK_NOTHROW(annotation.profile());
    CHECK(annotation.stale == stale);
  }
  return textsOf(read.found);
}

/// An application's kernels as clang makes them, k.ll, k.bc and k.spv, and their profiles.
struct Application {
  explicit Application(const fs::path &file) : source(contents(file)) {
    write(work.folder / "k.cl", source);
    work.run(compileCommand("k.cl", "k.bc", kMacros + " -O2 -fno-vectorize -fno-slp-vectorize"));
    work.run("%llvm-dis k.bc -o k.ll");
    annotations = profilesOf(source);
    texts = textsOf(annotations);
    REQUIRE_FALSE(texts.empty());
  }
  void embedAll(const Container &container, const std::string &file) const {
    write(work.folder / ("annotated-" + file), container.embed(work.read(file), annotations));
  }

  Workshop work;
  std::string source;
  std::vector<Annotation> annotations;
  Texts texts;
};

/// Compares two files of IR, all but the numbers of metadata, which annotations take part in, and
/// the module's name.
std::string sameCode(const std::string &a, const std::string &b) {
  const auto normalised = [](const std::string &file) {
    return "%llvm-as " + file +
           " -o - | %llvm-dis -o - | grep -v -e '^; ModuleID' -e '^source_filename' >" + file +
           ".same";
  };
  return normalised(a) + " && " + normalised(b) + " && cmp " + a + ".same " + b + ".same";
}

const char *const kOtherKernel = "define void @unrelated() {\n  ret void\n}\n"
                                 "!aiwc.metrics = !{}\n!llvm.ident = !{!0}\n!0 = !{!\"else\"}\n";

} // namespace

TEST_CASE("bitcode: linked, optimised, stripped and disassembled, annotations stay") {
  for (const fs::path &file : applications()) {
    INFO(file.string());
    const Application application(file);
    const Workshop &work = application.work;
    application.embedAll(kBitcode, "k.bc");
    CHECK(found(work, "annotated-k.bc") == application.texts);
    write(work.folder / "other.ll", kOtherKernel);
    work.run("%llvm-link annotated-k.bc other.ll -o 2.bc && %opt -O2 2.bc -o 3.bc && "
             "%opt -strip 3.bc -o 4.bc && %llvm-dis 4.bc -o 5.ll");
    for (const char *step : {"2.bc", "3.bc", "4.bc", "5.ll"}) {
      INFO(step);
      CHECK(found(work, step) == application.texts);
    }
    // Code optimises to the same, with and without.
    work.run("%opt -O2 k.bc -o a.bc && %opt -O2 annotated-k.bc -o b.bc");
    write(work.folder / "b.bc", stripBitcode(work.read("b.bc")));
    work.run("%llvm-dis a.bc -o a.ll && %llvm-dis b.bc -o b.ll && " + sameCode("a.ll", "b.ll"));
  }
}

TEST_CASE("SPIR-V: valid as before, optimised with annotations, stripped without them") {
  size_t valid = 0;
  for (const fs::path &file : applications()) {
    INFO(file.string());
    const Application application(file);
    const Workshop &work = application.work;
    work.run("%spirv-llvm k.bc -o k.spv");
    application.embedAll(kSpirv, "k.spv");
    CHECK((stripSpirv(work.read("annotated-k.spv")) == work.read("k.spv")));
    CHECK(found(work, "annotated-k.spv") == application.texts);
    // What the converter makes is not always valid by itself.
    const bool before = work.tries("spirv-val k.spv");
    CHECK(work.tries("spirv-val annotated-k.spv") == before);
    valid += before ? 1 : 0;
    work.run("spirv-dis annotated-k.spv -o t.asm && spirv-as t.asm -o t.spv");
    CHECK(textsOf(annotationsOf(work.folder / "t.spv").found) == application.texts);
    if (before) { // spirv-opt refuses others
      work.run("spirv-opt -O annotated-k.spv -o o.spv && "
               "spirv-opt --strip-debug annotated-k.spv -o s.spv");
      CHECK(textsOf(annotationsOf(work.folder / "o.spv").found) == application.texts);
      CHECK(found(work, "s.spv").empty());
    }
    // Code becomes the same, and annotations are lost, on the way back to bitcode.
    work.run("%spirv-llvm -r k.spv -o a.bc && %spirv-llvm -r annotated-k.spv -o b.bc && "
             "%llvm-dis a.bc -o a.ll && %llvm-dis b.bc -o b.ll && " +
             sameCode("a.ll", "b.ll"));
    CHECK(found(work, "b.bc").empty());
  }
  CHECK(valid >= 10);
}
