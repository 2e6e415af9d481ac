// For applications whose OpenCL library has no layers: preloaded (LD_PRELOAD), this library has the
// functions of OpenCL that the layer replaces, and comes before the library that the application is
// linked with. Where a loader has taken the layer, they only pass calls on.
#include "attach/layer.h"
#include "attach/watched_functions.h"
#include "opencl_api/definition.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace aiwc {
namespace {

/// The OpenCL library of this process, whose symbols not everybody sees: one that belongs to
/// another library. Null if there is none.
void *hiddenLibrary() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *found) {
        const std::string_view name = object->dlpi_name ? object->dlpi_name : "";
        const std::string_view file = name.substr(name.find_last_of('/') + 1);
        if (!file.starts_with("libOpenCL"))
          return 0;
        *static_cast<std::string *>(found) = name;
        return 1;
      },
      &path);
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
}

/// The functions of the application's OpenCL library.
opencl::Functions libraryFunctions() {
  void *const library = dlsym(RTLD_NEXT, "clGetPlatformIDs") ? RTLD_NEXT : hiddenLibrary();
  return library ? opencl::functionsFoundBy([&](const char *name) { return dlsym(library, name); })
                 : opencl::Functions{};
}

/// What an application's call goes to: the layer, or the library if it has the layer below.
const opencl::Functions &called() {
  static const opencl::Functions library = libraryFunctions();
  static const opencl::Functions *const watched = [] {
    // A loader takes its layers when it is called first.
    cl_uint platforms = 0;
    if (library.clGetPlatformIDs)
      library.clGetPlatformIDs(0, nullptr, &platforms);
    return attach::isWatching() ? nullptr : attach::watch(library);
  }();
  return watched ? *watched : library;
}

/// What the function returns; where the library has none, that it is refused.
template <typename Result, typename... Parameters>
Result passed(Result (*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  if (function)
    return function(arguments...);
  const auto refuse = [](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), cl_int *>)
      if (argument)
        *argument = CL_INVALID_OPERATION;
  };
  (refuse(arguments), ...);
  if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else
    return CL_INVALID_OPERATION;
}

} // namespace
} // namespace aiwc

#define AIWC_EXPORT(function, parameters)                                                          \
  AIWC_OPENCL_FUNCTION(function, AIWC_NAMES_##parameters) {                                        \
    return aiwc::passed(aiwc::called().function, AIWC_NAMES_##parameters);                         \
  }
AIWC_WATCHED_FUNCTIONS(AIWC_EXPORT)
