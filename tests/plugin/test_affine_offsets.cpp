// Where the accesses of a launch are, as known before it runs, and whether its work-groups are
// apart. The expected numbers are those of the index that the case writes down.

#include "engine_passes/affine_offsets.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace aiwc::engine;

namespace {

/// 8 groups of 16 work-items; the argument %n is 100.
LaunchNumbers inOneDimension() {
  LaunchNumbers launch;
  launch.globalSize = {128, 1, 1};
  launch.localSize = {16, 1, 1};
  return launch;
}

/// 4 × 2 groups of 16 × 8 work-items.
LaunchNumbers inTwoDimensions() {
  LaunchNumbers launch;
  launch.globalSize = {64, 16, 1};
  launch.localSize = {16, 8, 1};
  launch.workDim = 2;
  return launch;
}

/// The accesses of `body`, a function of %x and %y (pointers to i32) and %n with these ids: %i and
/// %j global (i32), %i64 (i64), %l and %g the local and the group id in x (i32).
class Accesses {
public:
  Accesses(const std::string &body, LaunchNumbers launch, uint32_t n = 100)
      : launch_(std::move(launch)) {
    const std::string text = R"(
target triple = "spir64"
declare i64 @_Z13get_global_idj(i32) nounwind readnone
declare i64 @_Z12get_local_idj(i32) nounwind readnone
declare i64 @_Z12get_group_idj(i32) nounwind readnone
declare i32 @_Z3minii(i32, i32) nounwind readnone
declare i32 @_Z3maxii(i32, i32) nounwind readnone
define spir_kernel void @k(i32 addrspace(1)* %x, i32 addrspace(1)* %y, i32 %n) {
entry:
  %i64 = call i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %i64 to i32
  %j64 = call i64 @_Z13get_global_idj(i32 1)
  %j = trunc i64 %j64 to i32
  %l64 = call i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %l64 to i32
  %g64 = call i64 @_Z12get_group_idj(i32 0)
  %g = trunc i64 %g64 to i32
)" + body + "  ret void\n}\n";
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(text, error, context_);
    INFO(error.getMessage().str() << " in line " << error.getLineNo() << " of " << text);
    REQUIRE(module_);
    const llvm::Function &kernel = *module_->getFunction("k");
    launch_.integers[kernel.getArg(2)] = n;
    const auto accesses = globalAccesses(kernel);
    REQUIRE(accesses);
    offsets = AffineOffsets(kernel).of(*accesses, launch_);
    for (size_t i = 0; i < offsets.size(); ++i)
      if ((*accesses)[i].base == kernel.getArg(0) && offsets[i])
        ofX_.push_back({*offsets[i], (*accesses)[i].size});
  }

  /// Bounds of the only access.
  std::pair<int64_t, int64_t> bounds() const {
    REQUIRE(offsets.size() == 1);
    REQUIRE(offsets.front());
    return {offsets.front()->low, offsets.front()->high};
  }
  /// Whether all are sums of ids and counters.
  bool isKnown() const {
    return std::ranges::all_of(offsets, [](const auto &offset) {
      return offset && std::ranges::none_of(offset->terms, [](const Term &term) {
               return term.kind == Term::Kind::kOther;
             });
    });
  }
  bool areApart() const {
    const bool haveOffsets =
        std::ranges::all_of(offsets, [](const auto &offset) { return offset.has_value(); });
    return haveOffsets && areGroupsApart(ofX_, launch_);
  }

  std::vector<std::optional<AccessOffset>> offsets;

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  LaunchNumbers launch_;
  std::vector<BufferAccess> ofX_;
};

/// A store to x[%e], which `body` computes as i32.
std::string storeAt(const std::string &body, const std::string &index = "%e") {
  static int number = 0;
  const std::string id = std::to_string(number++);
  return body + "\n  %s" + id + " = sext i32 " + index + " to i64\n  %p" + id +
         " = getelementptr i32, i32 addrspace(1)* %x, i64 %s" + id +
         "\n  store i32 7, i32 addrspace(1)* %p" + id + "\n";
}

