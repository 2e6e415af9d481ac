#pragma once

#include <cstdint>

namespace aiwc::test {

/// How many random cases to try, of which the sanitizers, which take several times as long, see
/// every twentieth.
constexpr uint64_t cases(uint64_t all) {
#if defined(AIWC_ADDRESS_SANITIZER) || defined(AIWC_THREAD_SANITIZER)
  return all / 20;
#else
  return all;
#endif
}

} // namespace aiwc::test
