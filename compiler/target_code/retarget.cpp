#include "target_code/retarget.h"

#include "common/error.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

namespace aiwc::target_code {
namespace {

// Of LLVM 14's back ends.
constexpr const char *kAmdLayout =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-"
    "v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7";
constexpr const char *kNvidiaLayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

constexpr Target kGfx906 = {"amdgcn-amd-amdhsa", "gfx906", kAmdLayout, true, {5, 1, 4, 3, 0}};
constexpr Target kGfx1030 = {"amdgcn-amd-amdhsa", "gfx1030", kAmdLayout, true, {5, 1, 4, 3, 0}};
constexpr Target kNvptx = {"nvptx64-nvidia-cuda", "sm_70", kNvidiaLayout, false, {0, 1, 4, 3, 0}};

/// Replaces the address spaces of SPIR in types.
class Types final : public llvm::ValueMapTypeRemapper {
public:
  explicit Types(const Target &target) : target_(target) {}

  unsigned spaceOf(unsigned ofSpir) const {
    if (ofSpir >= std::size(target_.spaces))
      throw Error("address space " + std::to_string(ofSpir) + " is none of SPIR");
    return target_.spaces[ofSpir];
  }

  llvm::Type *remapType(llvm::Type *type) override {
    if (llvm::Type *known = known_.lookup(type))
      return known;
    llvm::Type *result = remapped(type);
    known_[type] = result;
    return result;
  }

private:
  llvm::Type *remapped(llvm::Type *type) {
    if (auto *pointer = llvm::dyn_cast<llvm::PointerType>(type))
      return llvm::PointerType::get(remapType(pointer->getPointerElementType()),
                                    spaceOf(pointer->getAddressSpace()));
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return llvm::FixedVectorType::get(remapType(vector->getElementType()),
                                        vector->getNumElements());
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      const auto parameters = all(function->params());
      return llvm::FunctionType::get(remapType(function->getReturnType()), parameters,
                                     function->isVarArg());
    }
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    if (!structure || structure->isOpaque())
      return type;
    if (structure->isLiteral())
      return llvm::StructType::get(type->getContext(), all(structure->elements()),
                                   structure->isPacked());
    auto *own = llvm::StructType::create(type->getContext(), structure->getName());
    known_[type] = own; // it may have a pointer to its own kind
    own->setBody(all(structure->elements()), structure->isPacked());
    return own;
  }

  std::vector<llvm::Type *> all(llvm::ArrayRef<llvm::Type *> types) {
    std::vector<llvm::Type *> result;
    for (llvm::Type *type : types)
      result.push_back(remapType(type));
    return result;
  }

  const Target &target_;
  llvm::DenseMap<llvm::Type *, llvm::Type *> known_;
};

/// Adds the functions and variables that a constant or an instruction names.
void addGlobals(const llvm::User &user, llvm::SetVector<const llvm::GlobalValue *> &globals) {
  for (const llvm::Use &operand : user.operands())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalValue>(operand))
      globals.insert(global);
    else if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
      addGlobals(*constant, globals);
}

llvm::SetVector<const llvm::GlobalValue *> reachable(const llvm::Function &kernel) {
  llvm::SetVector<const llvm::GlobalValue *> globals;
  globals.insert(&kernel);
  for (size_t i = 0; i < globals.size(); ++i) {
    if (const auto *function = llvm::dyn_cast<llvm::Function>(globals[i]))
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        addGlobals(instruction, globals);
    else
      addGlobals(*globals[i], globals);
  }
  return globals;
}

/// What casts between address spaces become where the target has one for both.
void simplifyCasts(llvm::Function &function) {
  std::vector<llvm::Instruction *> casts;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
        cast && cast->getSrcAddressSpace() == cast->getDestAddressSpace())
      casts.push_back(&instruction);
  for (llvm::Instruction *cast : casts) {
    auto *same = llvm::CastInst::Create(llvm::Instruction::BitCast, cast->getOperand(0),
                                        cast->getType(), "", cast);
    cast->replaceAllUsesWith(same);
    cast->eraseFromParent();
  }
}