using Range = std::pair<int64_t, int64_t>;

Range boundsOf(const std::string &body, const LaunchNumbers &launch = inOneDimension(),
               uint32_t n = 100) {
  return Accesses(storeAt(body), launch, n).bounds();
}

bool apart(const std::string &body, const LaunchNumbers &launch = inOneDimension(),
           uint32_t n = 100) {
  return Accesses(storeAt(body), launch, n).areApart();
}

} // namespace

TEST_CASE("Sums and products of ids and arguments have the bounds of the launch") {
  CHECK(boundsOf("%e = add i32 %i, 3") == Range(12, 4 * 130));
  CHECK(boundsOf("%e = sub i32 %n, %i") == Range(4 * -27, 400));
  CHECK(boundsOf("%t = mul i32 %i, %n\n%e = add i32 %t, %l") == Range(0, 4 * (12700 + 15)));
  CHECK(boundsOf("%t = shl i32 %g, 4\n%e = or i32 %t, 5") == Range(20, 4 * (112 + 5)));
  CHECK(boundsOf("%t = mul i32 %j, 64\n%e = add i32 %t, %i", inTwoDimensions()) ==
        Range(0, 4 * 1023));
  LaunchNumbers offset = inOneDimension();
  offset.globalOffset[0] = 40;
  CHECK(boundsOf("%e = add i32 %i, 0", offset) == Range(160, 4 * 167));
}

TEST_CASE("Functions of ids that are no sums have bounds, too") {
  CHECK(boundsOf("%e = and i32 %i, 15") == Range(0, 60));
  CHECK(boundsOf("%e = urem i32 %i, 10") == Range(0, 36));
  CHECK(boundsOf("%e = udiv i32 %i, 10") == Range(0, 48));
  CHECK(boundsOf("%e = lshr i32 %i, 3") == Range(0, 60));
  CHECK(boundsOf("%t = sub i32 %i, 5\n%e = call i32 @_Z3maxii(i32 %t, i32 0)") ==
        Range(0, 4 * 122));
  CHECK(boundsOf("%e = call i32 @_Z3minii(i32 %i, i32 %n)") == Range(0, 400));
  CHECK(boundsOf("%c = icmp slt i32 %i, 9\n%e = select i1 %c, i32 %l, i32 40") == Range(0, 160));
}

TEST_CASE("An index that may wrap is not known") {
  CHECK_FALSE(Accesses(storeAt("%e = mul i32 %i, 100000000"), inOneDimension()).isKnown());
  CHECK(Accesses(storeAt("%e = mul i32 %i, 16909320"), inOneDimension()).isKnown());
  CHECK_FALSE(Accesses(storeAt("%e = mul i32 %i, 16909321"), inOneDimension()).isKnown());
  // Flags are no proof: the interpreter wraps.
  CHECK_FALSE(Accesses(storeAt("%e = mul nsw i32 %i, 16909321"), inOneDimension()).isKnown());
  // It may wrap on the way, as long as it comes back.
  CHECK(boundsOf("%t = add i32 %i, 2147483647\n%e = sub i32 %t, 2147483647") == Range(0, 508));
  // Without a sign, -1 is large.
  CHECK_FALSE(apart("%t = sub i32 %i, 1\n%z = zext i32 %t to i64\n"
                    "%q = getelementptr i32, i32 addrspace(1)* %x, i64 %z\n"
                    "store i32 0, i32 addrspace(1)* %q\n%e = add i32 %i, 0"));
  CHECK_FALSE(Accesses("%t = sub i32 %i, 1\n%z = zext i32 %t to i64\n"
                       "%p = getelementptr i32, i32 addrspace(1)* %x, i64 %z\n"
                       "store i32 0, i32 addrspace(1)* %p\n",
                       inOneDimension())
                  .isKnown());
  // As what the optimiser makes of a sign extension.
  CHECK(Accesses("%t = shl i64 %i64, 32\n%s = ashr exact i64 %t, 32\n"
                 "%p = getelementptr i32, i32 addrspace(1)* %x, i64 %s\n"
                 "store i32 0, i32 addrspace(1)* %p\n",
                 inOneDimension())
            .bounds() == Range(0, 508));
}

