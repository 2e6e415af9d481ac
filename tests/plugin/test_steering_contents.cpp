// What the contents of a kernel's buffers decide. Each case is the body of a kernel; the words are
// those of OpenCL C that compile to it.

#include "decoding/steering_contents.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <catch2/catch.hpp>
#include <string>

using aiwc::decoding::SteeringContents;

namespace {

/// Of a kernel with this code behind `int i = get_global_id(0); int v = y[i];`.
SteeringContents steering(const std::string &body) {
  const std::string text = R"(
target triple = "spir64"
@scratch = internal addrspace(3) global [64 x i32] undef
@table = internal addrspace(2) constant [2 x i32] [i32 3, i32 5]
@state = internal addrspace(1) global i32 0
declare i64 @_Z13get_global_idj(i32) nounwind readnone
declare i32 @_Z3minii(i32, i32) nounwind readnone
declare i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)*, i32)
declare void @_Z7vstore2Dv2_imPU3AS1i(<2 x i32>, i64, i32 addrspace(1)*)
define i32 @same(i32 %v) { ret i32 %v }
define void @put(i32 addrspace(1)* %to, i32 %at, i32 %w) {
  %p = getelementptr i32, i32 addrspace(1)* %to, i32 %at
  store i32 %w, i32 addrspace(1)* %p
  ret void
}
define spir_kernel void @k(i32 addrspace(1)* %x, i32 addrspace(1)* %y, i32 addrspace(1)* %z, i32 %n) {
entry:
  %a = alloca i32
  %id = call i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %xi = getelementptr i32, i32 addrspace(1)* %x, i32 %i
  %yi = getelementptr i32, i32 addrspace(1)* %y, i32 %i
  %v = load i32, i32 addrspace(1)* %yi
)" + body + "\n  ret void\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  INFO(error.getMessage().str() << " in line " << error.getLineNo() << " of " << text);
  REQUIRE(module);
  SteeringContents found = aiwc::decoding::steeringContents(*module->getFunction("k"));
  REQUIRE(found.arguments.size() == 4);
  CHECK_FALSE(found.arguments[3]); // a number has no contents
  return found;
}

/// Of y, where nothing else steers.
bool steersY(const std::string &body) {
  const SteeringContents found = steering(body);
  CHECK_FALSE(found.arguments[0]);
  CHECK_FALSE(found.arguments[2]);
  CHECK_FALSE(found.others);
  return found.arguments[1];
}

/// x[e] = 1
std::string storedAt(const std::string &index) {
  return index + R"(
  %p = getelementptr i32, i32 addrspace(1)* %x, i32 %e
  store i32 1, i32 addrspace(1)* %p)";
}

} // namespace

TEST_CASE("Contents that are only stored, or chosen without a branch, steer nothing") {
  CHECK_FALSE(steersY(""));
  // x[i] = v
  CHECK_FALSE(steersY("store i32 %v, i32 addrspace(1)* %xi"));
  // x[i] = v < n ? v : 7
  CHECK_FALSE(steersY(R"(
  %c = icmp slt i32 %v, %n
  %w = select i1 %c, i32 %v, i32 7
  store i32 %w, i32 addrspace(1)* %xi)"));
  // atomic_add(x + i, v)
  CHECK_FALSE(steersY("%o = call i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* %xi, i32 %v)"));
  CHECK_FALSE(steersY("call void @put(i32 addrspace(1)* %x, i32 %i, i32 %v)"));
  // vstore2((int2)(v), i, x)
  CHECK_FALSE(
      steersY("%two = insertelement <2 x i32> undef, i32 %v, i32 0\n"
              "call void @_Z7vstore2Dv2_imPU3AS1i(<2 x i32> %two, i64 %id, i32 addrspace(1)* %x)"));
}

TEST_CASE("Contents of which addresses are computed steer") {
  CHECK(steersY(storedAt("%e = add i32 %v, 1")));
  CHECK(steersY(storedAt("%e = call i32 @_Z3minii(i32 %v, i32 %n)")));
  CHECK(steersY(storedAt("%e = call i32 @same(i32 %v)")));
  CHECK(steersY("call void @put(i32 addrspace(1)* %x, i32 %v, i32 1)"));
  CHECK(
      steersY("%w = zext i32 %v to i64\n"
              "call void @_Z7vstore2Dv2_imPU3AS1i(<2 x i32> undef, i64 %w, i32 addrspace(1)* %x)"));
  // x[v < n ? i : 0] = 1
  CHECK(steersY(storedAt("%c = icmp slt i32 %v, %n\n%e = select i1 %c, i32 %i, i32 0")));
}

TEST_CASE("Contents that reach addresses through other memory steer") {
  // private: a = v; x[a] = 1
  CHECK(steersY(storedAt("store i32 %v, i32* %a\n%e = load i32, i32* %a")));
  // a table of constants: x[table[v]] = 1
  CHECK(steersY(
      storedAt("%t = getelementptr [2 x i32], [2 x i32] addrspace(2)* @table, i32 0, i32 %v\n"
               "%e = load i32, i32 addrspace(2)* %t")));
  // local: scratch[i] = v; x[scratch[n]] = 1
  CHECK(steersY(
      storedAt("%s = getelementptr [64 x i32], [64 x i32] addrspace(3)* @scratch, i32 0, i32 %i\n"
               "%t = getelementptr [64 x i32], [64 x i32] addrspace(3)* @scratch, i32 0, i32 %n\n"
               "store i32 %v, i32 addrspace(3)* %s\n%e = load i32, i32 addrspace(3)* %t")));
  // another buffer, whose own contents do as well: z[i] = v; x[z[n]] = 1
  const SteeringContents found =
      steering(storedAt("%s = getelementptr i32, i32 addrspace(1)* %z, i32 %i\n"
                        "%t = getelementptr i32, i32 addrspace(1)* %z, i32 %n\n"
                        "store i32 %v, i32 addrspace(1)* %s\n%e = load i32, i32 addrspace(1)* %t"));
  CHECK_FALSE(found.arguments[0]);
  CHECK(found.arguments[1]);
  CHECK(found.arguments[2]);
}

TEST_CASE("Contents on which branches or ends of loops depend steer") {
  // if (v < n) x[i] = 1
  CHECK(steersY(R"(
  %c = icmp slt i32 %v, %n
  br i1 %c, label %then, label %end
then:
  store i32 1, i32 addrspace(1)* %xi
  br label %end
end:)"));
  // for (j = 0; j < v; j++) x[j] = 1
  CHECK(steersY(R"(
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %j, %v
  br i1 %c, label %body, label %end
body:
  %q = getelementptr i32, i32 addrspace(1)* %x, i32 %j
  store i32 1, i32 addrspace(1)* %q
  %next = add i32 %j, 1
  br label %head
end:)"));
}

TEST_CASE("Contents behind no argument are told") {
  // pointers that lie in memory
  CHECK(steering(storedAt("%r = inttoptr i32 %v to i32 addrspace(1)*\n"
                          "%e = load i32, i32 addrspace(1)* %r"))
            .others);
  // variables of the program
  CHECK(steering(storedAt("%e = load i32, i32 addrspace(1)* @state")).others);
  CHECK_FALSE(steering("%w = load i32, i32 addrspace(1)* @state\n"
                       "store i32 %w, i32 addrspace(1)* %xi")
                  .others);
}
