#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::eod {

struct FastaRecord {
  std::string name; ///< the first word after the '>'
  std::string letters;
};

/// The requirements for a FASTA file.
struct FastaExpectation {
  std::string_view alphabet; ///< upper case; lower case in the file means the same
  size_t records;            ///< exactly so many
  uint64_t letters;          ///< of a record: at least one, at most so many
};

/// Reads a FASTA file (Pearson, Lipman: Improved tools for biological sequence comparison, PNAS
/// 1988): each record is a line that begins with '>' and lines of letters; blanks and empty lines
/// do not count. Stops at the first thing that is not as expected, however long the file, with a
/// UsageError `file:line: what is wrong: what was expected`.
std::vector<FastaRecord> readFasta(const std::string &path, const FastaExpectation &expected);

} // namespace aiwc::eod