namespace {

/// A store to x[%e] where %c holds.
std::string guarded(const std::string &condition, const std::string &index = "%i") {
  return condition + "\nbr i1 %c, label %yes, label %no\nyes:\n" + storeAt("", index) +
         "br label %no\nno:\n";
}

Range guardedBounds(const std::string &condition, const std::string &index = "%i") {
  return Accesses(guarded(condition, index), inOneDimension()).bounds();
}

} // namespace

TEST_CASE("Conditions narrow what follows them") {
  CHECK(guardedBounds("%c = icmp slt i32 %i, %n") == Range(0, 396));
  CHECK(guardedBounds("%c = icmp sle i32 %i, %n") == Range(0, 400));
  CHECK(guardedBounds("%c = icmp sgt i32 %i, %n") == Range(404, 508));
  CHECK(guardedBounds("%c = icmp sge i32 %i, %n") == Range(400, 508));
  CHECK(guardedBounds("%c = icmp ult i32 %n, %i") == Range(404, 508));
  CHECK(guardedBounds("%c = icmp eq i32 %i, %n") == Range(400, 400));
  CHECK(guardedBounds("%c = icmp ne i32 %i, 0") == Range(4, 508));
  CHECK(guardedBounds("%c = icmp ne i32 %i, 127") == Range(0, 504));
  CHECK(guardedBounds("%c = icmp ne i32 %i, 5") == Range(0, 508));
  CHECK(guardedBounds("%t = add i32 %i, 7\n%c = icmp slt i32 %t, %n") == Range(0, 368));
  CHECK(guardedBounds("%a = icmp sgt i32 %i, 3\n%b = icmp slt i32 %i, 9\n%c = and i1 %a, %b") ==
        Range(16, 32));
  CHECK(guardedBounds("%a = icmp sgt i32 %i, 3\n%b = icmp slt i32 %i, 9\n"
                      "%c = select i1 %a, i1 %b, i1 false") == Range(16, 32));
  // Either of two says nothing of one.
  CHECK(guardedBounds("%a = icmp sgt i32 %i, 3\n%b = icmp slt i32 %i, 9\n%c = or i1 %a, %b") ==
        Range(0, 508));
  // 3 <= i < 13 in one comparison: below 3 the difference is large without a sign.
  CHECK(guardedBounds("%t = sub i32 %i, 3\n%c = icmp ult i32 %t, 10") == Range(12, 48));
  CHECK(guardedBounds("%t = sub i32 %i, 3\n%c = icmp ult i32 %t, -2") == Range(0, 508));
  CHECK(guardedBounds("%u = xor i32 %i, 5\n%m = and i32 %u, 65535\n%b = mul i32 %m, 65537\n"
                      "%t = sub i32 %i, 3\n%c = icmp ult i32 %t, %b") == Range(0, 508));
  // With two terms: l < g.
  CHECK(guardedBounds("%c = icmp slt i32 %l, %g", "%l") == Range(0, 24));
  CHECK(guardedBounds("%d = sub i32 %g, %l\n%c = icmp slt i32 %l, %g", "%d") == Range(4, 28));
}

namespace {

/// A store to x[%e] in a loop whose header is `header`; %go is whether it goes on.
std::string loop(const std::string &header, const std::string &body = "%e = add i32 %k, 0",
                 const std::string &next = "%k1 = add i32 %k, 1") {
  return "br label %head\nhead:\n" + header + "\nbr i1 %go, label %body, label %end\nbody:\n" +
         storeAt(body) + next + "\nbr label %head\nend:\n";
}

Range loopBounds(const std::string &header, const std::string &body = "%e = add i32 %k, 0",
                 const std::string &next = "%k1 = add i32 %k, 1") {
  return Accesses(loop(header, body, next), inOneDimension()).bounds();
}

const std::string kFromZero = "%k = phi i32 [0, %entry], [%k1, %body]\n";

} // namespace

