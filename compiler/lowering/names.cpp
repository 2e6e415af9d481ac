#include "lowering/names.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace aiwc::lowering {
namespace {

constexpr size_t kLongest = 100;

/// What a function of the demangler returns, which belongs to the caller.
std::string taken(char *text) {
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

/// The name with `<...>` for lists of template arguments that stand in `depth` - 1 others.
std::string withoutArguments(const std::string &name, int depth) {
  // Operators are no brackets: `->`, what the demangler puts between `(a)` and `(b)`, and names of
  // functions. `operator<<int>` is `operator<` of int.
  static const std::regex kOperators(R"(->|\) [<>=]+|\boperator[<>=-]*?(?=<\w|[^<>=-]|$))");
  std::string brackets = name;
  for (std::sregex_iterator found(name.begin(), name.end(), kOperators), end; found != end; ++found)
    std::fill_n(brackets.begin() + found->position(), found->length(), ' ');
  std::string result;
  int open = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (brackets[i] == '<' && ++open == depth)
      result += "<...";
    if (open < depth)
      result += name[i];
    if (brackets[i] == '>' && open-- == depth)
      result += name[i];
  }
  return result;
}

} // namespace

std::string plainName(llvm::StringRef mangled) {
  std::string whole = mangled.str(); // the demangler refers to it
  llvm::ItaniumPartialDemangler demangler;
  // The demangler takes a name without a prefix for that of a type: `f` for `float`.
  if (!mangled.startswith("_Z") || demangler.partialDemangle(whole.c_str()))
    return whole;
  const std::string name =
      taken(demangler.isFunction() ? demangler.getFunctionName(nullptr, nullptr)
                                   : demangler.finishDemangle(nullptr, nullptr));
  return name.empty() ? whole : name;
}

std::string readableKernelName(const std::string &mangled) {
  std::string name = plainName(mangled);
  for (const int depth : {2, 1})
    if (name.size() > kLongest)
      name = withoutArguments(name, depth);
  return name.size() <= kLongest ? name : name.substr(0, kLongest) + "<...>";
}

std::string kernelNameWithParameters(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return mangled;
  const std::string parameters = taken(demangler.getFunctionParameters(nullptr, nullptr));
  return readableKernelName(mangled) + (parameters.size() <= kLongest ? parameters : "(...)");
}

std::string readableVariableName(const std::string &mangled) {
  const std::string name = llvm::demangle(mangled);
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

} // namespace aiwc::lowering
