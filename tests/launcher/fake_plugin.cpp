// An Oclgrind plugin that does nothing but report that it was loaded. Oclgrind's headers are not
// needed: it looks up one function by name and calls it.

#include "session/options.h"
#include "session/status.h"

#ifdef FAKE_UNDEFINED
extern "C" void nobodyDefinesThisFunction();
#endif

extern "C" __attribute__((visibility("default"))) void initializePlugins(void *) {
#ifdef FAKE_UNDEFINED
  nobodyDefinesThisFunction();
#endif
  const aiwc::SessionOptions options = aiwc::optionsFromEnvironment();
  aiwc::StatusFile(options.statusFile).loaded(FAKE_PLUGIN_VERSION);
}

extern "C" __attribute__((visibility("default"))) void releasePlugins(void *) {}
