/// The memory metrics of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using profile::Histogram;
using profile::KernelProfile;
using profile::Metric;
using trace::Access;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::MemoryKind;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kConstant = AddressSpace::kConstant;
constexpr auto kLocal = AddressSpace::kLocal;

Program anyProgram(MemoryKind kind = MemoryKind::kLoad) {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.memory = kind, .space = kGlobal}), builder.op("ret")},
                BlockEnd::kReturn);
  return builder.build();
}

/// One work-item that makes these accesses.
KernelProfile measureAccesses(const std::vector<Access> &accesses,
                              MemoryKind kind = MemoryKind::kLoad) {
  const Program program = anyProgram(kind);
  HandTrace trace(program);
  trace.group(1).item(0).block(0, accesses);
  return measure(trace);
}

double addressEntropy(const std::vector<Access> &accesses) {
  return measureAccesses(accesses).real("global_memory_address_entropy"_metric);
}

Metric skippedLsb(uint32_t k) {
  return kVectorMetric<"local_memory_address_entropy">.of(k);
}

} // namespace

TEST_CASE("the entropy of n distinct addresses accessed once each is log2 n", "[memory]") {
  for (const uint64_t n : {1, 2, 3, 10, 64, 1000, 1 << 14}) {
    std::vector<Access> accesses;
    for (uint64_t i = 0; i < n; ++i)
      accesses.push_back(read(kGlobal, 1, 4 * i));
    REQUIRE(addressEntropy(accesses) == Approx(std::log2(n)).epsilon(1e-14));
  }
}

TEST_CASE("the entropy of a single address is exactly 0", "[memory]") {
  REQUIRE(addressEntropy(std::vector<Access>(1000, read(kGlobal, 1, 12))) == 0);
  REQUIRE(addressEntropy({}) == 0);
}

TEST_CASE("the address entropy weighs reads and writes alike", "[memory]") {
  // Shares 1/2, 1/4, 1/4: 1/2 · 1 + 1/4 · 2 + 1/4 · 2 bits
  REQUIRE(addressEntropy({read(kGlobal, 1, 0), write(kGlobal, 1, 0), read(kGlobal, 1, 4),
                          write(kGlobal, 1, 8)}) == 1.5);
}

TEST_CASE("a unit-stride stream loses a bit per skipped LSB beyond those inside an element",
          "[memory]") {
  for (const int inside :
       {2, 3, 4, 6, 7, 8}) // bits of the offset in an element: float, double, ...
    for (const int k : {0, 1, 5, 12}) {
      CAPTURE(inside, k);
      std::vector<Access> accesses;
      for (uint64_t i = 0; i < uint64_t{1} << k; ++i)
        accesses.push_back(read(kGlobal, 3, i << inside, 1 << inside));
      const KernelProfile profile = measureAccesses(accesses);
      REQUIRE(profile.count("memory_footprint"_metric) == 1 << k);
      REQUIRE(profile.count("unique_reads"_metric) == 1 << k);
      REQUIRE(profile.count("footprint_bytes"_metric) == 1 << (k + inside));
      REQUIRE(profile.real("global_memory_address_entropy"_metric) == k);
      for (int skipped = 1; skipped <= 10; ++skipped)
        REQUIRE(profile.real(skippedLsb(skipped)) ==
                std::max(0, k - std::max(0, skipped - inside)));
    }
}

TEST_CASE("a byte stream loses a bit per skipped LSB, a page-wise one none", "[memory]") {
  std::vector<Access> bytes, pages;
  for (uint64_t i = 0; i < 4096; ++i) {
    bytes.push_back(read(kGlobal, 3, i, 1));
    pages.push_back(read(kGlobal, 3, 4096 * i));
  }
  for (int skipped = 1; skipped <= 10; ++skipped) {
    REQUIRE(measureAccesses(bytes).real(skippedLsb(skipped)) == 12 - skipped);
    REQUIRE(measureAccesses(pages).real(skippedLsb(skipped)) == 12);
  }
}

TEST_CASE("address spaces and buffers are kept apart at every level", "[memory]") {
  const KernelProfile profile = measureAccesses(
      {read(kGlobal, 1, 0), read(kGlobal, 2, 0), read(kConstant, 1, 0), read(kLocal, 1, 0)});
  REQUIRE(profile.count("memory_footprint"_metric) == 4);
  REQUIRE(profile.count("footprint_bytes"_metric) == 16);
  REQUIRE(profile.real("global_memory_address_entropy"_metric) == 2);
  for (int skipped = 1; skipped <= 10; ++skipped)
    REQUIRE(profile.real(skippedLsb(skipped)) == 2);
}

