/// How accesses step through memory, and the idioms they belong to, of traces whose values follow
/// from the definitions with pen and paper.
#include "metrics/hand_trace.h"
#include "metrics/idioms/access_statistics.h"
#include "profile/access_row.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc;
using namespace aiwc::test;
using namespace aiwc::trace;
using profile::AccessKind;
using profile::AccessRow;
using profile::Idiom;
using profile::KernelProfile;

namespace {

constexpr AddressSpace kGlobal = AddressSpace::kGlobal;
constexpr AddressSpace kLocal = AddressSpace::kLocal;

ValueId value(uint32_t id) {
  return ValueId{id};
}

Operand operand(uint32_t id, BlockId incoming = BlockId::kNone) {
  return {value(id), incoming};
}

Access at(Access access, uint32_t opOffset) {
  access.opOffset = opOffset & 0x1ffffff;
  return access;
}

Operation load(ProgramBuilder &builder, ArrayId array, uint32_t address, uint32_t result,
               AddressSpace space = kGlobal) {
  return builder.reading(
      builder.op("load", {.memory = MemoryKind::kLoad, .space = space, .array = array}),
      {operand(address)}, value(result));
}

Operation store(ProgramBuilder &builder, ArrayId array, uint32_t stored, uint32_t address,
                AddressSpace space = kGlobal) {
  return builder.reading(
      builder.op(
          "store",
          {.memory = MemoryKind::kStore, .space = space, .stored = value(stored), .array = array}),
      {operand(stored), operand(address)});
}

/// The row of an array; there must be one.
const AccessRow &rowOf(const KernelProfile &profile, const std::string &array,
                       AccessKind kind = AccessKind::kRead) {
  REQUIRE(profile.accesses);
  for (const AccessRow &row : *profile.accesses)
    if (row.array == array && row.kind == kind)
      return row;
  FAIL("no row of " + array);
  return profile.accesses->front();
}

/// out[f(i)] := in[g(i)] by `items` work-items; in is buffer 1, out buffer 2. Values: 0 an index, 1
/// what is loaded.
template <typename From, typename To> KernelProfile copied(uint32_t items, From from, To to) {
  ProgramBuilder builder;
  const ArrayId in = builder.array("in"), out = builder.array("out");
  builder.function("kernel");
  builder.block({builder.reading(builder.op("call"), {}, value(0)), load(builder, in, 0, 1),
                 store(builder, out, 1, 0), builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(items);
  for (uint64_t i = 0; i < items; ++i)
    trace.item(static_cast<uint32_t>(i))
        .block(0, {at(read(kGlobal, 1, from(i)), 1), at(write(kGlobal, 2, to(i)), 2)});
  return measure(trace, items);
}

} // namespace

TEST_CASE("a copy is a stream, whose strides, bytes and footprint are told", "[idioms]") {
  constexpr uint64_t n = 32;
  const KernelProfile profile = copied(
      n, [](uint64_t i) { return 4 * i; }, [](uint64_t i) { return 4 * (n - 1 - i); });
  REQUIRE(profile.accesses->size() == 2);
  const AccessRow &in = rowOf(profile, "in");
  CHECK(in.accesses == n);
  CHECK(in.bytes == 4 * n);
  CHECK(in.footprint == 4 * n);
  CHECK(in.laneStride == 4);
  CHECK_FALSE(in.loopStride);
  CHECK_FALSE(in.dataDependent);
  CHECK(in.idiom == Idiom::kStream);
  const AccessRow &out = rowOf(profile, "out", AccessKind::kWrite);
  CHECK(out.laneStride == -4);
  CHECK(out.idiom == Idiom::kStream);
}

TEST_CASE("the footprint of a copy between two memories is that of its own one", "[idioms]") {
  constexpr uint32_t n = 16;
  ProgramBuilder builder;
  const ArrayId tile = builder.array("tile");
  builder.function("kernel");
  builder.block({builder.op("call", {.memory = MemoryKind::kCopy, .space = kLocal, .array = tile}),
                 builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(n);
  for (uint32_t i = 0; i < n; ++i) // 16 bytes of each row of 4 KiB, side by side in local memory
    trace.item(i).block(0, {read(kGlobal, 1, 4096 * i, 16), write(kLocal, 0, 16 * i, 16)});
  const KernelProfile profile = measure(trace, n);
  REQUIRE(profile.accesses->size() == 1);
  CHECK(profile.accesses->front().bytes == 2 * 16 * n);
  CHECK(profile.accesses->front().footprint == 16 * n);
}

TEST_CASE("a footprint is the range of addresses, but no more than the bytes", "[idioms]") {
  constexpr uint64_t n = 16;
  const KernelProfile profile = copied(
      n, [](uint64_t) { return 0; }, [](uint64_t i) { return 4096 * i; });
  CHECK(rowOf(profile, "in").footprint == 4);
  CHECK(rowOf(profile, "in").laneStride == 0);
  CHECK_FALSE(rowOf(profile, "in").idiom); // one element for all
  CHECK(rowOf(profile, "out", AccessKind::kWrite).footprint == 4 * n);
  CHECK(rowOf(profile, "out", AccessKind::kWrite).laneStride == 4096);
}

TEST_CASE("rows of work-items to columns: a transpose, if there are no gaps", "[idioms]") {
  constexpr uint64_t n = 8;
  const auto byRows = [](uint64_t i) { return 4 * i; };
  const auto byColumns = [](uint64_t i) { return 4 * (i % n * n + i / n); };
  CHECK(rowOf(copied(n * n, byRows, byColumns), "in").idiom == Idiom::kTranspose);
  CHECK(rowOf(copied(n * n, byColumns, byRows), "in").idiom == Idiom::kTranspose);
  // Of structures of eight numbers, the first.
  const auto first = [](uint64_t i) { return 4 * n * i; };
  CHECK(rowOf(copied(n * n, first, byRows), "in").idiom == Idiom::kStream);
}

TEST_CASE("an address that is data gathers or scatters, with what gives it", "[idioms]") {
  ProgramBuilder builder;
  const ArrayId index = builder.array("index"), in = builder.array("in"),
                out = builder.array("out");
  builder.function("kernel");
  const bool scatters = GENERATE(false, true);
  builder.block({builder.reading(builder.op("call"), {}, value(0)), load(builder, index, 0, 1),
                 load(builder, in, scatters ? 0 : 1, 2), store(builder, out, 2, scatters ? 1 : 0),
                 builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  const bool shared = GENERATE(false, true); // all work-items read the same element of index
  constexpr uint32_t n = 16;
  HandTrace trace(program);
  trace.group(n);
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t affine = 4 * i, data = shared ? 4 * i : 4 * (7 * i % n);
    trace.item(i).block(0, {at(read(kGlobal, 1, shared ? 0 : affine), 1),
                            at(read(kGlobal, 2, scatters ? affine : data), 2),
                            at(write(kGlobal, 3, scatters ? data : affine), 3)});
  }
  const KernelProfile profile = measure(trace, n);
  const std::optional<Idiom> expected = shared     ? Idiom::kStream
                                        : scatters ? Idiom::kScatter
                                                   : Idiom::kGather;
  CHECK(rowOf(profile, "in").idiom == expected);
  CHECK(rowOf(profile, "out", AccessKind::kWrite).idiom == expected);
  CHECK(rowOf(profile, "in").dataDependent == (!shared && !scatters));
  CHECK(rowOf(profile, "out", AccessKind::kWrite).dataDependent == (!shared && scatters));
  CHECK(rowOf(profile, "index").idiom == (shared ? std::nullopt : std::optional<Idiom>(expected)));
}

namespace {

/// for (k) sum := sum `opcode` (in[...]) ; out := sum. Blocks: 0 entry, 1 header, 2 body, 3 end.
Program summing(const std::string &opcode) {
  ProgramBuilder builder;
  const ArrayId in = builder.array("in"), out = builder.array("out");
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  const Operation sum = builder.reading(
      builder.op("phi"), {{ValueId::kNone, BlockId{0}}, operand(3, BlockId{2})}, value(1));
  builder.block({sum, builder.op("br", {.line = 5})}, BlockEnd::kBranch, {BlockId{2}, BlockId{3}});
  builder.block({load(builder, in, 0, 2),
                 builder.reading(builder.op(opcode), {operand(1), operand(2)}, value(3)),
                 builder.op("br")},
                BlockEnd::kJump, {BlockId{1}});
  builder.block({store(builder, out, 1, 0), builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// Work-item i adds `n` elements of `in`, the k-th at first(i) + k step, all 4 bytes.
KernelProfile sums(const std::string &opcode, uint32_t items, uint32_t n, uint64_t pitch,
                   uint64_t step) {
  const Program program = summing(opcode);
  HandTrace trace(program);
  trace.group(items);
  for (uint32_t i = 0; i < items; ++i) {
    trace.item(i).block(0);
    for (uint32_t k = 0; k < n; ++k)
      trace.block(1).block(2, {at(read(kGlobal, 1, 4 * (i * pitch + k * step)), 0)});
    trace.block(1).block(3, {at(write(kGlobal, 2, 4 * i), 0)});
  }
  return measure(trace, items);
}

} // namespace

TEST_CASE("a loop that adds what it reads is a reduction, along rows or columns", "[idioms]") {
  for (const auto &[pitch, step] : {std::pair{8, 1}, std::pair{1, 8}}) {
    const KernelProfile profile = sums("fadd", 8, 8, pitch, step);
    const AccessRow &in = rowOf(profile, "in");
    CHECK(in.idiom == Idiom::kReduction);
    CHECK(in.laneStride == 4 * pitch);
    CHECK(in.loopStride == 4 * step);
    CHECK(rowOf(profile, "out", AccessKind::kWrite).idiom == Idiom::kReduction);
  }
  // What is no sum, product, bitwise operation or extreme does not fold.
  CHECK(rowOf(sums("fdiv", 8, 8, 8, 1), "in").idiom == Idiom::kStream);
}

TEST_CASE("a loop that slides over what the next work-item reads too is a stencil", "[idioms]") {
  CHECK(rowOf(sums("fadd", 8, 3, 1, 1), "in").idiom == Idiom::kStencil);
  CHECK(rowOf(sums("fadd", 8, 3, 2, 1), "in").idiom == Idiom::kStencil);   // every second window
  CHECK(rowOf(sums("fadd", 8, 3, 3, 1), "in").idiom == Idiom::kReduction); // they do not overlap
}

TEST_CASE("reads at constant offsets that other work-items read too are a stencil", "[idioms]") {
  ProgramBuilder builder;
  const ArrayId in = builder.array("in"), out = builder.array("out");
  builder.function("kernel");
  builder.block({load(builder, in, 0, 1), load(builder, in, 0, 2),
                 builder.reading(builder.op("fadd"), {operand(1), operand(2)}, value(3)),
                 store(builder, out, 3, 0), builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  constexpr uint32_t n = 32;
  const auto run = [&](auto first, auto second) {
    HandTrace trace(program);
    trace.group(n);
    for (uint32_t i = 0; i < n; ++i)
      trace.item(i).block(0, {at(read(kGlobal, 1, 4 * first(i)), 0),
                              at(read(kGlobal, 1, 4 * second(i)), 1),
                              at(write(kGlobal, 2, 4 * i), 3)});
    return rowOf(measure(trace, n), "in").idiom;
  };
  using Number = uint32_t;
  const auto same = [](Number i) { return i; };
  CHECK(run(same, [](Number i) { return i + 2; }) == Idiom::kStencil);
  // Two halves, and the two numbers of a structure: nothing is read twice.
  CHECK(run(same, [](Number i) { return i + n; }) == Idiom::kStream);
  CHECK(run([](Number i) { return 2 * i; }, [](Number i) { return 2 * i + 1; }) == Idiom::kStream);
  // The offset is not constant.
  CHECK(run(same, [](Number i) { return n - 1 - i; }) == Idiom::kStream);
}

TEST_CASE("an atomic that all work-items make at an address which is no data is a reduction",
          "[idioms]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("call", {.memory = MemoryKind::kAtomic,
                                     .space = kLocal,
                                     .array = builder.array("count")}),
                 builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(4);
  for (uint32_t i = 0; i < 4; ++i)
    trace.item(i).block(0, {read(kLocal, 1, 0), write(kLocal, 1, 0)});
  const KernelProfile profile = measure(trace, 4);
  const AccessRow &row = rowOf(profile, "count", AccessKind::kAtomic);
  CHECK(row.accesses == 8);
  CHECK(row.idiom == Idiom::kReduction);
}

TEST_CASE("copies by the work-group are a stream of their own", "[idioms]") {
  const Program program = loadingProgram();
  HandTrace trace(program);
  std::vector<Access> copies;
  for (uint64_t i = 0; i < 8; ++i) {
    copies.push_back(read(kGlobal, 1, 8 * i));
    copies.push_back(write(kLocal, 1, 4 * i));
  }
  trace.group(1).groupCopies(copies);
  const KernelProfile profile = measure(trace, 1);
  REQUIRE(profile.accesses->size() == 1); // of global memory
  const AccessRow &row = profile.accesses->front();
  CHECK(row.function.empty());
  CHECK(row.accesses == 8);
  CHECK(row.loopStride == 8);
  CHECK(row.footprint == 32);
  CHECK(row.idiom == Idiom::kStream);
}

TEST_CASE("of each doubling of the work-groups, about eight are looked at", "[idioms]") {
  const auto looked = [](uint64_t from, uint64_t to) {
    uint64_t groups = 0;
    for (uint64_t group = from; group < to; ++group)
      groups += metrics::AccessCollector::looksAt(group);
    return groups;
  };
  CHECK(looked(0, 16) == 16);
  for (uint64_t from = 16; from < 1 << 20; from *= 2) {
    CAPTURE(from);
    CHECK(looked(from, 2 * from) >= 1);
    CHECK(looked(from, 2 * from) <= 24);
  }
}

TEST_CASE("sketches tell what sets of addresses have in common", "[idioms]") {
  using metrics::AddressSketch;
  const auto sketch = [](uint64_t begin, uint64_t end) {
    AddressSketch result;
    for (uint64_t address = begin; address < end; ++address)
      result.add(4 * address);
    return result;
  };
  CHECK(sketch(0, 30).overlap(sketch(0, 30)) == 1);
  CHECK(sketch(0, 30).overlap(sketch(30, 60)) == 0);
  CHECK(sketch(0, 30).overlap(sketch(10, 40)) == 0.5); // exact: 40 addresses in all
  CHECK(AddressSketch().overlap(AddressSketch()) == 0);
  CHECK(sketch(0, 100000).overlap(sketch(1, 100001)) > 0.95);
  CHECK(sketch(0, 100000).overlap(sketch(50000, 150000)) == Approx(1.0 / 3).margin(0.2));
  CHECK(sketch(0, 100000).overlap(sketch(100000, 200000)) < 0.1);

  // Of more than 64 addresses in both together, those with the 64 smallest hashes are compared.
  CHECK(sketch(0, 64).overlap(sketch(0, 32)) == 0.5);
  for (const uint64_t begin : {1, 11, 32, 50}) {
    const double common = 64 * sketch(0, 64).overlap(sketch(begin, begin + 64));
    CHECK(common == std::round(common));
  }

  AddressSketch merged = sketch(0, 5000);
  merged.merge(sketch(4000, 9000));
  CHECK(merged.overlap(sketch(0, 9000)) == 1);
}

TEST_CASE("the usual distance is that of half of all, by the votes of the groups", "[idioms]") {
  using metrics::UsualValue;
  const auto groupOf = [](const std::vector<int64_t> &distances) {
    UsualValue value;
    for (const int64_t distance : distances)
      value.add(distance);
    value.endGroup();
    return value;
  };
  CHECK_FALSE(UsualValue().value());
  CHECK_FALSE(UsualValue().seen());
  CHECK(groupOf({4, 4, 4, -28}).value() == 4);
  CHECK(groupOf({4, 4, 4, -28}).value(0.75) == 4);
  CHECK_FALSE(groupOf({4, 4, 4, -28}).value(0.8));
  CHECK(groupOf({8, 4}).value() == 4); // of equal ones the smallest
  CHECK_FALSE(groupOf({1, 2, 3}).value());
  CHECK_FALSE(groupOf({int64_t{1} << 48}).value()); // from one buffer to another
  CHECK(groupOf({(int64_t{1} << 47) - 1}).value() == (int64_t{1} << 47) - 1);
  CHECK_FALSE(groupOf({int64_t{1} << 47}).value());
  CHECK_FALSE(groupOf({-(int64_t{1} << 47)}).value());
  // The first distances of a group count, the others do not.
  const size_t most = UsualValue::kMostPerGroup;
  std::vector<int64_t> many(most / 2, 4);
  many.insert(many.end(), most / 2, 5);
  many.insert(many.end(), most, 6);
  CHECK(groupOf(many).value(0.5) == 4);
  many[most / 2 - 1] = 5;
  CHECK(groupOf(many).value(0.5) == 5);
  many.insert(many.begin() + most / 2, 2, 3);
  CHECK_FALSE(groupOf(many).value(0.5));
  // Each group votes with its own distances.
  UsualValue twice;
  for (int group = 0; group < 2; ++group) {
    for (const int64_t distance : {4, 4, 8})
      twice.add(distance);
    twice.endGroup();
  }
  CHECK(twice.value(0.66) == 4);
  CHECK_FALSE(twice.value(0.67));
  UsualValue equal = groupOf({8});
  equal.merge(groupOf({-4}));
  CHECK(equal.value() == -4); // of equal ones the smallest
  UsualValue both = groupOf({4, 4, 4});
  both.merge(groupOf({8, 8}));
  CHECK(both.value() == 4);
  CHECK_FALSE(both.value(0.7));
}

TEST_CASE("a vector access is one access of all its bytes") {
  ProgramBuilder builder;
  const ArrayId in = builder.array("in");
  builder.function("kernel");
  std::vector<Operation> operations = {builder.reading(builder.op("call"), {}, value(0))};
  for (uint32_t element = 0; element < 4; ++element) {
    operations.push_back(load(builder, in, 0, 1 + element));
    operations.back().line = 7 + element; // wherever the source uses the elements
    operations.back().joinedTo = element == 0 ? Operation::kAlone : 1;
  }
  operations.push_back(builder.op("ret"));
  builder.block(operations, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item) {
    std::vector<Access> accesses;
    for (uint32_t element : {2, 0, 1, 3}) // the first part is not the lowest
      accesses.push_back(at(read(kGlobal, 1, 16 * item + 4 * element),
                            1 + static_cast<uint32_t>(accesses.size())));
    trace.item(item).block(0, accesses);
  }
  const KernelProfile profile = measure(trace, 64);
  REQUIRE(profile.accesses);
  REQUIRE(profile.accesses->size() == 1);
  const AccessRow &row = profile.accesses->front();
  CHECK(row.line == 7);
  CHECK(row.accesses == 64);
  CHECK(row.bytes == 64 * 16);
  CHECK(row.footprint == 64 * 16);
  CHECK(row.laneStride == 16);
  // As AIWC defines them
  CHECK(profile.count("total_reads"_metric) == 4 * 64);
}
