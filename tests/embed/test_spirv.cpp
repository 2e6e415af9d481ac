#include "embed/spirv.h"
#include "profile/source_hash.h"
#include "support/files.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

/// Words of a module, and what they are in bytes of either endianness.
class Module {
public:
  explicit Module(uint32_t version = 0x00010100) : words_{0x07230203, version, 0, 10, 0} {}

  Module &add(uint32_t opcode, std::vector<uint32_t> operands, const std::string &string = "") {
    if (!string.empty())
      for (size_t at = 0; at <= string.size(); at += 4) {
        operands.push_back(0);
        for (size_t i = 0; i < 4 && at + i < string.size(); ++i)
          operands.back() |= uint32_t{static_cast<unsigned char>(string[at + i])} << (8 * i);
      }
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16U | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
    return *this;
  }

  std::string bytes(bool bigEndian = false) const {
    std::string result;
    for (const uint32_t word : words_)
      for (int i = 0; i < 4; ++i)
        result += static_cast<char>(word >> 8 * (bigEndian ? 3 - i : i));
    return result;
  }

private:
  std::vector<uint32_t> words_;
};

constexpr uint32_t kName = 5, kMemoryModel = 14, kEntryPoint = 15, kCapability = 17, kTypeVoid = 19,
                   kDecorate = 71, kModuleProcessed = 330;

/// Up to where annotations go.
Module upToDebug(uint32_t version = 0x00010100) {
  return Module(version)
      .add(kCapability, {6})
      .add(kMemoryModel, {2, 2})
      .add(kEntryPoint, {6, 1}, "k")
      .add(kName, {1}, "k")
      .add(kModuleProcessed, {}, "aiwc.metric of others");
}

Module complete(uint32_t version = 0x00010100) {
  return upToDebug(version)
      .add(kDecorate, {1, 2})
      .add(kTypeVoid, {2})
      .add(kModuleProcessed, {}, "aiwc.metrics misplaced");
}

Annotation profileOfK(uint64_t items = 64) {
  return annotationOf(smallProfile("k", sourceHash("kernel void k() {}"), items));
}

std::string withK(const std::string &module) {
  const std::vector<Annotation> one = {profileOfK()};
  return embedIntoSpirv(module, one);
}

} // namespace

TEST_CASE("an annotation is one OpModuleProcessed behind all other debug instructions") {
  const std::vector<Annotation> two = {profileOfK(64), profileOfK(128)};
  for (const bool big : {false, true}) {
    const std::string bare = complete().bytes(big);
    const std::string marker = "aiwc.metrics 1 carrier=" + sourceHash(bare) + "\n";
    const Module expected = upToDebug()
                                .add(kModuleProcessed, {}, marker + two[0].text)
                                .add(kModuleProcessed, {}, marker + two[1].text)
                                .add(kDecorate, {1, 2})
                                .add(kTypeVoid, {2})
                                .add(kModuleProcessed, {}, "aiwc.metrics misplaced");
    CHECK((embedIntoSpirv(bare, two) == expected.bytes(big)));
  }
}

TEST_CASE("SPIR-V gives its annotations back, and itself without them") {
  for (const bool big : {false, true}) {
    const std::string bare = complete().bytes(big);
    CHECK((stripSpirv(bare) == bare));
    CHECK(readSpirv(bare).found.empty());
    const std::string annotated = withK(bare);
    CHECK((stripSpirv(annotated) == bare));
    CHECK((withK(annotated) == annotated));
    const Annotations read = readSpirv(annotated);
    CHECK(read.rejected == 0);
    CHECK(read.sourceHash == sourceHash(bare));
    REQUIRE(read.found.size() == 1);
    CHECK(read.found[0].text == profileOfK().text);
    CHECK_FALSE(read.found[0].stale);
    CHECK(readSpirv(annotated + annotated.substr(0, 4)).found[0].stale);
    CHECK(definedInSpirv(annotated) == std::vector<std::string>{"k"});
  }
}

TEST_CASE("a module that ends behind its debug instructions is annotated there") {
  const std::string bare = upToDebug().bytes();
  CHECK((withK(bare).substr(0, bare.size()) == bare));
  CHECK(readSpirv(withK(bare)).found.size() == 1);
}

TEST_CASE("SPIR-V 1.0 is refused with a way out, and what is no SPIR-V 1") {
  CHECK(errorOf([] { withK(complete(0x00010000).bytes()); }) ==
        "SPIR-V 1.0: expected 1.1 or a later 1.x, which has instructions for annotations; "
        "--sidecar writes them beside the file");
  CHECK_THAT(errorOf([] { withK(complete(0x00020000).bytes()); }), Contains("SPIR-V 2.0"));
  CHECK(errorOf([] { withK(complete(0x00010600).bytes()); }).empty());
}

TEST_CASE("whatever is cut off or overwritten, reading says what is left and no more") {
  const std::string annotated = withK(complete().bytes());
  for (size_t length = 0; length < annotated.size(); ++length) {
    const std::string cut = annotated.substr(0, length);
    const Annotations read = readSpirv(cut);
    CHECK(read.found.size() + read.rejected <= 1);
    const std::string bare = stripSpirv(cut);
    CHECK((stripSpirv(bare) == bare));
    definedInSpirv(cut);
    const std::string refused = errorOf([&] { withK(cut); });
    if (refused.empty())
      CHECK((stripSpirv(withK(cut)) == bare));
  }
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    std::string changed = annotated;
    for (size_t i = random.between(1, 4); i > 0; --i)
      changed[random.below(random.oneIn(2) ? 120 : changed.size())] =
          static_cast<char>(random.next());
    INFO(seed);
    for (const Annotation &annotation : readSpirv(changed).found)
      errorOf([&] { annotation.profile(); });
    const std::string bare = stripSpirv(changed);
    CHECK((stripSpirv(bare) == bare));
    if (errorOf([&] { withK(changed); }).empty())
      CHECK((stripSpirv(withK(changed)) == bare));
  }
}

TEST_CASE("what cannot be read of SPIR-V is said by word") {
  CHECK(readSpirv("\x03\x02\x23\x07").reasons ==
        std::vector<std::string>{"SPIR-V: has 1 words: expected the header of SPIR-V"});
  CHECK(readSpirv(Module().bytes() + std::string("\x11\0\0\0", 4)).reasons ==
        std::vector<std::string>{"SPIR-V: word 5: an instruction of 0 words: expected 1 to 1"});
  CHECK(
      readSpirv(
          Module().add(kModuleProcessed, {0x63776961, 0x74656d2e, 0x73636972, 0x20202020}).bytes())
          .reasons ==
      std::vector<std::string>{"word 5: a string without an end: expected a byte 0"});
  CHECK(readSpirv(Module().add(kModuleProcessed, {}, "aiwc.metrics 2\nkernel=k").bytes()).reasons ==
        std::vector<std::string>{"word 5: version 2 of the annotation: expected 1"});
}
