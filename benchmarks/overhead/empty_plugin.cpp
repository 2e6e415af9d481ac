/// A plugin that listens to nothing: the price of Oclgrind's plugin mechanism itself.
#include "simulator/compat.h"

#include <map>
#include <memory>

namespace {

class EmptyPlugin final : public oclgrind::Plugin {
public:
  using Plugin::Plugin;
  bool isThreadSafe() const override { return true; }
};

std::map<const oclgrind::Context *, std::unique_ptr<EmptyPlugin>> &plugins() {
  static std::map<const oclgrind::Context *, std::unique_ptr<EmptyPlugin>> instance;
  return instance;
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context) {
  auto &plugin = plugins()[context] = std::make_unique<EmptyPlugin>(context);
  context->registerPlugin(plugin.get());
}

__attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *context) {
  const auto entry = plugins().find(context);
  if (entry == plugins().end())
    return;
  context->unregisterPlugin(entry->second.get());
  plugins().erase(entry);
}

} // extern "C"
