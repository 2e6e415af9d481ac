#include "brute_force_common.h"

namespace aiwc::test {

long double entropy(const Counts &counts) {
  const auto total = static_cast<long double>(std::accumulate(counts.begin(), counts.end(), 0ull));
  long double sum = 0;
  for (uint64_t count : counts) {
    const long double p = static_cast<long double>(count) / total;
    sum -= p * std::log2(p);
  }
  return sum;
}

uint64_t cover90(Counts counts) {
  std::sort(counts.rbegin(), counts.rend());
  const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  uint64_t covered = 0, k = 0;
  while (10 * covered < 9 * total)
    covered += counts[k++];
  return k;
}

long double median(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  if (values.size() % 2 == 1)
    return values[half];
  return (static_cast<long double>(values[half - 1]) + values[half]) / 2;
}

BruteForce bruteForce(const trace::Program &program, const Execution &execution,
                      uint64_t workGroupSize) {
  BruteForce result;
  bruteForceCompute(program, execution, result);
  bruteForceParallelism(program, execution, workGroupSize, result);
  bruteForceMemory(execution, result);
  bruteForceReuse(program, execution, result);
  bruteForceControl(program, execution, result);
  bruteForceAsap(program, execution, result);
  bruteForceLanes(program, execution, workGroupSize, result);
  bruteForceLoops(program, execution, result);
  bruteForceLines(program, execution, result);
  return result;
}

} // namespace aiwc::test
