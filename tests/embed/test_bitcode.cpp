#include "embed/bitcode.h"
#include "embed/llvm_text.h"
#include "plausible.h"
#include "profile/source_hash.h"
#include "tools.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const std::string kSource = "kernel void k(global int *x) { x[get_global_id(0)] += 1; }\n"
                            "kernel void other(global int *x) { x[get_global_id(0)] -= 1; }\n";

std::vector<Annotation> annotationsOfK(std::vector<uint64_t> items = {64, 128}) {
  std::vector<Annotation> result;
  for (const uint64_t count : items)
    result.push_back(annotationOf(smallProfile("k", sourceHash(kSource), count)));
  return result;
}

std::vector<std::string> textsOf(const std::vector<Annotation> &annotations) {
  std::vector<std::string> texts;
  for (const Annotation &annotation : annotations)
    texts.push_back(annotation.text);
  std::ranges::sort(texts);
  return texts;
}

/// kSource as bitcode, with an option of the compiler.
std::string bitcode(const Workshop &work, const std::string &option = "") {
  write(work.folder / "k.cl", kSource);
  work.run(compileCommand("k.cl", "k.bc", option));
  return work.read("k.bc");
}

/// How a process that reads `bytes` and does all that can be done with them ends.
int statusOfReading(const std::string &bytes) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    readBitcode(bytes + std::string(kMarkerName));
    readBitcode(bytes);
    errorOf([&] { identityOfBitcode(bytes); });
    errorOf([&] { embedIntoBitcode(bytes, annotationsOfK()); });
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

} // namespace

TEST_CASE("bitcode carries annotations as named metadata, and is the same module without") {
  const Workshop work;
  const std::string bare = bitcode(work);
  CHECK(readBitcode(bare).found.empty());
  CHECK((stripBitcode(bare) == bare));
  const auto annotations = annotationsOfK();
  const std::string annotated = embedIntoBitcode(bare, annotations);
  const Annotations read = readBitcode(annotated);
  CHECK(read.rejected == 0);
  CHECK(textsOf(read.found) == textsOf(annotations));
  for (const Annotation &annotation : read.found)
    CHECK_FALSE(annotation.stale);
  CHECK((embedIntoBitcode(annotated, annotations) == annotated));
  CHECK(readBitcode(embedIntoBitcode(annotated, annotationsOfK({7}))).found.size() == 1);
  write(work.folder / "stripped.bc", stripBitcode(annotated));
  work.run("%llvm-dis k.bc -o k.ll && %llvm-dis stripped.bc -o stripped.ll && "
           "grep -v ModuleID k.ll >a && grep -v ModuleID stripped.ll >b && cmp a b");
  write(work.folder / "annotated.bc", annotated);
  work.run("%llvm-dis annotated.bc -o annotated.ll");
  CHECK(textsOf(readLlvmText(work.read("annotated.ll")).found) == textsOf(annotations));
}

TEST_CASE("the hash of bitcode is that of what it computes") {
  const Workshop work;
  const std::string bare = bitcode(work);
  const Identity identity = identityOfBitcode(bare);
  CHECK(identity.kernels == std::vector<std::string>{"k", "other"});
  CHECK(identity.hash.starts_with("xxh3-128:"));
  CHECK(identityOfBitcode(embedIntoBitcode(bare, annotationsOfK())).hash == identity.hash);
  work.run("%opt -strip-debug k.bc -o s.bc");
  CHECK(identityOfBitcode(work.read("s.bc")).hash == identity.hash);
  CHECK(identityOfBitcode(bitcode(work, "-Dint=long")).hash != identity.hash);
}

TEST_CASE("linking lists the same node twice, which is one annotation") {
  const Workshop work;
  write(work.folder / "k.bc", embedIntoBitcode(bitcode(work), annotationsOfK({64})));
  work.run("%llvm-extract -func=k k.bc -o a.bc && %llvm-extract -func=other k.bc -o b.bc && "
           "%llvm-link a.bc b.bc -o l.bc");
  CHECK(readBitcode(work.read("l.bc")).found.size() == 1);
}

TEST_CASE("damaged annotations of bitcode are passed over with a reason") {
  const Workshop work;
  const std::string good = embedIntoBitcode(bitcode(work), annotationsOfK({64}));
  for (const auto &[metadata, reason] :
       {std::pair{"!{!0}\n!0 = !{!\"aiwc.metrics 2\"}", "version 2 of the annotation"},
        std::pair{"!{!0}\n!0 = !{!\"aiwc.metrics 1\"}", "does not begin with kernel"},
        std::pair{"!{!0}\n!0 = !{!\"other\", !\"aiwc.metrics 1\"}", "is no annotation"}}) {
    write(work.folder / "d.ll", std::string("!aiwc.metrics = ") + metadata + "\n");
    work.run("%llvm-as d.ll -o d.bc");
    const Annotations read = readBitcode(work.read("d.bc"));
    CHECK(read.found.empty());
    REQUIRE(read.reasons.size() == 1);
    CHECK_THAT(read.reasons[0], Contains("aiwc.metrics, node 0: ") && Contains(reason));
  }
}

TEST_CASE("what would not come back as it was is refused") {
  const Workshop work;
  const std::string bare = bitcode(work);
  const auto refusal = [](const std::string &module) {
    return errorOf([&] { embedIntoBitcode(module, annotationsOfK()); });
  };
  CHECK_THAT(refusal(bitcode(work, "-flto=thin")), Contains("summary") && Contains("--sidecar"));
  work.run("%llvm-cat -b k.bc k.bc -o two.bc");
  CHECK(refusal(work.read("two.bc")) == "has 2 modules: expected one");
  std::string foreign = bare;
  const size_t producer = foreign.find("LLVM14.");
  if (producer != std::string::npos) { // stands on a byte's begin
    foreign[producer + 4] = '9';
    CHECK_THAT(refusal(foreign), Contains("--sidecar"));
  }
  CHECK(refusal("BC\xc0\xde") == "has 0 modules: expected one");
  CHECK_THAT(refusal(bare.substr(0, bare.size() / 2)), Contains("expected bitcode that LLVM"));
}

TEST_CASE("bitcode that is cut off is a reason or nothing, and never the end of the process") {
  const Workshop work;
  const std::string annotated = embedIntoBitcode(bitcode(work), annotationsOfK({64}));
  for (size_t length = 4; length < annotated.size(); length += annotated.size() / 40)
    CHECK(statusOfReading(annotated.substr(0, length)) == 0);
  CHECK(statusOfReading(std::string("\xde\xc0\x17\x0b", 4)) == 0);
  CHECK(statusOfReading("BC\xc0\xde" + std::string(100, '\0')) == 0);
}