void setAttributes(llvm::Function &function, const Target &target, bool isKernel, Types &types) {
  using llvm::Attribute;
  // Structures that are passed in memory have the target's types. A kernel for AMD may have none in
  // its stack: it gets a pointer to somewhere else.
  for (unsigned i = 0; i < function.arg_size(); ++i)
    for (const Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet})
      if (const Attribute passed = function.getAttributes().getParamAttr(i, kind);
          passed.isValid()) {
        function.removeParamAttr(i, kind);
        if (!isKernel || !target.isAmd)
          function.addParamAttr(i, Attribute::get(function.getContext(), kind,
                                                  types.remapType(passed.getValueAsType())));
      }
  for (const Attribute::AttrKind kind : {Attribute::NoInline, Attribute::OptimizeNone,
                                         Attribute::OptimizeForSize, Attribute::MinSize})
    function.removeFnAttr(kind);
  for (const char *name : {"target-cpu", "target-features"})
    function.removeFnAttr(name);
  function.setCallingConv(!isKernel      ? llvm::CallingConv::C
                          : target.isAmd ? llvm::CallingConv::AMDGPU_KERNEL
                                         : llvm::CallingConv::PTX_Kernel);
  if (isKernel || function.isDeclaration())
    return;
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
}

} // namespace

const Target &targetOf(const std::string &family) {
  if (family == "gfx906")
    return kGfx906;
  if (family == "gfx1030")
    return kGfx1030;
  if (family == "nvptx")
    return kNvptx;
  throw Error("the family is '" + family + "': expected gfx906, gfx1030 or nvptx");
}

std::unique_ptr<llvm::Module> retargeted(const llvm::Module &module, const std::string &kernel,
                                         const Target &target) {
  const llvm::Function *const wanted = module.getFunction(kernel);
  if (!wanted || wanted->isDeclaration())
    throw Error("the module has no kernel '" + kernel + "'");
  auto result = std::make_unique<llvm::Module>("target", module.getContext());
  result->setTargetTriple(target.triple);
  result->setDataLayout(target.dataLayout);
  Types types(target);
  llvm::ValueToValueMapTy values;
  const auto globals = reachable(*wanted);
  for (const llvm::GlobalValue *global : globals) {
    if (const auto *function = llvm::dyn_cast<llvm::Function>(global)) {
      auto *type = llvm::cast<llvm::FunctionType>(types.remapType(function->getFunctionType()));
      auto *own = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                         function->getName(), *result);
      own->setAttributes(function->getAttributes());
      values[function] = own;
    } else if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      values[variable] = new llvm::GlobalVariable(
          *result, types.remapType(variable->getValueType()), variable->isConstant(),
          variable->hasInitializer() ? llvm::GlobalValue::InternalLinkage
                                     : llvm::GlobalValue::ExternalLinkage,
          nullptr, variable->getName(), nullptr, llvm::GlobalValue::NotThreadLocal,
          types.spaceOf(variable->getAddressSpace()));
    } else {
      throw Error("the kernel uses an alias");
    }
  }
  for (const llvm::GlobalValue *global : globals) {
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      auto &own = *llvm::cast<llvm::GlobalVariable>(values[variable]);
      own.setAlignment(variable->getAlign());
      if (!variable->hasInitializer())
        continue;
      // The back ends take no initial value of local memory.
      own.setInitializer(
          variable->getAddressSpace() == 3
              ? llvm::UndefValue::get(own.getValueType())
              : llvm::MapValue(variable->getInitializer(), values, llvm::RF_None, &types));
      continue;
    }
    const auto &function = *llvm::cast<llvm::Function>(global);
    auto &own = *llvm::cast<llvm::Function>(values[&function]);
    if (!function.isDeclaration()) {
      auto parameter = own.arg_begin();
      for (const llvm::Argument &argument : function.args())
        values[&argument] = &*parameter++;
      llvm::SmallVector<llvm::ReturnInst *, 8> returns;
      llvm::CloneFunctionInto(&own, &function, values,
                              llvm::CloneFunctionChangeType::DifferentModule, returns, "", nullptr,
                              &types);
      own.clearMetadata();
      simplifyCasts(own);
    }
    setAttributes(own, target, &function == wanted, types);
  }
  for (llvm::Function &function : llvm::make_early_inc_range(*result)) {
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
        call->setCallingConv(function.getCallingConv());
    if (!function.isIntrinsic())
      continue;
    if (const auto own = llvm::Intrinsic::remangleIntrinsicFunction(&function)) {
      function.replaceAllUsesWith(*own);
      function.eraseFromParent();
    }
  }
  if (!target.isAmd) {
    llvm::LLVMContext &context = result->getContext();
    llvm::Metadata *const isKernel[] = {
        llvm::ValueAsMetadata::get(result->getFunction(kernel)),
        llvm::MDString::get(context, "kernel"),
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))};
    result->getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(context, isKernel));
  }
  return result;
}

} // namespace aiwc::target_code
