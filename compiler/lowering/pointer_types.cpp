#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::Type;

class Types : public llvm::ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    if (const auto known = made_.find(type); known != made_.end())
      return known->second;
    std::set<Type *> seen;
    if (!hasGeneric(type, seen))
      return made_[type] = type;
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type);
        structure && !structure->isLiteral())
      return remapNamed(*structure);
    return made_[type] = remapParts(type);
  }

private:
  static bool hasGeneric(Type *type, std::set<Type *> &seen) {
    if (!seen.insert(type).second)
      return false;
    if (isGeneric(type))
      return true;
    for (Type *part : type->subtypes())
      if (hasGeneric(part, seen))
        return true;
    return false;
  }

  /// A structure may contain pointers to itself.
  Type *remapNamed(llvm::StructType &type) {
    auto *made = llvm::StructType::create(type.getContext());
    made_[&type] = made;
    if (type.isOpaque())
      return made;
    std::vector<Type *> parts;
    for (Type *part : type.elements())
      parts.push_back(remapType(part));
    made->setBody(parts, type.isPacked());
    const std::string name = type.getName().str();
    type.setName("");
    made->setName(name);
    return made;
  }

  Type *remapParts(Type *type) {
    if (auto *pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
      const unsigned space = pointer->getAddressSpace();
      return llvm::PointerType::get(remapType(pointer->getPointerElementType()),
                                    space == kGenericSpace ? kGlobalSpace : space);
    }
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return llvm::FixedVectorType::get(remapType(vector->getElementType()),
                                        vector->getNumElements());
    std::vector<Type *> parts;
    if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      for (Type *part : function->params())
        parts.push_back(remapType(part));
      return llvm::FunctionType::get(remapType(function->getReturnType()), parts,
                                     function->isVarArg());
    }
    auto *structure = llvm::cast<llvm::StructType>(type);
    for (Type *part : structure->elements())
      parts.push_back(remapType(part));
    return llvm::StructType::get(type->getContext(), parts, structure->isPacked());
  }

  std::map<Type *, Type *> made_;
};

/// Casts between address spaces that are one now, or that the simulator does not tell apart.
void removeCasts(llvm::Function &function) {
  std::vector<llvm::AddrSpaceCastInst *> casts;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction))
      casts.push_back(cast);
  for (llvm::AddrSpaceCastInst *cast : casts) {
    llvm::IRBuilder<> at(cast);
    llvm::Value *pointer = cast->getPointerOperand();
    cast->replaceAllUsesWith(
        cast->getSrcAddressSpace() == cast->getDestAddressSpace()
            ? at.CreateBitCast(pointer, cast->getType())
            : at.CreateIntToPtr(at.CreatePtrToInt(pointer, at.getInt64Ty()), cast->getType()));
    cast->eraseFromParent();
  }
}

void mapVariables(llvm::Module &module, Types &types, llvm::ValueToValueMapTy &values) {
  std::vector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &variable : module.globals())
    variables.push_back(&variable);
  for (llvm::GlobalVariable *variable : variables) {
    Type *type = types.remapType(variable->getValueType());
    if (type == variable->getValueType()) {
      values[variable] = variable;
      continue;
    }
    auto *made = new llvm::GlobalVariable(
        module, type, variable->isConstant(), variable->getLinkage(),
        llvm::MapValue(variable->getInitializer(), values, llvm::RF_None, &types), "", variable,
        llvm::GlobalValue::NotThreadLocal, variable->getAddressSpace());
    made->copyAttributesFrom(variable);
    made->takeName(variable);
    values[variable] = made;
  }
}

/// Functions that kernels call, whose parameters may be generic pointers: `llvm.memcpy.p4.p4`.
void mapDeclarations(llvm::Module &module, Types &types, llvm::ValueToValueMapTy &values) {
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && types.remapType(function.getFunctionType()) !=
                                        static_cast<Type *>(function.getFunctionType()))
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    auto *type = llvm::cast<llvm::FunctionType>(types.remapType(function->getFunctionType()));
    auto *made = llvm::Function::Create(type, function->getLinkage(), function->getAddressSpace(),
                                        "", &module);
    made->copyAttributesFrom(function);
    const std::string name = function->getName().str();
    function->setName("");
    made->setName(name); // unlike takeName, sees that it is an intrinsic
    if (const auto named = llvm::Intrinsic::remangleIntrinsicFunction(made)) { // by its types
      made->eraseFromParent();
      made = *named;
    }
    values[function] = made;
  }
}

void remapKernel(llvm::Function &kernel, Types &types, llvm::ValueToValueMapTy &values) {
  auto *type = llvm::cast<llvm::FunctionType>(types.remapType(kernel.getFunctionType()));
  auto *made = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "",
                                      kernel.getParent());
  made->takeName(&kernel);
  for (llvm::Argument &argument : kernel.args()) {
    made->getArg(argument.getArgNo())->setName(argument.getName());
    values[&argument] = made->getArg(argument.getArgNo());
  }
  llvm::SmallVector<llvm::ReturnInst *, 4> returns;
  llvm::CloneFunctionInto(made, &kernel, values, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns, "", nullptr, &types);
  made->setCallingConv(kernel.getCallingConv());
  for (llvm::Argument &argument : kernel.args())
    if (argument.hasByValAttr()) {
      llvm::Argument &same = *made->getArg(argument.getArgNo());
      same.removeAttr(llvm::Attribute::ByVal);
      same.addAttr(llvm::Attribute::getWithByValType(
          kernel.getContext(), types.remapType(argument.getParamByValType())));
    }
  removeCasts(*made);
  kernel.dropAllReferences();
  kernel.eraseFromParent();
}

} // namespace

void removeGenericPointers(llvm::Module &module) {
  Types types;
  llvm::ValueToValueMapTy values;
  mapVariables(module, types, values);
  mapDeclarations(module, types, values);
  for (llvm::Function *kernel : kernelsOf(module)) {
    expandConstants(*kernel);
    remapKernel(*kernel, types, values);
  }
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
  }
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

} // namespace aiwc::lowering
