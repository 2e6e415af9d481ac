#include "device_code/device_code.h"
#include "embed/bitcode.h"
#include "embed/container.h"
#include "embed/cuda_program.h"
#include "embed/opencl_c.h"
#include "embed/spirv.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "support/files.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>

using aiwc::embed::Annotation;
using aiwc::embed::annotationOf;
using aiwc::embed::Container;
using aiwc::embed::containerOf;
using aiwc::embed::Identity;
using aiwc::embed::kBinary;
using aiwc::embed::kBitcode;
using aiwc::embed::kCudaProgram;
using aiwc::embed::kLlvmText;
using aiwc::embed::kOpenClC;
using aiwc::embed::kSpirv;
using aiwc::test::errorOf;
using aiwc::test::smallProfile;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("a container is told by its content, and text by its name as well") {
  CHECK(&containerOf("k.cl", "kernel void k() {}") == &kOpenClC);
  CHECK(&containerOf("k", "caf\xe9") == &kOpenClC);
  CHECK(&containerOf("k.cl", "BC\xc0\xde") == &kBitcode);
  CHECK(&containerOf("k.cl", "\xde\xc0\x17\x0b") == &kBitcode);
  CHECK(&containerOf("k", std::string("\x03\x02\x23\x07\0", 5)) == &kSpirv);
  CHECK(&containerOf("k", "\x07\x23\x02\x03") == &kSpirv);
  CHECK(&containerOf("k.ptx", std::string("a\0b", 3)) == &kBinary);
  CHECK(&containerOf("k.ll", "kernel void k() {}") == &kLlvmText);
  CHECK(&containerOf("k.cl", "; ModuleID = 'k'") == &kOpenClC);
  CHECK(&containerOf("", "") == &kOpenClC);
  for (const char *text :
       {"; ModuleID = 'k'", "; a\n\n;b\r\ntarget triple = \"spir64\"", "source_filename = \"k.cl\"",
        "define spir_kernel void @k() {", "declare i64 @f(i32)", "@c = constant i8 0", "!0 = !{}",
        "%s = type {}", "attributes #0 = { nounwind }", "module asm \"\""})
    CHECK(&containerOf("", text) == &kLlvmText);
  for (const char *text : {"%:define A", "define (x)", "kernel void k() { } // @k", ";",
                           "; k\nint x;", "targets triple"})
    CHECK(&containerOf("", text) == &kOpenClC);
}

TEST_CASE("a profile of another source, or of a kernel that is not there, is a mismatch") {
  const std::string source = "kernel void k() {}\n";
  const auto of = [](const std::string &kernel, const std::string &text) {
    return smallProfile(kernel, aiwc::profile::sourceHash(text)).provenance;
  };
  const auto mismatch = [](const aiwc::profile::Provenance &provenance, const Container &container,
                           const std::string &content) {
    return aiwc::embed::mismatch(provenance, container, container.identity(content));
  };
  CHECK(mismatch(of("k", source), kOpenClC, source).empty());
  CHECK(mismatch(of("made_by_a_macro", source), kOpenClC, source).empty());
  CHECK_THAT(mismatch(of("k", "other"), kOpenClC, source),
             StartsWith("provenance.source_hash is xxh3-128:") && Contains("expected xxh3-128:"));
  // What bitcode was compiled from cannot be told, what it defines can.
  const Identity defined = {"", {"k"}};
  CHECK(aiwc::embed::mismatch(of("k", source), kBitcode, defined).empty());
  CHECK(aiwc::embed::mismatch(of("l", source), kBitcode, defined) ==
        "provenance.kernel is l: expected one that it defines: k");
  CHECK(mismatch(of("l", source), kBinary, "anything").empty());
  auto bitcode = of("k", source);
  bitcode.sourceKind = "bitcode";
  CHECK_THAT(mismatch(bitcode, kOpenClC, source), Contains("(bitcode): expected"));
  CHECK(aiwc::embed::mismatch(bitcode, kBitcode, {bitcode.sourceHash, {"k"}}).empty());
  CHECK_FALSE(aiwc::embed::mismatch(bitcode, kBitcode, {"another", {"k"}}).empty());
}

