/// The ASAP schedule of traces with simple dependences.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>
#include <map>

using namespace aiwc;
using namespace aiwc::test;
using namespace aiwc::trace;
using profile::Histogram;
using profile::KernelProfile;

namespace {

constexpr Operation kLoad{.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal};
constexpr Operation kStore{.memory = MemoryKind::kStore, .space = AddressSpace::kGlobal};
constexpr Operation kPrivateLoad{.memory = MemoryKind::kLoad};
constexpr Operation kPrivateStore{.memory = MemoryKind::kStore};
constexpr Operation kAdd{.fpAdd = 1, .fpBits = 32};
constexpr Operation kMul{.fpMul = 1, .fpBits = 32};
constexpr Operation kFma{.fpAdd = 1, .fpMul = 1, .fpBits = 32};

Operand value(uint32_t id) {
  return {ValueId{id}, BlockId::kNone};
}
constexpr Operand kConstant{};

/// An access by the operation at `offset` of its block.
Access at(uint32_t offset, Access access) {
  access.opOffset = offset & 0xffffff;
  return access;
}
constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kLocal = AddressSpace::kLocal;
constexpr auto kPrivate = AddressSpace::kPrivate;

/// One block, executed once by one work-item.
KernelProfile measureBlock(ProgramBuilder &builder, std::vector<Operation> operations,
                           const std::vector<Access> &accesses = {}) {
  operations.push_back(builder.op("ret"));
  builder.function("kernel");
  builder.block(operations, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0, accesses);
  return measure(trace);
}

} // namespace

TEST_CASE("independent operations are one level, a chain is as many as it has links", "[asap]") {
  ProgramBuilder wide;
  std::vector<Operation> operations;
  for (uint32_t i = 0; i < 7; ++i)
    operations.push_back(wide.reading(wide.op("fadd", kAdd), {}, ValueId{i}));
  const KernelProfile flat = measureBlock(wide, operations);
  CHECK(flat.count("asap_fp_depth"_metric) == 1);
  CHECK(flat.real("asap_fp_parallelism"_metric) == 7);
  CHECK(flat.count("asap_depth"_metric) == 1);
  CHECK(flat.real("asap_parallelism"_metric) == 7);
  CHECK(flat.histograms.asapFpLevels == Histogram{{7, 1}});

  ProgramBuilder chain;
  operations.clear();
  for (uint32_t i = 0; i < 7; ++i)
    operations.push_back(
        chain.reading(chain.op("fadd", kAdd), {i ? value(i - 1) : kConstant}, ValueId{i}));
  const KernelProfile deep = measureBlock(chain, operations);
  CHECK(deep.count("asap_fp_depth"_metric) == 7);
  CHECK(deep.real("asap_fp_parallelism"_metric) == 1);
  CHECK(deep.histograms.asapFpLevels == Histogram{{1, 7}});
}

TEST_CASE("without a floating-point operation there is no parallelism of them", "[asap]") {
  ProgramBuilder builder;
  const KernelProfile profile = measureBlock(builder, {builder.op("add")});
  CHECK(profile.count("asap_fp_depth"_metric) == 0);
  CHECK(std::holds_alternative<std::monostate>(profile["asap_fp_parallelism"_metric]));
  CHECK(profile.count("asap_depth"_metric) == 1);
  CHECK(profile.histograms.asapFpLevels.empty());
}

TEST_CASE("phi, br, bitcast, addrspacecast and ret are no nodes and add nothing", "[asap]") {
  ProgramBuilder builder;
  const KernelProfile profile =
      measureBlock(builder, {builder.reading(builder.op("add"), {}, ValueId{0}),
                             builder.reading(builder.op("bitcast"), {value(0)}, ValueId{1}),
                             builder.reading(builder.op("addrspacecast"), {value(1)}, ValueId{2}),
                             builder.reading(builder.op("getelementptr"), {value(2)}, ValueId{3}),
                             builder.reading(builder.op("fneg"), {value(3)}, ValueId{4})});
  CHECK(profile.count("asap_depth"_metric) == 3);
  CHECK(profile.real("asap_parallelism"_metric) == 1);
}

