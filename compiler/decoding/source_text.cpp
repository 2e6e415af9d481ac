#include "decoding/source_text.h"

#include "common/file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

namespace aiwc::decoding {

namespace {

/// Larger files are no headers that a person wrote.
constexpr size_t kLargestHeader = size_t{4} << 20U;

std::string pathOf(const llvm::DIFile &file) {
  const std::filesystem::path name = file.getFilename().str();
  return (std::filesystem::path(file.getDirectory().str()) / name).lexically_normal().string();
}

bool isReadable(const std::optional<std::string> &file) {
  return file && file->size() <= kLargestHeader;
}

void endLine(std::string &text) {
  if (!text.empty() && text.back() != '\n')
    text += '\n';
}

} // namespace

bool isCuda(const llvm::Module &module) {
  return module.getNamedMetadata("aiwc.cuda") != nullptr; // compiler/cuda/lowering.cpp
}

SourceText::SourceText(std::string source, std::string_view buildOptions,
                       const llvm::Function &kernel)
    : text_(std::move(source)) {
  const llvm::Module &module = *kernel.getParent();
  std::map<std::string, uint32_t> offsets; // of each path: several nodes may describe one file
  if (isCuda(module)) {
    const llvm::DISubprogram *subprogram = kernel.getSubprogram();
    const llvm::DICompileUnit *unit = subprogram ? subprogram->getUnit() : nullptr;
    const std::string path = unit ? pathOf(*unit->getFile()) : "";
    if (const auto own = readFileIfAny(path); isReadable(own)) {
      text_ = *own;
      offsets.emplace(path, 0);
    }
    appendFilesOf(module, offsets);
    return;
  }
  // Almost no program includes files, and a launch should not pay for those of others.
  if (text_.empty() || (text_.find("include") == std::string::npos &&
                        buildOptions.find("-include") == std::string_view::npos))
    return;
  for (const llvm::Function &function : module)
    if (const llvm::DISubprogram *subprogram = function.getSubprogram();
        subprogram && subprogram->getUnit())
      offsets.try_emplace(pathOf(*subprogram->getUnit()->getFile()), 0);
  appendFilesOf(module, offsets);
}

void SourceText::appendFilesOf(const llvm::Module &module,
                               std::map<std::string, uint32_t> &offsets) {
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        const llvm::DebugLoc &location = instruction.getDebugLoc();
        const llvm::DIFile *file = location ? location->getFile() : nullptr;
        if (!file || offsets_.contains(file))
          continue;
        const std::string path = pathOf(*file);
        const auto [offset, isNew] = offsets.try_emplace(path, 0);
        if (isNew)
          offset->second = append(*file, path);
        offsets_[file] = offset->second;
      }
}

uint32_t SourceText::append(const llvm::DIFile &file, const std::string &path) {
  const auto included = readFileIfAny(path);
  if (!isReadable(included))
    return 0;
  endLine(text_);
  text_ += "// Included from " + file.getFilename().str() + ":\n";
  const auto lines = static_cast<uint32_t>(std::ranges::count(text_, '\n'));
  text_ += *included;
  return lines;
}

std::string codeAt(const llvm::DebugLoc &location) {
  const auto text = location ? readFileIfAny(pathOf(*location->getFile())) : std::nullopt;
  std::istringstream lines(isReadable(text) ? *text : "");
  std::string line;
  for (uint32_t number = 0; number < location.getLine() && lines; ++number)
    std::getline(lines, line);
  return lines ? llvm::StringRef(line).trim().str() : "";
}

uint32_t SourceText::lineOf(const llvm::DebugLoc &location) const {
  const uint32_t line = location ? location.getLine() : 0;
  if (offsets_.empty() || line == 0)
    return line;
  const auto found = offsets_.find(location->getFile());
  return found == offsets_.end() ? line : line + found->second;
}

} // namespace aiwc::decoding
