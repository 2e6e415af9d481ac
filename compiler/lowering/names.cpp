#include "lowering/names.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>

namespace aiwc::lowering {
namespace {

constexpr size_t kLongest = 100;

/// What a function of the demangler returns, which belongs to the caller.
std::string taken(char *text) {
  std::string result = text ? text : "";
  std::free(text);
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
  llvm::ItaniumPartialDemangler demangler;
  if (name.size() <= kLongest || demangler.partialDemangle(mangled.c_str()) ||
      !demangler.isFunction())
    return name;
  const std::string base = taken(demangler.getFunctionBaseName(nullptr, nullptr));
  return base.substr(0, kLongest) + "<...>";
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
