#pragma once

#include "eod/common/random.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Protein sequences and the similarity of amino acids, shared by the alignments nw and swat.
namespace aiwc::eod::alignment {

/// The amino acids, then B (N or D), Z (Q or E), X (any) and * (stop), in the order of blosum62().
inline constexpr std::string_view kLetters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// Codes: positions in kLetters.
using Sequence = std::vector<uint8_t>;

/// All `letters` must be in kLetters.
Sequence encode(std::string_view letters);

/// Two sequences to align.
struct Pair {
  Sequence first;
  Sequence second;
};

/// The two records of a FASTA file, of at most `longest` letters. Throws UsageError.
Pair readPair(const std::string &path, uint32_t longest);

/// The substitution scores BLOSUM62 (Henikoff, Henikoff: Amino acid substitution matrices from
/// protein blocks, PNAS 1992), in half bits, row by row, kLetters.size() squared.
const std::vector<int8_t> &blosum62();

/// Amino acids drawn independently with the frequencies that proteins have (Robinson, Robinson:
/// Distribution of glutamine and asparagine residues..., PNAS 1991).
Sequence randomProtein(uint32_t length, Random &random);

/// A mutated copy of a sequence. Each amino acid is replaced by a random one with probability
/// `substitution`. Before each, with probability `gap`, up to eight amino acids are inserted or a
/// stretch of up to eight is deleted.
Sequence mutated(const Sequence &ancestor, float substitution, float gap, Random &random);

} // namespace aiwc::eod::alignment
