// To be preloaded: a change of a std::map or a std::set that is a variable of Oclgrind's takes
// longer, and two threads that change the same one at once end the process, which they otherwise do
// rarely.
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

/// The trees that threads change at the moment, by their headers.
std::array<std::atomic<const void *>, 64> changed;

bool isOclgrinds(const void *tree) {
  Dl_info library;
  return dladdr(tree, &library) != 0 && library.dli_fname &&
         std::strstr(library.dli_fname, "/liboclgrind");
}

/// For the time of a change of a tree.
class Change {
public:
  explicit Change(const void *tree) {
    if (!isOclgrinds(tree))
      return;
    for (const auto &other : changed)
      if (other == tree)
        std::abort();
    for (auto &place : changed) {
      const void *none = nullptr;
      if (place.compare_exchange_strong(none, tree)) {
        place_ = &place;
        break;
      }
    }
    usleep(50);
  }
  ~Change() {
    if (place_)
      *place_ = nullptr;
  }
  Change(const Change &) = delete;
  Change &operator=(const Change &) = delete;

private:
  std::atomic<const void *> *place_ = nullptr;
};

template <typename Function> Function next(const char *symbol) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
}

} // namespace

// The functions by which the C++ library's headers insert and erase, with the names of the C++ ABI.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

extern "C" void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left,
                                                                                  void *node,
                                                                                  void *parent,
                                                                                  void *tree) {
  static const auto insert = next<void (*)(bool, void *, void *, void *)>(__func__);
  const Change change(tree);
  insert(left, node, parent, tree);
}

extern "C" void *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(void *node,
                                                                              void *tree) {
  static const auto erase = next<void *(*)(void *, void *)>(__func__);
  const Change change(tree);
  return erase(node, tree);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