TEST_CASE("the addend of a multiply-add joins at its addition", "[asap]") {
  ProgramBuilder builder;
  // The addend is at level 1 when the multiplication is done: it holds nothing up.
  const KernelProfile late = measureBlock(
      builder,
      {builder.reading(builder.op("fmul", kMul), {}, ValueId{0}),
       builder.reading(builder.op("call", kFma), {kConstant, kConstant, value(0)}, ValueId{1})});
  CHECK(late.count("asap_fp_depth"_metric) == 2);
  CHECK(late.histograms.asapFpLevels == Histogram{{1, 1}, {2, 1}}); // 2 multiplications, 1 addition
  CHECK(late.count("asap_depth"_metric) == 2);                      // one node, behind the addend's
  // As a factor it does.
  ProgramBuilder other;
  const KernelProfile early = measureBlock(
      other, {other.reading(other.op("fmul", kMul), {}, ValueId{0}),
              other.reading(other.op("call", kFma), {kConstant, value(0), kConstant}, ValueId{1})});
  CHECK(early.count("asap_fp_depth"_metric) == 3);
  CHECK(early.histograms.asapFpLevels == Histogram{{1, 3}});
}

TEST_CASE("every lane of a vector is an operation of its level", "[asap]") {
  ProgramBuilder builder;
  const Operation add4{.width = 4, .lanes = 4, .fpAdd = 4, .fpBits = 32};
  const KernelProfile profile =
      measureBlock(builder, {builder.reading(builder.op("fadd", add4), {}, ValueId{0}),
                             builder.reading(builder.op("fadd", add4), {value(0)}, ValueId{1})});
  CHECK(profile.count("asap_fp_depth"_metric) == 2);
  CHECK(profile.histograms.asapFpLevels == Histogram{{4, 2}});
}

TEST_CASE("phis that swap values swap their levels", "[asap]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  // a, b = b, a + 1: both chains grow, in turns. One phi after the other, b's would outrun.
  builder.block(
      {builder.reading(builder.op("phi"), {{ValueId::kNone, BlockId{0}}, {ValueId{2}, BlockId{1}}},
                       ValueId{1}),
       builder.reading(builder.op("phi"), {{ValueId::kNone, BlockId{0}}, {ValueId{1}, BlockId{1}}},
                       ValueId{0}),
       builder.reading(builder.op("fadd", kAdd), {value(0)}, ValueId{2}), builder.op("br")},
      BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0).block(1, {}, 10).block(2);
  const KernelProfile profile = measure(trace);
  CHECK(profile.count("asap_fp_depth"_metric) == 5);
  CHECK(profile.histograms.asapFpLevels == Histogram{{2, 5}});
}

TEST_CASE("a load depends on the last write to each of its bytes", "[asap]") {
  ProgramBuilder builder;
  const std::vector<Operation> operations = {
      builder.reading(builder.op("fadd", kAdd), {}, ValueId{0}),         // level 1
      builder.reading(builder.op("fadd", kAdd), {value(0)}, ValueId{1}), // level 2
      builder.reading(builder.op("store", kStore), {value(1)}),
      builder.reading(builder.op("store", kStore), {value(0)}),
      builder.reading(builder.op("load", kLoad), {}, ValueId{2}),
      builder.reading(builder.op("fadd", kAdd), {value(2)}, ValueId{3})};
  const auto depth = [&](const Access &first, const Access &second, const Access &load) {
    ProgramBuilder copy = builder;
    return measureBlock(copy, operations, {at(2, first), at(3, second), at(4, load)})
        .count("asap_fp_depth"_metric);
  };
  // The second write covers the first, all of it or the half that is read.
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 0), read(kGlobal, 1, 0)) == 2);
  CHECK(depth(write(kGlobal, 1, 0, 8), write(kGlobal, 1, 4), read(kGlobal, 1, 4)) == 2);
  CHECK(depth(write(kGlobal, 1, 0, 8), write(kGlobal, 1, 4), read(kGlobal, 1, 0)) == 3);
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 1, 2), read(kGlobal, 1, 1, 2)) == 2);
  // A byte on either side of it is still the first's; so is one across a page's end.
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 1, 2), read(kGlobal, 1, 0, 1)) == 3);
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 1, 2), read(kGlobal, 1, 2, 2)) == 3);
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 1, 2), read(kGlobal, 1, 0)) == 3);
  CHECK(depth(write(kGlobal, 1, 126), write(kGlobal, 1, 0, 128), read(kGlobal, 1, 128)) == 3);
  CHECK(depth(write(kGlobal, 1, 126), write(kGlobal, 1, 0, 128), read(kGlobal, 1, 120, 8)) == 2);
  // Neither reaches another buffer or address space; constant memory is global memory.
  CHECK(depth(write(kGlobal, 1, 0), write(kGlobal, 1, 0), read(kGlobal, 2, 0)) == 2);
  CHECK(depth(write(kGlobal, 1, 0), write(kLocal, 1, 0), read(kLocal, 1, 0)) == 2);
  CHECK(depth(write(kGlobal, 1, 0), write(kLocal, 1, 0), read(AddressSpace::kConstant, 1, 0)) == 3);
}