TEST_CASE("Counters of loops end where the loop does") {
  CHECK(loopBounds(kFromZero + "%go = icmp slt i32 %k, %n") == Range(0, 396));
  CHECK(loopBounds(kFromZero + "%go = icmp sle i32 %k, %n") == Range(0, 400));
  CHECK(loopBounds(kFromZero + "%go = icmp ult i32 %k, 17") == Range(0, 64));
  CHECK(loopBounds(kFromZero + "%go = icmp ne i32 %k, %n") == Range(0, 396));
  CHECK(loopBounds(kFromZero + "%go = icmp sgt i32 %n, %k") == Range(0, 396));
  CHECK(loopBounds(kFromZero + "%go = icmp slt i32 %k, %n", "%e = add i32 %k, 0",
                   "%k1 = add i32 %k, 7") == Range(0, 4 * 98));
  CHECK(loopBounds(kFromZero + "%go = icmp ne i32 %k, %n", "%e = add i32 %k, 0",
                   "%k1 = add i32 %k, 20") == Range(0, 320));
  CHECK(loopBounds("%k = phi i32 [%n, %entry], [%k1, %body]\n%go = icmp sgt i32 %k, 0",
                   "%e = add i32 %k, 0", "%k1 = sub i32 %k, 1") == Range(4, 400));
  CHECK(loopBounds("%k = phi i32 [%n, %entry], [%k1, %body]\n%go = icmp ne i32 %k, 0",
                   "%e = add i32 %k, 0", "%k1 = sub i32 %k, 1") == Range(4, 400));
  // The value with which it ends counts where the header uses it.
  const std::string inHeader = "br label %head\nhead:\n%k = phi i32 [0, %entry], [%k1, %body]\n" +
                               storeAt("", "%k") +
                               "%go = icmp slt i32 %k, %n\nbr i1 %go, label %body, label %end\n"
                               "body:\n%k1 = add i32 %k, 1\nbr label %head\nend:\n";
  CHECK(Accesses(inHeader, inOneDimension()).bounds() == Range(0, 400));
  // From the id of the work-item on.
  CHECK(loopBounds("%k = phi i32 [%i, %entry], [%k1, %body]\n%go = icmp slt i32 %k, 1000",
                   "%e = add i32 %k, 0", "%k1 = add i32 %k, 128") == Range(0, 4 * 999));
  // Two loops in one another would have two counters: here, a product of one and the id.
  CHECK(loopBounds(kFromZero + "%go = icmp slt i32 %k, %n",
                   "%t = mul i32 %k, 128\n%e = add i32 %t, %i") == Range(0, 4 * (99 * 128 + 127)));
}

