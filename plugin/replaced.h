/// For the parts of the preloaded library: the functions of Oclgrind that they replace.
#pragma once

namespace aiwc::plugin {

/// The function of Oclgrind's that this library replaces: of OpenCL by its name, of a C++ class by
/// its symbol. Ends the process if there is none.
void *replacedFunction(const char *symbol);

template <typename Function> Function replaced(const char *symbol) {
  return reinterpret_cast<Function>(replacedFunction(symbol));
}

/// Prints one line on the standard error that the process was started with.
void sayFromPreload(const char *line) noexcept;

} // namespace aiwc::plugin
