#include "lowering/pass_cases.h"

#include "common/error.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace aiwc::test {
namespace {

namespace fs = std::filesystem;
using lowering::Pass;

constexpr const char *kOutcome = "; ==== ";

void parse(llvm::Module &module, const std::string &text) {
  constexpr const char *kLayout =
      "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024";
  module.setDataLayout(kLayout);
  module.setTargetTriple("spir64-unknown-unknown");
  llvm::SMDiagnostic problem;
  if (llvm::parseAssemblyInto(llvm::MemoryBufferRef(text, "module"), &module, nullptr, problem)) {
    std::string message;
    llvm::raw_string_ostream out(message);
    problem.print(nullptr, out, false);
    throw std::runtime_error(out.str());
  }
}

void verify(const llvm::Module &module) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    throw std::runtime_error("the module is not valid: " + out.str());
}

/// The module without what does not matter: names of values, the order of functions and variables,
/// comments.
std::string normalised(llvm::Module &module) {
  const auto byName = [](const llvm::GlobalValue &a, const llvm::GlobalValue &b) {
    return a.getName() < b.getName();
  };
  module.getFunctionList().sort(byName);
  module.getGlobalList().sort(byName);
  module.setSourceFileName("");
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function) {
      block.setName("");
      for (llvm::Instruction &instruction : block)
        if (!instruction.getType()->isVoidTy())
          instruction.setName("");
    }
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  std::istringstream lines(out.str());
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.size(), line.find("; ")));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty())
      result += line + "\n";
  }
  return result;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// All lines of both: `-` before what is only expected, `+` before what is only there.
std::string difference(const std::string &expected, const std::string &found) {
  const std::vector<std::string> a = linesOf(expected), b = linesOf(found);
  // Of the longest common subsequence behind each pair of places.
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      length[i][j] =
          a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
  std::string result;
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();)
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      result += "  " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && length[i + 1][j] >= length[i][j + 1])) {
      result += "- " + a[i++] + "\n";
    } else {
      result += "+ " + b[j++] + "\n";
    }
  return result;
}

std::string contentOf(const fs::path &file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("the file cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string withNumbers(std::string text, const CaseNumbers &numbers) {
  for (const auto &[name, number] : numbers)
    for (size_t at = 0; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, std::to_string(number));
  return text;
}

/// The module that `pass` makes of the one in `text`, normalised; or `refused: MESSAGE`.
std::string lowered(const Pass &pass, const std::string &text) {
  llvm::LLVMContext context;
  llvm::Module module("kernels.cl", context);
  parse(module, text);
  verify(module);
  try {
    pass.run(module);
  } catch (const Error &error) {
    return std::string("refused: ") + error.what() + "\n";
  }
  verify(module);
  return normalised(module);
}

std::string asItIs(const std::string &text) {
  return lowered({"", [](llvm::Module &) {}}, text);
}

/// Throws what is wrong.
void check(const Pass &pass, const std::string &text) {
  const size_t end = text.find(kOutcome);
  if (end == std::string::npos)
    throw std::runtime_error(std::string("there is no line '") + kOutcome + "...'");
  const std::string before = text.substr(0, end);
  const std::string rest = text.substr(end + std::string(kOutcome).size());
  const std::string outcome = rest.substr(0, rest.find('\n'));
  std::string expected;
  if (outcome == "unchanged")
    expected = asItIs(before);
  else if (outcome == "after")
    expected = asItIs(rest.substr(outcome.size()));
  else if (outcome.starts_with("refused: "))
    expected = outcome + "\n";
  else
    throw std::runtime_error("'" + outcome + "': expected after, unchanged, or refused: MESSAGE");
  if (outcome == "after" && expected == asItIs(before))
    throw std::runtime_error("the modules are the same: expected '; ==== unchanged'");
  const std::string found = lowered(pass, before);
  if (found != expected)
    throw std::runtime_error("expected - and found +:\n" + difference(expected, found));
  // Behind a refusal the next case may follow.
  if (const std::string next = rest.substr(outcome.size());
      outcome != "after" && next.find(kOutcome) != std::string::npos)
    check(pass, next);
}

std::vector<fs::path> casesOf(const fs::path &folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto &entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".ll")
        files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

int run(const std::vector<Pass> &passes, const std::vector<std::string> &words,
        const CaseNumbers &numbers) {
  const auto named = [&](const std::string &name) -> const Pass & {
    const auto found =
        std::ranges::find_if(passes, [&](const Pass &pass) { return pass.name == name; });
    if (found == passes.end())
      throw std::runtime_error("there is no pass " + name);
    return *found;
  };
  if (words.size() == 3 && words[0] == "--print") {
    std::fputs(lowered(named(words[1]), withNumbers(contentOf(words[2]), numbers)).c_str(), stdout);
    return 0;
  }
  int failures = 0;
  const auto fail = [&](const std::string &where, const std::string &what) {
    std::fprintf(stderr, "%s: %s\n", where.c_str(), what.c_str());
    ++failures;
  };
  if (words.size() == 1)
    for (const Pass &pass : passes)
      if (casesOf(fs::path(words[0]) / pass.name).empty())
        fail(pass.name, "this pass has no case");
  if (words.size() == 2) {
    const std::vector<fs::path> cases = casesOf(fs::path(words[0]) / words[1]);
    if (cases.empty())
      fail(words[1], "this pass has no case");
    for (const fs::path &file : cases)
      try {
        check(named(words[1]), withNumbers(contentOf(file), numbers));
      } catch (const std::exception &error) {
        fail(file.string(), error.what());
      }
  }
  return failures > 0;
}

} // namespace

int runPassCases(const std::vector<Pass> &passes, int argc, char **argv,
                 const CaseNumbers &numbers) {
  try {
    return run(passes, {argv + 1, argv + argc}, numbers);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

} // namespace aiwc::test
