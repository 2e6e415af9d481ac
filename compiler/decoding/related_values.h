/// Which values of a function belong together.
#pragma once

#include "decoding/llvm.h"

#include <unordered_map>

namespace aiwc::decoding {

/// Values that are computed from one another: a forest of disjoint sets.
class RelatedValues {
public:
  const llvm::Value *of(const llvm::Value *value) {
    const llvm::Value *root = value;
    for (auto up = parents_.find(root); up != parents_.end(); up = parents_.find(root))
      root = up->second;
    while (value != root) {
      const llvm::Value *&up = parents_[value];
      const llvm::Value *next = up;
      up = root;
      value = next;
    }
    return root;
  }
  void join(const llvm::Value *a, const llvm::Value *b) {
    a = of(a);
    b = of(b);
    if (a != b)
      parents_[a] = b;
  }

private:
  std::unordered_map<const llvm::Value *, const llvm::Value *> parents_;
};

} // namespace aiwc::decoding
