// Which loads and stores of a kernel are one access. Each case is the body of a kernel; accesses
// are numbered from 0 in their order.

#include "decoding/decoder.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

namespace {

using Groups = std::vector<std::vector<size_t>>;

/// The accesses that have several parts.
Groups joined(const std::string &body) {
  const std::string text = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64"
%pair = type { i32, i32 }
%four = type { float, float, float, float }
%eight = type { float, float, float, float, float, float, float, float }
@tile = internal addrspace(3) global [64 x float] undef, align 16
@unaligned = internal addrspace(3) global [64 x float] undef, align 4
@pair = internal addrspace(3) global [2 x float] undef, align 4
declare i64 @_Z13get_global_idj(i32) nounwind readnone
declare void @_Z7barrierj(i32) convergent
declare void @llvm.assume(i1)
define float @pure(float %v) readnone { ret float %v }
define spir_kernel void @k(<4 x float> addrspace(1)* %v, float addrspace(1)* %f, %four addrspace(1)* %s,
                           %pair addrspace(1)* %p, %eight addrspace(1)* %e, <8 x float> addrspace(1)* %w,
                           float addrspace(1)* noalias %r, <4 x float> addrspace(2)* %c) {
entry:
  %i = call i64 @_Z13get_global_idj(i32 0)
)" + body + "\n  ret void\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  INFO(error.getMessage().str() << " in line " << error.getLineNo() << " of " << text);
  REQUIRE(module);
  const aiwc::decoding::DecodedProgram decoded(*module->getFunction("k"));
  const aiwc::trace::Program &program = decoded.program();
  std::map<uint32_t, std::vector<size_t>> accesses; // by operation
  size_t number = 0;
  for (const aiwc::trace::Block &block : program.blocks)
    for (uint32_t offset = 0; offset < block.opCount; ++offset)
      if (program.operationsOf(block)[offset].memory != aiwc::trace::MemoryKind::kNone)
        accesses[program.accessOf(block, offset)].push_back(number++);
  Groups groups;
  for (const auto &[operation, parts] : accesses)
    if (parts.size() > 1)
      groups.push_back(parts);
  return groups;
}

struct Element {
  std::string type, array; ///< what is indexed by %i, then by a constant
  std::string scalar = "float";
  unsigned space = 1;

  std::string pointerTo(size_t place, const std::string &name, const std::string &index) const {
    return "\n  %" + name + " = getelementptr " + type + ", " + type + " addrspace(" +
           std::to_string(space) + ")* " + array + ", i64 " + index + ", i32 " +
           std::to_string(place);
  }
  /// A load of the element at this place, as far as its alignment is known.
  std::string load(size_t place, unsigned align, const std::string &index = "%i") const {
    const std::string name = "l" + std::to_string(count++);
    return pointerTo(place, name, index) + "\n  %" + name + "v = load " + scalar + ", " + scalar +
           " addrspace(" + std::to_string(space) + ")* %" + name + ", align " +
           std::to_string(align);
  }
  std::string store(size_t place, unsigned align, const std::string &index = "%i") const {
    const std::string name = "s" + std::to_string(count++);
    return pointerTo(place, name, index) + "\n  store " + scalar + " " +
           (scalar == "float" ? "1.0" : "1") + ", " + scalar + " addrspace(" +
           std::to_string(space) + ")* %" + name + ", align " + std::to_string(align);
  }

  static inline size_t count = 0; ///< of names
};

const Element vector4{"<4 x float>", "%v"};
const Element vector8{"<8 x float>", "%w"};
const Element four{"%four", "%s"};
const Element eight{"%eight", "%e"};
const Element pair{"%pair", "%p", "i32"};
const Element constant4{"<4 x float>", "%c", "float", 2};

/// A store through `pointer`, which may lead anywhere in global memory or only where it alone does.
std::string storeTo(const std::string &pointer) {
  return "\n  store float 2.0, float addrspace(1)* " + pointer + ", align 4";
}

} // namespace