TEST_CASE("an address that is computed delays the load", "[asap]") {
  ProgramBuilder builder;
  const KernelProfile profile =
      measureBlock(builder,
                   {builder.reading(builder.op("fadd", kAdd), {}, ValueId{0}),
                    builder.reading(builder.op("load", kLoad), {value(0)}, ValueId{1}),
                    builder.reading(builder.op("fadd", kAdd), {value(1)}, ValueId{2})},
                   {at(1, read(kGlobal, 1, 0))});
  CHECK(profile.count("asap_fp_depth"_metric) == 2);
  CHECK(profile.count("asap_depth"_metric) == 3);
}

TEST_CASE("work-items hand levels on through shared memory, and not through private", "[asap]") {
  // Each reads what the one before it wrote, adds and writes it back.
  const auto depth = [](const Operation &load, const Operation &store, AddressSpace space) {
    ProgramBuilder builder;
    builder.function("kernel");
    builder.block({builder.reading(builder.op("load", load), {}, ValueId{0}),
                   builder.reading(builder.op("fadd", kAdd), {value(0)}, ValueId{1}),
                   builder.reading(builder.op("store", store), {value(1)}), builder.op("ret")},
                  BlockEnd::kReturn);
    const Program program = builder.build();
    HandTrace trace(program);
    trace.group(9);
    for (uint32_t item = 0; item < 9; ++item)
      trace.item(item).block(0, {at(0, read(space, 3, 8)), at(2, write(space, 3, 8))});
    // The next group finds everything as at the start, and its levels are the same ones.
    trace.group(2);
    for (uint32_t item = 0; item < 2; ++item)
      trace.item(item).block(0, {at(0, read(space, 3, 8)), at(2, write(space, 3, 8))});
    const KernelProfile profile = measure(trace, 9);
    CHECK(profile.real("asap_fp_parallelism"_metric) ==
          Approx(11.0 / static_cast<double>(profile.count("asap_fp_depth"_metric))));
    return std::pair{profile.count("asap_fp_depth"_metric), profile.histograms.asapFpLevels};
  };
  Operation localLoad = kLoad, localStore = kStore;
  localLoad.space = localStore.space = kLocal;
  CHECK(depth(kLoad, kStore, kGlobal) == std::pair{uint64_t{9}, Histogram{{1, 7}, {2, 2}}});
  CHECK(depth(localLoad, localStore, kLocal) == std::pair{uint64_t{9}, Histogram{{1, 7}, {2, 2}}});
  CHECK(depth(kPrivateLoad, kPrivateStore, kPrivate) == std::pair{uint64_t{1}, Histogram{{11, 1}}});
}

