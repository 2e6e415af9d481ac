#pragma once

#include "eod/common/random.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Protein sequences and how alike two amino acids are: what the alignments nw and swat share.
namespace aiwc::eod::alignment {

/// The amino acids, then B (N or D), Z (Q or E), X (any) and * (stop), in the order of blosum62().
inline constexpr std::string_view kLetters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// Codes: positions in kLetters.
using Sequence = std::vector<uint8_t>;

/// `letters` are all in kLetters.
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

/// A descendant: each amino acid was drawn anew with probability `substitution`; before each, with
/// probability `gap`, up to eight were inserted or it begins a stretch of up to eight deleted.
Sequence mutated(const Sequence &ancestor, float substitution, float gap, Random &random);

} // namespace aiwc::eod::alignment
