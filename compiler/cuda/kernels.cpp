#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/local_variables.h"
#include "lowering/locations.h"
#include "lowering/names.h"
#include "lowering/passes.h"
#include "passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <string>
#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

using llvm::Function;
using llvm::GlobalVariable;

/// Whether the variable stands for the shared memory whose size the launch says.
bool isDynamicShared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == kLocalSpace && variable.isDeclaration();
}

/// The type of the argument for dynamic shared memory that `variable` stands for: a pointer to an
/// element, as OpenCL C passes it.
llvm::PointerType *dynamicPointerType(const llvm::GlobalVariable &variable) {
  llvm::Type *type = variable.getValueType();
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type->getPointerTo(kLocalSpace);
}

/// The type of the value that an argument passes.
llvm::Type *passedType(const llvm::Argument &argument) {
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
}

/// Clang passes an object that has a copy constructor by its address, but CUDA copies its bytes.
void passObjectsByValue(Function &kernel) {
  for (llvm::Argument &argument : kernel.args())
    if (auto *type = llvm::dyn_cast<llvm::PointerType>(argument.getType());
        type && type->getAddressSpace() == kPrivateSpace && !argument.hasByValAttr() &&
        type->getPointerElementType()->isStructTy())
      argument.addAttr(
          llvm::Attribute::getWithByValType(kernel.getContext(), type->getPointerElementType()));
}

/// Which symbols and dynamic shared memory the code of a kernel uses.
struct Uses {
  std::vector<GlobalVariable *> dynamic;
  std::vector<GlobalVariable *> symbols[2];
};

bool isUsedIn(const GlobalVariable &variable, const Function &kernel) {
  return std::ranges::any_of(variable.users(), [&](const llvm::User *user) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && instruction->getFunction() == &kernel;
  });
}

Uses usesOf(Function &kernel, const Symbols &symbols) {
  Uses uses;
  for (GlobalVariable &variable : kernel.getParent()->globals()) {
    if (!isUsedIn(variable, kernel))
      continue;
    if (isDynamicShared(variable))
      uses.dynamic.push_back(&variable);
    else if (const auto place = symbols.places.find(&variable);
             place != symbols.places.end() && !isLiteralOnly(variable))
      uses.symbols[indexOf(place->second.space)].push_back(&variable);
  }
  return uses;
}

Function *withArguments(Function &kernel, llvm::ArrayRef<llvm::Type *> added) {
  std::vector<llvm::Type *> types(kernel.getFunctionType()->params());
  types.insert(types.end(), added.begin(), added.end());
  Function *made =
      Function::Create(llvm::FunctionType::get(kernel.getReturnType(), types, false),
                       kernel.getLinkage(), kernel.getAddressSpace(), "", kernel.getParent());
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  made->takeName(&kernel);
  made->getBasicBlockList().splice(made->begin(), kernel.getBasicBlockList());
  for (llvm::Argument &argument : kernel.args()) {
    llvm::Argument *same = made->getArg(argument.getArgNo());
    argument.replaceAllUsesWith(same);
    same->takeName(&argument);
  }
  kernel.replaceAllUsesWith(llvm::ConstantExpr::getBitCast(made, kernel.getType()));
  kernel.eraseFromParent();
  return made;
}

/// Where the value of an operand has to be computed.
llvm::Instruction *placeFor(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
    return phi->getIncomingBlock(use)->getTerminator();
  return user;
}

/// Replaces each use of `variable` in `kernel` by what `make` makes there.
template <typename Make>
void replaceUses(GlobalVariable &variable, const Function &kernel, Make make) {
  std::vector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        user && user->getFunction() == &kernel)
      uses.push_back(&use);
  std::map<std::pair<llvm::Instruction *, llvm::Instruction *>, llvm::Value *> made;
  for (llvm::Use *use : uses) {
    llvm::Value *&value = made[{placeFor(*use), llvm::cast<llvm::Instruction>(use->getUser())}];
    if (!value) {
      llvm::IRBuilder<> at(placeFor(*use));
      value = make(at);
    }
    use->set(value);
  }
}

void replaceDynamic(const std::vector<GlobalVariable *> &variables, Function &kernel,
                    llvm::Argument &argument) {
  for (GlobalVariable *variable : variables)
    replaceUses(*variable, kernel, [&](llvm::IRBuilder<> &at) {
      return at.CreateBitCast(&argument, variable->getType());
    });
}

void replaceSymbols(const std::vector<GlobalVariable *> &variables, const Symbols &symbols,
                    Function &kernel, llvm::Argument &argument) {
  for (GlobalVariable *variable : variables) {
    const Symbols::Place place = symbols.places.at(variable);
    llvm::StructType *type = symbols.types[indexOf(place.space)];
    replaceUses(*variable, kernel, [&](llvm::IRBuilder<> &at) {
      return at.CreateStructGEP(type, &argument, place.member);
    });
  }
}

