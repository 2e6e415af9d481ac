/// aiwc_bitcode.so: implements the functions of embed/bitcode_module.h with LLVM.
#include "bitcode/module_hash.h"
#include "embed/bitcode_module.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using aiwc::embed::kMetricsMetadata;

/// Passes results and errors to the caller.
class Results {
public:
  Results(aiwc_bitcode_take take, void *context) : take_(take), context_(context) {}
  void give(aiwc_bitcode_kind kind, llvm::StringRef bytes) const {
    take_(context_, kind, bytes.data(), bytes.size());
  }
  void fail(std::string_view message) const {
    give(AIWC_BITCODE_ERROR, {message.data(), message.size()});
  }
  void fail(llvm::Error error) const {
    fail(fmt::format("{}: expected bitcode that LLVM {} reads", llvm::toString(std::move(error)),
                     LLVM_VERSION_STRING));
  }

private:
  aiwc_bitcode_take take_;
  void *context_;
};

/// Stores LLVM's messages while it reads. By default LLVM would print them and end the process.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(std::string &message) : message_(message) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (message_.empty() && info.getSeverity() <= llvm::DS_Warning) {
      llvm::raw_string_ostream stream(message_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &message_;
};

/// A file with one module in it.
class BitcodeFile {
public:
  BitcodeFile(const char *bytes, size_t length, const Results &results)
      : results_(results), buffer_(llvm::StringRef(bytes, length), "bitcode") {
    context_.setDiagnosticHandler(std::make_unique<Diagnostics>(complaint_));
    auto contents = llvm::getBitcodeFileContents(buffer_);
    if (!contents)
      results_.fail(contents.takeError());
    else if (contents->Mods.size() != 1)
      results_.fail(fmt::format("has {} modules: expected one", contents->Mods.size()));
    else
      modules_ = std::move(contents->Mods);
  }

  /// The module; null after an error has been reported.
  std::unique_ptr<llvm::Module> whole() {
    if (modules_.empty())
      return nullptr;
    auto module = modules_[0].parseModule(context_);
    if (!module) {
      results_.fail(module.takeError());
      return nullptr;
    }
    if (!complaint_.empty()) { // for example, it dropped debug information
      results_.fail(complaint_ + ": expected bitcode that LLVM reads without a warning");
      return nullptr;
    }
    return std::move(*module);
  }

  /// Whether this version of LLVM can write the module back without loss; otherwise reports an
  /// error.
  bool rewritable() {
    if (modules_.empty())
      return false;
    auto producer = llvm::getBitcodeProducerString(buffer_);
    const std::string name = producer ? *producer : llvm::toString(producer.takeError());
    if (!name.starts_with(fmt::format("LLVM{}.", LLVM_VERSION_MAJOR))) {
      results_.fail(fmt::format("bitcode of '{}': expected that of LLVM {}, as which it would be "
                                "written; --sidecar writes annotations beside the file",
                                name, LLVM_VERSION_MAJOR));
      return false;
    }
    auto linkTime = modules_[0].getLTOInfo();
    if (!linkTime) {
      results_.fail(linkTime.takeError());
      return false;
    }
    if (linkTime->HasSummary)
      results_.fail("has a summary for link-time optimisation, which would be lost: expected "
                    "bitcode without; --sidecar writes annotations beside the file");
    return !linkTime->HasSummary;
  }

private:
  const Results &results_;
  std::string complaint_;
  llvm::LLVMContext context_; // outlives the modules in it
  llvm::MemoryBufferRef buffer_;
  std::vector<llvm::BitcodeModule> modules_;
};

void replaceNodes(llvm::Module &module, const aiwc_bitcode_string *strings, size_t count) {
  if (llvm::NamedMDNode *old = module.getNamedMetadata(kMetricsMetadata))
    module.eraseNamedMetadata(old);
  if (count == 0)
    return;
  llvm::NamedMDNode *list = module.getOrInsertNamedMetadata(kMetricsMetadata);
  for (size_t i = 0; i < count; ++i)
    list->addOperand(llvm::MDNode::get(
        module.getContext(),
        llvm::MDString::get(module.getContext(), {strings[i].bytes, strings[i].length})));
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] void aiwc_bitcode_identify_1(const char *bytes, size_t length,
                                                            aiwc_bitcode_take take, void *context) {
  const Results results(take, context);
  BitcodeFile file(bytes, length, results);
  const auto module = file.whole();
  if (!module)
    return;
  for (const llvm::Function &function : *module)
    if (!function.isDeclaration())
      results.give(AIWC_BITCODE_FUNCTION, function.getName());
  results.give(AIWC_BITCODE_HASH, aiwc::bitcode::moduleHash(*module));
}

[[gnu::visibility("default")]] void aiwc_bitcode_write_1(const char *bytes, size_t length,
                                                         const aiwc_bitcode_string *strings,
                                                         size_t count, aiwc_bitcode_take take,
                                                         void *context) {
  const Results results(take, context);
  BitcodeFile file(bytes, length, results);
  if (!file.rewritable())
    return;
  const auto module = file.whole();
  if (!module)
    return;
  if (llvm::verifyModule(*module)) {
    results.fail("the module is broken: expected bitcode that LLVM's verifier accepts");
    return;
  }
  replaceNodes(*module, strings, count);
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  // Writes the order of uses as well: passes depend on it, so it must stay as in the original.
  llvm::WriteBitcodeToFile(*module, stream, true);
  results.give(AIWC_BITCODE_MODULE, {bitcode.data(), bitcode.size()});
}

} // extern "C"
