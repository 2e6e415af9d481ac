#include "bitcode/module_hash.h"
#include "profile/source_hash.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::bitcode {

namespace {

/// Writes code as words without names. Types, functions and variables have the numbers of their
/// first use, and what they are follows once.
class CodeWriter {
public:
  explicit CodeWriter(profile::SourceHasher &hasher) : hasher_(hasher) {}

  void write(const llvm::Function &kernel) {
    writeGlobal(kernel);
    // Writing one adds those that it uses.
    for (size_t i = 0; i < globals_.size(); ++i)
      writeContent(*globals_[i]);
  }

private:
  void add(std::string_view word) {
    hasher_.add(word);
    hasher_.add("\n");
  }
  void add(uint64_t number) { add(std::string_view(std::to_string(number))); }
  void add(const llvm::APInt &number) {
    llvm::SmallString<40> digits;
    number.toString(digits, 16, false);
    add(std::string_view(digits.data(), digits.size()));
  }

  /// Writes the number of `thing`. Returns whether it is new.
  template <typename Thing>
  bool number(const Thing *thing, llvm::DenseMap<const Thing *, uint64_t> &numbers) {
    const auto [place, isNew] = numbers.try_emplace(thing, numbers.size());
    add(place->second);
    return isNew;
  }

  void writeType(const llvm::Type *type) {
    if (!number(type, types_))
      return;
    add(uint64_t{type->getTypeID()});
    if (const auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
      add(integer->getBitWidth());
    } else if (const auto *pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
      add(pointer->getAddressSpace());
      add(uint64_t{pointer->isOpaque()});
      if (!pointer->isOpaque())
        writeType(pointer->getNonOpaquePointerElementType());
    } else if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      add(array->getNumElements());
      writeType(array->getElementType());
    } else if (const auto *vector = llvm::dyn_cast<llvm::VectorType>(type)) {
      add(vector->getElementCount().getKnownMinValue());
      writeType(vector->getElementType());
    } else if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      add(uint64_t{structure->isPacked()});
      add(structure->isOpaque() ? std::string_view("opaque") : std::string_view("elements"));
      if (structure->isOpaque()) // such as an image, which is its name
        add({structure->getName().data(), structure->getName().size()});
      else
        writeTypes(structure->elements());
    } else if (const auto *function = llvm::dyn_cast<llvm::FunctionType>(type)) {
      add(uint64_t{function->isVarArg()});
      writeType(function->getReturnType());
      writeTypes(function->params());
    }
  }
  void writeTypes(llvm::ArrayRef<llvm::Type *> types) {
    add(types.size());
    for (const llvm::Type *type : types)
      writeType(type);
  }

  void writeGlobal(const llvm::GlobalValue &global) {
    add("global");
    if (number<llvm::GlobalValue>(&global, globalNumbers_))
      globals_.push_back(&global);
  }

  void writeContent(const llvm::GlobalValue &global) {
    writeType(global.getValueType());
    add(global.getAddressSpace());
    if (const auto *function = llvm::dyn_cast<llvm::Function>(&global);
        function && !function->isDeclaration()) {
      writeBody(*function);
      return;
    }
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
        variable && variable->hasInitializer()) {
      add(uint64_t{variable->isConstant()});
      add(variable->getAlign().valueOrOne().value());
      writeConstant(*variable->getInitializer());
      return;
    }
    if (const auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(&global)) {
      writeConstant(*alias->getAliasee());
      return;
    }
    add({global.getName().data(), global.getName().size()});
  }

  void writeBody(const llvm::Function &function) {
    locals_.clear();
    for (const llvm::Argument &argument : function.args())
      locals_.try_emplace(&argument, locals_.size());
    for (const llvm::BasicBlock &block : function) {
      locals_.try_emplace(&block, locals_.size());
      for (const llvm::Instruction &instruction : block)
        if (counts(instruction))
          locals_.try_emplace(&instruction, locals_.size());
    }
    // The simulator refuses launches with another size.
    if (const llvm::MDNode *size = function.getMetadata("reqd_work_group_size")) {
      add("reqd_work_group_size");
      for (const llvm::MDOperand &operand : size->operands())
        if (const auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand))
          add(number->getValue());
    }
    for (const llvm::BasicBlock &block : function) {
      add("block");
      for (const llvm::Instruction &instruction : block)
        if (counts(instruction))
          writeInstruction(instruction);
    }
  }

  static bool counts(const llvm::Instruction &instruction) {
    return !llvm::isa<llvm::DbgInfoIntrinsic>(instruction);
  }

  void writeInstruction(const llvm::Instruction &instruction) {
    add(instruction.getOpcode());
    writeType(instruction.getType());
    // Whether additions may overflow, comparisons may see NaN, addresses leave their array.
    add(uint64_t{instruction.getRawSubclassOptionalData()});
    add(uint64_t{instruction.getNumOperands()});
    for (const llvm::Value *operand : instruction.operands())
      writeValue(*operand);
    if (const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      add(uint64_t{compare->getPredicate()});
    } else if (const auto *allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      writeType(allocation->getAllocatedType());
      add(allocation->getAlign().value());
    } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      writeAccess(load->getAlign(), load->isVolatile(), load->getOrdering());
    } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      writeAccess(store->getAlign(), store->isVolatile(), store->getOrdering());
    } else if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      add(uint64_t{update->getOperation()});
      writeAccess(update->getAlign(), update->isVolatile(), update->getOrdering());
    } else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      writeAccess(exchange->getAlign(), exchange->isVolatile(), exchange->getSuccessOrdering());
      add(static_cast<uint64_t>(exchange->getFailureOrdering()));
    } else if (const auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
      add(static_cast<uint64_t>(fence->getOrdering()));
    } else if (const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      writeType(address->getSourceElementType());
    } else if (const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
      writeIndices(extract->getIndices());
    } else if (const auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
      writeIndices(insert->getIndices());
    } else if (const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      for (const int lane : shuffle->getShuffleMask())
        add(static_cast<uint64_t>(static_cast<int64_t>(lane)));
    } else if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (const llvm::BasicBlock *from : phi->blocks())
        writeValue(*from);
    } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      writeType(call->getFunctionType());
    }
  }

  void writeAccess(llvm::Align alignment, bool isVolatile, llvm::AtomicOrdering ordering) {
    add(alignment.value());
    add(uint64_t{isVolatile});
    add(static_cast<uint64_t>(ordering));
  }
  void writeIndices(llvm::ArrayRef<unsigned> indices) {
    add(indices.size());
    for (const unsigned index : indices)
      add(index);
  }

  void writeValue(const llvm::Value &value) {
    if (const auto local = locals_.find(&value); local != locals_.end()) {
      add("local");
      add(local->second);
    } else if (const auto *constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      writeConstant(*constant);
    } else if (const auto *code = llvm::dyn_cast<llvm::InlineAsm>(&value)) {
      add(code->getAsmString());
      add(code->getConstraintString());
    } else {
      add("metadata");
    }
  }

  void writeConstant(const llvm::Constant &constant) {
    if (const auto *global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
      writeGlobal(*global);
      return;
    }
    add(constant.getValueID());
    writeType(constant.getType());
    if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
      add(integer->getValue());
    } else if (const auto *real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
      add(real->getValueAPF().bitcastToAPInt());
    } else if (const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
      const llvm::StringRef bytes = data->getRawDataValues();
      add({bytes.data(), bytes.size()});
    } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
      add(expression->getOpcode());
      add(uint64_t{expression->getRawSubclassOptionalData()});
      if (expression->isCompare())
        add(uint64_t{expression->getPredicate()});
      if (const auto *address = llvm::dyn_cast<llvm::GEPOperator>(expression))
        writeType(address->getSourceElementType());
      if (expression->getOpcode() == llvm::Instruction::ShuffleVector)
        for (const int lane : expression->getShuffleMask())
          add(static_cast<uint64_t>(static_cast<int64_t>(lane)));
      if (expression->getOpcode() == llvm::Instruction::ExtractValue ||
          expression->getOpcode() == llvm::Instruction::InsertValue)
        writeIndices(expression->getIndices());
    }
    if (llvm::isa<llvm::ConstantData>(constant)) // it has no operands
      return;
    add(uint64_t{constant.getNumOperands()});
    for (const llvm::Use &operand : constant.operands())
      if (const auto *part = llvm::dyn_cast<llvm::Constant>(operand.get()))
        writeConstant(*part);
      else
        add("block");
  }

  profile::SourceHasher &hasher_;
  llvm::DenseMap<const llvm::Type *, uint64_t> types_;
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> globalNumbers_;
  std::vector<const llvm::GlobalValue *> globals_;
  llvm::DenseMap<const llvm::Value *, uint64_t> locals_; ///< of the function that is written
};

} // namespace

std::string codeHash(const llvm::Function &kernel) {
  profile::SourceHasher hasher;
  CodeWriter(hasher).write(kernel);
  return hasher.hash();
}

} // namespace aiwc::bitcode