/// A readable name that no other function has: with the parameters if need be, and with a number.
/// The number follows no dot: Oclgrind takes `a.tile` for the local memory of `a` and `a.2.tile`,
/// too.
std::string freeNameOf(const Function &kernel) {
  const std::string mangled = kernel.getName().str();
  const auto isTaken = [&](const std::string &name) {
    const Function *other = kernel.getParent()->getFunction(name);
    return other && other != &kernel;
  };
  std::string name = readableKernelName(mangled);
  if (isTaken(name))
    name = kernelNameWithParameters(mangled);
  std::string free = name;
  for (int number = 2; isTaken(free); ++number)
    free = name + " #" + std::to_string(number);
  return free;
}

void addHiddenArguments(Function &kernel, const Symbols &symbols, DeviceCode &code) {
  passObjectsByValue(kernel);
  DeviceCode::Kernel description;
  description.name = kernel.getName().str();
  description.function = freeNameOf(kernel);
  kernel.setName(description.function);
  kernel.getFnAttribute(kLaunchBoundsAnnotation)
      .getValueAsString()
      .getAsInteger(10, description.mostThreads);
  kernel.removeFnAttr(kLaunchBoundsAnnotation);
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  for (llvm::Argument &argument : kernel.args()) {
    // The author's name: "in" of clang's "in.coerce".
    argument.setName(argument.getName().take_until([](char c) { return c == '.'; }).str());
    description.argumentBytes.push_back(layout.getTypeAllocSize(passedType(argument)));
  }
  const Uses uses = usesOf(kernel, symbols);
  std::vector<llvm::Type *> types;
  if (!uses.dynamic.empty()) {
    description.hasDynamicShared = true;
    types.push_back(dynamicPointerType(*uses.dynamic.front()));
  }
  for (const SymbolSpace space : kSymbolSpaces)
    if (!uses.symbols[indexOf(space)].empty()) {
      (space == SymbolSpace::kGlobal ? description.hasGlobal : description.hasConstant) = true;
      types.push_back(
          symbols.types[indexOf(space)]->getPointerTo(space == SymbolSpace::kGlobal ? 1 : 2));
    }
  Function *made = withArguments(kernel, types);
  size_t next = description.argumentBytes.size();
  if (!uses.dynamic.empty())
    replaceDynamic(uses.dynamic, *made, *made->getArg(next++));
  for (const SymbolSpace space : kSymbolSpaces)
    if (const auto &variables = uses.symbols[indexOf(space)]; !variables.empty())
      replaceSymbols(variables, symbols, *made, *made->getArg(next++));
  description.sharedBytes = takeLocalVariables(*made);
  code.kernels.push_back(description);
}

/// The name of a type in OpenCL C, or one that tells as much.
std::string typeName(const llvm::Argument &argument) {
  llvm::Type *type = passedType(argument);
  if (type->isPointerTy())
    return "void*";
  if (type->isFloatTy())
    return "float";
  if (type->isDoubleTy())
    return "double";
  if (type->isIntegerTy())
    return type->isIntegerTy(8)    ? "char"
           : type->isIntegerTy(16) ? "short"
           : type->isIntegerTy(32) ? "int"
           : type->isIntegerTy(64) ? "long"
                                   : "bool";
  return "struct";
}

void describe(Function &kernel, const DeviceCode::Kernel &description) {
  llvm::LLVMContext &context = kernel.getContext();
  std::vector<llvm::Metadata *> spaces, access, types, qualifiers, names;
  for (const llvm::Argument &argument : kernel.args()) {
    const bool isHidden = argument.getArgNo() >= description.argumentBytes.size();
    const unsigned space = isHidden ? argument.getType()->getPointerAddressSpace() : 0;
    spaces.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), space)));
    access.push_back(llvm::MDString::get(context, "none"));
    types.push_back(llvm::MDString::get(context, typeName(argument)));
    qualifiers.push_back(llvm::MDString::get(context, ""));
    names.push_back(llvm::MDString::get(context, argument.getName()));
  }
  const auto set = [&](const char *name, const std::vector<llvm::Metadata *> &values) {
    kernel.setMetadata(name, llvm::MDNode::get(context, values));
  };
  set("kernel_arg_addr_space", spaces);
  set("kernel_arg_access_qual", access);
  set("kernel_arg_type", types);
  set("kernel_arg_base_type", types);
  set("kernel_arg_type_qual", qualifiers);
  set("kernel_arg_name", names);
}

} // namespace

void addHiddenArguments(llvm::Module &module, const Symbols &symbols, DeviceCode &code) {
  for (Function *kernel : kernelsOf(module)) {
    expandConstants(*kernel);
    refuseUndefined(*kernel);
    addHiddenArguments(*kernel, symbols, code);
  }
  // Only the buffers have the symbols now.
  for (const char *list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = module.getGlobalVariable(list))
      used->eraseFromParent();
  for (const auto &[variable, place] : symbols.places)
    if (!isLiteralOnly(*variable))
      const_cast<GlobalVariable *>(variable)->setInitializer(nullptr);
  for (GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      variable.eraseFromParent();
  }
}

void describeKernels(llvm::Module &module, const DeviceCode &code) {
  for (const DeviceCode::Kernel &description : code.kernels)
    if (Function *kernel = module.getFunction(description.function))
      describe(*kernel, description);
}

} // namespace aiwc::cuda
