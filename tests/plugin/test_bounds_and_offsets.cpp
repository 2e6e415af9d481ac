// What an argument of a kernel changes. Each case is the body of a kernel that uses %a; the words
// are those of OpenCL C that compile to it.

#include "decoding/bounds_and_offsets.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <catch2/catch.hpp>
#include <string>

namespace {

/// Of the argument %a of a kernel with this code behind `int i = get_global_id(0)`.
bool isBoundOrOffset(const std::string &body) {
  const std::string text = R"(
target triple = "spir64"
@scratch = internal addrspace(3) global [64 x i32] undef
declare i64 @_Z13get_global_idj(i32) nounwind readnone
declare i32 @_Z3minii(i32, i32) nounwind readnone
define i32 @helper(i32 %v) { ret i32 %v }
define spir_kernel void @k(i32 addrspace(1)* %x, i32 addrspace(1)* %y, i32 %n, i32 %a) {
entry:
  %id = call i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
)" + body + "\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  INFO(error.getMessage().str() << " in line " << error.getLineNo() << " of " << text);
  REQUIRE(module);
  const std::vector<bool> found = aiwc::decoding::boundsAndOffsets(*module->getFunction("k"));
  REQUIRE(found.size() == 4);
  CHECK_FALSE(found[0]); // pointers are no numbers
  return found[3];
}

/// Stores %v at x[%e], and returns.
const std::string kStore = R"(
  %p = getelementptr i32, i32 addrspace(1)* %x, i32 %e
  store i32 %v, i32 addrspace(1)* %p
  ret void)";

/// x[e] = 1
std::string storedAt(const std::string &index) {
  return index + "\n  %v = add i32 1, 0" + kStore;
}

/// if (condition) x[i] = 1
std::string guarded(const std::string &condition) {
  return condition + R"(
  br i1 %c, label %then, label %end
then:
  %p = getelementptr i32, i32 addrspace(1)* %x, i32 %i
  store i32 1, i32 addrspace(1)* %p
  br label %end
end:
  ret void)";
}

/// for (int j = first; j < last; j += step) x[j] = 1
std::string loop(const std::string &first, const std::string &last, const std::string &step) {
  return R"(
  br label %head
head:
  %j = phi i32 [ )" +
         first + R"(, %entry ], [ %next, %body ]
  %c = icmp slt i32 %j, )" +
         last + R"(
  br i1 %c, label %body, label %end
body:
  %p = getelementptr i32, i32 addrspace(1)* %x, i32 %j
  store i32 1, i32 addrspace(1)* %p
  %next = add nsw i32 %j, )" +
         step + R"(
  br label %head
end:)";
}

} // namespace

TEST_CASE("How far work-items and loops go, where they begin, and data are bounds and offsets") {
  CHECK(isBoundOrOffset("  ret void")); // unused
  // if (i < a), if (i < n - 1 - a)
  CHECK(isBoundOrOffset(guarded("  %c = icmp slt i32 %i, %a")));
  CHECK(isBoundOrOffset(guarded("  %m = xor i32 %a, -1\n  %b = add i32 %m, %n\n"
                                "  %c = icmp slt i32 %i, %b")));
  // if (i < a && i < n), if (i < min(n, a))
  CHECK(isBoundOrOffset(guarded("  %c1 = icmp slt i32 %i, %a\n  %c2 = icmp slt i32 %i, %n\n"
                                "  %c = and i1 %c1, %c2")));
  CHECK(isBoundOrOffset(guarded("  %b = call i32 @_Z3minii(i32 %n, i32 %a)\n"
                                "  %c = icmp slt i32 %i, %b")));
  // x[i + a], x[n * (i + a + 1) + a], x[i + (1 << a)]
  CHECK(isBoundOrOffset(storedAt("  %e = add i32 %i, %a")));
  CHECK(isBoundOrOffset(storedAt("  %s = add i32 %i, %a\n  %s1 = add i32 %s, 1\n"
                                 "  %r = mul i32 %s1, %n\n  %e = add i32 %r, %a")));
  CHECK(isBoundOrOffset(storedAt("  %s = shl i32 1, %a\n  %e = add i32 %i, %s")));
  CHECK(isBoundOrOffset(loop("0", "%a", "1") + "\n  ret void"));
  CHECK(isBoundOrOffset(loop("%a", "%n", "1") + "\n  ret void"));
  // x[i] = a
  CHECK(isBoundOrOffset("  %e = add i32 %i, 0\n  %v = mul i32 %a, %i" + kStore));
}

TEST_CASE("Strides, divisors, masks, modes and what becomes an address are not") {
  // x[i * a], x[i / a], for (j = i; j < n; j += a) x[j]
  CHECK_FALSE(isBoundOrOffset(storedAt("  %e = mul i32 %i, %a")));
  CHECK_FALSE(isBoundOrOffset(storedAt("  %e = sdiv i32 %i, %a")));
  CHECK_FALSE(isBoundOrOffset(storedAt("  %s = add i32 %i, %a\n  %e = lshr i32 %s, 4")));
  CHECK_FALSE(isBoundOrOffset(loop("%i", "%n", "%a") + "\n  ret void"));
  // if ((i & a) == 0), if (a == 0), if (i * a < n)
  CHECK_FALSE(isBoundOrOffset(guarded("  %m = and i32 %i, %a\n  %c = icmp eq i32 %m, 0")));
  CHECK_FALSE(isBoundOrOffset(guarded("  %c = icmp eq i32 %a, 0")));
  CHECK_FALSE(isBoundOrOffset(guarded("  %m = mul i32 %i, %a\n  %c = icmp slt i32 %m, %n")));
  // x[i < a ? i : 0], as a select and as a branch
  CHECK_FALSE(
      isBoundOrOffset(storedAt("  %c = icmp slt i32 %i, %a\n  %e = select i1 %c, i32 %i, i32 0")));
  CHECK_FALSE(isBoundOrOffset(R"(
  %c = icmp slt i32 %i, %a
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %e = phi i32 [ 0, %entry ], [ %i, %then ]
  %v = add i32 1, 0)" + kStore));
  // for (j = 0; j < a; j += 3) ...; x[j]
  CHECK_FALSE(isBoundOrOffset(loop("%i", "%a", "3") + R"(
  %q = getelementptr i32, i32 addrspace(1)* %y, i32 %j
  store i32 1, i32 addrspace(1)* %q
  ret void)"));
  // scratch[0] = a, x[helper(a)]
  CHECK_FALSE(isBoundOrOffset(R"(
  store i32 %a, i32 addrspace(3)* getelementptr ([64 x i32], [64 x i32] addrspace(3)* @scratch, i64 0, i64 0)
  ret void)"));
  CHECK_FALSE(isBoundOrOffset(storedAt("  %e = call i32 @helper(i32 %a)")));
}