namespace {

/// Device code with one kernel and no bitcode.
std::string deviceCodeWith(const std::string &kernel) {
  aiwc::cuda::DeviceCode code;
  code.kernels.push_back({.name = "_Z1k", .function = kernel});
  return writeDeviceCode(code);
}

} // namespace

TEST_CASE("a CUDA program has the kernels of its device code, and keeps profiles behind its end") {
  const std::string program = "\x7f"
                              "ELF..." +
                              deviceCodeWith("a") + "code" + deviceCodeWith("b<1, 2>");
  REQUIRE(&containerOf("app", program) == &kCudaProgram);
  CHECK(&containerOf("app", "\x7f"
                            "ELF without device code" +
                                std::string(1, '\0')) == &kBinary);
  CHECK(kCudaProgram.identity(program).kernels == std::vector<std::string>{"a", "b<1, 2>"});
  auto profile = smallProfile("b<1, 2>", "h");
  profile.provenance.sourceKind = "cuda";
  const std::vector<Annotation> one = {annotationOf(profile)};
  const std::string annotated = kCudaProgram.embed(program, one);
  CHECK_THAT(annotated, StartsWith(program));
  const auto read = kCudaProgram.read(annotated);
  REQUIRE(read.found.size() == 1);
  CHECK(read.rejected == 0);
  CHECK(read.found[0].launch.kernel == "b<1, 2>");
  CHECK(kCudaProgram.embed(annotated, one) == annotated);
  CHECK(kCudaProgram.strip(annotated) == program);
  CHECK(kCudaProgram.strip(program) == program);
  CHECK(kCudaProgram.embed(annotated, {}) == program);
  CHECK(aiwc::embed::mismatch(profile.provenance, kCudaProgram, kCudaProgram.identity(program))
            .empty());
  profile.provenance.kernel = "c";
  CHECK_THAT(
      aiwc::embed::mismatch(profile.provenance, kCudaProgram, kCudaProgram.identity(program)),
      Contains("provenance.kernel is c"));
  // Cut and damaged files are read as far as they go.
  for (size_t length = 0; length < annotated.size(); ++length) {
    const std::string cut = annotated.substr(0, length);
    kCudaProgram.read(cut);
    CHECK(kCudaProgram.strip(cut).size() <= cut.size());
    if (length > 60) // so short that it is whole: it has no device code to ask LLVM about
      errorOf([&] { kCudaProgram.identity(cut); });
  }
  std::string damaged = annotated;
  for (size_t i = 0; i < 8; ++i) // the length in the footer
    damaged[damaged.size() - 17 - i] = static_cast<char>(0xff);
  CHECK(kCudaProgram.strip(damaged) == damaged);
}

TEST_CASE("what carries nothing is refused, with what can") {
  const std::vector<Annotation> one = {annotationOf(smallProfile("k", "h"))};
  CHECK_THAT(errorOf([&] { kBinary.embed("x", one); }), Contains("a sidecar"));
  CHECK_THAT(errorOf([&] { kBinary.strip("x"); }), Contains("a sidecar"));
  CHECK(kBinary.read("x").sourceHash == aiwc::profile::sourceHash("x"));
}

TEST_CASE("LLVM IR as text is read, and is annotated as bitcode only") {
  const Annotation one = annotationOf(smallProfile("k", "h"));
  const std::string bare = "define void @k() {\n  ret void\n}\n";
  const std::string annotated =
      bare + "!aiwc.metrics = !{!0}\n!0 = !{!\"" + aiwc::embed::markedLine(one.text) + "\"}\n";
  const auto read = kLlvmText.read(annotated);
  REQUIRE(read.found.size() == 1);
  CHECK(read.rejected == 0);
  CHECK(aiwc::profile::toJson(read.found[0].profile()) == aiwc::profile::toJson(one.profile()));
  CHECK_THAT(errorOf([&] { kLlvmText.embed(bare, std::vector{one}); }),
             Contains("expected bitcode, which llvm-as makes of it"));
  CHECK_THAT(errorOf([&] { kLlvmText.strip(annotated); }), Contains("expected bitcode"));
  CHECK(kLlvmText.strip(bare) == bare);
}