TEST_CASE("an atomic depends on the one before it and hands its level on", "[asap]") {
  ProgramBuilder builder;
  const Operation atomic{.memory = MemoryKind::kAtomic, .space = kGlobal};
  builder.function("kernel");
  builder.block(
      {builder.reading(builder.op("atomicrmw", atomic), {}, ValueId{0}), builder.op("ret")},
      BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(20);
  for (uint32_t item = 0; item < 20; ++item)
    trace.item(item).block(0, {read(kGlobal, 1, 0), write(kGlobal, 1, 0)});
  CHECK(measure(trace, 20).count("asap_depth"_metric) == 20);
}

TEST_CASE("a work-group's copy carries levels from its source to its destination", "[asap]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.reading(builder.op("fadd", kAdd), {}, ValueId{0}),
                 builder.reading(builder.op("store", kStore), {value(0)}), builder.op("call")},
                BlockEnd::kBarrier);
  Operation localLoad = kLoad;
  localLoad.space = kLocal;
  builder.block({builder.reading(builder.op("load", localLoad), {}, ValueId{1}),
                 builder.reading(builder.op("fadd", kAdd), {value(1)}, ValueId{2}),
                 builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  const auto depth = [&](uint64_t offset) {
    HandTrace trace(program);
    trace.group(1).item(0).block(0, {at(1, write(kGlobal, 1, 0))});
    trace.groupCopies(
        {read(kGlobal, 1, 0), write(kLocal, 1, 0), read(kGlobal, 1, 4), write(kLocal, 1, 4)});
    trace.barrier().item(0).block(1, {read(kLocal, 1, offset)});
    return measure(trace).count("asap_fp_depth"_metric);
  };
  CHECK(depth(0) == 2);
  CHECK(depth(4) == 1);
  // What was read since the last write is joined, and forgotten where a group begins.
  HandTrace joined(program);
  joined.group(1).item(0).block(0, {at(1, write(kGlobal, 1, 0))});
  joined.groupCopies({read(kGlobal, 1, 0), read(kGlobal, 1, 4), write(kLocal, 1, 0)});
  joined.barrier().item(0).block(1, {read(kLocal, 1, 0)});
  CHECK(measure(joined).count("asap_fp_depth"_metric) == 2);
  HandTrace forgotten(program);
  forgotten.group(1).item(0).block(0, {at(1, write(kGlobal, 1, 0))});
  forgotten.groupCopies({read(kGlobal, 1, 0)});
  forgotten.barrier();
  forgotten.group(1).item(0).block(0, {at(1, write(kGlobal, 1, 0))});
  forgotten.groupCopies({write(kLocal, 1, 0)});
  forgotten.barrier().item(0).block(1, {read(kLocal, 1, 0)});
  CHECK(measure(forgotten).count("asap_fp_depth"_metric) == 1);
}

TEST_CASE("of lanes that read in two buffers, those wait whose buffer was written", "[asap]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.reading(builder.op("fadd", kAdd), {}, ValueId{0}),
                 builder.reading(builder.op("store", kStore), {value(0)}), builder.op("call")},
                BlockEnd::kBarrier);
  builder.block({builder.reading(builder.op("load", kLoad), {}, ValueId{1}),
                 builder.reading(builder.op("fadd", kAdd), {value(1)}, ValueId{2}),
                 builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(4);
  for (uint32_t item = 0; item < 4; ++item)
    trace.item(item).block(0, {at(1, write(kGlobal, 1, uint64_t{4} * item))});
  trace.barrier();
  for (uint32_t item = 0; item < 4; ++item)
    trace.item(item).block(1, {read(kGlobal, item == 0 ? 1 : 2, uint64_t{4} * item)});
  // Four additions and three that wait for nothing, then the first work-item's second one.
  CHECK(measure(trace, 4).histograms.asapFpLevels == Histogram{{1, 1}, {7, 1}});
}

TEST_CASE("levels go into a called function and come back out of it", "[asap]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.reading(builder.op("fadd", kAdd), {}, ValueId{0}),
                 builder.reading(builder.op("call"), {kConstant, value(0)}, ValueId{1})},
                BlockEnd::kCall, {}, FunctionId{1});
  builder.block({builder.reading(builder.op("fadd", kAdd), {value(1)}, ValueId{2}),
                 builder.reading(builder.op("call"), {value(2), kConstant}, ValueId{3})},
                BlockEnd::kCall, {}, FunctionId{1});
  builder.block(
      {builder.reading(builder.op("fadd", kAdd), {value(3)}, ValueId{4}), builder.op("ret")},
      BlockEnd::kReturn);
  builder.function("addToSecond"); // its value has nothing to do with its first argument
  builder.arguments({ValueId{5}, ValueId{6}});
  builder.block({builder.reading(builder.op("fadd", kAdd), {value(6)}, ValueId{7}),
                 builder.reading(builder.op("ret"), {value(7)})},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).blocks({0, 3, 1, 3, 2});
  const KernelProfile profile = measure(trace);
  // fadd, call: fadd, fadd; then call: fadd with a constant, fadd.
  CHECK(profile.count("asap_fp_depth"_metric) == 3);
  CHECK(profile.histograms.asapFpLevels == Histogram{{1, 1}, {2, 2}});
  // In instructions: fadd 1, in the callee 2, the call's value 3, fadd 4, the second call behind
  // it 5.
  CHECK(profile.count("asap_depth"_metric) == 5);
  CHECK(profile.real("asap_parallelism"_metric) == 7.0 / 5);
}