TEST_CASE("the elements of a vector are one access") {
  CHECK(joined(vector4.load(0, 16) + vector4.load(1, 4) + vector4.load(2, 8) +
               vector4.load(3, 4)) == Groups{{0, 1, 2, 3}});
  CHECK(joined(vector4.load(3, 4) + vector4.load(1, 4)) == Groups{{0, 1}}); // those that are used
  CHECK(joined(vector4.store(0, 16) + vector4.store(1, 4)) == Groups{{0, 1}});
  CHECK(joined(constant4.load(2, 8) + constant4.load(0, 16)) == Groups{{0, 1}});
  // As wide as the language has them
  std::string all;
  for (const size_t place : {0, 1, 2, 3, 4, 5, 6, 7})
    all += vector8.load(place, 4);
  CHECK(joined(all) == Groups{{0, 1, 2, 3, 4, 5, 6, 7}});
  CHECK(joined(vector4.load(0, 16)).empty());
}

TEST_CASE("two vectors are two accesses") {
  CHECK(joined(vector4.load(0, 16) + vector4.load(0, 16, "0") + vector4.load(1, 4) +
               vector4.load(1, 4, "0")) == Groups{{0, 2}, {1, 3}});
  CHECK(joined(vector4.load(3, 4, "0") + vector4.load(0, 16, "1")).empty());
}

TEST_CASE("an aligned structure of up to 16 bytes is one access") {
  const auto copy = [](unsigned align) {
    return four.load(0, align) + four.load(1, 4) + four.load(2, std::min(8U, align)) +
           four.load(3, 4);
  };
  CHECK(joined(copy(16)) == Groups{{0, 1, 2, 3}});
  CHECK(joined(copy(8)) == Groups{{0, 1}, {2, 3}}); // in halves
  CHECK(joined(copy(4)).empty());                   // no device knows more of its place
  CHECK(joined(pair.load(0, 8) + pair.load(1, 4)) == Groups{{0, 1}});
  CHECK(joined(pair.load(0, 4) + pair.load(1, 4)).empty());
  // Of a larger one, each 16 bytes
  std::string halves;
  for (const size_t place : {0, 1, 2, 3, 4, 5, 6, 7})
    halves += eight.load(place, place == 0 ? 32 : 4);
  CHECK(joined(halves) == Groups{{0, 1, 2, 3}, {4, 5, 6, 7}});
  // The order in which the parts are accessed does not matter, nor does which tells the alignment.
  CHECK(joined(four.load(3, 4) + four.load(1, 4) + four.load(0, 16)) == Groups{{0, 1, 2}});
}

TEST_CASE("neighbours of a stencil are accesses of their own") {
  std::string loads;
  for (const std::string offset : {"-1", "0", "1"}) {
    const std::string name = "n" + std::to_string(Element::count++);
    loads += "\n  %" + name + "i = add i64 %i, " + offset + "\n  %" + name +
             " = getelementptr float, float addrspace(1)* %f, i64 %" + name + "i\n  %" + name +
             "v = load float, float addrspace(1)* %" + name + ", align 4";
  }
  CHECK(joined(loads).empty());
}

TEST_CASE("consecutive elements are one access where the code tells that they are aligned") {
  std::string loads =
      "\n  %first = shl i64 %i, 2\n  %base = getelementptr [64 x float], [64 x float] "
      "addrspace(3)* @tile, i64 0, i64 %first";
  for (const std::string place : {"0", "1", "2", "3"})
    loads += "\n  %t" + place + " = getelementptr float, float addrspace(3)* %base, i64 " + place +
             "\n  %t" + place + "v = load float, float addrspace(3)* %t" + place + ", align " +
             (place == "0" ? "16" : "4");
  CHECK(joined(loads) == Groups{{0, 1, 2, 3}});
}

