#include "plugin/engine/engine.h"
#include "profile/source_hash.h"

namespace aiwc::engine {
namespace {

class Words {
public:
  void add(uint64_t word) { words_.push_back(word); }
  void add(const void *pointer) { add(reinterpret_cast<uint64_t>(pointer)); }
  void add(llvm::StringRef text) { add(profile::checksum({text.data(), text.size()})); }
  uint64_t hash() const {
    return profile::checksum(
        {reinterpret_cast<const char *>(words_.data()), words_.size() * sizeof(uint64_t)});
  }

private:
  std::vector<uint64_t> words_;
};

/// Adds the properties of an instruction other than opcode, type and operands. Types and constants
/// are unique in their LLVM context, so their addresses identify them.
void addDetails(const llvm::Instruction &instruction, Words &words) {
  if (const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    words.add(uint64_t{compare->getPredicate()});
  else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    words.add(load->getAlign().value());
  else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    words.add(store->getAlign().value());
  else if (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    words.add(gep->getSourceElementType());
  else if (const auto *allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    words.add(allocation->getAllocatedType());
  else if (const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    for (const int index : shuffle->getShuffleMask())
      words.add(static_cast<uint64_t>(index));
  else if (const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    for (const unsigned index : extract->indices())
      words.add(uint64_t{index});
  else if (const auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    for (const unsigned index : insert->indices())
      words.add(uint64_t{index});
  else if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    for (const llvm::BasicBlock *block : phi->blocks())
      words.add(block);
}

} // namespace

uint64_t fingerprintOf(const decoding::DecodedProgram &decoded) {
  Words words;
  for (size_t i = 0; i < decoded.program().blocks.size(); ++i) {
    words.add(i);
    for (const llvm::Instruction *const *at = decoded.instructions(static_cast<trace::BlockId>(i));
         *at; ++at) {
      const llvm::Instruction &instruction = **at;
      words.add(&instruction);
      words.add(uint64_t{instruction.getOpcode()});
      words.add(instruction.getType());
      words.add(instruction.getDebugLoc().get());
      for (const llvm::Use &operand : instruction.operands()) {
        words.add(operand.get());
        if (llvm::isa<llvm::GlobalObject>(operand.get()))
          words.add(operand->getName());
      }
      addDetails(instruction, words);
    }
  }
  return words.hash();
}

} // namespace aiwc::engine
