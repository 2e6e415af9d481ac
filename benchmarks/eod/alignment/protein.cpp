#include "eod/alignment/protein.h"

#include "eod/formats/fasta.h"

#include <array>

namespace aiwc::eod::alignment {
namespace {

/// Frequencies of the first twenty letters, per 100000 residues.
constexpr std::array<uint32_t, 20> kFrequencies{7805, 5129, 4487, 5364, 1925, 4264, 6295,
                                                7377, 2199, 5142, 9019, 5744, 2243, 3856,
                                                5203, 7120, 5841, 1330, 3216, 6441};
constexpr uint32_t kFrequencySum = [] {
  uint32_t sum = 0;
  for (uint32_t frequency : kFrequencies)
    sum += frequency;
  return sum;
}();
constexpr uint32_t kLongestGap = 8;

uint8_t randomResidue(Random &random) {
  uint32_t draw = random.below(kFrequencySum);
  uint8_t code = 0;
  while (draw >= kFrequencies[code])
    draw -= kFrequencies[code++];
  return code;
}

} // namespace

Sequence encode(std::string_view letters) {
  Sequence sequence;
  sequence.reserve(letters.size());
  for (char letter : letters)
    sequence.push_back(static_cast<uint8_t>(kLetters.find(letter)));
  return sequence;
}

Pair readPair(const std::string &path, uint32_t longest) {
  const std::vector<FastaRecord> records =
      readFasta(path, {.alphabet = kLetters, .records = 2, .letters = longest});
  return {encode(records[0].letters), encode(records[1].letters)};
}

const std::vector<int8_t> &blosum62() {
  // clang-format off
  static const std::vector<int8_t> kScores{
  // A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V   B   Z   X   *
     4, -1, -2, -2,  0, -1, -1,  0, -2, -1, -1, -1, -1, -2, -1,  1,  0, -3, -2,  0, -2, -1,  0, -4,
    -1,  5,  0, -2, -3,  1,  0, -2,  0, -3, -2,  2, -1, -3, -2, -1, -1, -3, -2, -3, -1,  0, -1, -4,
    -2,  0,  6,  1, -3,  0,  0,  0,  1, -3, -3,  0, -2, -3, -2,  1,  0, -4, -2, -3,  3,  0, -1, -4,
    -2, -2,  1,  6, -3,  0,  2, -1, -1, -3, -4, -1, -3, -3, -1,  0, -1, -4, -3, -3,  4,  1, -1, -4,
     0, -3, -3, -3,  9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -3, -3, -2, -4,
    -1,  1,  0,  0, -3,  5,  2, -2,  0, -3, -2,  1,  0, -3, -1,  0, -1, -2, -1, -2,  0,  3, -1, -4,
    -1,  0,  0,  2, -4,  2,  5, -2,  0, -3, -3,  1, -2, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4,
     0, -2,  0, -1, -3, -2, -2,  6, -2, -4, -4, -2, -3, -3, -2,  0, -2, -2, -3, -3, -1, -2, -1, -4,
    -2,  0,  1, -1, -3,  0,  0, -2,  8, -3, -3, -1, -2, -1, -2, -1, -2, -2,  2, -3,  0,  0, -1, -4,
    -1, -3, -3, -3, -1, -3, -3, -4, -3,  4,  2, -3,  1,  0, -3, -2, -1, -3, -1,  3, -3, -3, -1, -4,
    -1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4, -2,  2,  0, -3, -2, -1, -2, -1,  1, -4, -3, -1, -4,
    -1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5, -1, -3, -1,  0, -1, -3, -2, -2,  0,  1, -1, -4,
    -1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,  0, -2, -1, -1, -1, -1,  1, -3, -1, -1, -4,
    -2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6, -4, -2, -2,  1,  3, -1, -3, -3, -1, -4,
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7, -1, -1, -4, -3, -2, -2, -1, -2, -4,
     1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,  1, -3, -2, -2,  0,  0,  0, -4,
     0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5, -2, -2,  0, -1, -1,  0, -4,
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,  2, -3, -4, -3, -2, -4,
    -2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7, -1, -3, -2, -1, -4,
     0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4, -3, -2, -1, -4,
    -2, -1,  3,  4, -3,  0,  1, -1,  0, -3, -4,  0, -3, -3, -2,  0, -1, -4, -3, -3,  4,  1, -1, -4,
    -1,  0,  0,  1, -3,  3,  4, -2,  0, -3, -3,  1, -1, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4,
     0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2,  0,  0, -2, -1, -1, -1, -1, -1, -4,
    -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4,  1};
  // clang-format on
  return kScores;
}

Sequence randomProtein(uint32_t length, Random &random) {
  Sequence protein(length);
  for (uint8_t &residue : protein)
    residue = randomResidue(random);
  return protein;
}

Sequence mutated(const Sequence &ancestor, float substitution, float gap, Random &random) {
  Sequence descendant;
  for (size_t i = 0; i < ancestor.size(); ++i) {
    if (random.uniform() < gap) {
      const uint32_t length = 1 + random.below(kLongestGap);
      if (random.below(2)) {
        i += length - 1;
        continue;
      }
      for (uint32_t k = 0; k < length; ++k)
        descendant.push_back(randomResidue(random));
    }
    descendant.push_back(random.uniform() < substitution ? randomResidue(random) : ancestor[i]);
  }
  return descendant;
}

} // namespace aiwc::eod::alignment