TEST_CASE("compilers align arrays of local memory, and know the factors of indices") {
  const auto loads = [](const std::string &array, const std::string &index,
                        const std::string &nextIndex) {
    const std::string type = array == "@pair" ? "[2 x float]" : "[64 x float]";
    std::string text;
    for (const std::string &one : {index, nextIndex}) {
      const std::string name = "n" + std::to_string(Element::count++);
      text += "\n  %" + name + "i = " + one + "\n  %" + name + "w = sext i32 %" + name +
              "i to i64\n  %" + name + " = getelementptr " + type + ", " + type +
              " addrspace(3)* " + array + ", i64 0, i64 %" + name + "w\n  %" + name +
              "v = load float, float addrspace(3)* %" + name + ", align 4";
    }
    return "\n  %j = trunc i64 %i to i32\n  %two = shl i32 %j, 1\n  %four = shl i32 %j, 2" + text;
  };
  const std::string tile = "@unaligned";
  CHECK(joined(loads(tile, "or i32 %four, 1", "or i32 %four, 2")) == Groups{{0, 1}});
  CHECK(joined(loads(tile, "or i32 %four, 3", "add nsw i32 %four, 4")).empty()); // the next unit
  CHECK(joined(loads(tile, "or i32 %two, 1", "add i32 %two, 0")).empty()); // it may wrap around
  CHECK(joined(loads(tile, "or i32 %two, 1", "add nsw i32 %two, 0")) == Groups{{0, 1}}); // 8 bytes
  CHECK(joined(loads(tile, "or i32 %two, 1", "add nsw i32 %two, 2")).empty());
  CHECK(joined(loads(tile, "add nsw i32 %j, 1", "add nsw i32 %j, 0")).empty());     // of a stencil
  CHECK(joined(loads("@pair", "or i32 %four, 1", "add nsw i32 %four, 0")).empty()); // not aligned
}

TEST_CASE("what may change the memory between loads keeps them apart") {
  const std::string x = vector4.load(0, 16);
  const std::string y = vector4.load(1, 4);
  CHECK(joined(x + storeTo("%f") + y).empty());
  CHECK(joined(x + storeTo("%r") + y) == Groups{{0, 2}}); // restrict
  CHECK(joined(constant4.load(0, 16) + storeTo("%f") + constant4.load(1, 4)) == Groups{{0, 2}});
  CHECK(joined(x + "\n  call void @_Z7barrierj(i32 1)" + y).empty());
  CHECK(joined(x + "\n  fence seq_cst" + y).empty());
  CHECK(joined(x + "\n  %u = call float @pure(float 0.0)" + y).empty()); // another block begins
  CHECK(joined(x + "\n  br label %next\nnext:" + y).empty());
  CHECK(joined(x + "\n  call void @llvm.assume(i1 true)" + y) == Groups{{0, 1}});
  // The element itself
  CHECK(joined(x + vector4.store(0, 16) + y + vector4.store(1, 4)) == Groups{{0, 2}, {1, 3}});
  CHECK(joined(x + vector4.store(1, 4) + y).empty());
  CHECK(joined(x + "\n  %z = load volatile float, float addrspace(1)* %f, align 4" + y).empty());
}

TEST_CASE("what may see the memory between stores keeps them apart") {
  const std::string x = vector4.store(0, 16);
  const std::string y = vector4.store(1, 4);
  CHECK(joined(x + storeTo("%f") + y).empty());
  CHECK(joined(x + storeTo("%r") + y) == Groups{{0, 2}});
  CHECK(joined(x + "\n  %z = load float, float addrspace(1)* %f, align 4" + y).empty());
  CHECK(joined(x + vector4.load(1, 4) + y) == Groups{{0, 2}});
  CHECK(joined(x + vector4.load(0, 16) + y).empty());
  CHECK(joined(x + vector4.store(0, 16) + y) == Groups{{1, 2}});
}
