// The fingerprint of a kernel's code: a program that is rebuilt can lie where the old one lay, so
// whatever changes what an instruction does has to change it.

#include "decoding/decoder.h"
#include "plugin/engine/engine.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

using aiwc::decoding::DecodedProgram;

namespace {

constexpr const char *kModule = R"(
target triple = "spir64"
define spir_kernel void @k(i32 addrspace(1)* %to, { i32, i32 } %pair, <2 x i32> %vector, i32 %n) {
entry:
  %place = getelementptr i32, i32 addrspace(1)* %to, i32 %n
  %before = load i32, i32 addrspace(1)* %place, align 4
  %less = icmp slt i32 %before, %n
  br i1 %less, label %then, label %end
then:
  %first = extractvalue { i32, i32 } %pair, 0
  %other = insertvalue { i32, i32 } %pair, i32 %first, 0
  %last = extractvalue { i32, i32 } %other, 1
  %mixed = shufflevector <2 x i32> %vector, <2 x i32> %vector, <2 x i32> <i32 0, i32 1>
  %one = extractelement <2 x i32> %mixed, i32 0
  %sum = add i32 %last, %one
  br label %end
end:
  %result = phi i32 [ %before, %entry ], [ %sum, %then ]
  store i32 %result, i32 addrspace(1)* %place, align 4
  ret void
}
)";

class Code {
public:
  Code() {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(kModule, error, context_);
    INFO(error.getMessage().str());
    REQUIRE(module_);
  }

  uint64_t fingerprint() const {
    return aiwc::engine::fingerprintOf(DecodedProgram(*module_->getFunction("k")));
  }

  /// The instruction of this name; the store has none.
  llvm::Instruction *find(const std::string &name) const {
    for (llvm::BasicBlock &block : *module_->getFunction("k"))
      for (llvm::Instruction &instruction : block)
        if (llvm::isa<llvm::StoreInst>(instruction)
                ? name.empty()
                : !name.empty() && instruction.getName() == name)
          return &instruction;
    throw std::logic_error("no instruction " + name);
  }
  template <typename Instruction> Instruction &the(const std::string &name) const {
    return *llvm::cast<Instruction>(find(name));
  }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

/// LLVM has no function that changes it.
void changeIndex(llvm::ArrayRef<unsigned> indices) {
  const_cast<unsigned &>(indices.front()) ^= 1U;
}

} // namespace

TEST_CASE("whatever changes what an instruction does in its place changes the fingerprint") {
  using Change = std::function<void(const Code &)>;
  const std::pair<const char *, Change> changes[] = {
      {"predicate",
       [](const Code &code) {
         code.the<llvm::ICmpInst>("less").setPredicate(llvm::CmpInst::ICMP_SGT);
       }},
      {"alignment of a load",
       [](const Code &code) { code.the<llvm::LoadInst>("before").setAlignment(llvm::Align(2)); }},
      {"alignment of a store",
       [](const Code &code) { code.the<llvm::StoreInst>("").setAlignment(llvm::Align(2)); }},
      {"mask of a shuffle",
       [](const Code &code) {
         code.the<llvm::ShuffleVectorInst>("mixed").setShuffleMask({1, 0});
       }},
      {"constant operand",
       [](const Code &code) {
         llvm::Instruction &one = code.the<llvm::Instruction>("one");
         one.setOperand(1, llvm::ConstantInt::get(one.getOperand(1)->getType(), 1));
       }},
      {"swapped operands",
       [](const Code &code) { code.the<llvm::BinaryOperator>("sum").swapOperands(); }},
      {"predecessors of a phi",
       [](const Code &code) {
         auto &phi = code.the<llvm::PHINode>("result");
         llvm::BasicBlock *const first = phi.getIncomingBlock(0);
         phi.setIncomingBlock(0, phi.getIncomingBlock(1));
         phi.setIncomingBlock(1, first);
       }},
      {"member that is extracted",
       [](const Code &code) {
         changeIndex(code.the<llvm::ExtractValueInst>("last").getIndices());
       }},
      {"member that is inserted",
       [](const Code &code) {
         changeIndex(code.the<llvm::InsertValueInst>("other").getIndices());
       }},
  };
  for (const auto &[name, change] : changes) {
    CAPTURE(name);
    const Code code;
    const uint64_t before = code.fingerprint();
    REQUIRE(code.fingerprint() == before);
    change(code);
    REQUIRE(code.fingerprint() != before);
  }
}
