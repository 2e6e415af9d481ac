/// Work of several threads.
#pragma once

#include <thread>
#include <vector>

namespace aiwc::sparse {

/// Calls `work` with 0 to `threads` - 1, each on its own thread.
template <typename Work> void inParallel(unsigned threads, const Work &work) {
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back([&work, i] { work(i); });
  work(0U);
}

} // namespace aiwc::sparse
