#include "common/close_words.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace aiwc {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t k = 1; k <= b.size(); ++k) {
      const size_t replaced = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
      diagonal = std::exchange(row[k], std::min({replaced, row[k] + 1, row[k - 1] + 1}));
    }
  }
  return row[b.size()];
}

size_t tolerableDistance(size_t length) {
  return std::max<size_t>(2, length / 3);
}

std::string closestWord(std::string_view word, std::span<const std::string> words) {
  std::string closest;
  size_t least = tolerableDistance(word.size()) + 1;
  for (const std::string &candidate : words)
    // A word of which nothing is left is not meant.
    if (const size_t distance = editDistance(word, candidate);
        distance < std::min(least, candidate.size())) {
      least = distance;
      closest = candidate;
    }
  return closest;
}

} // namespace aiwc