TEST_CASE("pages whose words are accessed alike are kept apart like others", "[memory]") {
  std::vector<Access> accesses;
  for (const AddressSpace space : {kGlobal, kLocal})
    for (uint64_t word = 0; word < 64; ++word)
      accesses.push_back(read(space, 1, 4 * word));
  const KernelProfile pages = measureAccesses(accesses);
  REQUIRE(pages.count("memory_footprint"_metric) == 128);
  REQUIRE(pages.count("footprint_bytes"_metric) == 512);
  REQUIRE(pages.real("global_memory_address_entropy"_metric) == 7);
  REQUIRE(pages.real(skippedLsb(8)) == 1);
  REQUIRE(pages.real(skippedLsb(10)) == 1);
  accesses.push_back(write(kLocal, 1, 4096)); // in no block with the others
  accesses.insert(accesses.end(), 127, accesses.back());
  REQUIRE(measureAccesses(accesses).real(skippedLsb(10)) == 1.5);
}

TEST_CASE("local memory of all work-groups is the same scratchpad", "[memory]") {
  const Program program = anyProgram();
  HandTrace trace(program);
  for (int group = 0; group < 5; ++group)
    trace.group(1).item(0).block(0, {write(kLocal, 1, 16)});
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("memory_footprint"_metric) == 1);
  REQUIRE(profile.count("total_writes"_metric) == 5);
  REQUIRE(profile.real("rewrite_ratio"_metric) == 0.2);
}

TEST_CASE("footprint_90: as few addresses as cover 90 % of the accesses", "[memory]") {
  // One address with 9 of 10 accesses covers exactly 90 %; with 8 it does not.
  std::vector<Access> accesses(9, read(kGlobal, 1, 0));
  accesses.push_back(read(kGlobal, 1, 4));
  REQUIRE(measureAccesses(accesses).count("memory_footprint_90"_metric) == 1);
  accesses[0] = read(kGlobal, 1, 8);
  REQUIRE(measureAccesses(accesses).count("memory_footprint_90"_metric) == 2);
  REQUIRE(measureAccesses({}).count("memory_footprint_90"_metric) == 0);
  // n addresses alike: 9 n / 10, rounded up.
  for (const uint64_t n : {1, 2, 10, 11, 40000}) {
    std::vector<Access> alike;
    for (uint64_t i = 0; i < n; ++i)
      alike.push_back(write(kGlobal, 1, 4 * i));
    const KernelProfile profile = measureAccesses(alike);
    REQUIRE(profile.count("memory_footprint_90"_metric) == (9 * n + 9) / 10);
    REQUIRE(profile.count("memory_footprint"_metric) == n);
  }
}

TEST_CASE("unique and total reads and writes, and their ratios", "[memory]") {
  const KernelProfile profile =
      measureAccesses({read(kGlobal, 1, 0), read(kGlobal, 1, 0), read(kGlobal, 1, 0),
                       read(kGlobal, 1, 4), write(kGlobal, 1, 4), write(kGlobal, 1, 8),
                       write(kGlobal, 1, 8), write(kGlobal, 1, 12), read(kGlobal, 1, 12)});
  REQUIRE(profile.count("memory_footprint"_metric) == 4);
  REQUIRE(profile.count("unique_reads"_metric) == 3);
  REQUIRE(profile.count("unique_writes"_metric) == 3);
  REQUIRE(profile.real("unique_read_write_ratio"_metric) == 1);
  REQUIRE(profile.count("total_reads"_metric) == 5);
  REQUIRE(profile.count("total_writes"_metric) == 4);
  REQUIRE(profile.real("reread_ratio"_metric) == 3.0 / 5);
  REQUIRE(profile.real("rewrite_ratio"_metric) == 3.0 / 4);
  REQUIRE(profile.histograms.addressAccesses == Histogram{{2, 3}, {3, 1}});
}

TEST_CASE("ratios to nothing have no value", "[memory]") {
  const KernelProfile reads = measureAccesses({read(kGlobal, 1, 0)});
  REQUIRE(reads["unique_read_write_ratio"_metric] == profile::Value{});
  REQUIRE(reads["rewrite_ratio"_metric] == profile::Value{});
  REQUIRE(reads.real("reread_ratio"_metric) == 1);
  const KernelProfile writes = measureAccesses({write(kGlobal, 1, 0)});
  REQUIRE(writes.real("unique_read_write_ratio"_metric) == 0);
  REQUIRE(writes["reread_ratio"_metric] == profile::Value{});
}

