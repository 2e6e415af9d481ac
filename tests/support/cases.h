#pragma once

#include <cstdint>

namespace aiwc::test {

/// How many random cases to try, of which the sanitizers, which take several times as long, see
/// every fifth.
constexpr uint64_t cases(uint64_t all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return all / 5;
#else
  return all;
#endif
}

} // namespace aiwc::test