TEST_CASE("Loops that end by a wrap, or as memory says, tell nothing of their counters") {
  const auto isKnown = [](const std::string &header,
                          const std::string &next = "%k1 = add i32 %k, 1") {
    return Accesses(loop(header, "%e = add i32 %k, 0", next), inOneDimension()).isKnown();
  };
  CHECK(isKnown(kFromZero + "%go = icmp slt i32 %k, 5"));
  CHECK_FALSE(isKnown(kFromZero + "%go = icmp ne i32 %k, -1"));
  CHECK_FALSE(isKnown(kFromZero + "%go = icmp ne i32 %k, 5", "%k1 = add i32 %k, 2"));
  CHECK_FALSE(isKnown(kFromZero + "%go = icmp slt i32 %k, 5", "%k1 = sub i32 %k, 1"));
  CHECK_FALSE(isKnown(kFromZero + "%go = icmp sle i32 %k, 2147483647"));
  CHECK_FALSE(Accesses("br label %head\nhead:\n" + kFromZero +
                           "%go = icmp sle i32 %k, 2147483647\n"
                           "br i1 %go, label %body, label %end\nbody:\n"
                           "%z = zext i32 %k to i64\n"
                           "%p = getelementptr i32, i32 addrspace(1)* %x, i64 %z\n"
                           "store i32 0, i32 addrspace(1)* %p\n"
                           "%k1 = add i32 %k, 1\nbr label %head\nend:\n",
                       inOneDimension())
                  .isKnown());
  CHECK_FALSE(isKnown(kFromZero + "%f = load i32, i32 addrspace(1)* %y\n"
                                  "%go = icmp slt i32 %k, %f"));
  CHECK_FALSE(isKnown(kFromZero + "%go = icmp slt i32 %k, 5", "%k1 = mul i32 %k, 3"));
}

TEST_CASE("Groups are apart if each id is a digit of the address") {
  CHECK(apart("%e = add i32 %i, 3"));
  CHECK(apart("%e = sub i32 %n, %i"));
  CHECK(apart("%e = mul i32 %i, 3"));
  CHECK(apart("%t = mul i32 %g, 16\n%e = add i32 %t, %l"));
  CHECK(apart("%t = mul i32 %g, 17\n%e = add i32 %t, %l"));
  CHECK(apart("%e = add i32 %g, 2"));
  CHECK_FALSE(apart("%t = mul i32 %g, 15\n%e = add i32 %t, %l"));
  CHECK_FALSE(apart("%e = add i32 %l, 2"));
  CHECK_FALSE(apart("%e = and i32 %i, 63"));
  CHECK(apart("%e = and i32 %i, 127"));
  CHECK_FALSE(apart("%t = and i32 %i, 1\n%e = add i32 %t, %i"));
  CHECK(apart("%t = and i32 %i, 1\n%u = mul i32 %i, 2\n%e = add i32 %t, %u"));
}

TEST_CASE("In two dimensions the rows are as long as the groups are wide together") {
  const LaunchNumbers launch = inTwoDimensions();
  const auto withPitch = [&](const std::string &pitch) {
    return apart("%t = mul i32 %j, " + pitch + "\n%e = add i32 %t, %i", launch);
  };
  CHECK(withPitch("64"));
  CHECK(withPitch("65"));
  CHECK_FALSE(withPitch("63"));
  CHECK_FALSE(apart("%e = add i32 %i, 0", launch)); // those above one another write the same
  CHECK(apart("%t = mul i32 %i, 16\n%e = add i32 %t, %j", launch));
  CHECK_FALSE(apart("%t = mul i32 %i, 15\n%e = add i32 %t, %j", launch));
  // A condition cuts the rows off.
  const auto cut = [&](const std::string &pitch) {
    return Accesses(guarded("%c = icmp slt i32 %i, 50\n%t = mul i32 %j, " + pitch +
                                "\n%e = add i32 %t, %i",
                            "%e"),
                    launch)
        .areApart();
  };
  CHECK(cut("50"));
  CHECK_FALSE(cut("49"));
}

TEST_CASE("Counters are digits above the ids, or below them") {
  const auto inLoop = [](const std::string &body, const std::string &count) {
    return Accesses(loop(kFromZero + "%go = icmp slt i32 %k, " + count, body), inOneDimension())
        .areApart();
  };
  CHECK(inLoop("%t = mul i32 %k, 128\n%e = add i32 %t, %i", "9"));
  CHECK_FALSE(inLoop("%t = mul i32 %k, 127\n%e = add i32 %t, %i", "9"));
  CHECK(inLoop("%t = mul i32 %i, 9\n%e = add i32 %t, %k", "9"));
  CHECK_FALSE(inLoop("%t = mul i32 %i, 9\n%e = add i32 %t, %k", "10"));
  CHECK_FALSE(inLoop("%e = add i32 %i, %k", "2"));
}