TEST_CASE("an atomic is one read and one write", "[memory]") {
  Access load = read(kGlobal, 1, 64), store = write(kGlobal, 1, 64);
  load.atomic = store.atomic = 1;
  const KernelProfile profile = measureAccesses({load, store}, MemoryKind::kAtomic);
  REQUIRE(profile.count("total_reads"_metric) == 1);
  REQUIRE(profile.count("total_writes"_metric) == 1);
  REQUIRE(profile.count("memory_footprint"_metric) == 1);
  REQUIRE(profile.count("bytes_read_global"_metric) == 4);
  REQUIRE(profile.count("bytes_written_global"_metric) == 4);
}

TEST_CASE("bytes are counted per address space and direction", "[memory]") {
  const KernelProfile profile =
      measureAccesses({read(kGlobal, 1, 0, 1), write(kGlobal, 1, 0, 2), read(kLocal, 1, 0, 4),
                       write(kLocal, 1, 0, 8), read(kConstant, 1, 0, 16), read(kGlobal, 1, 8, 64)});
  REQUIRE(profile.count("bytes_read_global"_metric) == 65);
  REQUIRE(profile.count("bytes_written_global"_metric) == 2);
  REQUIRE(profile.count("bytes_read_local"_metric) == 4);
  REQUIRE(profile.count("bytes_written_local"_metric) == 8);
  REQUIRE(profile.count("bytes_read_constant"_metric) == 16);
  REQUIRE(profile.count("bytes_written_constant"_metric) == 0);
}

TEST_CASE("footprint_bytes counts every byte once, however accesses overlap", "[memory]") {
  const auto bytes = [](const std::vector<Access> &accesses) {
    return measureAccesses(accesses).count("footprint_bytes"_metric);
  };
  REQUIRE(bytes({read(kGlobal, 1, 0, 4), read(kGlobal, 1, 0, 4), write(kGlobal, 1, 0, 4)}) == 4);
  REQUIRE(bytes({read(kGlobal, 1, 0, 4), read(kGlobal, 1, 2, 4)}) == 6);
  REQUIRE(bytes({read(kGlobal, 1, 0, 1), read(kGlobal, 1, 0, 16)}) == 16); // same start address
  REQUIRE(bytes({read(kGlobal, 1, 8, 4), read(kGlobal, 1, 0, 64)}) == 64); // one inside the other
  REQUIRE(bytes({read(kGlobal, 1, 0, 64), read(kGlobal, 1, 8, 4), read(kGlobal, 1, 16, 4)}) == 64);
  REQUIRE(bytes({read(kGlobal, 1, 0, 5000), read(kGlobal, 1, 4999, 2)}) == 5001);
  REQUIRE(bytes({read(kGlobal, 1, 250, 16), read(kGlobal, 1, 260, 1)}) == 16); // unaligned
  REQUIRE(bytes({read(kGlobal, 1, 0, 4), read(kLocal, 1, 0, 4)}) == 8);
}

TEST_CASE("private accesses are counted apart and nowhere else", "[memory]") {
  const KernelProfile profile =
      measureAccesses({read(AddressSpace::kPrivate, 1, 0), write(AddressSpace::kPrivate, 1, 0),
                       write(AddressSpace::kPrivate, 1, 4), read(kGlobal, 1, 0)});
  REQUIRE(profile.count("private_accesses"_metric) == 3);
  REQUIRE(profile.count("memory_footprint"_metric) == 1);
  REQUIRE(profile.count("total_reads"_metric) == 1);
  REQUIRE(profile.count("total_writes"_metric) == 0);
  REQUIRE(profile.count("footprint_bytes"_metric) == 4);
}

TEST_CASE("what the work-group copies are accesses too, but nobody's instructions", "[memory]") {
  const Program program = anyProgram();
  HandTrace trace(program);
  trace.group(1).item(0).block(0).groupCopies({read(kGlobal, 1, 0, 16), write(kLocal, 1, 0, 16)});
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("work_items"_metric) == 1);
  REQUIRE(profile.count("total_instruction_count"_metric) == 2);
  REQUIRE(profile.count("bytes_read_global"_metric) == 16);
  REQUIRE(profile.count("bytes_written_local"_metric) == 16);
  REQUIRE(profile.real("global_memory_address_entropy"_metric) == 1);
}

TEST_CASE("of a block that was given up, the accesses made count", "[memory]") {
  const Program program = anyProgram();
  HandTrace trace(program);
  trace.group(1).item(0).abort(0, 1, {read(kGlobal, 1, 0)});
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("total_reads"_metric) == 1);
  REQUIRE(profile.count("total_instruction_count"_metric) == 1);
}
