#include "embed/bitcode.h"
#include "embed/container.h"
#include "profile/source_hash.h"
#include "support/plausible.h"
#include "tools.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
constexpr bool kAddressSanitizer = false;
#endif

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
  for (std::string &text : texts)
    std::ranges::replace(text, '\n', ' ');
  std::ranges::sort(texts);
  return texts;
}

/// kSource as bitcode, with an option of the compiler.
std::string bitcode(const Workshop &work, const std::string &option = "") {
  write(work.folder / "k.cl", kSource);
  work.run(compileCommand("k.cl", "k.bc", option));
  return work.read("k.bc");
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
  CHECK(textsOf(kLlvmText.read(work.read("annotated.ll")).found) == textsOf(annotations));
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
  for (const auto &[string, reason] :
       {std::pair{"aiwc.metrics 2 check=0123456789abcdef", "version 2 of the annotation"},
        std::pair{"aiwc.metrics 1 a=1 check=0123456789abcdef", "does not begin with kernel"},
        std::pair{"aiwc.metrics 1 kernel=k global=1", "is not complete: expected its checksum"},
        std::pair{"aiwc.metrics 1 kernel=\\ff check=0123456789abcdef",
                  "with invalid characters"}}) {
    write(work.folder / "d.ll",
          std::string("!aiwc.metrics = !{!0}\n!0 = !{!\"") + string + "\"}\n");
    work.run("%llvm-as d.ll -o d.bc");
    const Annotations read = readBitcode(work.read("d.bc"));
    CHECK(read.found.empty());
    REQUIRE(read.reasons.size() == 1);
    CHECK_THAT(read.reasons[0], StartsWith("byte ") && Contains(reason));
  }
}

TEST_CASE("annotations are found wherever bitcode is, without LLVM, and never twice") {
  const Workshop work;
  const auto annotations = annotationsOfK();
  const std::string annotated = embedIntoBitcode(bitcode(work), annotations);
  const std::string wrapper = "\x7f"
                              "ELF" +
                              annotated + std::string(3, '\0') + annotated;
  CHECK(textsOf(readBitcode(wrapper).found) == textsOf(annotations));
  CHECK(textsOf(kBinary.read(wrapper).found) == textsOf(annotations));
}

TEST_CASE("an annotation of bitcode ends at its checksum, not at what looks like one") {
  const Workshop work;
  KernelProfile profile = smallProfile("k", sourceHash(kSource));
  profile.provenance.buildOptions = "-Dcheck=0123456789abcdef0 check=0123456789abcdef0";
  const std::vector<Annotation> one = {annotationOf(profile)};
  const Annotations read = readBitcode(embedIntoBitcode(bitcode(work), one));
  REQUIRE(read.found.size() == 1);
  CHECK(read.found[0].profile().provenance.buildOptions == profile.provenance.buildOptions);
}

TEST_CASE("whatever is cut off or overwritten, reading bitcode says what is left and no more") {
  const Workshop work;
  const std::string annotated = embedIntoBitcode(bitcode(work), annotationsOfK());
  for (size_t length = 0; length < annotated.size(); length += 3)
    CHECK(readBitcode(annotated.substr(0, length)).found.size() <= 2);
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    std::string changed = annotated;
    const size_t marker = changed.find(kMarkerName);
    for (size_t i = random.between(1, 4); i > 0; --i)
      changed[marker + random.below(changed.size() - marker)] = static_cast<char>(random.next());
    for (const Annotation &annotation : readBitcode(changed).found)
      errorOf([&] { annotation.profile(); });
  }
  std::string markers;
  while (markers.size() < 4'000'000)
    markers += kMarkerName;
  CHECK(readBitcode(markers).found.empty()); // before the test's time is up
}

TEST_CASE("damaged bitcode is an answer or an error, while other threads work") {
  const Workshop work;
  const std::string bare = embedIntoBitcode(bitcode(work), annotationsOfK());
  std::atomic<bool> done = false;
  std::vector<std::thread> busy; // which allocate, so that a lock may be held at any time
  // AddressSanitizer's allocator may be locked for ever in a child that was forked meanwhile.
  const int others = kAddressSanitizer ? 0 : 3;
  for (int i = 0; i < others; ++i)
    busy.emplace_back([&] {
      for (size_t size = 1; !done; size = size % 5000 + 1)
        std::vector<std::string>(size % 7, std::string(size, 'x'));
    });
  size_t answered = 0, refused = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::string changed = bare;
    for (size_t i = seed == 0 ? 0 : random.between(1, 6); i > 0; --i)
      changed[random.below(changed.size())] = static_cast<char>(random.next());
    const std::string error = errorOf([&] { identityOfBitcode(changed); });
    if (error.empty())
      ++answered;
    else
      ++refused;
    CHECK((error.empty() || error.find(": expected ") != std::string::npos));
    errorOf([&] { stripBitcode(changed); });
  }
  done = true;
  for (std::thread &thread : busy)
    thread.join();
  CHECK(answered > 0);
  CHECK(refused > 20);
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