TEST_CASE("All accesses of a buffer count") {
  const auto both = [](const std::string &first, const std::string &second) {
    return Accesses(storeAt("%a = " + first, "%a") + storeAt("%b = " + second, "%b"),
                    inOneDimension())
        .areApart();
  };
  CHECK(both("add i32 %i, 0", "add i32 %i, 0"));
  CHECK_FALSE(both("add i32 %i, 0", "add i32 %i, 1")); // the next group's first
  CHECK_FALSE(both("add i32 %i, 0", "sub i32 %n, %i"));
  CHECK_FALSE(both("add i32 %i, 0", "add i32 %g, 0"));
  CHECK_FALSE(both("mul i32 %i, 2", "mul i32 %i, 3"));
  CHECK(both("mul i32 %i, 2", "mul i32 %i, 2"));
  const auto ofPair = [](const std::string &behind) {
    return Accesses(storeAt("%a = mul i32 %i, 2", "%a") +
                        storeAt("%b = add i32 %a, " + behind, "%b"),
                    inOneDimension())
        .areApart();
  };
  CHECK(ofPair("1"));
  CHECK_FALSE(ofPair("2"));
  CHECK_FALSE(ofPair("-2"));
}

TEST_CASE("A group more or less, and its size, make no difference to others") {
  LaunchNumbers uneven = inOneDimension();
  uneven.globalSize[0] = 100; // the last group has 4 work-items
  CHECK(boundsOf("%e = add i32 %i, 0", uneven) == Range(0, 396));
  CHECK(apart("%t = mul i32 %g, 16\n%e = add i32 %t, %l", uneven));
  LaunchNumbers one = inOneDimension();
  one.localSize[0] = 128;
  CHECK(apart("%e = and i32 %i, 0", one)); // there is no other group
}

TEST_CASE("A step in x is known if nothing but ids and counters tells work-items apart") {
  const auto stepOf = [](const std::string &body) {
    const Accesses accesses(storeAt(body), inOneDimension());
    return accesses.offsets.front()->stepInX();
  };
  CHECK(stepOf("%e = add i32 %i, 3") == 4);
  CHECK(stepOf("%t = mul i32 %g, 99\n%e = add i32 %t, %l") == 4);
  CHECK(stepOf("%e = sub i32 %n, %i") == -4);
  CHECK(stepOf("%e = add i32 %g, 0") == 0);
  CHECK(stepOf("%t = and i32 %l, 3\n%e = add i32 %t, %i") == std::nullopt);
}

TEST_CASE("Kernels whose accesses the code does not show are left alone") {
  const auto areShown = [](const std::string &body) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    const auto module = llvm::parseAssemblyString(R"(
target triple = "spir64"
declare float @_Z6vload4mPKf(i64, i32 addrspace(1)*)
define void @f(i32 addrspace(1)* %p) {
  ret void
}
define spir_kernel void @k(i32 addrspace(1)* %x, i32 addrspace(1)* addrspace(1)* %q) {
)" + body + "\nret void\n}\n",
                                                  error, context);
    INFO(error.getMessage().str());
    REQUIRE(module);
    return globalAccesses(*module->getFunction("k")).has_value();
  };
  CHECK(areShown("store i32 0, i32 addrspace(1)* %x"));
  CHECK_FALSE(areShown("store volatile i32 0, i32 addrspace(1)* %x"));
  CHECK_FALSE(areShown("%a = atomicrmw add i32 addrspace(1)* %x, i32 1 seq_cst"));
  CHECK_FALSE(areShown("call void @f(i32 addrspace(1)* %x)"));
  CHECK_FALSE(areShown("%v = call float @_Z6vload4mPKf(i64 0, i32 addrspace(1)* %x)"));
  CHECK_FALSE(areShown("%p = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* %q\n"
                       "store i32 0, i32 addrspace(1)* %p"));
}
