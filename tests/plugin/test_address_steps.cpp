// Which addresses step alike in all work-groups. Each case is the index of an access of a kernel.

#include "decoding/decoder.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

namespace {

/// Whether an access of the body, or a store at x[%e] behind it, may step otherwise in another
/// group. %i is the global id, %l the local one, %g that of the group, %n an argument.
bool varies(const std::string &body) {
  const std::string text = R"(
target triple = "spir64"
declare i64 @_Z13get_global_idj(i32) nounwind readnone
declare i64 @_Z12get_local_idj(i32) nounwind readnone
declare i64 @_Z12get_group_idj(i32) nounwind readnone
declare i32 @_Z3minii(i32, i32) nounwind readnone
declare i32 @printf(i8 addrspace(2)*, ...)
@format = private addrspace(2) constant [3 x i8] c"%d\00"
define i32 @twice(i32 %v) {
  %w = add i32 %v, %v
  ret i32 %w
}
define spir_kernel void @k(i32 addrspace(1)* %x, i32 addrspace(1)* %y, i32 %n) {
entry:
  %i64 = call i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %i64 to i32
  %l64 = call i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %l64 to i32
  %g64 = call i64 @_Z12get_group_idj(i32 0)
  %g = trunc i64 %g64 to i32
)" + body + R"(
  %s = sext i32 %e to i64
  %p = getelementptr i32, i32 addrspace(1)* %x, i64 %s
  store i32 %l, i32 addrspace(1)* %p
  ret void
}
)";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  INFO(error.getMessage().str() << " in line " << error.getLineNo() << " of " << text);
  REQUIRE(module);
  const aiwc::decoding::DecodedProgram decoded(*module->getFunction("k"));
  const auto &program = decoded.program();
  REQUIRE(decoded.stepsVary().size() == program.operations.size());
  return std::ranges::any_of(decoded.stepsVary(), std::identity());
}

} // namespace

TEST_CASE("Sums of ids, times what the launch says, step alike") {
  CHECK_FALSE(varies("%e = add nsw i32 %i, 7"));
  CHECK_FALSE(varies("%e = mul nsw i32 %i, %n"));
  CHECK_FALSE(varies("%r = mul nsw i32 %n, %g\n%e = add nsw i32 %r, %l"));
  CHECK_FALSE(varies("%e = sub nsw i32 %n, %i"));
  CHECK_FALSE(varies("%t = shl i32 %i, 2\n%e = or i32 %t, 3"));
  CHECK_FALSE(varies("%f = load i32, i32 addrspace(1)* %y\n%e = mul nsw i32 %i, %f"));
  CHECK_FALSE(varies("%t = call i32 @twice(i32 %i)\n%e = add nsw i32 %t, %l"));
}

TEST_CASE("What is computed of the local id alone steps alike") {
  CHECK_FALSE(varies("%t = and i32 %l, 3\n%u = mul i32 %t, %l\n%e = add i32 %u, %i"));
  CHECK_FALSE(varies("%e = call i32 @_Z3minii(i32 %l, i32 %n)"));
  CHECK_FALSE(varies("%c = icmp slt i32 %l, %n\n%e = select i1 %c, i32 %l, i32 0"));
}

TEST_CASE("Other functions of a group's id may not") {
  CHECK(varies("%e = and i32 %i, 15"));
  CHECK(varies("%t = or i32 %i, 3\n%e = add i32 %t, 0"));
  CHECK(varies("%e = mul nsw i32 %g, %l"));
  CHECK(varies("%e = mul nsw i32 %i, %i"));
  CHECK(varies("%c = icmp eq i32 %g, 7\n%f = select i1 %c, i32 33, i32 1\n%e = mul i32 %l, %f"));
  CHECK(varies("%e = call i32 @_Z3minii(i32 %i, i32 %n)"));
  // A product of 32 bits that wraps is another distance in some groups.
  CHECK(varies("%e = mul i32 %i, -1640531535"));
  // As does an index of few bits.
  CHECK(varies("%t = trunc i32 %i to i8\n%e = sext i8 %t to i32"));
}

TEST_CASE("Addresses that are read from memory may not") {
  const std::string read = R"(
  %a = getelementptr i32, i32 addrspace(1)* %y, i32 )";
  CHECK(varies(read + "%i\n%e = load i32, i32 addrspace(1)* %a"));
  CHECK(varies(read + "%g\n%f = load i32, i32 addrspace(1)* %a\n%e = mul i32 %l, %f"));
}

TEST_CASE("A loop's counter steps as its beginning and its step do") {
  const auto loop = [](const std::string &first, const std::string &step) {
    return R"(
  br label %head
head:
  %e = phi i32 [ )" +
           first + R"(, %entry ], [ %next, %head ]
  %q = getelementptr i32, i32 addrspace(1)* %x, i32 %e
  store i32 %l, i32 addrspace(1)* %q
  %next = add nsw i32 %e, )" +
           step + R"(
  %c = icmp slt i32 %next, %n
  br i1 %c, label %head, label %end
end:)";
  };
  const auto inLoop = [&](const std::string &first, const std::string &step) {
    // The store behind the loop is at another place.
    std::string text = loop(first, step);
    return varies(text.replace(text.find("%e = phi"), 8, "%j = phi")
                      .replace(text.find("i32 %e\n  store"), 6, "i32 %j")
                      .replace(text.find("nsw i32 %e"), 10, "nsw i32 %j") +
                  "\n  %e = add i32 %j, 0");
  };
  CHECK_FALSE(inLoop("0", "1"));
  // Work-items leave the loop after different rounds, and what is left of the counter varies.
  CHECK(inLoop("%i", "%n"));
}

TEST_CASE("A value that work-items choose differently may not step alike") {
  const auto chosen = [](const std::string &condition) {
    return condition + R"(
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %e = phi i32 [ %l, %entry ], [ %i, %then ])";
  };
  CHECK_FALSE(varies(chosen("%c = icmp slt i32 %n, 3")));
  CHECK(varies(chosen("%c = icmp slt i32 %i, 3")));
}

TEST_CASE("What is printed is no address") {
  CHECK_FALSE(varies(R"(
  %f = getelementptr [3 x i8], [3 x i8] addrspace(2)* @format, i64 0, i64 0
  %v = load i32, i32 addrspace(1)* %y
  %w = xor i32 %v, %i
  %t = call i32 (i8 addrspace(2)*, ...) @printf(i8 addrspace(2)* %f, i32 %w)
  %e = add nsw i32 %i, 1)"));
}
