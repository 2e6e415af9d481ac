#pragma once

#include <cstdint>

namespace aiwc::test {

/// The number of random cases to test. Sanitizer builds, which are several times slower, test a
/// twentieth of them.
constexpr uint64_t cases(uint64_t all) {
#if defined(AIWC_ADDRESS_SANITIZER) || defined(AIWC_THREAD_SANITIZER)
  return all / 20;
#else
  return all;
#endif
}

} // namespace aiwc::test
