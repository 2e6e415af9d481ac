// Opens the application, which is a library beside it here, for itself only, as Python opens its
// modules: then the OpenCL library is nobody else's, too.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char **argv) {
  void *const module = dlopen(AIWC_TEST_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char **)>(dlsym(module, "application"))(argc, argv);
}
